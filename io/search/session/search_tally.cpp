#include "io/search/session/search_tally.hpp"

#include <algorithm>

#include "io/search/events/reason.hpp"

namespace inkling {
namespace {

/// The score by which `Policy::ranking` ranks.
std::optional<double> score_of(const Offer& offer) {
  if (!offer.mean || !offer.width || !offer.radius) return std::nullopt;
  return *offer.mean + *offer.radius * *offer.width;
}

}  // namespace

void SearchTally::start_over(const SearchHistory& history) {
  *this = SearchTally(documents_, good_from_);
  for (const SearchStep& step : history.steps()) count(step);
  for (const SearchEvent& event : history.events())
    if (event.kind == SearchEventKind::shown)
      count_offer(*event.offer, history.is_in_force(event.sequence));
    else
      count(event, history.holds(event.sequence));
}

void SearchTally::append(const SearchHistory& history) {
  const SearchEvent& event = history.events().back();
  if (event.kind == SearchEventKind::shown) return count_offer(*event.offer, history.is_in_force(event.sequence));
  const bool holds = history.holds(event.sequence);
  if (event.kind == SearchEventKind::rated) {  // if all ratings of a document count, this one may change whether it is good
    const auto known = rated_.find(*event.document);
    if (known != rated_.end() && known->second.is_good != (event.reward >= good_from_)) return start_over(history);
  }
  const bool is_apart = event.kind == SearchEventKind::marked && !event.document;
  if (holds && (event.kind == SearchEventKind::rated || is_apart)) count(history.step_of(event));
  count(event, holds);
}

void SearchTally::count(const SearchStep& step) {
  for (const SaidWord& word : words_to_learn(step.words, true)) {
    const auto [known, is_new] = said_.try_emplace(word.feature, SaidOfWord{.word = word});
    if (!is_new && outweighs(word, known->second.word)) known->second.word = word;
    if (step.kind == StepKind::words) known->second.apart = word;
  }
  if (!step.is_rating()) return;
  const bool is_good = step.reward >= good_from_;
  rated_[step.document].is_good = is_good;
  ratings_.push_back({is_good, step.offer ? score_of(*step.offer) : std::nullopt});
  without_good_ = is_good ? 0 : without_good_ + 1;
}

// A random offer that is open until it is answered counts as a draw when it is made, not when it is answered: answers may come
// in any order, for instance the bad ones first. The same draw may be shown again, at another interface or to another person.
void SearchTally::count_offer(const Offer& offer, bool is_in_force) {
  on_offer_.reset();
  const auto counted = open_draws_.find(offer.round);
  const bool is_again = counted != open_draws_.end() && counted->second == offer.document;
  if (is_again) return;
  if (!offer.beside) {
    on_offer_ = offer;
  } else if (is_in_force && offer.explored) {
    open_draws_.insert_or_assign(offer.round, offer.document);
    add_draw(offer);
  }
}

void SearchTally::add_draw(const Offer& offer) {
  const std::int64_t unrated = std::max(documents_ - met_, offer.among);
  draws_.push_back({offer.document, {.among = offer.among, .unrated = unrated, .good_before = good_met_, .good = {}}});
}

// If each offer replaces the one before it, a draw counts once an answer is given while it is on offer, whatever the answer is.
// It counts even if its document is rated again later, and even if the person rates another document instead: they may have
// done so because of what was drawn. When a document is rated again, the offer stays and its draw is not counted: a later answer
// to the offer counts it, and it must count once.
void SearchTally::count(const SearchEvent& event, bool holds) {
  const bool is_rating = event.kind == SearchEventKind::rated;
  if (!holds || (!is_rating && event.kind != SearchEventKind::skipped)) return;
  if (is_rating && rated_[*event.document].is_met) return;
  if (on_offer_ && on_offer_->explored) add_draw(*on_offer_);
  on_offer_.reset();  // the next offer is shown together with the answer
  if (!is_rating) return;
  Rated& rated = rated_[*event.document];
  rated.is_met = true;
  ++met_;
  if (rated.is_good) ++good_met_;
}

std::vector<RandomDraw> SearchTally::draws() const {
  std::vector<RandomDraw> draws;
  draws.reserve(draws_.size());
  for (const auto& [document, draw] : draws_) {
    draws.push_back(draw);
    if (const auto rated = rated_.find(document); rated != rated_.end()) draws.back().good = rated->second.is_good;
  }
  return draws;
}

SearchProgress SearchTally::progress(double confidence) const {
  const auto lately = std::span(ratings_).last(std::min<std::size_t>(ratings_.size(), kLately));
  const std::vector<RandomDraw> drawn = draws();
  return {.documents = documents_,
          .rated = met_,
          .good = good_met_,
          .without_good = without_good_,
          .standstills = standstills_after(without_good_),
          .lately = std::ssize(lately),
          .good_lately = std::ranges::count(lately, true, &Rating::is_good),
          .left = good_left(drawn, documents_ - met_, good_met_, confidence),
          .good_draws = std::ranges::count(drawn, std::optional(true), &RandomDraw::good)};
}

std::vector<RuleCondition> conditions_of(const StopRule& rule, const SearchProgress& progress) {
  std::vector<RuleCondition> conditions;
  for (const RuleMember& member : kRuleMembers) {
    const std::optional<std::int64_t>& limit = rule.*member.place;
    if (!limit) continue;
    const bool is_bound = member.place == &StopRule::left_at_most;
    const std::int64_t now = is_bound                           ? progress.left.at_most
                             : member.place == &StopRule::rated ? progress.rated
                             : member.place == &StopRule::good  ? progress.good
                                                                : progress.without_good;
    conditions.push_back({member.name, *limit, now, is_bound ? now <= *limit : now >= *limit});
  }
  return conditions;
}

double found_at_random(const SearchProgress& progress) noexcept {
  if (progress.documents == 0) return 0.0;
  return static_cast<double>(progress.good) * static_cast<double>(progress.rated) / static_cast<double>(progress.documents);
}

std::vector<BoundPrice> SearchTally::prices(std::span<const std::int64_t> bounds) const {
  const std::vector<RandomDraw> drawn = draws();
  std::vector<BoundPrice> prices;
  prices.reserve(bounds.size());
  for (const std::int64_t bound : bounds) prices.push_back(price_of_bound(bound, drawn, documents_ - met_, good_met_));
  return prices;
}

std::vector<ScoredRating> SearchTally::scored_ratings() const {
  std::vector<ScoredRating> scored;
  scored.reserve(ratings_.size());
  for (const Rating& rating : ratings_)
    if (rating.score) scored.push_back({*rating.score, rating.is_good});
  return scored;
}

}  // namespace inkling
