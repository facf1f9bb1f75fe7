#include "io/search/service/search_service.hpp"

#include <algorithm>
#include <ranges>

#include "engine/core/errors.hpp"
#include "io/search/events/reason.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

constexpr std::size_t kWordsToAsk = 10;

bool is_undo(SearchVerb verb) { return verb == SearchVerb::undo || verb == SearchVerb::redo; }

std::optional<std::int64_t> first_of(const std::vector<std::int64_t>& some) {
  return some.empty() ? std::nullopt : std::optional(some.front());
}

std::string reason_of_why(const Why& why, const ShownPool& pool) {
  std::vector<HeldWord> held;
  held.reserve(why.parts.size());
  for (const WordPart& part : why.parts)
    if (part.said) held.push_back({pool.word(part.feature), opinion_of(*part.said)});
  return reason_text(held);
}

std::vector<CountedRating> counted_ratings(const SearchHistory& history) {
  std::vector<CountedRating> ratings;
  std::int64_t found = 0;
  for (const SearchStep& step : history.steps()) {
    if (!step.is_rating()) continue;
    if (is_good_rating(step.reward)) ++found;
    ratings.push_back({step.reward, found, step.offer && step.offer->explored});
  }
  return ratings;
}

ProgressAnswer progress_of(Searcher& searcher, bool full) {
  ProgressAnswer answer = {.progress = searcher.progress(), .guess = searcher.guess(), .prices = searcher.prices()};
  if (full) answer.ratings = counted_ratings(searcher.history());
  return answer;
}

}  // namespace

// No `default`, so that a verb without its case does not compile.
SearchAnswer SearchService::answer(const SearchRequest& request) {
  const std::int64_t count = request.count.value_or(form_of(request.verb).count);
  switch (request.verb) {
    case SearchVerb::next: return next(request.full);
    case SearchVerb::why: return why(request.document);
    case SearchVerb::words: return words(count, request.full);
    case SearchVerb::tags: return tags();
    case SearchVerb::ranking: return ranking(count);
    case SearchVerb::found: return found();
    case SearchVerb::copies: return copies(request.after, count);
    case SearchVerb::progress: return progress(request.full);
    case SearchVerb::events: return events(request.after, count);
    case SearchVerb::export_work: return ExportAnswer{request.format, request.which, work(request)};
    case SearchVerb::report: return ReportAnswer{report(), request.as, request.language};
    case SearchVerb::asked: return AskedAnswer{request.text};
    case SearchVerb::rate:
    case SearchVerb::skip:
    case SearchVerb::separate:
    case SearchVerb::query:
    case SearchVerb::mark:
    case SearchVerb::unmark:
    case SearchVerb::sample:
    case SearchVerb::note:
    case SearchVerb::aim:
    case SearchVerb::undo:
    case SearchVerb::redo: break;
  }
  return answer_after(change(request), request.full);
}

AnsweredWith SearchService::change(const SearchRequest& request) {
  AnsweredWith answered = {.is_undo = is_undo(request.verb)};
  const std::int64_t count = request.count.value_or(1);
  if (request.sequence)
    answered.undone = {*request.sequence};
  else if (answered.is_undo)
    answered.undone = request.verb == SearchVerb::undo ? searcher_.undoable(count) : searcher_.redoable(count);
  const std::int64_t last = say(request);
  answered.sequence = last - (answered.undone.empty() ? 0 : std::ssize(answered.undone) - 1);
  return answered;
}

