#include "engine/policy/policy.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

/// Where every feature is in use, a row is as long as its text, scoring one document costs the square of
/// that, and keeping all scores is less work than the sublinear way. So it is where every document holds the base rate.
Scoring scoring_for(FeatureScope::Kind scope, double base) {
  return scope == FeatureScope::Kind::all || base > 0.0 ? Scoring::running : Scoring::sublinear;
}

/// The options with nothing left open. `features` are in use from the start.
PolicyOptions settled(PolicyOptions options, const Preset& preset, PoolView pool, std::size_t features) {
  if (options.scoring == Scoring::automatic) options.scoring = scoring_for(preset.scope, options.base);
  if (!options.form) {
    options.form = model_form(pool, static_cast<std::int32_t>(features), options.expected_rounds);
  }
  return options;
}

ExplorationSchedule::Kind explores(const Preset& preset, const PolicyOptions& options) {
  const bool forced = options.forced_exploration && preset.explores == ExplorationSchedule::Kind::never;
  return forced ? ExplorationSchedule::Kind::inverse_sqrt : preset.explores;
}

}  // namespace

Policy::Policy(PoolView pool, const Preset& preset, const PolicyOptions& options, RandomStream exploration,
               RandomStream sampling)
    : pool_(pool),
      with_replacement_(options.with_replacement),
      schedule_{explores(preset, options), options.epoch_constant, options.first_rounds},
      scope_{preset.scope, options.first_rounds, options.given},
      remaining_(pool.whole_documents()),
      exploration_(exploration),
      sampling_(sampling) {
  const std::vector<FeatureId> first = scope_.at_start(pool.features());
  if (preset.learner) learner_ = preset.learner(pool, settled(options, preset, pool, first.size()));
  if (first.empty()) return;
  learner_->start_with(first);
  marked_yet_ = true;  // who starts with features has no first mark to wait for
}

std::int32_t Policy::features_in_use() const noexcept {
  return learner_ == nullptr ? 0 : learner_->features_in_use();
}

Play Policy::choose() {
  return choose([](DocumentId) { return true; });
}

Play Policy::choose(const Remains& on_offer) {
  assert(!exhausted());
  pass_round();
  const std::optional<double> radius = learner_ == nullptr ? std::nullopt : learner_->radius();
  const double exploration = exploration_now();
  const bool is_random = plays_at_random(exploration);
  return {is_random ? pick(on_offer) : best(on_offer), is_random, radius, exploration};
}

void Policy::pass_round() noexcept {
  ++clock_.round;
  if (marked_yet_) ++clock_.since_first_mark;
}

DocumentId Policy::pick(const Remains& on_offer) {
  for (;;) {
    const DocumentId drawn = remaining_.pick(exploration_);
    if (on_offer(drawn)) return drawn;
  }
}

/// The best of all is the best of those on offer, if it is one of these.
DocumentId Policy::best(const Remains& on_offer) {
  if (best_of_parts_) return best_of_parts_(best_held(on_offer)).document;
  const RandomStream before = sampling_;
  if (keeps_scores_) {
    const DocumentId best_of_all = learner_->choose(sampling_);
    if (on_offer(best_of_all)) return best_of_all;
    sampling_ = before;
  }
  return learner_->rank(sampling_, 1, may_be_chosen(on_offer)).front().document;
}

/// Of the documents that are held here, numbered in the whole pool.
Ranked Policy::best_held(const Remains& on_offer) {
  const RandomStream before = sampling_;
  if (keeps_scores_) {
    Ranked best = learner_->best_held(sampling_);
    if (best.document == kNoDocument) return best;
    best.document += pool_.first_document();
    if (on_offer(best.document)) return best;
    sampling_ = before;
  }
  const std::vector<Ranked> best = learner_->rank(sampling_, 1, may_be_chosen(on_offer));
  if (best.empty()) return {};
  return {best.front().document + pool_.first_document(), best.front().score};
}

Remains Policy::may_be_chosen(const Remains& on_offer) const {
  return [this, &on_offer](DocumentId row) {
    const DocumentId document = row + pool_.first_document();
    return remaining_.contains(document) && on_offer(document);
  };
}

void Policy::choose_with(BestOfParts best_of_parts) { best_of_parts_ = std::move(best_of_parts); }

std::vector<Ranked> Policy::ranking(std::size_t count, const Remains& on_offer) {
  if (features_in_use() == 0) return {};
  RandomStream sampling = sampling_;
  std::vector<Ranked> best = learner_->rank(sampling, count, may_be_chosen(on_offer));
  for (Ranked& ranked : best) ranked.document += pool_.first_document();
  return best;
}

void Policy::keep_scores(bool keep) {
  keeps_scores_ = keep;
  if (learner_ != nullptr) learner_->keep_scores(keep);
}

double Policy::exploration_now() const noexcept {
  if (features_in_use() == 0 || learner_->lost()) return 1.0;
  return std::clamp(schedule_.probability(clock_), 0.0, 1.0);
}

bool Policy::plays_at_random(double probability) noexcept {
  return probability >= 1.0 || (probability > 0.0 && exploration_.coin(probability));
}

void Policy::observe(DocumentId document, double reward, std::span<const FeatureId> marks,
                     std::span<const double> confidences) {
  const PastEvent event{document, reward, marks, confidences};
  check(event);  // without a word that was rated, it must name a document
  if (learner_ != nullptr) {
    check_room(accepted(marks));
    learner_->observe(document, reward);
    for (const FeatureId feature : accepted(marks)) {
      if (!learner_->uses(feature)) learner_->adopt(feature);
      marked_yet_ = true;
    }
    marks_.clear();
    append_marks(event);
    learner_->listen(document, marks_);
  }
  if (!with_replacement_ && remaining_.contains(document)) retire(document);
}

