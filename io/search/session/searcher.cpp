#include "io/search/session/searcher.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "engine/core/check_id.hpp"
#include "engine/core/errors.hpp"
#include "engine/model/linear_model.hpp"
#include "engine/scoring/ranking.hpp"
#include "engine/sparse/whole_row.hpp"
#include "io/search/events/event_words.hpp"
#include "io/search/events/reason.hpp"
#include "io/search/session/searcher_state.hpp"
#include "io/search/session/word_parts.hpp"

namespace inkling {
namespace {

// The events that take these answers back, or bring them back. Throws FormatError if there are fewer than `count`.
std::vector<SearchEvent> events_of_targets(SearchEventKind kind, std::span<const std::int64_t> answers, std::int64_t count) {
  const bool undoes = kind == SearchEventKind::undone;
  if (count < 1 || std::ssize(answers) < count) {
    const std::string most = std::to_string(answers.size());
    throw FormatError(std::string(undoes ? "undo of " : "redo of ") + std::to_string(count),
                      answers.empty() ? std::string("expected an answer ") +
                                            (undoes ? "to take back; there is none" : "that was taken back; there is none")
                                      : "expected from 1 to " + most + ", as many as there are");
  }
  std::vector<SearchEvent> events;
  events.reserve(answers.size());
  for (const std::int64_t answer : answers) events.push_back({.kind = kind, .target = answer});
  return events;
}

SearchAim without(SearchAim aim, std::span<const DocumentId> documents) {
  std::erase_if(aim.withheld, [&](DocumentId document) { return std::ranges::find(documents, document) != documents.end(); });
  return aim;
}

std::vector<LearnedWord> words_in_use(const LinearModel* model, std::int32_t features, const WordsSaid& said_of) {
  std::vector<LearnedWord> words;
  const auto in_use = model == nullptr ? std::span<const FeatureId>() : model->coordinates();
  words.reserve(in_use.size() + said_of.size());
  for (const FeatureId feature : in_use)
    if (feature < features) words.push_back({.feature = feature, .weight = model->weight(feature)});  // no number of a vector
  std::vector<FeatureId> known(in_use.begin(), in_use.end());
  std::ranges::sort(known);
  for (const auto& [feature, said] : said_of)
    if (!std::ranges::binary_search(known, feature)) words.push_back({.feature = feature});
  return words;
}

/// Sets the deviation of each LearnedWord or WordPart.
template <typename Word>
void add_deviations(const LinearModel& model, std::span<Word> words) {
  std::vector<FeatureId> features;
  features.reserve(words.size());
  for (const Word& word : words) features.push_back(word.feature);
  const std::vector<double> variances = variances_of(model, features);
  for (std::size_t n = 0; n < words.size(); ++n) words[n].deviation = std::sqrt(variances[n]);
}

/// Why the document has its score, with what was said of its words. Requires: a document of the pool.
Why why_of(const Policy& policy, PoolView pool, DocumentId document, const WordsSaid& said_of) {
  Why why = {.document = document};
  const LinearModel* const model = policy.learner() == nullptr ? nullptr : policy.learner()->model();
  if (model == nullptr || policy.features_in_use() == 0) return why;
  WholeRow whole;
  const SparseRow row = whole.of(pool.by_document, document, model->columns());
  const Prediction prediction = model->predict(row);
  const double square = std::max(prediction.square, 0.0);
  why.mean = prediction.mean;
  why.width = std::sqrt(square);
  why.base = model->base_mean();
  why.radius = policy.learner()->radius();
  const std::vector<ScorePart> parts = parts_of_document(*model, row);
  why.parts.reserve(parts.size());
  for (const ScorePart& part : parts) {
    if (part.feature >= pool.features()) {
      why.vector += part.value * part.weight;
      continue;
    }
    const auto said = said_of.find(part.feature);
    const bool is_reason = said != said_of.end() && counts(said->second.word, *policy.learner());
    why.parts.push_back({.feature = part.feature,
                         .value = part.value,
                         .weight = part.weight,
                         .contribution = part.value * part.weight,
                         .width_share = square > 0.0 ? part.value * part.smoothed / square : 0.0,
                         .said = is_reason ? std::optional(said->second.word) : std::nullopt});
  }
  std::ranges::sort(why.parts, {},
                    [](const WordPart& part) { return std::tuple(-sort_key(std::fabs(part.contribution)), part.feature); });
  add_deviations(*model, std::span(why.parts).first(std::min(why.parts.size(), kDeviationsShown)));
  return why;
}

/// The words in use or rated, the largest absolute weight first; at most `count`.
std::vector<LearnedWord> learned_words(const Policy& policy, std::int32_t features, const WordsSaid& said_of, std::size_t count) {
  const LinearModel* const model = policy.learner() == nullptr ? nullptr : policy.learner()->model();
  std::vector<LearnedWord> words = words_in_use(model, features, said_of);
  for (LearnedWord& word : words) {
    const auto said = said_of.find(word.feature);
    if (said == said_of.end()) continue;
    word.said = said->second.word;
    word.apart = said->second.apart.has_value();
  }
  std::ranges::sort(
      words, {}, [](const LearnedWord& word) { return std::tuple(-sort_key(std::fabs(word.weight)), !word.said, word.feature); });
  if (words.size() > count) words.resize(count);
  if (model != nullptr) add_deviations(*model, std::span(words));
  return words;
}

}  // namespace

Searcher::Searcher(PoolView pool, SearchSettings settings, std::span<const SearchEvent> past, KeepEvents keep,
                   const std::function<void()>& between)
    : state_(std::make_unique<State>(pool, std::move(settings), past, std::move(keep), between)) {}
Searcher::~Searcher() = default;
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;

std::optional<Offer> Searcher::next() {
  state_->show();
  return state_->offer();
}

void Searcher::acts_as(const std::string& person) { state_->acts_as(person); }

std::int64_t Searcher::shown() const { return state_->shown(); }

/// An answer to the document on offer, or to another one.
SearchEvent Searcher::answer_to(SearchEventKind kind, std::optional<DocumentId> document) {
  document = state_->original_of(document);
  SearchEvent event = {.kind = kind, .document = document};
  if (document) {
    event.shown = state_->open_offer_of(*document);
    if (event.shown || !settings().offers_next) return event;
  }
  const std::optional<Offer> offer = document ? state_->offer() : next();
  if (!document && !offer) throw FormatError("the document on offer", "expected one; every document is rated");
  event.document = document ? *document : offer->document;
  if (offer && offer->document == *event.document && shown() != 0) event.shown = shown();
  return event;
}

SearchEvent Searcher::rating_event(const SearchRating& rating) {
  SearchEvent event = answer_to(SearchEventKind::rated, rating.document);
  event.reward = rating.reward;
  event.words = rating.words;
  event.note = rating.note;
  if (const std::optional<std::string> rule = broken_rule_of_tags(rating.tags))
    throw FormatError("the tags", "expected " + *rule);
  event.tags = rating.tags;
  return event;
}

std::int64_t Searcher::rate(const SearchRating& rating) { return state_->answer({rating_event(rating)}); }

std::int64_t Searcher::rate_at_once(std::span<const SearchRating> ratings) {
  std::vector<SearchEvent> events;
  events.reserve(ratings.size());
  for (const SearchRating& rating : ratings) events.push_back(rating_event(rating));
  for (SearchEvent& event : events) event.batch = history().next_sequence();
  return state_->answer(std::move(events));
}

std::vector<Offer> Searcher::choose(std::int64_t count, std::span<const bool> among) { return state_->choose(count, among); }

std::vector<Offer> Searcher::open_offers() const { return state_->open_offers(); }

std::int64_t Searcher::skip(std::optional<DocumentId> document) {
  if (document) check_id("document", *document, state_->pool().documents());
  document = state_->original_of(document);
  if (document && !settings().with_replacement && history().is_rated(*document))
    throw FormatError("document " + std::to_string(*document), "expected one that is not rated, to skip it");
  return state_->answer({answer_to(SearchEventKind::skipped, document)});
}

std::int64_t Searcher::hand_on(std::optional<DocumentId> document) {
  if (!history().is_shared()) throw FormatError("the search", "expected a shared one, to hand a document on to somebody else");
  const std::optional<Offer> offer = next();
  if (!offer || (document && state_->original_of(document) != offer->document))
    throw FormatError("the document", "expected the one on offer, to hand it on");
  SearchEvent event = answer_to(SearchEventKind::skipped, offer->document);
  event.hand_on = true;
  return state_->answer({event});
}

std::int64_t Searcher::mark(DocumentId document, std::span<const SaidWord> words) {
  if (words.empty()) throw FormatError("the words", "expected at least one to mark");
  return state_->answer(
      {{.kind = SearchEventKind::marked, .document = document, .words = std::vector<SaidWord>(words.begin(), words.end())}});
}

std::int64_t Searcher::rate_words(std::span<const SaidWord> words) {
  if (words.empty()) throw FormatError("the words", "expected at least one to rate");
  std::vector<SaidWord> rated(words.begin(), words.end());
  rate_all(rated);
  return state_->answer({{.kind = SearchEventKind::marked, .words = std::move(rated)}});
}

std::int64_t Searcher::unmark(FeatureId feature) {
  const auto has_it = [&](const SearchStep& step) {
    return std::ranges::find(step.words, feature, &SaidWord::feature) != step.words.end();
  };
  check_id("feature", feature, state_->pool().features());
  if (!std::ranges::any_of(history().steps(), has_it))
    throw FormatError("feature " + std::to_string(feature), "expected one that is marked, to un-mark it");
  return state_->answer({{.kind = SearchEventKind::forgot, .feature = feature}});
}

std::int64_t Searcher::separate(DocumentId copy) {
  check_id("document", copy, state_->pool().documents());
  if (!settings().set.empty()) throw FormatError("a separation", "expected none in a search whose documents were chosen before");
  if (history().copies().original_of(copy) == copy)
    throw FormatError(fmt::format("document {}", copy), "expected one that is not offered because it is a copy of another one");
  return state_->answer({{.kind = SearchEventKind::separated, .document = copy}});
}

// The history takes larger samples, because logs that exist may hold them.
std::int64_t Searcher::sample(std::int64_t count) {
  if (state_->set()) throw FormatError("a sample", "expected none in a search whose documents were chosen before");
  const std::int64_t documents = state_->different_texts();
  if (count < 1 || count > documents) {
    throw FormatError(fmt::format("event {}", history().next_sequence()),
                      fmt::format("expected a sample of 1 to {} documents, as the pool has, got {}", documents, count));
  }
  return state_->answer({{.kind = SearchEventKind::sampled, .count = count}});
}

std::int64_t Searcher::note(const std::string& text) { return state_->answer({{.kind = SearchEventKind::noted, .note = text}}); }

std::int64_t Searcher::withhold(std::span<const DocumentId> documents) {
  SearchAim aim = history().aim();
  aim.withheld.insert(aim.withheld.end(), documents.begin(), documents.end());
  std::ranges::sort(aim.withheld);
  const auto repeated = std::ranges::unique(aim.withheld);
  aim.withheld.erase(repeated.begin(), repeated.end());
  return this->aim(aim);
}

std::int64_t Searcher::take_over(std::span<const SearchRating> ratings, const std::string& by) {
  std::vector<SearchEvent> events;
  std::vector<DocumentId> rated;
  for (const SearchRating& rating : ratings) {
    events.push_back(
        {.kind = SearchEventKind::rated, .document = rating.document, .reward = rating.reward, .words = rating.words});
    events.back().note = rating.note;
    events.back().tags = rating.tags;
    rated.push_back(*rating.document);
  }
  SearchAim aim = without(history().aim(), rated);
  if (aim != history().aim()) events.push_back({.kind = SearchEventKind::aimed, .aim = std::move(aim)});
  return state_->answer(std::move(events), by);
}

std::int64_t Searcher::release(std::span<const DocumentId> documents) { return aim(without(history().aim(), documents)); }

std::int64_t Searcher::aim(const SearchAim& aim) { return state_->answer({{.kind = SearchEventKind::aimed, .aim = aim}}); }

std::int64_t Searcher::close() { return state_->answer({{.kind = SearchEventKind::closed}}); }

std::vector<std::int64_t> Searcher::undoable(std::int64_t count) const {
  return history().undoable(count, state_->only_person());
}

std::vector<std::int64_t> Searcher::redoable(std::int64_t count) const {
  return history().redoable(count, state_->only_person());
}

bool Searcher::is_on_offer(DocumentId document) const {
  if (state_->open_offer_of(document)) return true;
  if (!settings().offers_next || state_->shown() == 0) return false;
  const std::optional<Offer> offer = state_->offer();
  return offer && offer->document == document;
}

std::optional<std::string> Searcher::taken_by(DocumentId document) const {
  return state_->taken_by(*state_->original_of(document));
}

std::int64_t Searcher::left_of_set() const {
  return std::ranges::count_if(state_->set().value_or(std::span<const DocumentId>()),
                               [&](DocumentId document) { return !history().is_rated(document); });
}

std::int64_t Searcher::hand_out(std::vector<DocumentId> set, const std::string& by) {
  SearchAim aim = history().aim();
  aim.set = std::move(set);
  return state_->answer({{.kind = SearchEventKind::aimed, .aim = std::move(aim)}}, by);
}

std::vector<DocumentId> Searcher::next_beside(std::vector<DocumentId> taken, std::size_t count) {
  std::vector<DocumentId> next;
  taken.insert(taken.end(), history().aim().withheld.begin(), history().aim().withheld.end());
  while (next.size() < count) {
    const std::optional<Offer> offer = state_->fold().choose({.withheld = taken});
    if (!offer) break;
    next.push_back(offer->document);
    taken.push_back(offer->document);
  }
  return next;
}

std::int64_t Searcher::undo(std::optional<std::int64_t> sequence) {
  if (!sequence) return undo_last(1);
  return state_->answer({{.kind = SearchEventKind::undone, .target = *sequence}});
}

std::int64_t Searcher::redo() { return redo_last(1); }

std::int64_t Searcher::undo_last(std::int64_t count) {
  return state_->answer(events_of_targets(SearchEventKind::undone, undoable(count), count));
}

std::int64_t Searcher::redo_last(std::int64_t count) {
  const std::vector<std::int64_t> answers = redoable(count);
  for (const std::int64_t answer : answers) {
    const SearchEvent& event = history().at(answer);
    if (event.kind == SearchEventKind::rated && taken_by(*event.document))
      throw FormatError(fmt::format("document {}", *event.document),
                        "expected one that nobody else rated or reads meanwhile, to bring its rating back");
  }
  return state_->answer(events_of_targets(SearchEventKind::redone, answers, count));
}

Why Searcher::why(DocumentId document) const {
  check_id("document", document, state_->pool().documents());
  Why why = why_of(state_->fold().policy(), state_->pool(), document, state_->tally().said());
  why.explored = state_->was_explored(*state_->original_of(document));
  if (why.radius) why.chance = chance_by_score(state_->tally().scored_ratings(), why.mean + *why.radius * why.width);
  return why;
}

std::vector<LearnedWord> Searcher::words(std::size_t count) const {
  return learned_words(state_->fold().policy(), state_->pool().features(), state_->tally().said(), count);
}

std::vector<SaidWord> Searcher::query() const {
  std::vector<SaidWord> query;
  for (const auto& [feature, said] : state_->tally().said())
    if (said.apart) query.push_back(*said.apart);
  std::ranges::sort(query, {}, &SaidWord::feature);
  return query;
}

std::vector<Ranked> Searcher::ranking(std::size_t count) {
  return count == 0 ? std::vector<Ranked>() : state_->fold().policy().ranking(count);
}

SearchProgress Searcher::progress() const {
  SearchProgress progress = state_->tally().progress();
  progress.sample_left = state_->sample_left();
  progress.waiting = std::ssize(state_->fold().waiting());
  if (const std::optional<StopRule>& rule = history().aim().rule)
    progress.rule_reached = std::ranges::all_of(conditions_of(*rule, progress), &RuleCondition::holds);
  return progress;
}

std::optional<GoodGuess> Searcher::guess() {
  return guess_good_left(state_->tally().scored_ratings(), [&] {
    std::vector<double> unread;
    for (const Ranked& one : ranking(static_cast<std::size_t>(state_->pool().documents())))
      if (!history().is_rated(one.document)) unread.push_back(one.score);
    return unread;
  });
}

std::vector<BoundPrice> Searcher::prices() const {
  const SearchProgress now = progress();
  constexpr std::int64_t per_missed = 19;  // of 20 good ones 19 are 95 %
  std::vector<std::int64_t> bounds = {now.left.at_most / 3, now.left.at_most / 10, now.good / per_missed};
  if (const std::optional<StopRule>& rule = history().aim().rule; rule && rule->left_at_most)
    bounds.push_back(*rule->left_at_most);
  std::erase_if(bounds, [&](std::int64_t bound) { return bound >= now.left.at_most; });
  std::ranges::sort(bounds, std::ranges::greater());
  const auto repeated = std::ranges::unique(bounds);
  bounds.erase(repeated.begin(), repeated.end());
  return state_->tally().prices(bounds);
}

GoodLeft Searcher::documents_left(double good, double confidence) const {
  SearchTally tally(state_->different_texts(), good);
  tally.start_over(history());
  return tally.progress(confidence).left;
}

const Policy& Searcher::policy() const { return state_->fold().policy(); }

const SearchHistory& Searcher::history() const noexcept { return state_->history(); }
const SearchSettings& Searcher::settings() const noexcept { return state_->settings(); }

void Searcher::keep_scores(bool keep) {
  state_->settings().keep_scores = keep;
  state_->fold().keep_scores(keep);
}

void Searcher::offers_next(bool offers) { state_->settings().offers_next = offers; }

void Searcher::call_between(std::function<void()> between) { state_->call_between(std::move(between)); }

}  // namespace inkling
