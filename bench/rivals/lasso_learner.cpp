#include "bench/rivals/lasso_learner.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "engine/core/portable_math.hpp"
#include "engine/scoring/parallel_blocks.hpp"

namespace inkling::bench {
namespace {

/// Sweeps before a feature set counts as settled all the same: columns that are nearly the same can trade
/// weight for ever.
constexpr int kMostSweeps = 1000;

/// A sweep has settled when it moves the fit of no feature by more than this share of |y|.
constexpr double kLassoTolerance = 1e-9;

/// The point nearest to 0 within `threshold` of x.
double shrunk(double x, double threshold) noexcept {
  if (x > threshold) return x - threshold;
  if (x < -threshold) return x + threshold;
  return 0.0;
}

RidgeOptions least_squares_on(CsrView documents) {
  constexpr double share = 1e-8;
  double largest = 0.0;
  for (std::int32_t i = 0; i < documents.rows(); ++i) {
    largest = std::max(largest, squared_norm(documents.row(i)));
  }
  const double ridge = std::clamp(share * largest, kSmallestRidge, kLargestRidge);
  return {.ridge = ridge, .factor = FactorKind::dense, .first_capacity = 16};
}

}  // namespace

Lasso::Lasso(CsrView documents)
    : documents_(documents),
      played_(documents.columns()),
      columns_(static_cast<std::size_t>(documents.columns())),
      squares_(columns_.size(), 0.0),
      theta_(squares_),
      is_active_(columns_.size(), 0) {}

void Lasso::observe(DocumentId document, double reward) {
  const bool is_new = !played_.place(document).has_value();
  played_.record(document, documents_.row(document), reward);
  reward_squares_.add(reward * reward);
  const auto place = static_cast<std::int32_t>(*played_.place(document));
  const SparseRow row = documents_.row(document);
  for (std::size_t n = 0; n < row.size(); ++n) {
    if (row.values[n] == 0.0F) continue;
    const auto value = static_cast<double>(row.values[n]);
    const auto feature = static_cast<std::size_t>(row.features[n]);
    squares_[feature] += value * value;
    if (!is_new) continue;
    if (columns_[feature].empty()) seen_.push_back(row.features[n]);
    columns_[feature].push_back({place, row.values[n]});
  }
}

/// The slope of |y - X theta|^2 / t along feature j is -2/t x_j.(y - X theta), so a feature has no weight
/// where |x_j.(y - X theta)| <= t penalty / 2.
void Lasso::solve(double penalty) {
  const double threshold = 0.5 * penalty * static_cast<double>(played_.plays());
  const double tolerance = kLassoTolerance * std::sqrt(reward_squares_.value());
  refresh_residuals();
  do {
    settle(threshold, tolerance);
  } while (admit_more(threshold));
  keep_support();
}

void Lasso::settle(double threshold, double tolerance) {
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double largest = 0.0;
    for (const FeatureId feature : active_) largest = std::max(largest, step(feature, threshold));
    if (largest <= tolerance) return;
  }
}

/// The best weight of one feature, all others given; returns how far that moved the fit.
double Lasso::step(FeatureId feature, double threshold) {
  const auto at = static_cast<std::size_t>(feature);
  const double square = squares_[at];
  const double weight = shrunk(slope(feature) + square * theta_[at], threshold) / square;
  const double change = weight - theta_[at];
  if (change == 0.0) return 0.0;
  theta_[at] = weight;
  explain(at, change);
  return std::fabs(change) * std::sqrt(square);
}

double Lasso::slope(FeatureId feature) const noexcept {
  double sum = 0.0;
  for (const Entry& entry : columns_[static_cast<std::size_t>(feature)]) {
    sum += static_cast<double>(entry.value) * residuals_[static_cast<std::size_t>(entry.place)];
  }
  return sum;
}

/// Features without a weight whose slope the penalty does not hold join; returns whether there were any.
bool Lasso::admit_more(double threshold) {
  const std::size_t before = active_.size();
  for (const FeatureId feature : seen_) {
    const auto at = static_cast<std::size_t>(feature);
    if (is_active_[at] != 0 || squares_[at] == 0.0 || std::fabs(slope(feature)) <= threshold) continue;
    is_active_[at] = 1;
    active_.push_back(feature);
  }
  return active_.size() > before;
}

