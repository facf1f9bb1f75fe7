#include "io/search/events/event_members.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/core/nearest_name.hpp"
#include "engine/model/observation.hpp"
#include "io/base/file/json_text.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

// For messages: a number as it is written, a string in quotes, and the kind of anything else.
std::string shown_value(const JsonPiece& value) {
  constexpr std::size_t longest = 40;
  const JsonKind kind = json_kind(value.text);
  switch (kind) {
    case JsonKind::number: return utf8_shortened(value.text, longest);
    case JsonKind::string: return quoted_text(string_of_json(value.text));
    case JsonKind::object:
    case JsonKind::array:
    case JsonKind::boolean:
    case JsonKind::null: break;
  }
  return std::string(kind_text(kind));
}

RecordProblem unknown_member(const JsonPiece& written, const std::string& name, std::span<const KnownMember> known) {
  std::vector<std::string> names;
  names.reserve(known.size());
  std::string list;
  for (const KnownMember& member : known) {
    names.emplace_back(member.name);
    list += fmt::format("{}{}", list.empty() ? "" : ", ", member.name);
  }
  return {fmt::format("expected the members {}, found {}{}", list, quoted_text(name), did_you_mean("", name, names)),
          written.position};
}

}  // namespace

RecordVerdict take_members(const JsonPiece& object, std::span<const KnownMember> known) {
  for (JsonPieces pieces(object); pieces.has_next();) {
    const auto [written, value] = pieces.next_member();
    const std::string name = string_of_json(written.text);
    const auto member = std::ranges::find(known, std::string_view(name), &KnownMember::name);
    if (member == known.end()) return unknown_member(written, name, known);
    if (*member->value)
      return RecordProblem{fmt::format("expected the member {} once, found it again", quoted_text(name)), written.position};
    *member->value = value;
  }
  return std::nullopt;
}

RecordProblem problem_of(const JsonPiece& value, const std::string& expectation) {
  return {fmt::format("{}, found {}", expectation, shown_value(value)), value.position};
}

std::string range_text(std::string_view what, std::int64_t count) {
  if (count == 0) return fmt::format("{} (there is none)", what);
  return fmt::format("{} from 0 to {}", what, count - 1);
}

std::optional<double> real_of(const JsonPiece& value) {
  return json_kind(value.text) == JsonKind::number ? parse_real(value.text) : std::nullopt;
}

std::optional<std::int64_t> index_of(const JsonPiece& value, std::int64_t count) {
  if (json_kind(value.text) != JsonKind::number) return std::nullopt;
  const std::optional<std::int64_t> index = parse_integer(value.text);
  if (!index || *index < 0 || *index >= count) return std::nullopt;
  return index;
}

RecordVerdict take_reward(const std::optional<JsonPiece>& written, double& reward) {
  if (!written) return RecordProblem{"expected the member \"reward\", a number, found none"};
  const std::optional<double> number = real_of(*written);
  if (!number || std::fabs(*number) > kLargestReward) {
    return problem_of(*written, fmt::format("expected as the member \"reward\" a finite number of at most {} in size",
                                            number_text(kLargestReward)));
  }
  reward = *number;
  return std::nullopt;
}

RecordVerdict take_confidence(const JsonPiece& written, double& confidence) {
  const std::optional<double> number = real_of(written);
  if (!number || !(*number > 0.0) || *number > 1.0)
    return problem_of(written, "expected as the member \"confidence\" a number above 0 and at most 1");
  confidence = *number;
  return std::nullopt;
}

}  // namespace inkling
