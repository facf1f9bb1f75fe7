#include "io/search/session/searcher_state.hpp"

#include <cmath>
#include <ranges>

#include <fmt/format.h>

#include "engine/core/check_id.hpp"
#include "engine/core/errors.hpp"
#include "engine/model/observation.hpp"
#include "io/search/events/event_words.hpp"

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

/// Throws FormatError unless the documents, features, words and the reward of the event are valid for the pool.
void check_fits(const SearchEvent& event, PoolView pool) {
  if (event.document) check_id("document", *event.document, pool.documents());
  if (event.feature) check_id("feature", *event.feature, pool.features());
  if (event.kind == SearchEventKind::rated) check_reward(event.document.value_or(0), event.reward);
  check_words(event.words, pool);
}

}  // namespace

Searcher::State::State(PoolView pool, SearchSettings settings, std::span<const SearchEvent> past, KeepEvents keep,
                       const std::function<void()>& between)
    : pool_(pool),
      settings_(std::move(settings)),
      keep_(std::move(keep)),
      history_(settings_.with_replacement ? RatingsOfOne::all_count : RatingsOfOne::last_counts, settings_.copies),
      fold_(pool, settings_),
      tally_(different_texts()) {
  for (const DocumentId document : settings_.set) check_id("document", document, pool_.documents());
  for (const SearchEvent& event : past) {
    check_fits(event, pool_);
    history_.append(event);
  }
  call_between(between);
  start_over();
  call_between([] {});
}

bool Searcher::State::was_explored(DocumentId document) {
  const auto is_it = [&](const Offer& offer) { return offer.document == document && offer.explored; };
  return std::ranges::any_of(open_offers(), is_it) || (settings_.offers_next && offer() && is_it(*offer()));
}

std::vector<Offer> Searcher::State::open_offers() const {
  std::vector<Offer> offers;
  for (const std::int64_t shown : history_.open_offers()) offers.push_back(*history_.at(shown).offer);
  return offers;
}

std::optional<std::int64_t> Searcher::State::open_offer_of(DocumentId document) const {
  for (const std::int64_t shown : history_.is_shared() ? history_.offers_to_people() : history_.open_offers())
    if (history_.at(shown).document == document) return shown;
  return std::nullopt;
}

std::optional<std::string> Searcher::State::taken_by(DocumentId document) const {
  if (!history_.is_shared()) return std::nullopt;
  for (const std::int64_t shown : history_.offers_to_people()) {
    const SearchEvent& event = history_.at(shown);
    if (event.document == document && event.actor != person_ && is_kept_for_others(event)) return event.actor;
  }
  if (!history_.is_rated(document)) return std::nullopt;
  const std::string& rater = history_.rating_of(document).actor;
  return rater == person_ ? std::nullopt : std::optional(rater);
}

std::vector<Offer> Searcher::State::choose(std::int64_t count, std::span<const bool> among) {
  std::vector<Offer> chosen;
  change([&] {
    std::vector<DocumentId> beside;
    for (const Offer& offer : open_offers()) beside.push_back(offer.document);
    for (std::int64_t n = 0; n < count; ++n) {
      SearchFold& followed = fold();  // which may set sample_left_
      const bool is_sampled = sample_left_ > std::ssize(beside);
      std::optional<Offer> offer =
          followed.choose({.is_sampled = is_sampled, .beside = beside, .among = among, .withheld = history_.aim().withheld});
      if (!offer) break;
      offer->beside = std::ssize(beside);
      append_shown(*offer);
      chosen.push_back(*offer);
      beside.push_back(offer->document);
    }
  });
  return chosen;
}

std::int64_t Searcher::State::answer(std::vector<SearchEvent> events) {
  for (const SearchEvent& event : events) {
    const bool brings_back = event.kind == SearchEventKind::redone && event.target > 0 && event.target < history_.next_sequence();
    const std::optional<DocumentId> document = brings_back ? history_.at(event.target).document : event.document;
    if (document && history_.is_withheld(*original_of(document)))
      throw FormatError(fmt::format("document {}", *document),
                        "expected one that no pair of readers has: their answers arrive here when both are done");
  }
  return answer(std::move(events), person_);
}

std::int64_t Searcher::State::answer(std::vector<SearchEvent> events, const std::string& person) {
  std::int64_t last = 0;
  change([&] {
    std::vector<SearchStep> steps;
    for (SearchEvent& event : events) {
      check_fits(event, pool_);
      if (event.kind != SearchEventKind::separated) event.document = original_of(event.document);
      last = event.sequence = history_.next_sequence();
      event.at_ms = milliseconds_now();
      event.actor = person;
      append(event, steps);
    }
    if (!follows_ || steps.empty()) return;
    follows_ = false;  // until that is done
    fold_.append(steps);
    follows_ = true;
  });
  return last;
}

