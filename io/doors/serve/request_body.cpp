#include "io/doors/serve/request_body.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/base/file/json_text.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/doors/protocol/word_in_request.hpp"
#include "io/doors/serve/http/http_message.hpp"
#include "io/search/events/event_words.hpp"

namespace inkling {
namespace {

constexpr std::size_t kMostWords = 1'000;

std::string found_in_body(std::string_view written) {
  const JsonKind kind = json_kind(written);
  constexpr std::size_t longest = 40;
  if (kind == JsonKind::string) return quoted_text(string_of_json(written));
  const bool is_short = kind != JsonKind::object && kind != JsonKind::array && written.size() <= longest;
  return is_short ? std::string(written) : std::string(kind_text(kind));
}

[[noreturn]] void refuse_member(const std::string& where, std::string_view written,
                                const std::string& expected) {
  throw HttpRefusal({422, fmt::format("{}: found {}", where, found_in_body(written)), where, expected});
}

std::size_t first_byte_that_is_no_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_character_length(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return text.size();
}

void check_is_json_object(std::string_view body) {
  const auto refuse = [](std::size_t position, const std::string& expected) {
    throw HttpRefusal(
        {422, "the body is no JSON object", fmt::format("byte {} of the body", position + 1), expected});
  };
  if (const std::size_t bad = first_byte_that_is_no_utf8(body); bad < body.size()) refuse(bad, "UTF-8");
  if (const std::optional<JsonFault> fault = json_fault(body)) refuse(fault->position, fault->expectation);
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  if (body[first] != '{') refuse(first, "a JSON object");
}

FeatureId feature_in(const std::string& where, std::string_view written, const EventScope& scope) {
  const JsonKind kind = json_kind(written);
  if (kind == JsonKind::string && scope.feature_of) {
    const std::string word = string_of_json(written);
    if (const std::optional<FeatureId> feature = scope.feature_of(word)) return *feature;
    refuse_member(where, written, "a word of the pool");
  }
  const std::optional<std::int64_t> number = kind == JsonKind::number ? parse_integer(written) : std::nullopt;
  if (number && *number >= 0 && *number < scope.features) return static_cast<FeatureId>(*number);
  refuse_member(where, written,
                fmt::format("{}a feature from 0 to {}", scope.feature_of ? "a word of the pool or " : "",
                            scope.features - 1));
}

}  // namespace

RequestBody::RequestBody(std::string_view body, std::initializer_list<std::string_view> members) {
  check_is_json_object(body);
  for (JsonPieces pieces({body, 0}); pieces.has_next();) {
    const JsonMember member = pieces.next_member();
    const std::string name = string_of_json(member.name.text);
    if (std::ranges::find(members, name) == members.end()) {
      throw HttpRefusal(
          {422, fmt::format("the body has the member {}", quoted_text(name)), visible_text(name),
           members.size() == 0 ? "no members"
                               : fmt::format("only {}", fmt::join(members.begin(), members.end(), ", "))});
    }
    if (!members_.emplace(name, member.value.text).second)
      throw HttpRefusal({422, fmt::format("the member {} is there twice", name), name, "it once"});
  }
}

std::string_view RequestBody::value(std::string_view name) const {
  const auto found = members_.find(name);
  if (found != members_.end()) return found->second;
  throw HttpRefusal({422, fmt::format("the body lacks {}", name), std::string(name), "this member"});
}

bool RequestBody::is_null(std::string_view name) const {
  const auto found = members_.find(name);
  return found != members_.end() && json_kind(found->second) == JsonKind::null;
}

std::string RequestBody::text(std::string_view name, std::size_t least, std::size_t most) const {
  const std::string_view written = value(name);
  const std::string expected = fmt::format("a text of {} to {} bytes", least, most);
  if (json_kind(written) != JsonKind::string) refuse_member(std::string(name), written, expected);
  std::string text = string_of_json(written);
  if (text.size() < least || text.size() > most) refuse_member(std::string(name), written, expected);
  return text;
}

double RequestBody::number(std::string_view name) const {
  const std::string_view written = value(name);
  const std::optional<double> number =
      json_kind(written) == JsonKind::number ? parse_real(written) : std::nullopt;
  if (!number) refuse_member(std::string(name), written, "a finite number");
  return *number;
}

std::int64_t RequestBody::integer(std::string_view name, std::int64_t least, std::int64_t most) const {
  const std::string_view written = value(name);
  const std::optional<std::int64_t> number =
      json_kind(written) == JsonKind::number ? parse_integer(written) : std::nullopt;
  if (number && *number >= least && *number <= most) return *number;
  refuse_member(std::string(name), written, fmt::format("a whole number from {} to {}", least, most));
}

std::string_view RequestBody::object(std::string_view name) const {
  const std::string_view written = value(name);
  if (json_kind(written) != JsonKind::object) refuse_member(std::string(name), written, "an object");
  return written;
}

std::optional<std::string> RequestBody::optional_text(std::string_view name, std::size_t most) const {
  return has(name) ? std::optional(text(name, 0, most)) : std::nullopt;
}

std::optional<std::int64_t> RequestBody::optional_integer(std::string_view name, std::int64_t least,
                                                          std::int64_t most) const {
  return has(name) ? std::optional(integer(name, least, most)) : std::nullopt;
}

std::vector<SaidWord> RequestBody::words(const EventScope& scope) const {
  std::vector<SaidWord> words;
  if (!has("words")) return words;
  const std::string_view written = value("words");
  const std::string expected = fmt::format("an array of at most {} words", kMostWords);
  if (json_kind(written) != JsonKind::array) refuse_member("words", written, expected);
  for (JsonPieces pieces({written, 0}); pieces.has_next();) {
    if (words.size() == kMostWords) refuse_member("words", written, expected);
    const std::string where = fmt::format("words[{}]", words.size());
    const WordDoor door = {[&](const JsonPiece& piece, std::string_view member) {
                             return feature_in(where + std::string(member), piece.text, scope);
                           },
                           [&](const JsonPiece& piece, std::string_view member, std::string_view wanted) {
                             refuse_member(where + std::string(member), piece.text, std::string(wanted));
                           }};
    words.push_back(read_said_word(pieces.next_element(), door));
  }
  keep_first_mentions(words);
  return words;
}

}  // namespace inkling
