#include "io/doors/protocol/search_request.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/core/nearest_name.hpp"
#include "engine/model/linear_model.hpp"
#include "io/base/file/json_places.hpp"
#include "io/base/file/json_text.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/text/decoding.hpp"
#include "io/doors/protocol/word_in_request.hpp"
#include "io/search/events/event_words.hpp"

namespace inkling {
namespace {

constexpr std::string_view kVerbList =
    "next, rate, skip, mark, unmark, query, sample, note, undo, redo, why, words, ranking or progress";

// Which members may stand beside the one that names the request.
struct RequestForm {
  SearchVerb verb;
  std::span<const std::string_view> others;
};
constexpr std::array<std::string_view, 3> kBesideRate = {"document", "words", "note"};
constexpr std::array<std::string_view, 1> kBesideDocument = {"document"};
constexpr std::array<std::string_view, 1> kBesideUndo = {"sequence"};
constexpr RequestForm kRequestForms[] = {{SearchVerb::rate, kBesideRate},
                                         {SearchVerb::skip, kBesideDocument},
                                         {SearchVerb::mark, kBesideDocument},
                                         {SearchVerb::why, kBesideDocument},
                                         {SearchVerb::undo, kBesideUndo}};

std::span<const std::string_view> members_beside(SearchVerb verb) {
  const auto* const form = std::ranges::find(kRequestForms, verb, &RequestForm::verb);
  return form == std::ranges::end(kRequestForms) ? std::span<const std::string_view>() : form->others;
}

struct RequestMember {
  std::string name;
  JsonPiece written;
  JsonPiece value;
};

class RequestReader {
 public:
  RequestReader(std::string_view line, const EventScope& scope) : line_(line), scope_(scope) {}

  [[nodiscard]] SearchRequest read() {
    check_text();
    take_members();
    SearchRequest request = {.verb = verb()};
    const RequestMember* const named = member_of(request.verb);
    const std::string_view name = named->name;
    const std::span<const std::string_view> others = members_beside(request.verb);
    for (const RequestMember& member : members_) {
      if (member.name == name || std::ranges::find(others, member.name) != others.end()) continue;
      std::string fitting;
      for (const std::string_view other : others) fitting += fmt::format(" or \"{}\"", other);
      fail_found(member.written,
                 fmt::format("\"{}\" {}", name, fitting.empty() ? "alone" : "with" + fitting.substr(3)));
    }
    take_values(request, *named);
    return request;
  }

 private:
  [[noreturn]] void fail(std::size_t position, const std::string& found, const std::string& expected) const {
    throw FormatError(fmt::format("column {}: found {}", utf8_count(line_.substr(0, position)) + 1, found),
                      "expected " + expected);
  }
  [[noreturn]] void fail_found(const JsonPiece& value, const std::string& expected) const {
    constexpr std::size_t longest = 40;
    const JsonKind kind = json_kind(value.text);
    if (kind == JsonKind::string) fail(value.position, quoted_text(string_of_json(value.text)), expected);
    if (kind == JsonKind::object || kind == JsonKind::array)
      fail(value.position, std::string(kind_text(kind)), expected);
    fail(value.position, utf8_shortened(value.text, longest), expected);
  }

  void check_text() const {
    if (line_.size() > kLongestRequest) {
      throw FormatError("a line that is too long",
                        fmt::format("expected a request of at most {} bytes", kLongestRequest));
    }
    if (const std::size_t good = valid_utf8_prefix(line_); good < line_.size()) {
      fail(good, fmt::format("the byte 0x{:02X}", static_cast<unsigned char>(line_[good])), "UTF-8");
    }
    if (const std::optional<JsonFault> fault = json_fault(line_)) {
      std::string_view expected = fault->expectation;
      if (expected.starts_with("expected ")) expected.remove_prefix(9);
      constexpr std::string_view before_found = ", found ";
      const std::size_t at = expected.rfind(before_found);
      if (at == std::string_view::npos)
        fail(fault->position, "something else than JSON", std::string(expected));
      fail(fault->position, std::string(expected.substr(at + before_found.size())),
           std::string(expected.substr(0, at)));
    }
  }

