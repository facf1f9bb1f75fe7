#include "io/doors/serve/search_answers.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "io/base/file/json_writer.hpp"
#include "io/doors/protocol/search_protocol.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

constexpr std::size_t kWordsToAsk = 10;

void write_named_word(JsonWriter& json, const ServedPool& pool, FeatureId feature) {
  json.member("feature", feature).member("word", pool.word(feature));
}

void write_why(JsonWriter& json, const Why& why, const ServedPool& pool) {
  json.begin_object().member("document", why.document).member("explored", why.explored);
  json.member("mean", why.mean).member("width", why.width).member("base", why.base);
  json.member("radius", why.radius).member("reason", reason_of_why(why, pool.pool()));
  json.key("words").begin_array();
  for (const WordPart& part : why.parts) {
    json.begin_object();
    write_named_word(json, pool, part.feature);
    json.member("value", part.value).member("weight", part.weight);
    json.member("contribution", part.contribution).member("deviation", part.deviation);
    json.member("width_share", part.width_share).member("marked", leaning_of(part)).end_object();
  }
  json.end_array().end_object();
}

void write_choice(JsonWriter& json, const Offer& offer, std::int64_t shown) {
  json.begin_object().member("shown", shown).member("round", offer.round);
  json.member("explored", offer.explored).member("among", offer.among);
  json.member("propensity", offer.propensity).member("mean", offer.mean);
  json.member("width", offer.width).member("radius", offer.radius).end_object();
}

// null where every document is rated.
bool write_next(JsonWriter& json, ServedSearch& search) {
  const std::optional<Offer> offer = search.searcher().next();
  if (!offer) {
    json.null();
    return false;
  }
  json.begin_object().key("choice");
  write_choice(json, *offer, search.searcher().shown());
  json.key("document");
  search.pool().write_document(json, offer->document);
  json.key("why");
  write_why(json, search.searcher().why(offer->document), search.pool());
  json.end_object();
  return true;
}

void write_progress(JsonWriter& json, ServedSearch& search) {
  const SearchProgress progress = search.searcher().progress();
  json.begin_object().member("documents", progress.documents).member("rated", progress.rated);
  json.member("good", progress.good).member("waiting", progress.waiting);
  json.member("sample_left", progress.sample_left).key("good_left").begin_object();
  json.member("about", progress.left.about).member("at_most", progress.left.at_most);
  json.member("confidence", progress.left.confidence).member("draws", progress.left.draws).end_object();
  json.key("rule_reached");
  if (const std::optional<StopRule>& rule = search.aim().rule)
    json.value(is_reached(*rule, progress, search.history()));
  else
    json.null();
  json.end_object();
}

void write_undo_and_redo(JsonWriter& json, const SearchHistory& history) {
  json.member("undo", history.undoable()).member("redo", history.redoable());
}

void write_event(JsonWriter& json, const ServedPool& pool, const SearchHistory& history,
                 const SearchEvent& event) {
  json.begin_object().member("sequence", event.sequence).member("at_ms", event.at_ms);
  json.member("kind", search_event_name(event.kind));
  json.member("holds", is_answer(event.kind) && history.holds(event.sequence));
  if (event.document) {
    json.member("document", *event.document);
    if (const auto id = pool.pool().id(*event.document)) json.member("id", *id);
  }
  if (event.offer) json.member("explored", event.offer->explored).member("round", event.offer->round);
  if (event.kind == SearchEventKind::rated) json.member("reward", event.reward);
  if (event.kind == SearchEventKind::rated || event.kind == SearchEventKind::marked) {
    json.key("words").begin_array();
    for (const SaidWord& word : told_words(event.words, true)) {
      json.begin_object();
      write_named_word(json, pool, word.feature);
      if (word.reward) json.member("rate", *word.reward);
      json.member("confidence", word.confidence).end_object();
    }
    json.end_array();
  }
  if (event.feature) write_named_word(json, pool, *event.feature);
  if (event.kind == SearchEventKind::sampled) json.member("count", event.count);
  if (event.target != 0) json.member("target", event.target);
  if (!event.note.empty()) json.member("note", event.note);
  json.end_object();
}

// Words of the document on offer that decide most of its uncertainty and of which nothing was said.
std::vector<FeatureId> words_to_ask(ServedSearch& search) {
  const std::optional<Offer> offer = search.searcher().next();
  if (!offer) return {};
  Why why = search.searcher().why(offer->document);
  std::erase_if(why.parts, [](const WordPart& part) { return part.said || part.width_share <= 0.0; });
  std::ranges::stable_sort(why.parts, std::ranges::greater(), &WordPart::width_share);
  std::vector<FeatureId> words;
  for (const WordPart& part : why.parts) {
    if (words.size() == kWordsToAsk) break;
    words.push_back(part.feature);
  }
  return words;
}

}  // namespace

std::optional<std::string> next_answer(ServedSearch& search) {
  JsonWriter json;
  return write_next(json, search) ? std::optional(json.take()) : std::nullopt;
}

