#include "io/search/session/searcher.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/search/events/event_words.hpp"
#include "io/search/session/search_fold.hpp"
#include "io/search/session/search_insight.hpp"
#include "io/search/session/search_tally.hpp"

namespace inkling {
namespace {

void check_words(std::span<const SaidWord> words, PoolView pool) {
  for (const SaidWord& word : words) {
    check_id("feature", word.feature, pool.features());
    const auto refuse = [&](const char* what, const std::string& expectation, double found) {
      throw FormatError(what + std::to_string(word.feature), expectation + ", got " + number_text(found));
    };
    if (word.reward && !is_word_reward(*word.reward))
      refuse("the rating of feature ", "expected " + std::string(kWordRewardExpected), *word.reward);
    const double sure = word.reward ? word.confidence : std::fabs(word.confidence);  // see SearchEvent::words
    if (!(sure > 0.0 && sure <= 1.0))
      refuse("the confidence of feature ", "expected a number above 0 and at most 1", word.confidence);
  }
}

/// That the event speaks of what the pool has.
void check_fits(const SearchEvent& event, PoolView pool) {
  if (event.document) check_id("document", *event.document, pool.documents());
  if (event.feature) check_id("feature", *event.feature, pool.features());
  if (event.kind == SearchEventKind::rated) check_reward(event.document.value_or(0), event.reward);
  check_words(event.words, pool);
}

// Takes answers back, or brings them back. Throws FormatError where they are fewer than was asked for.
std::vector<SearchEvent> events_of_targets(SearchEventKind kind, std::span<const std::int64_t> answers,
                                           std::int64_t count) {
  const bool undoes = kind == SearchEventKind::undone;
  if (count < 1 || std::ssize(answers) < count) {
    const std::string most = std::to_string(answers.size());
    throw FormatError(
        std::string(undoes ? "undo of " : "redo of ") + std::to_string(count),
        answers.empty() ? std::string("expected an answer ") +
                              (undoes ? "to take back; there is none" : "that was taken back; there is none")
                        : "expected from 1 to " + most + ", as many as there are");
  }
  std::vector<SearchEvent> events;
  events.reserve(answers.size());
  for (const std::int64_t answer : answers) events.push_back({.kind = kind, .target = answer});
  return events;
}

bool is_reached(const StopRule& rule, const SearchProgress& progress) {
  if (rule.rated && progress.rated < *rule.rated) return false;
  if (rule.good && progress.good < *rule.good) return false;
  if (rule.left_at_most && progress.left.at_most > *rule.left_at_most) return false;
  return !rule.without_good || progress.without_good >= *rule.without_good;
}

}  // namespace

/// A history, the policy that follows it, and the offer that was made of both.
class Searcher::State {
 public:
  State(PoolView pool, SearchSettings settings, std::span<const SearchEvent> past, KeepEvents keep,
        const std::function<void()>& between)
      : pool_(pool),
        settings_(std::move(settings)),
        keep_(std::move(keep)),
        history_(settings_.with_replacement ? RatingsOfOne::all_count : RatingsOfOne::last_counts),
        fold_(pool, settings_),
        tally_(different_texts()) {
    for (const DocumentId document : settings_.set) check_id("document", document, pool_.documents());
    for (const SearchEvent& event : past) {
      check_fits(event, pool_);
      history_.append(of_originals(event, settings_.copies));
    }
    call_between(between);
    start_over();
    call_between([] {});
  }

  void call_between(std::function<void()> between) { fold_.call_between(std::move(between)); }
  [[nodiscard]] PoolView pool() const noexcept { return pool_; }
  /// How many documents can be offered.
  [[nodiscard]] std::int64_t different_texts() const noexcept {
    return pool_.documents() - settings_.copies.size();
  }
  [[nodiscard]] std::optional<DocumentId> original_of(std::optional<DocumentId> document) const noexcept {
    return document ? std::optional(settings_.copies.original_of(*document)) : std::nullopt;
  }
  [[nodiscard]] SearchSettings& settings() noexcept { return settings_; }
  [[nodiscard]] const SearchHistory& history() const noexcept { return history_; }

  void acts_as(const std::string& person) {
    if (person != person_ && history_.is_shared()) chosen_ = false;
    person_ = person;
  }
  [[nodiscard]] const std::string& person() const noexcept { return person_; }
  [[nodiscard]] std::optional<std::string_view> only_person() const {
    return history_.is_shared() ? std::optional<std::string_view>(person_) : std::nullopt;
  }

