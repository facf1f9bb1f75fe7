#include "io/search/service/search_service.hpp"

#include <algorithm>

#include "io/search/events/reason.hpp"
#include "io/search/service/asked_words.hpp"
#include "io/search/session/kept_search_form.hpp"
#include "io/search/stopping/rule_worth.hpp"

namespace inkling {
namespace {

constexpr std::size_t kWordsToAsk = 10;

bool is_undo(SearchVerb verb) { return verb == SearchVerb::undo || verb == SearchVerb::redo; }

void write_choice(JsonWriter& json, const Offer& offer, std::int64_t shown) {
  json.begin_object().member("shown", shown).member("round", offer.round);
  json.member("explored", offer.explored).member("among", offer.among);
  json.member("propensity", offer.propensity).member("mean", offer.mean);
  json.member("width", offer.width).member("radius", offer.radius).end_object();
}

template <typename Line, typename WriteMore>
std::string document_list(const ShownPool& pool, const std::vector<Line>& lines, bool full,
                          const WriteMore& write_more) {
  JsonWriter json;
  json.begin_object().key("documents").begin_array();
  for (const Line& line : lines) {
    json.begin_object();
    if (full)
      pool.write_line_members(json, line.document);
    else
      pool.write_id(json, line.document);
    write_more(json, line);
    json.end_object();
  }
  return json.end_array().end_object().take();
}

// RFC 4648, 4.
std::string in_base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(3, bytes.size()))) {
    unsigned bits = 0;
    for (std::size_t n = 0; n < 3; ++n)
      bits = bits << 8U | (n < bytes.size() ? static_cast<unsigned char>(bytes[n]) : 0U);
    for (unsigned n = 0; n < 4; ++n) text += n <= bytes.size() ? letters[bits >> (18 - 6 * n) & 0x3FU] : '=';
  }
  return text;
}

// The guess of what is left, how many draws a lower bound needs, and how well rules for stopping work.
void write_estimates(JsonWriter& json, Searcher& searcher) {
  const std::optional<GoodGuess> guess = searcher.guess();
  json.key("guess");
  if (guess)
    json.begin_object().member("about", guess->about).member("ratings", guess->ratings).end_object();
  else
    json.null();
  json.member("at_random", found_at_random(searcher.progress(), guess));
  json.key("prices").begin_array();
  for (const BoundPrice& price : searcher.prices())
    json.begin_object().member("at_most", price.at_most).member("draws", price.draws).end_object();
  json.end_array().key("rules").begin_array();
  for (const RuleWorth& rule : kRuleWorth) {
    json.begin_object().member("without_good", rule.without_good).member("searched", rule.searched);
    json.member("searches", rule.searches).member("found_95", rule.found_95);
    json.member("found", rule.found).member("read", rule.read).end_object();
  }
  json.end_array();
}

// The words of the document on offer that have the largest share of its width, among those of which nothing was said.
std::vector<FeatureId> words_to_ask(Searcher& searcher) {
  const std::optional<Offer> offer = searcher.next();
  if (!offer) return {};
  Why why = searcher.why(offer->document);
  std::erase_if(why.parts, [](const WordPart& part) { return part.said || part.width_share <= 0.0; });
  std::ranges::stable_sort(why.parts, std::ranges::greater(), &WordPart::width_share);
  if (why.parts.size() > kWordsToAsk) why.parts.resize(kWordsToAsk);
  std::vector<FeatureId> words;
  words.reserve(why.parts.size());
  for (const WordPart& part : why.parts) words.push_back(part.feature);
  return words;
}

std::string words(Searcher& searcher, const ShownPool& pool, std::size_t count, bool full) {
  JsonWriter json;
  json.begin_object().key("words").begin_array();
  for (const LearnedWord& word : searcher.words(count)) {
    json.begin_object();
    pool.write_named_word(json, word.feature);
    json.member("weight", word.weight).member("deviation", word.deviation);
    json.member("marked", leaning_of(word)).member("query", word.apart).end_object();
  }
  json.end_array();
  if (full) {
    json.key("ask").begin_array();
    for (const FeatureId feature : words_to_ask(searcher)) pool.write_word(json, feature);
    json.end_array();
  }
  return json.end_object().take();
}