std::string answered_answer(ServedSearch& search, const AnsweredWith& answered) {
  JsonWriter json;
  json.begin_object().member("sequence", answered.sequence).key("next");
  write_next(json, search);
  json.member("last", search.last()).key("progress");
  write_progress(json, search);
  write_undo_and_redo(json, search.history());
  if (answered.is_undo) {
    json.key("undone").begin_array();
    for (const std::int64_t sequence : answered.undone) json.value(sequence);
    json.end_array().key("document");
    const std::span<const SearchEvent> events = search.history().events();
    if (answered.undone.empty())
      json.null();
    else
      json.value(events[static_cast<std::size_t>(answered.undone.back()) - 1].document);
  }
  return json.end_object().take();
}

std::string session_answer(ServedSearch& search) {
  const SessionFacts& facts = search.facts();
  JsonWriter json;
  json.begin_object().member("session", facts.id).member("name", facts.name).member("owner", facts.owner);
  json.member("pool", search.pool().name()).member("policy", facts.policy).member("seed", facts.seed);
  json.member("created_ms", facts.created_ms).member("sequence", search.last());
  json.member("question", search.aim().question).key("rule");
  write_rule(json, search.aim().rule);
  write_undo_and_redo(json, search.history());
  json.key("progress");
  write_progress(json, search);
  return json.end_object().take();
}

std::string session_list_answer(std::span<const SessionTable::Line> lines) {
  JsonWriter json;
  json.begin_object().key("sessions").begin_array();
  for (const SessionTable::Line& line : lines) {
    json.begin_object().member("session", line.facts->id).member("name", line.facts->name);
    json.member("owner", line.facts->owner).key("pool");
    if (line.pool == nullptr)
      json.null();
    else
      json.value(line.pool->name());
    json.member("policy", line.facts->policy).member("seed", line.facts->seed);
    json.member("created_ms", line.facts->created_ms).member("events", line.events).end_object();
  }
  return json.end_array().end_object().take();
}

std::string why_answer(ServedSearch& search, DocumentId document) {
  JsonWriter json;
  write_why(json, search.searcher().why(document), search.pool());
  return json.take();
}

std::string words_answer(ServedSearch& search, std::size_t limit) {
  JsonWriter json;
  json.begin_object().key("words").begin_array();
  for (const LearnedWord& word : search.searcher().words(limit)) {
    json.begin_object();
    write_named_word(json, search.pool(), word.feature);
    json.member("weight", word.weight).member("deviation", word.deviation);
    json.member("marked", leaning_of(word)).member("query", word.apart).end_object();
  }
  json.end_array().key("ask").begin_array();
  for (const FeatureId feature : words_to_ask(search)) search.pool().write_word(json, feature);
  return json.end_array().end_object().take();
}

std::string ranking_answer(ServedSearch& search, std::size_t count) {
  JsonWriter json;
  json.begin_object().key("documents").begin_array();
  for (const Ranked& ranked : search.searcher().ranking(count)) {
    json.begin_object();
    search.pool().write_line_members(json, ranked.document);
    json.member("score", ranked.score).end_object();
  }
  return json.end_array().end_object().take();
}

std::string progress_answer(ServedSearch& search) {
  JsonWriter json;
  json.begin_object().key("progress");
  write_progress(json, search);
  const std::vector<SearchStep> steps = search.history().steps();
  json.key("rewards").begin_array();
  for (const SearchStep& step : steps)
    if (step.is_rating()) json.value(step.reward);
  json.end_array().key("draws").begin_array();
  for (const SearchStep& step : steps)
    if (step.is_rating()) json.value(step.offer && step.offer->explored);
  return json.end_array().end_object().take();
}

std::string found_answer(ServedSearch& search) {
  JsonWriter json;
  json.begin_object().key("documents").begin_array();
  for (const FoundDocument& found : found_documents(search.history())) {
    json.begin_object();
    search.pool().write_line_members(json, found.document);
    json.member("rating", found.rating).end_object();
  }
  return json.end_array().end_object().take();
}

std::string found_lines(ServedSearch& search) {
  std::string lines;
  for (const FoundDocument& found : found_documents(search.history())) {
    JsonWriter json;
    json.begin_object().member("document", found.document);
    if (const auto id = search.pool().pool().id(found.document)) json.member("id", *id);
    lines += json.member("rating", found.rating).end_object().take() + "\n";
  }
  return lines;
}

std::string events_answer(ServedSearch& search, std::int64_t after, std::int64_t limit) {
  const std::int64_t last = search.last();
  const std::int64_t begin = std::min(after, last);
  const std::int64_t end = std::min(begin + limit, last);
  JsonWriter json;
  json.begin_object().key("events").begin_array();
  for (const SearchEvent& event : search.history().events().subspan(static_cast<std::size_t>(begin),
                                                                    static_cast<std::size_t>(end - begin)))
    write_event(json, search.pool(), search.history(), event);
  return json.end_array().member("more", end < last).end_object().take();
}

}  // namespace inkling
