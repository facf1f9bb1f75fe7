#include "engine/policy/mark_beliefs.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <utility>

#include "engine/core/portable_math.hpp"

namespace inkling {
namespace {

constexpr double kSilenceStep = 4.0;
constexpr std::int32_t kSilenceSteps = 3;
/// Half a mark in ten: the prior of p.
constexpr double kPriorMarks = 0.5;
constexpr double kPriorShowings = 10.0;
/// The largest doubt of a mark, however small its confidence. A doubt of 1 means that the feature was never marked.
constexpr double kMostDoubt = 1.0 - 0x1p-53;
constexpr double kLargestProbability = 0.99;
/// Limits precisions: without noise the formula gives 0, and with S = 0 infinity.
constexpr double kLeastPrecision = 1e-9;
constexpr double kMostPrecision = 1e12;

double powered_up(double number) {
  double power = 1.0;
  while (power < number) power *= 2.0;
  return power;
}

}  // namespace

std::vector<SaidWord> marks_of(std::span<const SaidWord> ratings) {
  std::vector<SaidWord> marks;
  for (const SaidWord& rating : ratings)
    if (rating.reward > 0.0) marks.push_back({.feature = rating.feature, .confidence = rating.confidence});
  return marks;
}

MarkBeliefs::MarkBeliefs(std::int32_t features, const ConfidenceOptions& confidence, const SoftMarksOptions& options)
    : options_(options),
      features_(static_cast<double>(features)),
      noise_(confidence.noise),
      norm_bound_(confidence.norm_bound),
      unmarked_(options.unmarked_precision > 0.0 ? options.unmarked_precision
                                                 : precision_shared_by(static_cast<double>(features))) {
  refresh_rule();
}

MarkBeliefs::Belief& MarkBeliefs::belief(FeatureId feature) {
  const std::int32_t number = number_.find(feature);
  if (number != IdMap<FeatureId>::kNone) return beliefs_[static_cast<std::size_t>(number)];
  number_.set(feature, static_cast<std::int32_t>(beliefs_.size()));
  beliefs_.push_back({.feature = feature, .returned_precision = unmarked_});
  return beliefs_.back();
}

void MarkBeliefs::assume_noise(double noise) {
  noise_ = noise;
  unmarked_ = precision_shared_by(features_);
  refresh_rule();
  for (Belief& one : beliefs_) one.returned_precision = precision(one);
}

/// R^2 m / S^2.
double MarkBeliefs::precision_shared_by(double features) const noexcept {
  const double ratio = noise_ / norm_bound_;
  const double precision = ratio * ratio * features;
  return precision <= kMostPrecision ? std::max(precision, kLeastPrecision) : kMostPrecision;
}

double MarkBeliefs::marked() const noexcept {
  double sum = 0.0;
  for (const FeatureId feature : marked_) sum += 1.0 - known(feature)->doubt;
  return sum;
}

double MarkBeliefs::mark_probability() const noexcept {
  if (marked_.empty()) return 0.0;
  if (options_.mark_probability > 0.0) return std::min(options_.mark_probability, kLargestProbability);
  const double again = static_cast<double>(marked_again_) + kPriorMarks;
  return std::min(again / (static_cast<double>(shown_again_) + kPriorShowings), kLargestProbability);
}

/// Sets how many showings without a mark make a step, as a power of two, so that a slightly better p seldom changes anything.
void MarkBeliefs::refresh_rule() noexcept {
  marked_precision_ = options_.marked_precision > 0.0
                          ? options_.marked_precision
                          : std::min(unmarked_, precision_shared_by(powered_up(std::max(marked(), 1.0))));
  const double probability = mark_probability();
  showings_a_step_ = 0;
  if (probability <= 0.0) return;
  const double exact = natural_log(kSilenceStep) / -natural_log(1.0 - probability);
  std::int32_t showings = 1;
  constexpr std::int32_t never = 1 << 30;
  const double root_of_two = 1.4142135623730951;
  while (showings < never && exact > root_of_two * static_cast<double>(showings)) showings *= 2;
  showings_a_step_ = showings;
}

double MarkBeliefs::precision(FeatureId feature) const noexcept {
  const Belief* const belief = known(feature);
  return belief == nullptr ? unmarked_ : precision(*belief);
}

double MarkBeliefs::precision(const Belief& known) const noexcept {
  double silent = unmarked_;
  if (showings_a_step_ > 0)
    for (std::int32_t step = std::min(known.shown / showings_a_step_, kSilenceSteps); step > 0; --step) silent *= kSilenceStep;
  if (known.doubt == 1.0) return silent;
  if (known.doubt == 0.0) return marked_precision_;
  return 1.0 / ((1.0 - known.doubt) / marked_precision_ + known.doubt / silent);
}

void MarkBeliefs::mark(const SaidWord& mark, SparseRow shown) {
  assert(mark.confidence > 0.0 && mark.confidence <= 1.0);
  Belief& known = belief(mark.feature);
  if (known.doubt == 1.0)
    marked_.insert(std::ranges::lower_bound(marked_, mark.feature), mark.feature);
  else if (std::ranges::binary_search(shown.features, mark.feature))
    ++marked_again_;
  known.doubt = std::min(known.doubt * (1.0 - mark.confidence), kMostDoubt);
}

/// A word that is marked twice in one document counts once, with the confidence of the first mark.
void MarkBeliefs::count(SparseRow shown, std::span<const SaidWord> marks) {
  for (const FeatureId feature : shown.features) {
    Belief& known = belief(feature);
    ++known.shown;
    if (known.doubt != 1.0) ++shown_again_;
  }
  for (std::size_t n = 0; n < marks.size(); ++n) {
    const auto earlier = marks.first(n);
    if (std::ranges::find(earlier, marks[n].feature, &SaidWord::feature) == earlier.end()) mark(marks[n], shown);
  }
}

std::span<const FeatureId> MarkBeliefs::observe_marks(SparseRow shown, std::span<const SaidWord> marks) {
  count(shown, marks);
  return changed(shown.features);
}

std::span<const FeatureId> MarkBeliefs::changed_by_counting() {
  refresh_rule();
  return changed_of_all();
}

/// If the effect of a missing mark has changed, checks all known features; else the features shown and the marked ones.
std::span<const FeatureId> MarkBeliefs::changed(IdView shown) {
  const std::int32_t before = showings_a_step_;
  refresh_rule();
  if (showings_a_step_ != before) return changed_of_all();
  changed_.clear();
  std::ranges::set_union(shown, marked_, std::back_inserter(changed_));
  return keep_changed();
}

std::span<const FeatureId> MarkBeliefs::changed_of_all() {
  changed_.resize(beliefs_.size());
  std::ranges::transform(beliefs_, changed_.begin(), &Belief::feature);
  std::ranges::sort(changed_);
  return keep_changed();
}

/// Keeps in `changed_` only the features whose precision differs from the one returned last.
std::span<const FeatureId> MarkBeliefs::keep_changed() {
  std::erase_if(changed_, [&](FeatureId feature) {
    Belief& known = belief(feature);
    const double now = precision(known);
    return std::exchange(known.returned_precision, now) == now;
  });
  return changed_;
}

}  // namespace inkling
