#include "bench/rivals/sketched_learner.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/errors.hpp"
#include "engine/core/portable_math.hpp"
#include "engine/model/dense_kernels.hpp"
#include "engine/scoring/parallel_blocks.hpp"

namespace inkling::bench {

double sketched_radius(const SketchedEllipsoid& ellipsoid, double ridge,
                       const ConfidenceOptions& options) noexcept {
  const double excess = ellipsoid.lost / ridge;
  const double tail = static_cast<double>(ellipsoid.rank) * natural_log_plus_one(excess);
  const double spread = std::max(ellipsoid.log_det_ratio, 0.0) + tail - 2.0 * natural_log(options.delta);
  return options.noise * std::sqrt((1.0 + excess) * spread) +
         std::sqrt(ridge) * options.norm_bound * (1.0 + excess);
}

SketchedLearner::SketchedLearner(PoolView pool, const PolicyOptions& options, const SketchOptions& sketch)
    : AllFeaturesLearner(pool),
      pool_(pool),
      options_(options),
      sketch_(pool.features(), sketch.directions),
      reward_sums_(static_cast<std::size_t>(pool.features()), 0.0),
      products_(static_cast<std::size_t>(pool.documents()) * sketch_.most_rows(), 0.0),
      mean_(static_cast<std::size_t>(pool.documents()), 0.0),
      square_(mean_),
      retired_(mean_.size(), 0) {
  check_precision(ridge());
  compress();
}

std::span<double> SketchedLearner::product_of(DocumentId document) noexcept {
  return std::span(products_).subspan(static_cast<std::size_t>(document) * sketch_.most_rows(),
                                      sketch_.rows());
}

double SketchedLearner::weight(FeatureId feature) const noexcept {
  const double explained = dot(sketch_.column(feature).data(), shares_.data(), shares_.size());
  return (reward_sums_[static_cast<std::size_t>(feature)] - explained) / ridge();
}

std::optional<double> SketchedLearner::radius() const {
  if (options_.radius == RadiusKind::posterior) return posterior_radius(plays_, options_.confidence);
  const std::int64_t rank = std::min<std::int64_t>(features_in_use(), plays_);
  return sketched_radius({log_det_ratio_.value(), sketch_.lost(), rank}, ridge(), options_.confidence);
}

void SketchedLearner::observe(DocumentId document, double reward) {
  check_reward(document, reward);
  if (sketch_.full()) compress();
  const SparseRow row = pool_.by_document.row(document);
  const double square = squared_norm(row);
  played_.resize(sketch_.rows());
  sketch_.multiply(row, played_);
  double mean = 0.0;
  for (std::size_t n = 0; n < row.size(); ++n)
    mean += static_cast<double>(row.values[n]) * weight(row.features[n]);
  remember(row, reward);
  if (!extend_kernel(square)) {
    compress();
    return;
  }
  const double growth = kernel_.pivots().back() / ridge();
  log_det_ratio_.add(natural_log(growth));
  follow(row, reward - mean, growth);
  solve_reward_sums();
}

/// The row becomes the sketch's last, and the rewards count it in. `played_` is S x before and after.
void SketchedLearner::remember(SparseRow row, double reward) {
  ++plays_;
  for (std::size_t n = 0; n < row.size(); ++n) {
    reward_sums_[static_cast<std::size_t>(row.features[n])] += reward * static_cast<double>(row.values[n]);
  }
  sketch_.append(row, played_);
  for (std::size_t r = 0; r < reward_rows_.size(); ++r) reward_rows_[r] += reward * played_[r];
  reward_rows_.push_back(dot(row, reward_sums_));
}

/// K gains the row of `played_`, and `gains_` becomes K^-1 S x of the K before. Returns whether the numbers
/// bear it: no pivot of K is below lambda, whose last is lambda (1 + x' V~^-1 x).
bool SketchedLearner::extend_kernel(double square) {
  kernel_.solve_lower(played_, 0);
  gains_ = played_;
  kernel_.finish_solve(gains_);
  try {
    return kernel_.append(played_, ridge() + square) >= 0.5 * ridge();
  } catch (const NumericalError&) {
    return false;
  }
}

void SketchedLearner::solve_reward_sums() {
  shares_ = reward_rows_;
  kernel_.solve_lower(shares_, 0);
  kernel_.finish_solve(shares_);
}

/// Every document through one reward: with u = V~^-1 x of the document played, p = x_i.u, its mean gains
/// p error / growth, its squared width loses p^2 / growth.
void SketchedLearner::follow(SparseRow row, double error, double growth) {
  const std::size_t last = sketch_.rows() - 1;
  for (std::size_t n = 0; n < row.size(); ++n) {
    const SparseRow postings = pool_.by_feature.row(row.features[n]);
    for (std::size_t k = 0; k < postings.size(); ++k) {
      product_of(postings.features[k])[last] +=
          static_cast<double>(row.values[n]) * static_cast<double>(postings.values[k]);
    }
  }
  const double mean_gain = error / growth;
  if (!std::isfinite(mean_gain))
    throw NumericalError("an estimate of the sketch became " + number_text(error));
  for_each_block(blocks().count(), [&](std::int32_t index) {
    const RowBlock block = blocks()[index];
    for (DocumentId i = block.first; i < block.end; ++i) {
      const std::span<const double> products = product_of(i);
      const double p = (products[last] - dot(products.data(), gains_.data(), last)) / ridge();
      mean_[static_cast<std::size_t>(i)] += mean_gain * p;
      square_[static_cast<std::size_t>(i)] -= p * p / growth;
    }
  });
}

void SketchedLearner::compress() {
  sketch_.shrink();
  reward_rows_.resize(sketch_.rows());
  sketch_.multiply(reward_sums_, reward_rows_);
  kernel_.clear();
  log_det_ratio_ = CompensatedSum();
  const std::vector<double> orthogonal(sketch_.rows(), 0.0);
  for (std::size_t r = 0; r < sketch_.rows(); ++r) {
    kernel_.append(std::span(orthogonal).first(r), ridge() + sketch_.squared_length(r));
    log_det_ratio_.add(natural_log_plus_one(sketch_.squared_length(r) / ridge()));
  }
  solve_reward_sums();
  for_each_block(blocks().count(), [&](std::int32_t index) { score_afresh(blocks()[index]); });
}

void SketchedLearner::score_afresh(RowBlock block) {
  for (DocumentId i = block.first; i < block.end; ++i) {
    const SparseRow row = pool_.by_document.row(i);
    const std::span<double> products = product_of(i);
    sketch_.multiply(row, products);
    const double explained = form_over_pivots(products, kernel_.pivots(), 0);
    const auto at = static_cast<std::size_t>(i);
    mean_[at] = (dot(row, reward_sums_) - dot(products.data(), shares_.data(), shares_.size())) / ridge();
    square_[at] = (squared_norm(row) - explained) / ridge();
    const std::size_t rows = sketch_.rows();
    std::fill_n(products_.begin() + static_cast<std::ptrdiff_t>(at * sketch_.most_rows() + rows),
                sketch_.most_rows() - rows, 0.0);
  }
}

DocumentId SketchedLearner::choose(RandomStream& /*sampling*/) {
  const double factor = *radius();
  return best_of_blocks(blocks().count(),
                        [&](std::int32_t index) { return best_of_block(blocks()[index], factor); })
      .document;
}

Ranked SketchedLearner::best_of_block(RowBlock block, double radius) const {
  Ranked best;
  for (DocumentId i = block.first; i < block.end; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (retired_[at] != 0) continue;
    keep_first(best, {i, optimism(mean_[at], square_[at], radius)});
  }
  return best;
}

}  // namespace inkling::bench