  /// The policy as it stands after all that holds.
  [[nodiscard]] SearchFold& fold() {
    if (!follows_) start_over();
    return fold_;
  }
  /// What was said so far, in numbers.
  [[nodiscard]] const SearchTally& tally() {
    if (!follows_) start_over();
    return tally_;
  }
  [[nodiscard]] std::int64_t sample_left() {
    if (!follows_) start_over();
    return sample_left_;
  }
  [[nodiscard]] const std::optional<Offer>& offer() {
    if (!chosen_) choose();
    return offer_;
  }
  [[nodiscard]] bool was_explored(DocumentId document) {
    const auto is_it = [&](const Offer& offer) { return offer.document == document && offer.explored; };
    return std::ranges::any_of(standing(), is_it) || (settings_.offers_next && offer() && is_it(*offer()));
  }
  [[nodiscard]] std::vector<Offer> standing() const {
    std::vector<Offer> offers;
    for (const std::int64_t shown : history_.standing()) offers.push_back(*event_at(shown).offer);
    return offers;
  }
  /// The event that offered it, where it stands on offer.
  [[nodiscard]] std::optional<std::int64_t> standing_of(DocumentId document) const {
    for (const std::int64_t shown : history_.is_shared() ? history_.offers_to_people() : history_.standing())
      if (event_at(shown).document == document) return shown;
    return std::nullopt;
  }
  [[nodiscard]] std::int64_t shown() const noexcept { return chosen_ ? shown_ : 0; }

  /// See Searcher::taken_by.
  [[nodiscard]] std::optional<std::string> taken_by(DocumentId document) const {
    if (!history_.is_shared()) return std::nullopt;
    for (const std::int64_t shown : history_.offers_to_people()) {
      const SearchEvent& event = event_at(shown);
      if (event.document == document && event.actor != person_ && is_kept_for_others(event))
        return event.actor;
    }
    if (!history_.is_rated(document)) return std::nullopt;
    const std::string& rater = history_.rating_of(document).actor;
    return rater == person_ ? std::nullopt : std::optional(rater);
  }
  [[nodiscard]] bool is_free(DocumentId document) const {
    return !history_.is_rated(document) && !taken_by(document);
  }

  /// The offer is shown, if it is not yet.
  void show() {
    if (!offer() || shown_ != 0) return;
    change([&] { offer_next(); });
  }

  std::vector<Offer> choose(std::int64_t count, std::span<const bool> among) {
    std::vector<Offer> chosen;
    change([&] {
      std::vector<DocumentId> beside;
      for (const Offer& offer : standing()) beside.push_back(offer.document);
      for (std::int64_t n = 0; n < count; ++n) {
        SearchFold& followed = fold();  // which may set sample_left_
        const bool is_sampled = sample_left_ > std::ssize(beside);
        std::optional<Offer> offer = followed.choose({is_sampled, beside, among});
        if (!offer) break;
        offer->beside = std::ssize(beside);
        append_shown(*offer);
        chosen.push_back(*offer);
        beside.push_back(offer->document);
      }
    });
    return chosen;
  }

  /// Appends these, which get their numbers here, and the next offer; keeps them, or stands where it stood.
  std::int64_t answer(std::vector<SearchEvent> events) {
    std::int64_t last = 0;
    change([&] {
      std::vector<SearchStep> steps;
      for (SearchEvent& event : events) {
        check_fits(event, pool_);
        event.document = original_of(event.document);
        last = event.sequence = history_.next_sequence();
        event.at_ms = milliseconds_now();
        event.actor = person_;
        append(event, steps);
      }
      if (!follows_ || steps.empty()) return;
      follows_ = false;  // until that is done
      fold_.append(steps);
      follows_ = true;
    });
    return last;
  }

 private:
  template <typename Append>
  void change(const Append& append_events) {
    const std::size_t before = history_.events().size();
    try {
      append_events();
      static_cast<void>(fold());  // what cannot be learned is not kept
      if (settings_.offers_next) offer_next();
      const auto events = history_.events().subspan(before);
      if (keep_ && !events.empty()) keep_(events);
    } catch (...) {
      if (history_.events().size() > before) go_back_to(before);
      throw;
    }
  }

  // Adds what the policy is to learn of it to the steps.
  void append(const SearchEvent& event, std::vector<SearchStep>& steps) {
    const bool only_appends = history_.only_appends(event);
    const bool was_shared = history_.is_shared();
    history_.append(event);
    if (history_.is_shared() != was_shared) chosen_ = false;
    if (event.kind == SearchEventKind::noted || event.kind == SearchEventKind::aimed ||
        event.kind == SearchEventKind::closed)
      return;
    chosen_ = false;
    if (event.kind == SearchEventKind::undone && was_shared) comes_back_ = event_at(event.target).shown;
    follows_ = follows_ && only_appends;
    if (!follows_) return;
    if (event.kind == SearchEventKind::sampled) {
      sample_left_ += event.count;
      return;
    }
    tally_.append(history_);
    steps.push_back(history_.step_of(event));
    if (steps.back().kind != StepKind::words) sample_left_ = std::max<std::int64_t>(sample_left_ - 1, 0);
  }