void Policy::rate_words(std::span<const WordRating> ratings) {
  if (ratings.empty()) return;
  const PastEvent event{.document = kNoDocument, .words = ratings};
  check(event);
  if (learner_ == nullptr) return;
  const std::vector<FeatureId> liked = adopted_by(event);
  check_room(liked);
  for (const FeatureId feature : liked) {
    if (!learner_->uses(feature)) learner_->adopt(feature);
    marked_yet_ = true;
  }
  learner_->rate_words(ratings);
}

/// The features that come into use with the event, unless they are: its marks, and the words of which it says good.
std::vector<FeatureId> Policy::adopted_by(const PastEvent& event) const {
  if (!scope_.accepts_mark(clock_.round)) return {};
  std::vector<FeatureId> adopted(event.marks.begin(), event.marks.end());
  for (const WordRating& rating : event.words)
    if (rating.reward > 0.0) adopted.push_back(rating.feature);
  return adopted;
}

std::span<const FeatureId> Policy::accepted(std::span<const FeatureId> marks) const {
  return scope_.accepts_mark(clock_.round) ? marks : std::span<const FeatureId>();
}

void Policy::append_marks(const PastEvent& event) {
  for (std::size_t n = 0; n < event.marks.size(); ++n) {
    marks_.push_back({event.marks[n], event.confidences.empty() ? 1.0 : event.confidences[n]});
  }
}

void Policy::learn(std::span<const PastEvent> events, const std::function<void()>& between) {
  std::vector<FeatureId> adopted;
  std::vector<std::size_t> adopted_until;
  adopted_until.reserve(events.size());
  marks_.clear();
  for (const PastEvent& event : events) {
    check(event);
    append_marks(event);
    const std::vector<FeatureId> in_use = adopted_by(event);
    adopted.insert(adopted.end(), in_use.begin(), in_use.end());
    adopted_until.push_back(adopted.size());
  }
  if (learner_ != nullptr) {
    check_room(adopted);
    marked_yet_ = marked_yet_ || !adopted.empty();
    std::vector<Lesson> lessons;
    lessons.reserve(events.size());
    std::span<const Mark> marks = marks_;
    for (std::size_t n = 0; n < events.size(); ++n) {
      const PastEvent& event = events[n];
      const std::size_t from = n == 0 ? 0 : adopted_until[n - 1];
      lessons.push_back({event.document, event.reward,
                         std::span(adopted).subspan(from, adopted_until[n] - from),
                         marks.first(event.marks.size()), event.words});
      marks = marks.subspan(event.marks.size());
    }
    learner_->learn(lessons, between);
  }
  for (const PastEvent& event : events) {
    if (event.document == kNoDocument) continue;
    if (!with_replacement_ && remaining_.contains(event.document)) retire(event.document);
  }
}

void Policy::check(const WordRating& rating) const {
  check_id("feature", rating.feature, pool_.features());
  const std::string word = "the rating of feature " + std::to_string(rating.feature);
  if (!std::isfinite(rating.reward) || std::fabs(rating.reward) > kLargestReward)
    throw FormatError(word,
                      "expected a finite number of at most 1e100 in size, got " + number_text(rating.reward));
  if (!(rating.confidence > 0.0 && rating.confidence <= 1.0))
    throw FormatError(word,
                      "expected a confidence above 0 and at most 1, got " + number_text(rating.confidence));
}

void Policy::check(const PastEvent& event) const {
  for (const WordRating& rating : event.words) check(rating);
  if (event.document == kNoDocument && event.marks.empty() && !event.words.empty()) return;
  check_id("document", event.document, pool_.whole_documents());
  for (const FeatureId feature : event.marks) check_id("feature", feature, pool_.features());
  check_reward(event.document, event.reward);
  assert(event.confidences.empty() || event.confidences.size() == event.marks.size());
  for (std::size_t n = 0; n < event.confidences.size(); ++n) {
    if (event.confidences[n] > 0.0 && event.confidences[n] <= 1.0) continue;
    throw FormatError(
        "the mark of feature " + std::to_string(event.marks[n]),
        "expected a confidence above 0 and at most 1, got " + number_text(event.confidences[n]));
  }
}

void Policy::check_room(std::span<const FeatureId> marks) const {
  const auto room = static_cast<std::size_t>(kLargestGram - features_in_use());
  if (marks.size() <= room) return;
  std::vector<FeatureId> unused(marks.begin(), marks.end());
  std::ranges::sort(unused);
  const auto repeated = std::ranges::unique(unused);
  unused.erase(repeated.begin(), repeated.end());
  std::erase_if(unused, [&](FeatureId feature) { return learner_->uses(feature); });
  if (unused.size() <= room) return;
  throw FormatError("the marks of a document", "expected at most " + std::to_string(kLargestGram) +
                                                   " features in use, got " +
                                                   std::to_string(features_in_use()) + " and " +
                                                   std::to_string(unused.size()) + " new ones");
}

void Policy::retire(DocumentId document) {
  remaining_.remove(document);
  if (learner_ != nullptr && pool_.holds(document)) learner_->retire(document - pool_.first_document());
}

void Policy::forget(FeatureId feature) {
  check_id("feature", feature, pool_.features());
  if (learner_ != nullptr && learner_->uses(feature)) learner_->forget(feature);
}

}  // namespace inkling