std::string tags(const Searcher& searcher) {
  JsonWriter json;
  json.begin_object().key("tags").begin_array();
  for (const TagCount& one : tag_counts(searcher.history()))
    json.begin_object().member("tag", one.tag).member("documents", one.documents).end_object();
  return json.end_array().end_object().take();
}

std::string ranking(Searcher& searcher, const ShownPool& pool, std::size_t count, bool full) {
  return document_list(pool, searcher.ranking(count), full,
                       [](JsonWriter& json, const Ranked& one) { json.member("score", one.score); });
}

std::string found(const Searcher& searcher, const ShownPool& pool, bool full) {
  return document_list(pool, found_documents(searcher.history()), full,
                       [](JsonWriter& json, const FoundDocument& one) { json.member("rating", one.rating); });
}

std::string progress(Searcher& searcher, bool full) {
  if (!full) return progress_answer(searcher);
  JsonWriter json;
  json.begin_object().key("progress").begin_object();
  write_progress(json, searcher);
  const std::vector<SearchStep> steps = searcher.history().steps();
  json.end_object().key("rewards").begin_array();
  for (const SearchStep& step : steps)
    if (step.is_rating()) json.value(step.reward);
  json.end_array().key("draws").begin_array();
  for (const SearchStep& step : steps)
    if (step.is_rating()) json.value(step.offer && step.offer->explored);
  json.end_array();
  write_estimates(json, searcher);
  return json.end_object().take();
}

std::string asked(const ShownPool& pool, std::string_view text) {
  JsonWriter json;
  write_asked_words(json, text, pool);
  return json.take();
}

}  // namespace

std::string reason_of_why(const Why& why, const ShownPool& pool) {
  std::vector<HeldWord> held;
  held.reserve(why.parts.size());
  for (const WordPart& part : why.parts)
    if (part.said) held.push_back({pool.word(part.feature), opinion_of(*part.said)});
  return reason_text(held);
}

std::string SearchService::answer(const SearchRequest& request) {
  const RequestForm& form = form_of(request.verb);
  const std::int64_t count = request.count.value_or(form.count);
  switch (request.verb) {
    case SearchVerb::next:
      return next(request.full);
    case SearchVerb::why:
      return why(request.document);
    case SearchVerb::words:
      return words(searcher_, pool_, static_cast<std::size_t>(count), request.full);
    case SearchVerb::tags:
      return tags(searcher_);
    case SearchVerb::ranking:
      return ranking(searcher_, pool_, static_cast<std::size_t>(count), request.full);
    case SearchVerb::found:
      return found(searcher_, pool_, request.full);
    case SearchVerb::progress:
      return progress(searcher_, request.full);
    case SearchVerb::events:
      return events(request.after, count);
    case SearchVerb::take_home:
      return take_home(request);
    case SearchVerb::asked:
      return asked(pool_, request.text);
    default:
      return answer_after(change(request), request.full);
  }
}

AnsweredWith SearchService::change(const SearchRequest& request) {
  AnsweredWith answered = {.is_undo = is_undo(request.verb)};
  const std::int64_t count = request.count.value_or(1);
  if (request.sequence)
    answered.undone = {*request.sequence};
  else if (answered.is_undo)
    answered.undone =
        request.verb == SearchVerb::undo ? searcher_.undoable(count) : searcher_.redoable(count);
  const std::int64_t last = say(request);
  answered.sequence = last - (answered.undone.empty() ? 0 : std::ssize(answered.undone) - 1);
  return answered;
}

std::int64_t SearchService::say(const SearchRequest& request) {
  switch (request.verb) {
    case SearchVerb::rate:
      return searcher_.rate({request.document, request.reward, request.words, request.note, request.tags});
    case SearchVerb::skip:
      return request.hand_on ? searcher_.hand_on(request.document) : searcher_.skip(request.document);
    case SearchVerb::mark:
      return searcher_.mark(*request.document, request.words);
    case SearchVerb::query:
      return searcher_.rate_words(request.words);
    case SearchVerb::unmark:
      return searcher_.unmark(*request.feature);
    case SearchVerb::sample:
      return searcher_.sample(*request.count);
    case SearchVerb::redo:
      return searcher_.redo_last(request.count.value_or(1));
    case SearchVerb::undo:
      return request.sequence ? searcher_.undo(request.sequence)
                              : searcher_.undo_last(request.count.value_or(1));
    case SearchVerb::aim:
      return searcher_.aim(aim_of(request));
    default:
      return searcher_.note(request.note);
  }
}