  void offer_next() {
    if (!chosen_) choose();
    if (offer_ && shown_ == 0) shown_ = append_shown(*offer_);
  }

  std::int64_t append_shown(const Offer& offer) {
    const SearchEvent event = {.sequence = history_.next_sequence(),
                               .at_ms = milliseconds_now(),
                               .kind = SearchEventKind::shown,
                               .document = offer.document,
                               .offer = offer,
                               .actor = person_};
    history_.append(event);
    tally_.append(history_);
    return event.sequence;
  }

  [[nodiscard]] const SearchEvent& event_at(std::int64_t sequence) const {
    return history_.events()[static_cast<std::size_t>(sequence) - 1];
  }

  void choose() {
    SearchFold& followed = fold();  // which may set sample_left_
    if (!settings_.set.empty()) {
      offer_ = next_of_set();
    } else if (history_.is_shared()) {
      choose_for_person();
      chosen_ = true;
      return;
    } else {
      offer_ = followed.choose({.is_sampled = sample_left_ > 0});
    }
    shown_ = 0;
    chosen_ = true;
    for (const SearchEvent& event : history_.events() | std::views::reverse) {
      if (event.kind != SearchEventKind::shown) continue;
      if (event.offer == offer_) shown_ = event.sequence;
      break;
    }
  }

  // What came back to this person; or what they have on offer; or what somebody left or handed on; or a choice of what nobody has.
  void choose_for_person() {
    shown_ = 0;
    if (const auto back = std::exchange(comes_back_, std::nullopt);
        back && is_free(*event_at(*back).document)) {
      offer_ = event_at(*back).offer;
      offer_->beside = offer_->beside.value_or(0);
      return;
    }
    if (const std::optional<std::int64_t> own = history_.offer_to(person_)) {
      offer_ = event_at(*own).offer;
      shown_ = *own;
      return;
    }
    std::vector<DocumentId> beside;
    for (const std::int64_t shown : history_.offers_to_people()) {
      if (!is_kept_for_others(event_at(shown))) {
        offer_ = event_at(shown).offer;
        return;
      }
      beside.push_back(*event_at(shown).document);
    }
    std::vector<DocumentId> own;  // what this person handed on
    const std::vector<SearchHistory::HandedOn> handed_on = history_.handed_on();
    for (const auto& [sequence, is_taken] : handed_on)
      if (event_at(sequence).actor == person_) own.push_back(*event_at(sequence).document);
    for (const auto& [sequence, is_taken] : handed_on) {
      const SearchEvent& skip = event_at(sequence);
      const auto is_it = [&](DocumentId document) { return document == *skip.document; };
      if (is_taken || std::ranges::any_of(own, is_it) || std::ranges::any_of(beside, is_it)) continue;
      offer_ = event_at(*skip.shown).offer;
      return;
    }
    const bool is_sampled = sample_left_ > std::ssize(beside);
    offer_ = fold_.choose({.is_sampled = is_sampled, .beside = beside, .put_off = own});
    if (offer_) offer_->beside = std::ssize(beside);
  }

  [[nodiscard]] static bool is_kept_for_others(const SearchEvent& shown) {
    return milliseconds_now() - shown.at_ms < kOfferStandsMs;
  }

  // Skipped ones are put off as others are, while there are others.
  [[nodiscard]] std::optional<Offer> next_of_set() {
    const std::vector<DocumentId> waiting = fold_.waiting();
    std::optional<DocumentId> next;
    std::optional<DocumentId> put_off;
    std::int64_t left = 0;
    for (const DocumentId document : settings_.set) {
      if (history_.is_rated(document)) continue;
      ++left;
      std::optional<DocumentId>& place =
          std::ranges::find(waiting, document) == waiting.end() ? next : put_off;
      if (!place) place = document;
    }
    if (left == 0) return std::nullopt;
    return Offer{.document = next ? *next : *put_off, .round = fold_.round(), .among = left};
  }

  void start_over() {
    follows_ = false;
    chosen_ = false;
    fold_.start_over(history_.steps());
    tally_.start_over(history_);
    sample_left_ = history_.sample_left();
    follows_ = true;
  }

  void go_back_to(std::size_t events) {
    follows_ = false;
    chosen_ = false;
    comes_back_.reset();
    history_.cut_to(events);
  }