/// From theta, so that rounding errors do not add up over the rounds.
void Lasso::refresh_residuals() {
  residuals_.clear();
  for (const PlayedDocument& played : played_.in_order()) residuals_.push_back(played.reward_sum.value());
  for (const FeatureId feature : active_) {
    const auto at = static_cast<std::size_t>(feature);
    explain(at, theta_[at]);
  }
}

/// Takes out of the residuals what so much weight of a feature brings.
void Lasso::explain(std::size_t feature, double weight) {
  for (const Entry& entry : columns_[feature]) {
    const auto place = static_cast<std::size_t>(entry.place);
    const auto plays = static_cast<double>(played_.in_order()[place].plays);
    residuals_[place] -= plays * static_cast<double>(entry.value) * weight;
  }
}

void Lasso::keep_support() {
  std::erase_if(active_, [&](FeatureId feature) {
    const auto at = static_cast<std::size_t>(feature);
    if (theta_[at] != 0.0) return false;
    is_active_[at] = 0;
    return true;
  });
  std::ranges::sort(active_);
}

std::vector<FeatureId> thresholded_support(std::span<const double> theta, std::span<const FeatureId> support,
                                           double penalty) {
  std::vector<FeatureId> kept(support.begin(), support.end());
  const auto drop_up_to = [&](double threshold) {
    std::erase_if(kept, [&](FeatureId feature) {
      return !(std::fabs(theta[static_cast<std::size_t>(feature)]) > threshold);
    });
  };
  drop_up_to(4.0 * penalty);
  drop_up_to(4.0 * penalty * std::sqrt(static_cast<double>(kept.size())));
  return kept;
}

LassoLearner::LassoLearner(PoolView pool, const LassoOptions& options)
    : AllFeaturesLearner(pool),
      scale_(options.scale),
      documents_(pool.by_document),
      lasso_(pool.by_document),
      model_(pool.features(), least_squares_on(pool.by_document)),
      product_(pool, ModelForm::primal),
      remaining_(pool.documents()) {}

double LassoLearner::penalty() const noexcept {
  const auto plays = static_cast<double>(model_.played().plays());
  const double logarithms = natural_log(std::max(plays, 2.0)) * natural_log(std::max(features_in_use(), 1));
  return scale_ * std::sqrt(2.0 * logarithms / plays);
}

void LassoLearner::observe(DocumentId document, double reward) {
  model_.observe(document, documents_.row(document), reward);
  lasso_.observe(document, reward);
  const double now = penalty();
  lasso_.solve(now);
  change_support(thresholded_support(lasso_.theta(), lasso_.support(), now));
}

void LassoLearner::change_support(std::span<const FeatureId> wanted) {
  const std::vector<FeatureId> before(support().begin(), support().end());
  for (const FeatureId feature : before) {
    if (std::ranges::binary_search(wanted, feature)) continue;
    product_.remove(*model_.features().position(feature));
    model_.forget(feature);
  }
  const std::size_t kept = support().size();
  for (const FeatureId feature : wanted) {
    if (model_.uses(feature)) continue;
    model_.adopt(feature);
    product_.admit(feature);
  }
  // With so small a ridge, rounding errors that add up would show.
  const bool changed = kept < before.size() || kept < support().size();
  if (changed) model_.refine();
}

DocumentId LassoLearner::choose(RandomStream& sampling) {
  if (support().empty()) return remaining_.pick(sampling);
  product_.take(model_.theta(), model_.coordinates());
  return best_of_blocks(product_.blocks(), [&](std::int32_t index) { return best_of_block(index); }).document;
}

Ranked LassoLearner::best_of_block(std::int32_t index) const {
  const RowBlock block = product_.block(index);
  PoolProduct::BlockOfDoubles means;  // not initialised: multiply writes every entry that is read
  product_.multiply(index, std::span(means).first(block.size()));
  Ranked best;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const DocumentId document = block.first + static_cast<DocumentId>(i);
    if (remaining_.contains(document)) keep_first(best, {document, means[i]});
  }
  return best;
}

}  // namespace inkling::bench