std::int64_t SearchService::say(const SearchRequest& request) {
  switch (request.verb) {
    case SearchVerb::rate: return searcher_.rate({request.document, request.reward, request.words, request.note, request.tags});
    case SearchVerb::skip: return request.hand_on ? searcher_.hand_on(request.document) : searcher_.skip(request.document);
    case SearchVerb::separate: return searcher_.separate(*request.document);
    case SearchVerb::mark: return searcher_.mark(*request.document, request.words);
    case SearchVerb::query: return searcher_.rate_words(request.words);
    case SearchVerb::unmark: return searcher_.unmark(*request.feature);
    case SearchVerb::sample: return searcher_.sample(*request.count);
    case SearchVerb::redo: return searcher_.redo_last(request.count.value_or(1));
    case SearchVerb::undo:
      return request.sequence ? searcher_.undo(request.sequence) : searcher_.undo_last(request.count.value_or(1));
    case SearchVerb::aim: return searcher_.aim(aim_of(request));
    case SearchVerb::note: return searcher_.note(request.note);
    case SearchVerb::next:
    case SearchVerb::why:
    case SearchVerb::words:
    case SearchVerb::tags:
    case SearchVerb::ranking:
    case SearchVerb::found:
    case SearchVerb::copies:
    case SearchVerb::progress:
    case SearchVerb::events:
    case SearchVerb::export_work:
    case SearchVerb::report:
    case SearchVerb::asked: break;
  }
  throw FormatError("the request", "expected one that changes the search");
}

// Members that the request does not name stay as they are.
SearchAim SearchService::aim_of(const SearchRequest& request) const {
  SearchAim aim = searcher_.history().aim();
  if (request.question) aim.question = *request.question;
  if (request.rule) aim.rule = *request.rule;
  if (request.reasons) aim.reasons = *request.reasons;
  if (request.coloured) aim.coloured = *request.coloured;
  return aim;
}

// A note or an aim does not change the offer, so the short answer leaves the offer out.
ChangeAnswer SearchService::answer_after(const AnsweredWith& answered, bool full) {
  ChangeAnswer answer = {.answered = answered};
  const SearchEventKind kind = searcher_.history().at(answered.last()).kind;
  const bool keeps_offer = kind == SearchEventKind::noted || kind == SearchEventKind::aimed;
  if (full)
    answer.state = state();
  else if (!keeps_offer)
    answer.next = next(false);
  if (!answered.undone.empty()) answer.document = searcher_.history().at(answered.undone.back()).document;
  return answer;
}

NextAnswer SearchService::next(bool full) {
  const std::optional<Offer> offer = searcher_.next();
  if (!offer) return {};
  return {.offer = offer, .shown = searcher_.shown(), .why = full ? std::optional(why(offer->document)) : std::nullopt};
}

StateAnswer SearchService::state() {
  StateAnswer state = {.next = next(true)};
  state.last = std::ssize(searcher_.history().events());
  state.progress = searcher_.progress();
  state.undo = first_of(searcher_.undoable(1));
  state.redo = first_of(searcher_.redoable(1));
  return state;
}

WhyAnswer SearchService::why(std::optional<DocumentId> document) {
  if (const std::optional<Offer> offer = searcher_.next(); offer && !document) document = offer->document;
  if (!document) throw FormatError("no document is on offer", "expected \"why\" with \"document\"");
  Why why = searcher_.why(*document);
  std::string reason = reason_of_why(why, pool_);
  return {std::move(why), std::move(reason), rating_of(*document)};
}

std::optional<DocumentRating> SearchService::rating_of(DocumentId document) const {
  const SearchHistory& history = searcher_.history();
  document = history.copies().original_of(document);
  if (!history.is_rated(document)) return std::nullopt;
  std::vector<SearchStep> steps = history.steps();
  const auto last = std::ranges::find_if(steps | std::views::reverse,
                                         [&](const SearchStep& step) { return step.is_rating() && step.document == document; });
  const SearchEvent& event = history.at(last->sequence);
  return DocumentRating{last->reward, is_good_rating(last->reward), std::move(last->words), event.note, event.tags};
}

std::optional<DocumentId> SearchService::rated_last() const {
  const SearchHistory& history = searcher_.history();
  const auto events = history.events() | std::views::reverse;
  const auto last = std::ranges::find_if(
      events, [&](const SearchEvent& event) { return event.kind == SearchEventKind::rated && history.holds(event.sequence); });
  return last == events.end() ? std::nullopt : last->document;
}

