#include "io/search/service/request_members.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/base/file/json_text.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/text/decoding.hpp"
#include "io/search/events/event_members.hpp"
#include "io/search/events/event_words.hpp"
#include "io/search/session/search_event.hpp"

namespace inkling {
namespace {

constexpr std::string_view kWordMembers = "the members word, and rate, confidence or both, each once";

// The value as a message shows it.
std::string found_text(std::string_view written) {
  constexpr std::size_t longest = 40;
  const JsonKind kind = json_kind(written);
  if (kind == JsonKind::string) return quoted_text(string_of_json(written));
  if (kind == JsonKind::object || kind == JsonKind::array) return std::string(kind_text(kind));
  return utf8_shortened(written, longest);
}

}  // namespace

std::string_view without_expected(std::string_view expectation) {
  constexpr std::string_view beginning = "expected ";
  if (expectation.starts_with(beginning)) expectation.remove_prefix(beginning.size());
  return expectation;
}

RequestError::RequestError(std::size_t column, std::string member, const std::string& found, const std::string& expected)
    : FormatError(fmt::format("column {}: found {}", column, found), "expected " + expected),
      member_(std::move(member)),
      found_(found) {}

RequestMembers::RequestMembers(std::string_view text) : text_(text) {
  const auto fail = [&](std::size_t position, const std::string& found, std::string_view expected) {
    throw RequestError(utf8_count(text.substr(0, position)) + 1, {}, found, std::string(expected));
  };
  if (const std::size_t good = valid_utf8_prefix(text); good < text.size())
    fail(good, fmt::format("the byte 0x{:02X}", static_cast<unsigned char>(text[good])), "UTF-8");
  if (const std::optional<JsonFault> fault = json_fault(text)) {
    const std::string_view expected = without_expected(fault->expectation);
    constexpr std::string_view before_found = ", found ";
    const std::size_t at = expected.rfind(before_found);
    if (at == std::string_view::npos) fail(fault->position, "something else than JSON", expected);
    fail(fault->position, std::string(expected.substr(at + before_found.size())), expected.substr(0, at));
  }
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const JsonPiece object = {text.substr(begin), begin};
  if (json_kind(object.text) != JsonKind::object) fail(begin, found_text(object.text), "a JSON object");
  members_ = members_of(object, {});
}

std::vector<RequestMembers::Member> RequestMembers::members_of(const JsonPiece& object, const std::string& prefix) const {
  std::vector<Member> members;
  for (JsonPieces pieces(object); pieces.has_next();) {
    const JsonMember member = pieces.next_member();
    std::string name = prefix + string_of_json(member.name.text);
    if (std::ranges::find(members, name, &Member::name) != members.end())
      refuse(visible_text(name), member.name, "this member once");
    members.push_back({std::move(name), member.name, member.value});
  }
  return members;
}

const RequestMembers::Member* RequestMembers::find(std::string_view name) const {
  const auto found = std::ranges::find(members_, name, &Member::name);
  return found == members_.end() ? nullptr : &*found;
}

void RequestMembers::rename(std::string_view name, std::string_view other) {
  std::ranges::find(members_, name, &Member::name)->name = other;
}

const RequestMembers::Member& RequestMembers::need(std::string_view name, std::string_view expected) const {
  if (const Member* const member = find(name)) return *member;
  const std::size_t begin = text_.find('{');
  throw RequestError(utf8_count(text_.substr(0, begin)) + 1, std::string(name), "no such member",
                     fmt::format("\"{}\": {}", name, expected));
}

void RequestMembers::check_only(std::span<const std::string_view> names) const {
  for (const Member& member : members_)
    if (std::ranges::find(names, member.name) == names.end())
      refuse(visible_text(member.name), member.written,
             names.empty() ? "no members" : fmt::format("only {}", fmt::join(names, ", ")));
}

void RequestMembers::refuse(const std::string& member, const JsonPiece& found, const std::string& expected) const {
  throw RequestError(utf8_count(text_.substr(0, found.position)) + 1, member, found_text(found.text), expected);
}

std::string RequestMembers::text(const Member& member, std::size_t least_bytes, std::size_t most_bytes) const {
  const bool is_text = json_kind(member.value.text) == JsonKind::string;
  std::string text = is_text ? string_of_json(member.value.text) : std::string();
  if (is_text && text.size() >= least_bytes && text.size() <= most_bytes) return text;
  refuse(member.name, member.value, fmt::format("a text of {} to {} bytes", least_bytes, most_bytes));
}

std::int64_t RequestMembers::whole(const Member& member, std::int64_t least, std::int64_t most) const {
  const bool is_number = json_kind(member.value.text) == JsonKind::number;
  const std::optional<std::int64_t> number = is_number ? parse_integer(member.value.text) : std::nullopt;
  if (number && *number >= least && *number <= most) return *number;
  refuse(member.name, member.value, fmt::format("a whole number from {} to {}", least, most));
}

double RequestMembers::real(const Member& member, double largest) const {
  const std::optional<double> number = real_of(member.value);
  if (number && std::fabs(*number) <= largest) return *number;
  refuse(member.name, member.value, fmt::format("a finite number of at most {} in size", largest));
}

bool RequestMembers::truth(const Member& member) const {
  if (json_kind(member.value.text) == JsonKind::boolean) return member.value.text == "true";
  refuse(member.name, member.value, "true or false");
}

DocumentId RequestMembers::document(const Member& member, const EventScope& scope) const {
  if (json_kind(member.value.text) == JsonKind::string && scope.rows_of_ids) return row_of_id(member, scope);
  if (const std::optional<std::int64_t> row = index_of(member.value, scope.documents)) return static_cast<DocumentId>(*row);
  refuse(member.name, member.value,
         fmt::format("a row of the pool from 0 to {}{}", scope.documents - 1,
                     scope.rows_of_ids ? ", or an id in double quotes" : " (it has no ids)"));
}

DocumentId RequestMembers::row_of_id(const Member& member, const EventScope& scope) const {
  const std::string id = string_of_json(member.value.text);
  const RowsOfId rows = scope.rows_of_ids(std::span(&id, 1)).front();
  if (!rows.first) refuse(member.name, member.value, "an id of the pool, or a row without quotes");
  if (!rows.second) return static_cast<DocumentId>(*rows.first);
  refuse(member.name, member.value, fmt::format("a row, because the rows {} and {} have this id", *rows.first, *rows.second));
}

FeatureId RequestMembers::feature(const Member& member, const EventScope& scope) const {
  return feature_at(member.name, member.value, scope);
}

FeatureId RequestMembers::feature_at(const std::string& member, const JsonPiece& value, const EventScope& scope) const {
  if (json_kind(value.text) == JsonKind::string && scope.feature_of) {
    const std::string word = string_of_json(value.text);
    if (const std::optional<FeatureId> feature = scope.feature_of(word)) return *feature;
    const std::string advice = scope.advice_for ? scope.advice_for(word) : std::string();
    refuse(member, value, "a word of the pool" + (advice.empty() ? std::string() : "; " + advice));
  }
  if (const std::optional<std::int64_t> number = index_of(value, scope.features)) return static_cast<FeatureId>(*number);
  refuse(member, value, fmt::format("{}a feature from 0 to {}", scope.feature_of ? "a word or " : "", scope.features - 1));
}

std::vector<SaidWord> RequestMembers::words(const Member& member, const EventScope& scope) const {
  if (json_kind(member.value.text) != JsonKind::array)
    refuse(member.name, member.value, "an array of words, such as [\"soil\", {\"word\": \"rose\", \"rate\": -1}]");
  std::vector<SaidWord> words;
  for (JsonPieces pieces(member.value); pieces.has_next();)
    words.push_back(word_at(fmt::format("{}[{}]", member.name, words.size()), pieces.next_element(), scope));
  keep_first_mentions(words);
  return words;
}

std::vector<std::string> RequestMembers::texts(const Member& member, const std::string& expected) const {
  if (json_kind(member.value.text) != JsonKind::array) refuse(member.name, member.value, expected);
  std::vector<std::string> texts;
  for (JsonPieces pieces(member.value); pieces.has_next();) {
    const JsonPiece text = pieces.next_element();
    if (json_kind(text.text) != JsonKind::string) refuse(member.name, text, expected);
    texts.push_back(string_of_json(text.text));
  }
  return texts;
}

std::vector<std::string> RequestMembers::coloured(const Member& member) const {
  const std::string expected = fmt::format("an array of at most {} texts of at most {} bytes", kColours, kMostBytesOfColour);
  std::vector<std::string> words = texts(member, expected);
  const auto is_long = [](const std::string& one) { return one.size() > kMostBytesOfColour; };
  if (words.size() > kColours || std::ranges::any_of(words, is_long)) refuse(member.name, member.value, expected);
  while (!words.empty() && words.back().empty()) words.pop_back();
  return words;
}

std::vector<std::string> RequestMembers::tags(const Member& member) const {
  std::vector<std::string> tags = texts(member, "an array of texts, such as [\"animals\", \"wrong population\"]");
  if (const std::optional<std::string> rule = broken_rule_of_tags(tags)) refuse(member.name, member.value, *rule);
  return tags;
}

SaidWord RequestMembers::word_at(const std::string& member, const JsonPiece& value, const EventScope& scope) const {
  if (json_kind(value.text) != JsonKind::object) return {.feature = feature_at(member, value, scope)};
  std::optional<JsonPiece> word, rate, confidence;
  for (JsonPieces pieces(value); pieces.has_next();) {
    const JsonMember part = pieces.next_member();
    const std::string name = string_of_json(part.name.text);
    std::optional<JsonPiece>* const place = name == "word"         ? &word
                                            : name == "rate"       ? &rate
                                            : name == "confidence" ? &confidence
                                                                   : nullptr;
    if (place == nullptr || *place) refuse(member, part.name, std::string(kWordMembers));
    *place = part.value;
  }
  if (!word || (!rate && !confidence)) refuse(member, value, std::string(kWordMembers));
  SaidWord said;
  if (rate) {
    said.reward = real_of(*rate);
    if (!said.reward || !is_word_reward(*said.reward)) refuse(member + ".rate", *rate, std::string(kWordRewardExpected));
  }
  if (confidence && take_confidence(*confidence, said.confidence))
    refuse(member + ".confidence", *confidence, "a number above 0 and at most 1");
  said.feature = feature_at(member + ".word", *word, scope);
  return said;
}

std::optional<StopRule> RequestMembers::rule(const Member& member) const {
  constexpr std::string_view expected = "an object with some of rated, good, left_at_most, without_good";
  if (json_kind(member.value.text) == JsonKind::null) return std::nullopt;
  if (json_kind(member.value.text) != JsonKind::object) refuse(member.name, member.value, std::string(expected));
  StopRule rule;
  const std::string prefix = member.name + ".";
  for (const Member& given : members_of(member.value, prefix)) {
    const auto* const known =
        std::ranges::find_if(kRuleMembers, [&](const RuleMember& one) { return given.name.substr(prefix.size()) == one.name; });
    if (known == std::ranges::end(kRuleMembers)) refuse(visible_text(given.name), given.written, std::string(expected));
    rule.*known->place = whole(given, known->least, kLargestOfRule);
  }
  if (rule == StopRule{}) refuse(member.name, member.value, std::string(expected));
  return rule;
}

}  // namespace inkling