// Members that the request does not name stay as they are.
SearchAim SearchService::aim_of(const SearchRequest& request) const {
  SearchAim aim = searcher_.history().aim();
  if (request.question) aim.question = *request.question;
  if (request.rule) aim.rule = *request.rule;
  return aim;
}

std::string SearchService::answer_after(const AnsweredWith& answered, bool full) {
  return full ? full_answer(answered) : short_answer(answered.last());
}

std::string SearchService::next(bool full) {
  if (!full) return short_answer(std::nullopt);
  JsonWriter json;
  write_full_next(json);
  return json.take();
}

// Answers with the document on offer. A note or an aim does not change it, so then the answer has only the event's number.
std::string SearchService::short_answer(std::optional<std::int64_t> answered) {
  JsonWriter json;
  json.begin_object();
  const SearchHistory& history = searcher_.history();
  const SearchEventKind kind = answered ? history.at(*answered).kind : SearchEventKind::shown;
  if (kind == SearchEventKind::noted || kind == SearchEventKind::aimed)
    return json.member("answered", *answered).end_object().take();
  const std::optional<Offer> offer = searcher_.next();
  if (!offer) {
    json.key("document").null();
  } else {
    pool_.write_id(json, offer->document);
    pool_.write_head(json, offer->document);
    if (pool_.pool().texts()) json.member("text", (*pool_.pool().texts())[offer->document]);
    json.member("explored", offer->explored).member("mean", offer->mean).member("width", offer->width);
    json.member("sequence", searcher_.shown());
  }
  if (answered) json.member("answered", *answered);
  return json.end_object().take();
}

std::string SearchService::full_answer(const AnsweredWith& answered) {
  JsonWriter json;
  json.begin_object().member("sequence", answered.sequence).key("next");
  write_full_next(json);
  const SearchHistory& history = searcher_.history();
  json.member("last", std::ssize(history.events())).key("progress").begin_object();
  write_progress(json, searcher_);
  json.end_object();
  write_undo(json, searcher_);
  if (answered.is_undo) {
    json.key("undone").array(answered.undone).key("document");
    if (answered.undone.empty())
      json.null();
    else
      json.value(history.at(answered.undone.back()).document);
  }
  return json.end_object().take();
}

// null where every document is rated.
void SearchService::write_full_next(JsonWriter& json) {
  const std::optional<Offer> offer = searcher_.next();
  if (!offer) {
    json.null();
    return;
  }
  json.begin_object().key("choice");
  write_choice(json, *offer, searcher_.shown());
  json.key("document");
  pool_.write_document(json, offer->document);
  json.key("why");
  write_why(json, searcher_.why(offer->document));
  json.end_object();
}

std::string SearchService::why(std::optional<DocumentId> document) {
  if (const std::optional<Offer> offer = searcher_.next(); offer && !document) document = offer->document;
  if (!document) throw FormatError("no document is on offer", "expected \"why\" with \"document\"");
  JsonWriter json;
  write_why(json, searcher_.why(*document));
  return json.take();
}

void SearchService::write_why(JsonWriter& json, const Why& why) const {
  json.begin_object();
  pool_.write_id(json, why.document);
  json.member("explored", why.explored).member("mean", why.mean).member("width", why.width);
  json.member("base", why.base).member("radius", why.radius);
  json.member("chance", why.chance ? std::optional(chance_in_words(*why.chance)) : std::nullopt);
  json.member("reason", reason_of_why(why, pool_));
  json.key("words").begin_array();
  for (const WordPart& part : why.parts) {
    json.begin_object();
    pool_.write_named_word(json, part.feature);
    json.member("value", part.value).member("weight", part.weight);
    json.member("contribution", part.contribution).member("deviation", part.deviation);
    json.member("width_share", part.width_share).member("marked", leaning_of(part)).end_object();
  }
  json.end_array().end_object();
}