  PoolView pool_;
  SearchSettings settings_;
  KeepEvents keep_;
  SearchHistory history_;
  SearchFold fold_;
  SearchTally tally_;
  std::int64_t sample_left_ = 0;
  bool follows_ = true;  // whether these three are what the history says
  bool chosen_ = false;  // whether the next two are
  std::optional<Offer> offer_;
  std::int64_t shown_ = 0;
  std::string person_;                      // of a shared search; nothing: its owner
  std::optional<std::int64_t> comes_back_;  // the offer of an answer that this person took back just now
};

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
    event.shown = state_->standing_of(*document);
    if (event.shown || !settings().offers_next) return event;
  }
  const std::optional<Offer> offer = document ? state_->offer() : next();
  if (!document && !offer)
    throw FormatError("the document on offer", "expected one; every document is rated");
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

std::vector<Offer> Searcher::choose(std::int64_t count, std::span<const bool> among) {
  return state_->choose(count, among);
}

std::vector<Offer> Searcher::standing() const { return state_->standing(); }

std::int64_t Searcher::skip(std::optional<DocumentId> document) {
  if (document) check_id("document", *document, state_->pool().documents());
  document = state_->original_of(document);
  if (document && !settings().with_replacement && history().is_rated(*document)) {
    throw FormatError("document " + std::to_string(*document), "expected one that is not rated, to skip it");
  }
  return state_->answer({answer_to(SearchEventKind::skipped, document)});
}

std::int64_t Searcher::hand_on(std::optional<DocumentId> document) {
  if (!history().is_shared())
    throw FormatError("the search", "expected a shared one, to hand a document on to somebody else");
  const std::optional<Offer> offer = next();
  if (!offer || (document && state_->original_of(document) != offer->document))
    throw FormatError("the document", "expected the one on offer, to hand it on");
  SearchEvent event = answer_to(SearchEventKind::skipped, offer->document);
  event.hand_on = true;
  return state_->answer({event});
}

std::int64_t Searcher::mark(DocumentId document, std::span<const SaidWord> words) {
  if (words.empty()) throw FormatError("the words", "expected at least one to mark");
  return state_->answer({{.kind = SearchEventKind::marked,
                          .document = document,
                          .words = std::vector<SaidWord>(words.begin(), words.end())}});
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
  if (!std::ranges::any_of(history().steps(), has_it)) {
    throw FormatError("feature " + std::to_string(feature), "expected one that is marked, to un-mark it");
  }
  return state_->answer({{.kind = SearchEventKind::forgot, .feature = feature}});
}

// The history takes more: searches that were kept may hold it.
std::int64_t Searcher::sample(std::int64_t count) {
  if (!settings().set.empty())
    throw FormatError("a sample", "expected none in a search whose documents were chosen before");
  const std::int64_t documents = state_->different_texts();
  if (count < 1 || count > documents) {
    throw FormatError(
        fmt::format("event {}", history().next_sequence()),
        fmt::format("expected a sample of 1 to {} documents, as the pool has, got {}", documents, count));
  }
  return state_->answer({{.kind = SearchEventKind::sampled, .count = count}});
}

std::int64_t Searcher::note(const std::string& text) {
  return state_->answer({{.kind = SearchEventKind::noted, .note = text}});
}

std::int64_t Searcher::aim(const SearchAim& aim) {
  return state_->answer({{.kind = SearchEventKind::aimed, .aim = aim}});
}

std::int64_t Searcher::close() { return state_->answer({{.kind = SearchEventKind::closed}}); }

std::vector<std::int64_t> Searcher::undoable(std::int64_t count) const {
  return history().undoable(count, state_->only_person());
}

std::vector<std::int64_t> Searcher::redoable(std::int64_t count) const {
  return history().redoable(count, state_->only_person());
}

std::optional<std::string> Searcher::taken_by(DocumentId document) const {
  return state_->taken_by(*state_->original_of(document));
}

std::int64_t Searcher::left_of_set() const {
  return std::ranges::count_if(settings().set,
                               [&](DocumentId document) { return !history().is_rated(document); });
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
    const SearchEvent& event = history().events()[static_cast<std::size_t>(answer) - 1];
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
  if (why.radius)
    why.chance = chance_by_score(state_->tally().scored_ratings(), why.mean + *why.radius * why.width);
  return why;
}

std::vector<LearnedWord> Searcher::words(std::size_t count) const {
  return learned_words(state_->fold().policy(), state_->tally().said(), count);
}

std::vector<Ranked> Searcher::ranking(std::size_t count) {
  return count == 0 ? std::vector<Ranked>() : state_->fold().policy().ranking(count);
}

SearchProgress Searcher::progress() const {
  SearchProgress progress = state_->tally().progress();
  progress.sample_left = state_->sample_left();
  progress.waiting = std::ssize(state_->fold().waiting());
  if (const std::optional<StopRule>& rule = history().aim().rule)
    progress.rule_reached = is_reached(*rule, progress);
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
