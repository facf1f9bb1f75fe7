#include "io/search/events/event_line.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/base/file/json_text.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/text/decoding.hpp"
#include "io/search/events/event_members.hpp"

namespace inkling {
namespace {

RecordVerdict take_pool(const JsonPiece& value, EventLine& parsed) {
  if (json_kind(value.text) != JsonKind::string)
    return problem_of(value, "expected as the member \"pool\" the fingerprint that inkling info shows, a string");
  parsed.pool = string_of_json(value.text);
  parsed.pool_at = value.position;
  return std::nullopt;
}

// Only exports have a member of this name.
bool is_exported(const JsonPiece& object) {
  for (JsonPieces pieces(object); pieces.has_next();)
    if (pieces.next_member().name.text == "\"rating\"") return true;
  return false;
}

}  // namespace

struct EventLineParser::Members {
  std::optional<JsonPiece> document, id, reward, features, feature, confidence, note, pool, separated;

  [[nodiscard]] std::array<KnownMember, 9> known() {
    return {{{"document", &document},
             {"id", &id},
             {"reward", &reward},
             {"features", &features},
             {"feature", &feature},
             {"confidence", &confidence},
             {"note", &note},
             {"pool", &pool},
             {"separated", &separated}}};
  }
};

RecordVerdict EventLineParser::parse(std::string_view line, EventLine& parsed) const {
  if (line.size() > rules_.most_line_bytes)
    return RecordProblem{fmt::format("expected an event of at most {} bytes, found more", rules_.most_line_bytes)};
  if (!is_decoded(line, TextEncoding::utf8)) return bad_byte(line, valid_utf8_prefix(line));
  if (std::optional<JsonFault> fault = json_fault(line)) return RecordProblem{std::move(fault->expectation), fault->position};
  const JsonPiece whole = {line, line.find_first_not_of(" \t\r\n")};
  const JsonPiece object = {line.substr(whole.position), whole.position};
  if (json_kind(object.text) != JsonKind::object) return problem_of(object, "expected a JSON object");
  if (is_exported(object)) return take_exported(object, parsed);
  Members members;
  if (RecordVerdict problem = take_members(object, members.known())) return problem;
  return take_event(members, parsed);
}

RecordVerdict EventLineParser::take_event(const Members& members, EventLine& parsed) const {
  const bool rates = members.reward || members.features || members.feature || members.confidence;
  if (members.pool && !members.document && !members.id && !rates && !members.separated) return take_pool(*members.pool, parsed);
  if (members.pool) {
    return RecordProblem{"expected the member \"pool\" in a line of its own, the first one, found it in an event",
                         members.pool->position};
  }
  if (members.separated && (rates || members.separated->text != "true"))
    return problem_of(*members.separated, "expected the member \"separated\", true, beside a document alone");
  parsed.separates = parsed.is_unanswered = members.separated.has_value();
  if (parsed.separates) return take_document(members, parsed);
  if (members.feature) return take_word_apart(members, parsed);
  if (members.confidence)
    return RecordProblem{"expected the member \"confidence\" beside \"feature\", found it without", members.confidence->position};
  if (members.features && !members.document && !members.id && !members.reward) return take_words_apart(*members.features, parsed);
  if (RecordVerdict problem = take_document(members, parsed)) return problem;
  if (RecordVerdict problem = take_reward(members.reward, parsed.event.reward)) return problem;
  if (!members.features || json_kind(members.features->text) == JsonKind::null) return std::nullopt;
  parsed.features_at = members.features->position;
  return words_.take_words(*members.features, parsed.event.words);
}

// {"feature": "soil", "reward": 1}
RecordVerdict EventLineParser::take_word_apart(const Members& members, EventLine& parsed) const {
  if (members.document || members.id)
    return RecordProblem{"expected \"features\" beside a document, found \"feature\" (did you mean features?)",
                         members.feature->position};
  if (members.features)
    return RecordProblem{"expected \"feature\" or \"features\" in a line without a document, found both",
                         members.features->position};
  SaidWord word;
  if (RecordVerdict problem = words_.take_feature(*members.feature, word.feature)) return problem;
  if (!members.reward) return take_reward(members.reward, parsed.event.reward);
  if (RecordVerdict problem = words_.take_word_reward(*members.reward, word.reward)) return problem;
  if (members.confidence)
    if (RecordVerdict problem = take_confidence(*members.confidence, word.confidence)) return problem;
  parsed.features_at = members.feature->position;
  parsed.event.words = {word};
  return std::nullopt;
}

// {"features": ["soil", {"feature": "rose", "reward": -1}]}
RecordVerdict EventLineParser::take_words_apart(const JsonPiece& features, EventLine& parsed) const {
  std::vector<SaidWord>& said = parsed.event.words;
  if (RecordVerdict problem = words_.take_words(features, said)) return problem;
  if (said.empty())
    return RecordProblem{"expected at least one word in \"features\", or \"document\", found neither", features.position};
  parsed.features_at = features.position;
  rate_all(said);
  return std::nullopt;
}

// {"id": "a", "title": "...", "rating": 1, "words_for": ["soil"], "words_against": ["rose"], ...}
RecordVerdict EventLineParser::take_exported(const JsonPiece& object, EventLine& parsed) const {
  Members members;
  std::optional<JsonPiece> rating;
  std::optional<JsonPiece> words_for;
  std::optional<JsonPiece> words_against;
  std::optional<JsonPiece> looked_for;
  const KnownMember known[] = {{"id", &members.id},        {"document", &members.document}, {"separated", &members.separated},
                               {"rating", &rating},        {"words_for", &words_for},       {"words_against", &words_against},
                               {"looked_for", &looked_for}};
  for (JsonPieces pieces(object); pieces.has_next();) {
    const auto [written, value] = pieces.next_member();
    const auto* const member = std::ranges::find(known, string_of_json(written.text), &KnownMember::name);
    if (member != std::end(known) && !*member->value) *member->value = value;
  }
  if (looked_for)
    if (RecordVerdict problem = words_.take_words(*looked_for, parsed.apart)) return problem;
  rate_all(parsed.apart);
  if (looked_for) parsed.features_at = looked_for->position;
  parsed.is_unanswered = json_kind(rating->text) == JsonKind::null;
  parsed.separates = members.separated && members.separated->text == "true";
  if (parsed.is_unanswered) return parsed.separates ? take_document(members, parsed) : std::nullopt;
  std::vector<SaidWord>& said = parsed.event.words;
  if (words_for)
    if (RecordVerdict problem = words_.take_words(*words_for, said)) return problem;
  std::vector<SaidWord> against;
  if (words_against)
    if (RecordVerdict problem = words_.take_words(*words_against, against)) return problem;
  for (SaidWord& word : against) word.reward = word.reward.value_or(-1.0);
  said.insert(said.end(), against.begin(), against.end());
  keep_first_mentions(said);
  if (RecordVerdict problem = take_document(members, parsed)) return problem;
  return take_reward(rating, parsed.event.reward);
}

RecordVerdict EventLineParser::take_document(const Members& members, EventLine& parsed) const {
  const std::optional<JsonPiece>& document = members.document;
  if (!document && !members.id)
    return RecordProblem{"expected the member \"document\", a row of the pool (counted from 0) or an id, found none"};
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
  return problem_of(*document,
                    fmt::format("expected as the member \"document\" {}{}", range_text("a row of the pool", scope_.documents),
                                scope_.rows_of_ids ? ", or an id in double quotes" : ""));
}

RecordVerdict EventLineParser::take_id(const JsonPiece& value, EventLine& parsed) const {
  if (json_kind(value.text) != JsonKind::string) return problem_of(value, "expected as the member \"id\" an id in double quotes");
  if (!scope_.rows_of_ids) {
    return problem_of(
        value, fmt::format("expected \"document\" as {}, because this pool has no ids", range_text("a row", scope_.documents)));
  }
  parsed.id = string_of_json(value.text);
  parsed.id_at = value.position;
  return std::nullopt;
}

bool begins_like_events(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  text = text.substr(0, text.find('\n'));
  if (!text.starts_with('{')) return false;
  for (JsonPieces pieces({text, 0}); pieces.has_next();) {
    const std::string_view name = pieces.next_member().name.text;
    if (name == "\"reward\"" || name == "\"rating\"" || name == "\"features\"" || name == "\"separated\"" || name == "\"pool\"")
      return true;
  }
  return false;
}

}  // namespace inkling