  void take_members() {
    const std::size_t begin = line_.find_first_not_of(" \t\r\n");
    const JsonPiece object = {line_.substr(begin), begin};
    if (json_kind(object.text) != JsonKind::object)
      fail_found(object, "a JSON object such as {\"next\": true}");
    for (JsonPieces pieces(object); pieces.has_next();) {
      const JsonMember member = pieces.next_member();
      RequestMember taken = {string_of_json(member.name.text), member.name, member.value};
      if (find(taken.name) != nullptr) fail_found(member.name, "this member once");
      members_.insert(members_.end(), std::move(taken));
    }
  }

  [[nodiscard]] const RequestMember* find(std::string_view name) const {
    const auto found = std::ranges::find(members_, name, &RequestMember::name);
    return found == members_.end() ? nullptr : &*found;
  }

  // The first of the names that the line has; "words" may stand beside "rate", which names a request before it.
  [[nodiscard]] SearchVerb verb() const {
    for (const auto& [verb, name] : kSearchVerbNames) {
      const RequestMember* const member = find(name);
      if (member == nullptr || (verb == SearchVerb::note && find("rate") != nullptr)) continue;
      const bool tells_words = verb == SearchVerb::words && json_kind(member->value.text) == JsonKind::array;
      return tells_words ? SearchVerb::query : verb;
    }
    if (members_.empty()) fail(line_.find('{'), "no member", std::string(kVerbList));
    std::vector<std::string> names;
    names.reserve(std::size(kSearchVerbNames));
    for (const auto& [verb, name] : kSearchVerbNames) names.emplace_back(name);
    fail_found(members_.front().written,
               std::string(kVerbList) + did_you_mean("", members_.front().name, names));
  }

  // Words that are rated apart from documents may also be called "words". Requires: the line's verb.
  [[nodiscard]] const RequestMember* member_of(SearchVerb verb) const {
    const RequestMember* const member = find(name_of(verb, kSearchVerbNames));
    return member == nullptr ? find("words") : member;
  }

  void take_values(SearchRequest& request, const RequestMember& named) {
    if (const RequestMember* member = find("document")) request.document = document_of(member->value);
    if (const RequestMember* member = find("sequence")) {
      request.sequence = whole_number(member->value, "the sequence of an event, from 1 on");
    }
    if (const RequestMember* member = find("note")) request.note = text_of_note(member->value);
    switch (request.verb) {
      case SearchVerb::rate:
        request.reward = reward_of(named.value);
        if (const RequestMember* member = find("words")) request.words = words_of(member->value);
        break;
      case SearchVerb::mark:
        request.words = words_of(named.value);
        if (!request.document) fail_found(named.written, "\"mark\" with \"document\", which is rated");
        break;
      case SearchVerb::query:
        request.words = words_of(named.value);
        if (request.words.empty()) fail_found(named.value, "at least one word");
        break;
      case SearchVerb::unmark:
        request.feature = feature_of(named.value);
        break;
      case SearchVerb::sample:
        request.count = whole_number(named.value, "a number of documents from 1 on");
        break;
      case SearchVerb::note:
        break;
      default:
        take_truth_or_count(request, named);
        break;
    }
  }

  void take_truth_or_count(SearchRequest& request, const RequestMember& named) {
    const bool may_count = request.verb == SearchVerb::undo || request.verb == SearchVerb::redo ||
                           request.verb == SearchVerb::words || request.verb == SearchVerb::ranking;
    const bool is_true = named.value.text.starts_with("true");
    if (!is_true && !may_count) fail_found(named.value, fmt::format("\"{}\": true", named.name));
    if (is_true) return;
    if (request.sequence) fail_found(named.value, "\"undo\": true with \"sequence\"");
    request.count = whole_number(named.value, fmt::format("\"{}\": true or a number from 1 on", named.name));
  }