void Searcher::State::append(const SearchEvent& event, std::vector<SearchStep>& steps) {
  const bool only_appends = history_.only_appends(event);
  const bool was_shared = history_.is_shared();
  history_.append(event);
  if (history_.is_shared() != was_shared || event.kind == SearchEventKind::aimed) chosen_ = false;
  if (event.kind == SearchEventKind::noted || event.kind == SearchEventKind::aimed || event.kind == SearchEventKind::closed)
    return;
  chosen_ = false;
  if (event.kind == SearchEventKind::undone && was_shared) comes_back_ = history_.at(event.target).shown;
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

std::int64_t Searcher::State::append_shown(const Offer& offer) {
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

void Searcher::State::choose() {
  SearchFold& followed = fold();  // which may set sample_left_
  if (set()) {
    offer_ = next_of_set();
  } else if (history_.is_shared()) {
    choose_for_person();
    chosen_ = true;
    return;
  } else {
    offer_ = followed.choose({.is_sampled = sample_left_ > 0, .withheld = history_.aim().withheld});
  }
  shown_ = 0;
  chosen_ = true;
  for (const SearchEvent& event : history_.events() | std::views::reverse) {
    if (event.kind != SearchEventKind::shown) continue;
    if (event.offer == offer_) shown_ = event.sequence;
    break;
  }
}

void Searcher::State::choose_for_person() {
  shown_ = 0;
  if (const auto back = std::exchange(comes_back_, std::nullopt); back && is_free(*history_.at(*back).document)) {
    offer_ = history_.at(*back).offer;
    offer_->beside = offer_->beside.value_or(0);
    return;
  }
  if (const std::optional<std::int64_t> own = history_.offer_to(person_)) {
    offer_ = history_.at(*own).offer;
    shown_ = *own;
    return;
  }
  std::vector<DocumentId> beside;
  for (const std::int64_t shown : history_.offers_to_people()) {
    if (!is_kept_for_others(history_.at(shown))) {
      offer_ = history_.at(shown).offer;
      return;
    }
    beside.push_back(*history_.at(shown).document);
  }
  std::vector<DocumentId> own;  // what this person handed on
  const std::vector<SearchHistory::HandedOn> handed_on = history_.handed_on();
  for (const auto& [sequence, is_taken] : handed_on)
    if (history_.at(sequence).actor == person_) own.push_back(*history_.at(sequence).document);
  for (const auto& [sequence, is_taken] : handed_on) {
    const SearchEvent& skip = history_.at(sequence);
    const auto is_it = [&](DocumentId document) { return document == *skip.document; };
    if (is_taken || history_.is_withheld(*skip.document) || std::ranges::any_of(own, is_it) || std::ranges::any_of(beside, is_it))
      continue;
    offer_ = history_.at(*skip.shown).offer;
    return;
  }
  const bool is_sampled = sample_left_ > std::ssize(beside);
  offer_ = fold_.choose({.is_sampled = is_sampled, .beside = beside, .withheld = history_.aim().withheld, .put_off = own});
  if (offer_) offer_->beside = std::ssize(beside);
}

std::optional<Offer> Searcher::State::next_of_set() {
  const std::vector<DocumentId> waiting = fold_.waiting();
  std::optional<DocumentId> next;
  std::optional<DocumentId> put_off;
  std::int64_t left = 0;
  const std::span<const DocumentId> documents = *set();
  for (const DocumentId document : documents) {
    if (history_.is_rated(document)) continue;
    ++left;
    std::optional<DocumentId>& place = std::ranges::find(waiting, document) == waiting.end() ? next : put_off;
    if (!place) place = document;
  }
  if (left == 0) return std::nullopt;
  return Offer{.document = next ? *next : *put_off, .round = fold_.round(), .among = left};
}

void Searcher::State::start_over() {
  follows_ = false;
  chosen_ = false;
  const RowCopies copies = history_.copies();
  const bool is_of_pool = copies.size() == settings_.copies.size();
  if (!is_of_pool) left_out_.assign(copies.rows.begin(), copies.rows.end());
  fold_.leave_out(is_of_pool ? settings_.copies.rows : left_out_);
  fold_.start_over(history_.steps());
  tally_ = SearchTally(different_texts());
  tally_.start_over(history_);
  sample_left_ = history_.sample_left();
  follows_ = true;
}

void Searcher::State::go_back_to(std::size_t events) {
  follows_ = false;
  chosen_ = false;
  comes_back_.reset();
  history_.cut_to(events);
}

}  // namespace inkling
