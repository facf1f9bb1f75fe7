#include "io/events/event_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <tsl/robin_set.h>

#include "engine/core/errors.hpp"
#include "engine/model/linear_model.hpp"
#include "io/cli/usage_error.hpp"
#include "io/file/json_text.hpp"
#include "io/file/strict_number.hpp"
#include "io/file/utf8.hpp"
#include "io/text/decoding.hpp"

namespace inkling {
namespace {

// For messages: a number as it is written, a string in quotes, and the kind of anything else.
std::string shown_value(const JsonPiece& value) {
  constexpr std::size_t longest = 40;
  switch (const JsonKind kind = json_kind(value.text)) {
    case JsonKind::number:
      return utf8_shortened(value.text, longest);
    case JsonKind::string:
      return quoted_text(string_of_json(value.text));
    default:
      return std::string(kind_text(kind));
  }
}

RecordProblem problem_of(const JsonPiece& value, const std::string& expectation) {
  return {fmt::format("{}, found {}", expectation, shown_value(value)), value.position};
}

std::optional<double> real_of(const JsonPiece& value) {
  return json_kind(value.text) == JsonKind::number ? parse_real(value.text) : std::nullopt;
}

// A whole number from 0 to count - 1.
std::optional<std::int64_t> index_of(const JsonPiece& value, std::int64_t count) {
  if (json_kind(value.text) != JsonKind::number) return std::nullopt;
  const std::optional<std::int64_t> index = parse_integer(value.text);
  if (!index || *index < 0 || *index >= count) return std::nullopt;
  return index;
}

// "a feature from 0 to 99"
std::string range_text(std::string_view what, std::int64_t count) {
  if (count == 0) return fmt::format("{} (there is none)", what);
  return fmt::format("{} from 0 to {}", what, count - 1);
}

// A member that an object may have.
struct KnownMember {
  std::string_view name;
  std::optional<JsonPiece>* value;
};

RecordProblem unknown_member(const JsonPiece& written, const std::string& name,
                             std::span<const KnownMember> known) {
  std::vector<std::string> names;
  names.reserve(known.size());
  std::string list;
  for (const KnownMember& member : known) {
    names.emplace_back(member.name);
    list += fmt::format("{}{}", list.empty() ? "" : ", ", member.name);
  }
  return {fmt::format("expected the members {}, found {}{}", list, quoted_text(name),
                      did_you_mean("", name, names)),
          written.position};
}

// Sets the values of the members that are there. Requires: an object.
RecordVerdict take_members(const JsonPiece& object, std::span<const KnownMember> known) {
  for (JsonPieces pieces(object); pieces.has_next();) {
    const auto [written, value] = pieces.next_member();
    const std::string name = string_of_json(written.text);
    const auto member = std::ranges::find(known, std::string_view(name), &KnownMember::name);
    if (member == known.end()) return unknown_member(written, name, known);
    if (*member->value) {
      return RecordProblem{fmt::format("expected the member {} once, found it again", quoted_text(name)),
                           written.position};
    }
    *member->value = value;
  }
  return std::nullopt;
}

RecordVerdict take_reward(const std::optional<JsonPiece>& written, Event& event) {
  if (!written) return RecordProblem{"expected the member \"reward\", a number, found none"};
  const std::optional<double> reward = real_of(*written);
  if (!reward || std::fabs(*reward) > kLargestReward) {
    return problem_of(*written,
                      fmt::format("expected as the member \"reward\" a finite number of at most {} in size",
                                  number_text(kLargestReward)));
  }
  event.reward = *reward;
  return std::nullopt;
}

RecordProblem missing_member(std::string_view name, const JsonPiece& mark) {
  return {fmt::format("expected the member \"{}\" of a mark, found none", name), mark.position};
}

// Of the feature that was taken last. An event whose marks are all certain has no confidences.
void add_confidence(Event& event, double confidence) {
  if (confidence == 1.0 && event.confidences.empty()) return;
  event.confidences.resize(event.features.size() - 1, 1.0);
  event.confidences.push_back(confidence);
}

bool is_each_once(std::span<const FeatureId> few) {
  for (std::size_t n = 1; n < few.size(); ++n)
    if (std::ranges::find(few.first(n), few[n]) != few.begin() + static_cast<std::ptrdiff_t>(n)) return false;
  return true;
}

// A feature that is marked twice counts once, as surely as the first mark says.
void keep_first_marks(Event& event) {
  constexpr std::size_t few = 32;
  if (event.features.size() <= few && is_each_once(event.features)) return;
  tsl::robin_set<FeatureId> seen;
  bool is_sure = true;
  std::size_t kept = 0;
  for (std::size_t n = 0; n < event.features.size(); ++n) {
    if (!seen.insert(event.features[n]).second) continue;
    event.features[kept] = event.features[n];
    if (!event.confidences.empty()) {
      event.confidences[kept] = event.confidences[n];
      is_sure = is_sure && event.confidences[kept] == 1.0;
    }
    ++kept;
  }
  event.features.resize(kept);
  event.confidences.resize(is_sure ? 0 : kept);
}

RecordVerdict take_pool(const JsonPiece& value, EventLine& parsed) {
  if (json_kind(value.text) != JsonKind::string)
    return problem_of(value,
                      "expected as the member \"pool\" the fingerprint that inkling info shows, a string");
  parsed.pool = string_of_json(value.text);
  parsed.pool_at = value.position;
  return std::nullopt;
}

}  // namespace

struct EventLineParser::Members {
  std::optional<JsonPiece> document, id, reward, features, note, pool;