  [[nodiscard]] std::int64_t whole_number(const JsonPiece& value, const std::string& expected) const {
    const std::optional<std::int64_t> number =
        json_kind(value.text) == JsonKind::number ? parse_integer(value.text) : std::nullopt;
    if (!number || *number < 1) fail_found(value, expected);
    return *number;
  }

  [[nodiscard]] std::string text_of_note(const JsonPiece& value) const {
    if (json_kind(value.text) != JsonKind::string) fail_found(value, "a note as a string");
    return string_of_json(value.text);
  }

  [[nodiscard]] double reward_of(const JsonPiece& value) const {
    const std::optional<double> reward =
        json_kind(value.text) == JsonKind::number ? parse_real(value.text) : std::nullopt;
    if (!reward || std::fabs(*reward) > kLargestReward)
      fail_found(value, "as the rating a finite number of at most 1e100 in size");
    return *reward;
  }

  [[nodiscard]] DocumentId document_of(const JsonPiece& value) const {
    if (json_kind(value.text) == JsonKind::string && scope_.rows_of_ids) return row_of_id(value);
    const std::optional<std::int64_t> row =
        json_kind(value.text) == JsonKind::number ? parse_integer(value.text) : std::nullopt;
    if (row && *row >= 0 && *row < scope_.documents) return static_cast<DocumentId>(*row);
    fail_found(value, fmt::format("a row of the pool from 0 to {}{}", scope_.documents - 1,
                                  scope_.rows_of_ids ? ", or an id in double quotes" : " (it has no ids)"));
  }

  [[nodiscard]] DocumentId row_of_id(const JsonPiece& value) const {
    const std::string id = string_of_json(value.text);
    const RowsOfId rows = scope_.rows_of_ids(std::span(&id, 1)).front();
    if (!rows.first) fail_found(value, "an id of the pool, or a row without quotes");
    if (rows.second) {
      fail_found(value,
                 fmt::format("a row, because the rows {} and {} have this id", *rows.first, *rows.second));
    }
    return static_cast<DocumentId>(*rows.first);
  }

  [[nodiscard]] std::vector<SaidWord> words_of(const JsonPiece& value) const {
    if (json_kind(value.text) != JsonKind::array) {
      fail_found(value, "an array of words, such as [\"soil\", {\"word\": \"rose\", \"rate\": -1}]");
    }
    const WordDoor door = {
        [this](const JsonPiece& written, std::string_view) { return feature_of(written); },
        [this](const JsonPiece& written, std::string_view member, std::string_view expected) {
          fail_found(written, (member == ".rate" ? "as the rate of a word " : "") + std::string(expected));
        }};
    std::vector<SaidWord> words;
    for (JsonPieces pieces(value); pieces.has_next();)
      words.insert(words.end(), read_said_word(pieces.next_element(), door));
    keep_first_mentions(words);
    return words;
  }

  [[nodiscard]] FeatureId feature_of(const JsonPiece& value) const {
    const JsonKind kind = json_kind(value.text);
    if (kind == JsonKind::string && scope_.feature_of) return feature_of_word(value);
    const std::optional<std::int64_t> number =
        kind == JsonKind::number ? parse_integer(value.text) : std::nullopt;
    if (number && *number >= 0 && *number < scope_.features) return static_cast<FeatureId>(*number);
    fail_found(value, fmt::format("{}a feature from 0 to {}", scope_.feature_of ? "a word or " : "",
                                  scope_.features - 1));
  }

  [[nodiscard]] FeatureId feature_of_word(const JsonPiece& value) const {
    const std::string word = string_of_json(value.text);
    if (const std::optional<FeatureId> feature = scope_.feature_of(word)) return *feature;
    const std::string advice = scope_.advice_for ? scope_.advice_for(word) : std::string();
    fail_found(value, "a word of the pool" + (advice.empty() ? std::string() : "; " + advice));
  }

  std::string_view line_;
  const EventScope& scope_;
  std::vector<RequestMember> members_;
};

}  // namespace

SearchRequest read_search_request(std::string_view line, const EventScope& scope) {
  return RequestReader(line, scope).read();
}

}  // namespace inkling