std::string SearchService::events(std::int64_t after, std::int64_t limit) const {
  const std::span<const SearchEvent> events = searcher_.history().events();
  const std::int64_t begin = std::min(after, std::ssize(events));
  const std::int64_t count = std::min(limit, std::ssize(events) - begin);
  JsonWriter json;
  json.begin_object().key("events").begin_array();
  for (const SearchEvent& event :
       events.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count)))
    write_event(json, event);
  return json.end_array().member("more", begin + count < std::ssize(events)).end_object().take();
}

void SearchService::write_event(JsonWriter& json, const SearchEvent& event) const {
  json.begin_object().member("sequence", event.sequence).member("at_ms", event.at_ms);
  json.member("kind", search_event_name(event.kind));
  json.member("holds", is_answer(event.kind) && searcher_.history().holds(event.sequence));
  if (!owner_.empty()) json.member("by", event.actor.empty() ? owner_ : event.actor);
  if (event.document) pool_.write_id(json, *event.document);
  if (event.offer) json.member("explored", event.offer->explored).member("round", event.offer->round);
  if (event.kind == SearchEventKind::rated) json.member("reward", event.reward);
  if (event.kind == SearchEventKind::rated || event.kind == SearchEventKind::marked) {
    json.key("words").begin_array();
    for (const SaidWord& word : told_words(event.words, true)) {
      json.begin_object();
      pool_.write_named_word(json, word.feature);
      if (word.reward) json.member("rate", *word.reward);
      json.member("confidence", word.confidence).end_object();
    }
    json.end_array();
  }
  if (event.feature) pool_.write_named_word(json, *event.feature);
  if (event.kind == SearchEventKind::sampled) json.member("count", event.count);
  if (event.hand_on) json.member("hand_on", true);
  if (event.target != 0) json.member("target", event.target);
  if (!event.note.empty()) json.member("note", event.note);
  if (!event.tags.empty()) json.key("tags").array(event.tags);
  if (event.kind == SearchEventKind::aimed) {
    json.member("question", event.aim.question);
    write_rule(json.key("rule"), event.aim.rule);
    if (!event.aim.shared.empty()) json.key("shared").array(event.aim.shared);
  }
  json.end_object();
}

void write_undo(JsonWriter& json, const Searcher& searcher) {
  const auto first = [](const std::vector<std::int64_t>& some) {
    return some.empty() ? std::nullopt : std::optional(some.front());
  };
  json.member("undo", first(searcher.undoable(1))).member("redo", first(searcher.redoable(1)));
}

void write_progress(JsonWriter& json, const Searcher& searcher) {
  const SearchProgress progress = searcher.progress();
  json.member("documents", progress.documents).member("rated", progress.rated);
  json.member("good", progress.good).member("without_good", progress.without_good);
  json.member("lately", progress.lately).member("good_lately", progress.good_lately);
  json.member("waiting", progress.waiting);
  json.member("sample_left", progress.sample_left).key("good_left").begin_object();
  json.member("about", progress.left.about).member("at_most", progress.left.at_most);
  json.member("confidence", progress.left.confidence).member("draws", progress.left.draws).end_object();
  json.member("rule_reached", progress.rule_reached);
}

std::string progress_answer(Searcher& searcher) {
  JsonWriter json;
  json.begin_object();
  write_progress(json, searcher);
  write_estimates(json, searcher);
  return json.end_object().take();
}

std::string SearchService::work(const SearchRequest& request) {
  return work_text(pool_, work_of(searcher_, request.which, owner_), request.format);
}

std::string SearchService::take_home(const SearchRequest& request) {
  JsonWriter json;
  json.begin_object().member("format", name_of(request.format, kWorkFormats));
  json.member("which", name_of(request.which, kWorkChoices));
  const std::string file = work(request);
  json.member("text", request.format == WorkFormat::xlsx ? in_base64(file) : file);
  return json.end_object().take();
}

}  // namespace inkling