  [[nodiscard]] std::array<KnownMember, 6> known() {
    return {{{"document", &document},
             {"id", &id},
             {"reward", &reward},
             {"features", &features},
             {"note", &note},
             {"pool", &pool}}};
  }
};

RecordVerdict EventLineParser::parse(std::string_view line, EventLine& parsed) const {
  if (line.size() > rules_.most_line_bytes)
    return RecordProblem{
        fmt::format("expected an event of at most {} bytes, found more", rules_.most_line_bytes)};
  if (!is_decoded(line, TextEncoding::utf8)) return bad_byte(line, valid_utf8_prefix(line));
  if (std::optional<JsonFault> fault = json_fault(line))
    return RecordProblem{std::move(fault->expectation), fault->position};
  const JsonPiece whole = {line, line.find_first_not_of(" \t\r\n")};
  const JsonPiece object = {line.substr(whole.position), whole.position};
  if (json_kind(object.text) != JsonKind::object) return problem_of(object, "expected a JSON object");
  Members members;
  if (RecordVerdict problem = take_members(object, members.known())) return problem;
  if (members.pool && !members.document && !members.id && !members.reward && !members.features)
    return take_pool(*members.pool, parsed);
  if (members.pool) {
    return RecordProblem{
        "expected the member \"pool\" in a line of its own, the first one, found it in an event",
        members.pool->position};
  }
  if (RecordVerdict problem = take_document(members, parsed)) return problem;
  if (RecordVerdict problem = take_reward(members.reward, parsed.event)) return problem;
  if (!members.features || json_kind(members.features->text) == JsonKind::null) return std::nullopt;
  parsed.features_at = members.features->position;
  return take_features(*members.features, parsed.event);
}

RecordVerdict EventLineParser::take_document(const Members& members, EventLine& parsed) const {
  const std::optional<JsonPiece>& document = members.document;
  if (!document && !members.id) {
    return RecordProblem{
        "expected the member \"document\", a row of the pool (counted from 0) or an id, found none"};
  }
  if (members.id) {
    if (document && json_kind(document->text) == JsonKind::string)
      return problem_of(*members.id, "expected one of the members \"document\" and \"id\" to hold the id");
    if (RecordVerdict problem = take_id(*members.id, parsed)) return problem;
  }
  if (!document) return std::nullopt;
  if (json_kind(document->text) == JsonKind::string) return take_id(*document, parsed);
  parsed.row = index_of(*document, scope_.documents);
  parsed.row_at = document->position;
  if (parsed.row) return std::nullopt;
  return problem_of(*document, fmt::format("expected as the member \"document\" {}{}",
                                           range_text("a row of the pool", scope_.documents),
                                           scope_.rows_of_ids ? ", or an id in double quotes" : ""));
}

RecordVerdict EventLineParser::take_id(const JsonPiece& value, EventLine& parsed) const {
  if (json_kind(value.text) != JsonKind::string)
    return problem_of(value, "expected as the member \"id\" an id in double quotes");
  if (!scope_.rows_of_ids) {
    return problem_of(value, fmt::format("expected \"document\" as {}, because this pool has no ids",
                                         range_text("a row", scope_.documents)));
  }
  parsed.id = string_of_json(value.text);
  parsed.id_at = value.position;
  return std::nullopt;
}

RecordVerdict EventLineParser::take_features(const JsonPiece& value, Event& event) const {
  if (json_kind(value.text) != JsonKind::array)
    return problem_of(value, "expected as the member \"features\" an array of words or feature numbers");
  for (JsonPieces pieces(value); pieces.has_next();)
    if (RecordVerdict problem = take_mark(pieces.next_element(), event)) return problem;
  keep_first_marks(event);
  return std::nullopt;
}

RecordVerdict EventLineParser::take_mark(const JsonPiece& value, Event& event) const {
  if (json_kind(value.text) != JsonKind::object) return take_feature(value, 1.0, event);
  std::optional<JsonPiece> feature;
  std::optional<JsonPiece> certainty;
  const KnownMember known[] = {{"feature", &feature}, {"confidence", &certainty}};
  if (RecordVerdict problem = take_members(value, known)) return problem;
  if (!feature) return missing_member("feature", value);
  if (!certainty) return missing_member("confidence", value);
  const std::optional<double> confidence = real_of(*certainty);
  if (confidence && *confidence > 0.0 && *confidence <= 1.0)
    return take_feature(*feature, *confidence, event);
  return problem_of(*certainty,
                    "expected as the member \"confidence\" of a mark a number above 0 and at most 1");
}

RecordVerdict EventLineParser::take_feature(const JsonPiece& value, double confidence, Event& event) const {
  FeatureId feature = 0;
  if (json_kind(value.text) == JsonKind::string) {
    if (RecordVerdict problem = find_word(value, feature)) return problem;
  } else {
    const std::optional<std::int64_t> index = index_of(value, scope_.features);
    if (!index) return problem_of(value, "expected a word or " + range_text("a feature", scope_.features));
    feature = static_cast<FeatureId>(*index);
  }
  event.features.push_back(feature);
  add_confidence(event, confidence);
  return std::nullopt;
}

RecordVerdict EventLineParser::find_word(const JsonPiece& value, FeatureId& feature) const {
  if (!scope_.feature_of) {
    return problem_of(
        value, fmt::format("expected {} (this pool has no words)", range_text("a feature", scope_.features)));
  }
  const std::string word = string_of_json(value.text);
  if (const std::optional<FeatureId> found = scope_.feature_of(word)) {
    feature = *found;
    return std::nullopt;
  }
  RecordProblem problem = problem_of(value, "expected a word of the pool's vocabulary");
  const std::string advice = scope_.advice_for && gives_advice_ ? scope_.advice_for(word) : std::string();
  if (!advice.empty()) problem.expectation += "; " + advice;
  return problem;
}

bool begins_like_events(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  text = text.substr(0, text.find('\n'));
  if (!text.starts_with('{')) return false;
  for (JsonPieces pieces({text, 0}); pieces.has_next();) {
    const std::string_view name = pieces.next_member().name.text;
    if (name == "\"reward\"" || name == "\"pool\"") return true;
  }
  return false;
}

}  // namespace inkling
