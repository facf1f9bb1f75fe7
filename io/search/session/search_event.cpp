#include "io/search/session/search_event.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/core/errors.hpp"
#include "engine/model/observation.hpp"
#include "io/base/file/json_places.hpp"
#include "io/base/file/json_text.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

constexpr std::size_t kMostTags = 20;
constexpr std::size_t kLongestTag = 100;  // bytes

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view without_blanks_around(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool can_be_tag(std::string_view tag) {
  const auto is_forbidden = [](char c) { return c == ';' || c == '\x7f' || static_cast<unsigned char>(c) < 0x20U; };
  return !tag.empty() && tag.size() <= kLongestTag && without_blanks_around(tag) == tag &&
         std::ranges::none_of(tag, is_forbidden);
}

// A mark, and apart from documents a word with the rating 1 or -1, is written with one number, `rate`. Its absolute value is
// the confidence.
bool has_rate(const SaidWord& word, bool is_apart) { return is_apart ? std::fabs(word.reward.value()) == 1.0 : !word.reward; }

void write_words(JsonWriter& json, const SearchEvent& event) {
  json.key("words").begin_array();
  for (const SaidWord& word : event.words) {
    json.begin_object().member("feature", word.feature);
    if (has_rate(word, !event.document))
      json.member("rate", leaning(word));
    else
      json.member("reward", word.reward.value()).member("confidence", word.confidence);
    json.end_object();
  }
  json.end_array();
}

void write_if_there(JsonWriter& json, std::string_view name, const std::optional<double>& number) {
  if (number) json.member(name, *number);
}

void write_offer(JsonWriter& json, const Offer& offer) {
  json.member("round", offer.round).member("explored", offer.explored).member("among", offer.among);
  if (offer.beside) json.member("beside", *offer.beside);
  write_if_there(json, "propensity", offer.propensity);
  write_if_there(json, "radius", offer.radius);
  write_if_there(json, "mean", offer.mean);
  write_if_there(json, "width", offer.width);
}

void write_rating(JsonWriter& json, const SearchEvent& event) {
  json.member("reward", event.reward);
  write_words(json, event);
  if (event.shown) json.member("shown", *event.shown);
  if (event.batch) json.member("batch", *event.batch);
  if (!event.note.empty()) json.member("note", event.note);
  if (!event.tags.empty()) json.key("tags").array(event.tags);
}

void write_members(JsonWriter& json, const SearchEvent& event) {
  switch (event.kind) {
    case SearchEventKind::shown: return write_offer(json, event.offer.value());
    case SearchEventKind::rated: return write_rating(json, event);
    case SearchEventKind::marked:
      write_words(json, event);
      if (event.batch) json.member("batch", *event.batch);
      return;
    case SearchEventKind::forgot: json.member("feature", event.feature.value()); return;
    case SearchEventKind::skipped:
      if (event.shown) json.member("shown", *event.shown);
      if (event.hand_on) json.member("hand_on", true);
      return;
    case SearchEventKind::sampled: json.member("count", event.count); return;
    case SearchEventKind::undone:
    case SearchEventKind::redone: json.member("target", event.target); return;
    case SearchEventKind::noted: json.member("note", event.note); return;
    case SearchEventKind::aimed:
      json.member("question", event.aim.question);
      if (event.aim.rule) write_rule(json.key("rule"), event.aim.rule);
      if (!event.aim.shared.empty()) json.key("shared").array(event.aim.shared);
      if (!event.aim.withheld.empty()) json.key("withheld").array(event.aim.withheld);
      if (!event.aim.set.empty()) json.key("set").array(event.aim.set);
      return;
    case SearchEventKind::closed: return;
  }
}

// A number from the smallest to the largest, both allowed.
template <typename Number>
struct Range {
  Number least;
  Number most;
};

constexpr std::int64_t kMostWhole = std::numeric_limits<std::int64_t>::max();
constexpr Range<std::int64_t> kFromOne = {1, kMostWhole};
constexpr Range<std::int64_t> kAnyFeature = {0, std::numeric_limits<FeatureId>::max()};
constexpr Range<double> kAnyReal = {std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max()};

// The members of one object of a body, each of which is taken once.
class BodyMembers {
 public:
  // Requires: valid JSON.
  BodyMembers(const JsonPiece& object, const std::string& place) : place_(place) {
    if (json_kind(object.text) != JsonKind::object)
      throw FormatError(place_, fmt::format("expected an object, found {}", kind_text(json_kind(object.text))));
    for (JsonPieces pieces(object); pieces.has_next();) {
      const auto [written, value] = pieces.next_member();
      if (size_ == members_.size()) throw FormatError(place_, "expected fewer members");
      members_[size_++] = {string_of_json(written.text), value};
    }
  }

  // Throws if there is a member that was not taken, or one that is there twice.
  void check_all_taken() const {
    for (const Member& member : std::span(members_).first(size_))
      if (!member.taken) throw FormatError(place_, "expected no member " + quoted_text(member.name));
  }

  [[nodiscard]] std::optional<JsonPiece> find(std::string_view name, JsonKind kind) {
    for (Member& member : std::span(members_).first(size_)) {
      if (member.name != name || member.taken) continue;
      if (json_kind(member.value.text) != kind) fail(name, kind_text(kind), member.value);
      member.taken = true;
      return member.value;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool has(std::string_view name) const {
    const auto known = std::span(members_).first(size_);
    return std::ranges::find(known, name, &Member::name) != known.end();
  }

  [[nodiscard]] JsonPiece take(std::string_view name, JsonKind kind) {
    if (const std::optional<JsonPiece> value = find(name, kind)) return *value;
    throw FormatError(place_, fmt::format("expected the member \"{}\", {}, found none", name, kind_text(kind)));
  }

  [[nodiscard]] std::int64_t whole(std::string_view name, Range<std::int64_t> range) {
    return whole_of(name, take(name, JsonKind::number), range);
  }
  [[nodiscard]] std::optional<std::int64_t> maybe_whole(std::string_view name, Range<std::int64_t> range) {
    const std::optional<JsonPiece> value = find(name, JsonKind::number);
    return value ? std::optional(whole_of(name, *value, range)) : std::nullopt;
  }
  [[nodiscard]] double real(std::string_view name, Range<double> range) {
    return real_of_body(name, take(name, JsonKind::number), range);
  }
  [[nodiscard]] std::optional<double> maybe_real(std::string_view name, Range<double> range) {
    const std::optional<JsonPiece> value = find(name, JsonKind::number);
    return value ? std::optional(real_of_body(name, *value, range)) : std::nullopt;
  }
  [[nodiscard]] bool truth(std::string_view name) { return take(name, JsonKind::boolean).text == "true"; }

  [[noreturn]] void fail(std::string_view name, std::string_view expectation, const JsonPiece& found) const {
    throw FormatError(place_,
                      fmt::format("expected as the member \"{}\" {}, found {}", name, expectation, quoted_text(found.text)));
  }

 private:
  struct Member {
    std::string name;
    JsonPiece value;
    bool taken = false;
  };

  [[nodiscard]] std::int64_t whole_of(std::string_view name, const JsonPiece& value, Range<std::int64_t> range) const {
    const std::optional<std::int64_t> number = parse_integer(value.text);
    if (number && *number >= range.least && *number <= range.most) return *number;
    fail(name, fmt::format("a whole number from {} to {}", range.least, range.most), value);
  }

  // The number bit for bit as it was written, with the sign of a zero.
  [[nodiscard]] double real_of_body(std::string_view name, const JsonPiece& value, Range<double> range) const {
    double number = 0.0;
    const char* const end = value.text.data() + value.text.size();
    const auto [stopped, error] = std::from_chars(value.text.data(), end, number);
    if (error == std::errc() && stopped == end && number >= range.least && number <= range.most) return number;
    fail(name, fmt::format("a number from {} to {}", range.least, range.most), value);
  }

  const std::string& place_;
  std::array<Member, 8> members_;  // no kind has more
  std::size_t size_ = 0;
};

SaidWord read_word(const JsonPiece& element, bool is_apart, const std::string& place) {
  BodyMembers members(element, place);
  SaidWord word;
  word.feature = static_cast<FeatureId>(members.whole("feature", kAnyFeature));
  const auto number = [&](std::string_view name, Range<double> range) {
    const double found = members.real(name, range);
    if (found == 0.0) throw FormatError(place, fmt::format("expected as the member \"{}\" a number that is not 0", name));
    return found;
  };
  if (members.has("reward")) {
    word.reward = number("reward", {-1.0, 1.0});
    word.confidence = number("confidence", {0.0, 1.0});
  } else {
    word.confidence = number("rate", {-1.0, 1.0});
    if (is_apart) {
      word.reward = word.confidence < 0.0 ? -1.0 : 1.0;
      word.confidence = std::fabs(word.confidence);
    }
  }
  members.check_all_taken();
  return word;
}

std::vector<SaidWord> read_words(const SearchEvent& event, BodyMembers& members, const std::string& place) {
  std::vector<SaidWord> words;
  for (JsonPieces pieces(members.take("words", JsonKind::array)); pieces.has_next();)
    words.push_back(read_word(pieces.next_element(), !event.document, place));
  return words;
}

// The texts of an array that is not empty; none if there is no such member.
std::vector<std::string> read_texts(BodyMembers& members, std::string_view name, const std::string& place) {
  const std::optional<JsonPiece> written = members.find(name, JsonKind::array);
  if (!written) return {};
  std::vector<std::string> texts;
  for (JsonPieces pieces(*written); pieces.has_next();) {
    const JsonPiece text = pieces.next_element();
    if (json_kind(text.text) != JsonKind::string) members.fail(name, "texts", text);
    texts.push_back(string_of_json(text.text));
  }
  if (texts.empty()) throw FormatError(place, fmt::format("expected no member \"{}\" that is empty", name));
  return texts;
}

// The documents of an array that is not empty; none if there is no such member.
std::vector<DocumentId> read_documents(BodyMembers& members, std::string_view name, const std::string& place) {
  const std::optional<JsonPiece> written = members.find(name, JsonKind::array);
  if (!written) return {};
  std::vector<DocumentId> documents;
  for (JsonPieces pieces(*written); pieces.has_next();) {
    const JsonPiece piece = pieces.next_element();
    const std::optional<std::int64_t> document = parse_integer(piece.text);
    if (!document || *document < 0 || *document > std::numeric_limits<DocumentId>::max())
      members.fail(name, "rows of documents", piece);
    documents.push_back(static_cast<DocumentId>(*document));
  }
  if (documents.empty()) throw FormatError(place, fmt::format("expected no member \"{}\" that is empty", name));
  return documents;
}

SearchAim read_aim(BodyMembers& members, const std::string& place) {
  SearchAim aim = {.question = string_of_json(members.take("question", JsonKind::string).text)};
  if (const std::optional<JsonPiece> written = members.find("rule", JsonKind::object)) {
    BodyMembers rule(*written, place);
    aim.rule.emplace();
    for (const RuleMember& member : kRuleMembers)
      (*aim.rule).*member.place = rule.maybe_whole(member.name, {member.least, kLargestOfRule});
    rule.check_all_taken();
    if (*aim.rule == StopRule{}) throw FormatError(place, "expected a rule with at least one condition");
  }
  aim.shared = read_texts(members, "shared", place);
  aim.withheld = read_documents(members, "withheld", place);
  aim.set = read_documents(members, "set", place);
  if (!std::ranges::is_sorted(aim.withheld)) throw FormatError(place, "expected as the member \"withheld\" rows that ascend");
  return aim;
}

Offer read_offer(BodyMembers& members, DocumentId document) {
  Offer offer;
  offer.document = document;
  offer.round = members.whole("round", kFromOne);
  offer.explored = members.truth("explored");
  offer.among = members.whole("among", {0, kMostWhole});
  offer.beside = members.maybe_whole("beside", {0, kMostWhole});
  offer.propensity = members.maybe_real("propensity", {0.0, 1.0});
  offer.radius = members.maybe_real("radius", kAnyReal);
  offer.mean = members.maybe_real("mean", kAnyReal);
  offer.width = members.maybe_real("width", kAnyReal);
  return offer;
}

void read_rating(SearchEvent& event, BodyMembers& members, const std::string& place) {
  event.reward = members.real("reward", {-kLargestReward, kLargestReward});
  event.words = read_words(event, members, place);
  event.shown = members.maybe_whole("shown", kFromOne);
  event.batch = members.maybe_whole("batch", kFromOne);
  const std::optional<JsonPiece> note = members.find("note", JsonKind::string);
  event.note = note ? string_of_json(note->text) : std::string();
  if (note && event.note.empty()) throw FormatError(place, "expected no member \"note\" that is empty");
  event.tags = read_texts(members, "tags", place);
  if (const std::optional<std::string> rule = broken_rule_of_tags(event.tags))
    throw FormatError(place, fmt::format("expected as the member \"tags\" {}", *rule));
}

void read_members(SearchEvent& event, BodyMembers& members, const std::string& place) {
  switch (event.kind) {
    case SearchEventKind::shown: event.offer = read_offer(members, event.document.value()); return;
    case SearchEventKind::rated: return read_rating(event, members, place);
    case SearchEventKind::marked:
      event.words = read_words(event, members, place);
      if (!event.document) event.batch = members.maybe_whole("batch", kFromOne);
      return;
    case SearchEventKind::forgot: event.feature = static_cast<FeatureId>(members.whole("feature", kAnyFeature)); return;
    case SearchEventKind::skipped:
      event.shown = members.maybe_whole("shown", kFromOne);
      event.hand_on = members.has("hand_on");
      if (event.hand_on && !members.truth("hand_on")) throw FormatError(place, "expected no member \"hand_on\" that is false");
      return;
    case SearchEventKind::sampled: event.count = members.whole("count", kFromOne); return;
    case SearchEventKind::undone:
    case SearchEventKind::redone: event.target = members.whole("target", kFromOne); return;
    case SearchEventKind::noted: event.note = string_of_json(members.take("note", JsonKind::string).text); return;
    case SearchEventKind::aimed: event.aim = read_aim(members, place); return;
    case SearchEventKind::closed: return;
  }
}

bool is_of_a_document(SearchEventKind kind) {
  return kind == SearchEventKind::shown || kind == SearchEventKind::rated || kind == SearchEventKind::marked ||
         kind == SearchEventKind::skipped;
}

void check_document(const SearchEvent& event, const std::string& place) {
  const std::string_view kind = search_event_name(event.kind);
  const bool may_be_apart = event.kind == SearchEventKind::marked;
  if (is_of_a_document(event.kind) && !event.document && !may_be_apart)
    throw FormatError(place, fmt::format("expected a document with an event of kind {}, found none", kind));
  if (!is_of_a_document(event.kind) && event.document)
    throw FormatError(place, fmt::format("expected no document with an event of kind {}", kind));
  if (event.document && *event.document < 0)
    throw FormatError(place, fmt::format("expected a document from 0 on, found {}", *event.document));
}

}  // namespace

SearchEvent of_originals(SearchEvent event, RowCopies copies) {
  if (event.document) event.document = copies.original_of(*event.document);
  if (event.offer) event.offer->document = copies.original_of(event.offer->document);
  std::vector<DocumentId>& withheld = event.aim.withheld;
  for (DocumentId& document : event.aim.set) document = copies.original_of(document);
  for (DocumentId& document : withheld) document = copies.original_of(document);
  std::ranges::sort(withheld);
  const auto repeated = std::ranges::unique(withheld);
  withheld.erase(repeated.begin(), repeated.end());
  return event;
}

std::int64_t milliseconds_now() noexcept {
  using std::chrono::duration_cast, std::chrono::milliseconds, std::chrono::system_clock;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

std::string time_text(std::int64_t milliseconds) {
  constexpr std::int64_t largest = 253'402'300'799'000;  // the end of the year 9999
  const std::chrono::sys_time<std::chrono::milliseconds> at(
      std::chrono::milliseconds(std::clamp<std::int64_t>(milliseconds, 0, largest)));
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at - day).count();
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()), seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::vector<SaidWord> words_to_learn(std::span<const SaidWord> words, bool learns_ratings) {
  std::vector<SaidWord> learned(words.begin(), words.end());
  for (SaidWord& word : learned) {
    if (word.confidence > 0.0) continue;
    word.confidence = -word.confidence;
    if (learns_ratings) word.reward = -1.0;
  }
  return learned;
}

std::optional<std::string> broken_rule_of_tags(std::span<const std::string> tags) {
  if (tags.size() > kMostTags) return fmt::format("at most {} tags", kMostTags);
  for (std::size_t n = 0; n < tags.size(); ++n) {
    if (!can_be_tag(tags[n]))
      return fmt::format("tags of 1 to {} bytes without a ';', a control character or a blank at an end", kLongestTag);
    if (std::ranges::find(tags.first(n), tags[n]) != tags.first(n).end()) return "each tag once";
  }
  return std::nullopt;
}

std::vector<std::string> tags_typed(std::string_view typed) {
  std::vector<std::string> tags;
  while (!typed.empty()) {
    const std::size_t end = std::min(typed.find_first_of(",;"), typed.size());
    const std::string_view tag = without_blanks_around(typed.substr(0, end));
    if (!tag.empty() && std::ranges::find(tags, tag) == tags.end()) tags.emplace_back(tag);
    typed.remove_prefix(std::min(end + 1, typed.size()));
  }
  return tags;
}

std::string joined_tags(std::span<const std::string> tags) { return fmt::format("{}", fmt::join(tags, "; ")); }

std::string body_of(const SearchEvent& event) {
  JsonWriter json;
  json.begin_object();
  write_members(json, event);
  return json.end_object().take();
}

void read_body(SearchEvent& event, std::string_view body, const std::string& place) {
  check_document(event, place);
  if (const std::optional<JsonFault> fault = json_fault(body)) throw FormatError(place, fault->expectation);
  const std::size_t begin = body.find_first_not_of(" \t\r\n");
  BodyMembers members({body.substr(begin), begin}, place);
  read_members(event, members, place);
  members.check_all_taken();
}

}  // namespace inkling