// The words with the largest share of the width of the document on offer, of those about which nothing was said.
std::vector<FeatureId> SearchService::words_to_ask() {
  const std::optional<Offer> offer = searcher_.next();
  if (!offer) return {};
  Why why = searcher_.why(offer->document);
  std::erase_if(why.parts,
                [this](const WordPart& part) { return part.said || part.width_share <= 0.0 || pool_.is_common(part.feature); });
  std::ranges::stable_sort(why.parts, std::ranges::greater(), &WordPart::width_share);
  if (why.parts.size() > kWordsToAsk) why.parts.resize(kWordsToAsk);
  std::vector<FeatureId> words;
  words.reserve(why.parts.size());
  for (const WordPart& part : why.parts) words.push_back(part.feature);
  return words;
}

WordsAnswer SearchService::words(std::int64_t count, bool full) {
  return {searcher_.words(static_cast<std::size_t>(count)), full ? words_to_ask() : std::vector<FeatureId>()};
}

DocumentsAnswer SearchService::ranking(std::int64_t count) {
  DocumentsAnswer answer = {.value_name = "score"};
  for (const Ranked& one : searcher_.ranking(static_cast<std::size_t>(count)))
    answer.documents.push_back({one.document, one.score});
  return answer;
}

DocumentsAnswer SearchService::found() const {
  DocumentsAnswer answer = {.value_name = "rating"};
  for (const FoundDocument& one : found_documents(searcher_.history())) answer.documents.push_back({one.document, one.rating});
  return answer;
}

DocumentsAnswer SearchService::copies(std::int64_t after, std::int64_t limit) const {
  const RowCopies copies = searcher_.history().copies();
  std::vector<std::pair<DocumentId, DocumentId>> by_original;
  for (std::size_t n = 0; n < copies.rows.size(); ++n) by_original.emplace_back(copies.originals[n], copies.rows[n]);
  std::ranges::sort(by_original);
  DocumentsAnswer answer = {.hidden = copies.size()};
  for (const auto& [original, copy] : by_original | std::views::drop(std::min(after, copies.size())) | std::views::take(limit))
    answer.documents.push_back({.document = copy, .same_as = original});
  return answer;
}

ProgressAnswer SearchService::progress(bool full) { return progress_of(searcher_, full); }

EventsAnswer SearchService::events(std::int64_t after, std::int64_t limit) const {
  EventsAnswer answer;
  std::int64_t number = 0;
  for (const SearchEvent& event : searcher_.history().events()) {
    const bool counts = is_answer(event.kind);
    if (counts) ++number;
    if (event.sequence <= after) continue;
    answer.more = std::ssize(answer.events) == limit;
    if (answer.more) break;
    answer.events.push_back(line_of(event));
    if (counts) answer.events.back().number = number;
  }
  return answer;
}

AnsweredEvent SearchService::event(std::int64_t sequence) const { return line_of(searcher_.history().at(sequence)); }

AnsweredEvent SearchService::line_of(const SearchEvent& event) const {
  AnsweredEvent line = {.event = &event, .holds = searcher_.history().holds(event.sequence)};
  if (event.kind == SearchEventKind::rated) line.good = is_good_rating(event.reward);
  if (!owner_.empty()) line.by = event.actor.empty() ? owner_ : event.actor;
  return line;
}

ReviewReport SearchService::report() const {
  if (review_.facts == nullptr) throw FormatError("a report", "expected a search that is kept in a file");
  return review_report(searcher_.history(), review_);
}

std::string SearchService::work(const SearchRequest& request) {
  return work_text(pool_, work_of(searcher_, request.which, owner_), request.format, request.columns);
}

void write_undo(JsonWriter& json, const Searcher& searcher) {
  json.member("undo", first_of(searcher.undoable(1))).member("redo", first_of(searcher.redoable(1)));
}

std::string progress_answer(Searcher& searcher) { return json_of(progress_of(searcher, false), false); }

}  // namespace inkling
