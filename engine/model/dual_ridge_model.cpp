#include "engine/model/dual_ridge_model.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "engine/core/errors.hpp"
#include "engine/core/portable_math.hpp"
#include "engine/model/dense_kernels.hpp"

namespace inkling {
namespace {

double plays_of(const PlayedDocument& played) { return static_cast<double>(played.plays); }

}  // namespace

DualRidgeModel::DualRidgeModel(PoolView pool, double ridge)
    : LinearModel(pool, ridge),
      largest_variance_(1.0 / ridge),
      variance_(static_cast<std::size_t>(pool.features()), 0.0),
      unit_(variance_),
      spread_(variance_) {
  theta_ = variance_;
  direction_ = variance_;
}

/// Fills kernel_ with X Gamma x over the documents in the factor, and returns x' Gamma x.
double DualRidgeModel::fill_kernel(SparseRow row) const {
  double square = 0.0;
  for (std::size_t n = 0; n < row.size(); ++n) {
    const std::size_t a = at(row.features[n]);
    const auto value = static_cast<double>(row.values[n]);
    spread_[a] = variance_[a] * value;
    square += spread_[a] * value;
  }
  kernel_.resize(factor_.size());
  for (std::size_t i = 0; i < kernel_.size(); ++i) kernel_[i] = dot(played_row(i), spread_);
  for (const FeatureId feature : row.features) spread_[at(feature)] = 0.0;
  return square;
}

/// From L^-1 b in kernel_: returns b' K^-1 b, and leaves K^-1 b there.
double DualRidgeModel::finish_solving() const {
  double form = 0.0;
  for (std::size_t i = 0; i < kernel_.size(); ++i) {
    const double scaled = kernel_[i] / factor_.pivots()[i];
    form += kernel_[i] * scaled;
    kernel_[i] = scaled;
  }
  factor_.solve_upper(kernel_);
  return form;
}

/// direction = Gamma X' kernel_.
void DualRidgeModel::to_features(std::span<double> direction) const {
  std::ranges::fill(direction, 0.0);
  for (std::size_t i = 0; i < kernel_.size(); ++i) {
    const double share = kernel_[i];
    if (share == 0.0) continue;
    const SparseRow row = played_row(i);
    for (std::size_t n = 0; n < row.size(); ++n) {
      direction[at(row.features[n])] += share * static_cast<double>(row.values[n]);
    }
  }
  for (std::size_t a = 0; a < direction.size(); ++a) direction[a] *= variance_[a];
}

Prediction DualRidgeModel::predict(SparseRow row) const {
  const double prior = fill_kernel(row);
  factor_.solve_lower(kernel_, 0);
  const double explained = form_over_pivots(kernel_, factor_.pivots(), 0);
  return {dot(row, theta_), std::max(prior - explained, 0.0)};
}

/// V^-1 x into the direction, for a document that was played before, `plays` times. K e_i is X Gamma x but
/// for 1 / plays on the diagonal, so V^-1 x = Gamma X' K^-1 e_i / plays: no difference of large numbers.
void DualRidgeModel::solve_played(std::size_t place, double plays) {
  kernel_.assign(factor_.size(), 0.0);
  kernel_[place] = 1.0 / plays;
  factor_.solve_lower(kernel_, place);
  finish_solving();
  to_features(direction_);
}

/// V^-1 x into the direction, for a document that was not played before; its row is appended to K.
void DualRidgeModel::solve_and_append(SparseRow row) {
  const double prior = fill_kernel(row);
  factor_.solve_lower(kernel_, 0);
  factor_.append(kernel_, 1.0 + prior);
  kernel_.push_back(0.0);
  finish_solving();
  to_features(direction_);
  for (double& entry : direction_) entry = -entry;
  for (std::size_t n = 0; n < row.size(); ++n) {
    const std::size_t a = at(row.features[n]);
    direction_[a] += variance_[a] * static_cast<double>(row.values[n]);
  }
}

/// 1 / plays becomes 1 / (plays + 1) on the diagonal of K.
void DualRidgeModel::raise_plays(std::size_t place, double plays) {
  kernel_.assign(factor_.size(), 0.0);
  kernel_[place] = 1.0;
  factor_.add(-1.0 / (plays * (plays + 1.0)), kernel_, place);
}

void DualRidgeModel::check_room(DocumentId document) const {
  if (played_.place(document) || played_.in_order().size() < static_cast<std::size_t>(kLargestGram)) return;
  throw FormatError("document " + std::to_string(document),
                    "expected at most " + std::to_string(kLargestGram) +
                        " different documents where this many features are in use");
}

RankOneChange DualRidgeModel::observe(DocumentId document, double reward) {
  check_id("document", document, pool_.documents());
  check_reward(document, reward);
  check_room(document);
  const std::optional<std::size_t> place = played_.place(document);
  const double plays = place ? plays_of(played_.in_order()[*place]) : 0.0;
  played_.record(document, reward);
  const SparseRow row = pool_.by_document.row(document);
  try {
    if (place) {
      solve_played(*place, plays);
      raise_plays(*place, plays);
    } else {
      solve_and_append(row);
    }
    return follow_reward(document, std::max(dot(row, direction_), 0.0), reward - dot(row, theta_));
  } catch (const NumericalError& trouble) {
    return recover(trouble.what());
  }
}

RankOneChange DualRidgeModel::adopt(FeatureId feature) {
  check_id("feature", feature, pool_.features());
  assert(!uses(feature));
  ++in_use_;
  return change_variance(feature, 1.0 / ridge_);
}

RankOneChange DualRidgeModel::reweigh(FeatureId feature, double precision) {
  check_id("feature", feature, pool_.features());
  check_precision(precision);
  assert(uses(feature));
  return change_variance(feature, 1.0 / precision);
}

RankOneChange DualRidgeModel::forget(FeatureId feature) {
  check_id("feature", feature, pool_.features());
  assert(uses(feature));
  --in_use_;
  return change_variance(feature, 0.0);
}

/// x_j, a feature's column of X, into kernel_.
DualRidgeModel::PlayedColumn DualRidgeModel::fill_column(FeatureId feature) const {
  PlayedColumn column{factor_.size(), 0.0, 0.0};
  kernel_.assign(factor_.size(), 0.0);
  const SparseRow postings = pool_.by_feature.row(feature);
  for (std::size_t n = 0; n < postings.size(); ++n) {
    const std::optional<std::size_t> place = played_.place(postings.features[n]);
    if (!place) continue;
    const PlayedDocument& played = played_.in_order()[*place];
    const auto value = static_cast<double>(postings.values[n]);
    kernel_[*place] = value;
    column.first = std::min(column.first, *place);
    column.square += plays_of(played) * value * value;
    const double mean = dot(pool_.by_document.row(played.document), theta_);
    column.residual += value * (played.reward_sum.value() - plays_of(played) * mean);
  }
  return column;
}

/// Gamma_j += change. With v = e_j - Gamma X' K^-1 x_j and kappa = x_j' K^-1 x_j, V^-1 gains
/// change / (1 + change kappa) v v', and theta as much along v times what x_j says of the residuals.
RankOneChange DualRidgeModel::change_variance(FeatureId feature, double variance) {
  const bool is_birth = variance_[at(feature)] == 0.0;
  const double change = variance - variance_[at(feature)];
  const PlayedColumn column = fill_column(feature);
  if (column.first == factor_.size()) {
    set_variance(feature, variance);
    return change_unseen(feature, change);
  }
  try {
    column_ = kernel_;
    factor_.solve_lower(kernel_, column.first);
    const double kappa = finish_solving();
    to_features(direction_);
    for (double& entry : direction_) entry = -entry;
    direction_[at(feature)] += 1.0;
    set_variance(feature, variance);

    const double growth = 1.0 + change * kappa;
    const double gain = change / growth;
    const double mean_gain = gain * column.residual;
    if (!(growth > 0.0) || !std::isfinite(mean_gain)) {
      throw NumericalError("the kernel along feature " + std::to_string(feature) + " became " +
                           number_text(growth));
    }
    factor_.add(change, column_, column.first);
    add_to_theta(mean_gain, direction_);
    if (variance == 0.0) theta_[at(feature)] = 0.0;
    log_det_ratio_.add(natural_log(growth));
    const double explained = is_birth ? std::max(column.square - kappa, 0.0) : 0.0;
    return {direction_, mean_gain, gain, explained};
  } catch (const NumericalError& trouble) {
    return recover(trouble.what());
  }
}

/// A feature that no played document holds: only its own variance changes.
RankOneChange DualRidgeModel::change_unseen(FeatureId feature, double change) {
  unit_[at(std::exchange(unit_at_, feature))] = 0.0;
  unit_[at(feature)] = 1.0;
  return {unit_, 0.0, change, 0.0};
}

void DualRidgeModel::set_variance(FeatureId feature, double variance) {
  const double before = std::exchange(variance_[at(feature)], variance);
  if (variance >= largest_variance_) {
    largest_variance_ = variance;
  } else if (before >= largest_variance_) {
    largest_variance_ = in_use_ == 0 ? 1.0 / ridge_ : std::ranges::max(variance_);
  }
}

void DualRidgeModel::rebuild_factor() {
  factor_.clear();
  CompensatedSum log_det;
  for (const PlayedDocument& played : played_.in_order()) {
    const double prior = fill_kernel(pool_.by_document.row(played.document));
    factor_.solve_lower(kernel_, 0);
    const double pivot = factor_.append(kernel_, 1.0 / plays_of(played) + prior);
    log_det.add(natural_log(pivot * plays_of(played)));
  }
  log_det_ratio_ = CompensatedSum(log_det.value());
}

/// theta = Gamma X' alpha with K alpha = y, y the mean rewards of the documents. The residual of that system
/// is y - X theta - D^-1 alpha; one step of refinement takes it away.
void DualRidgeModel::solve_theta() {
  std::vector<double> alpha(factor_.size(), 0.0);
  std::ranges::fill(theta_, 0.0);
  constexpr int steps = 2;
  for (int step = 0; step < steps; ++step) {
    kernel_.resize(factor_.size());
    for (std::size_t i = 0; i < kernel_.size(); ++i) {
      const PlayedDocument& played = played_.in_order()[i];
      const double mean = dot(pool_.by_document.row(played.document), theta_);
      kernel_[i] = (played.reward_sum.value() - alpha[i]) / plays_of(played) - mean;
    }
    factor_.solve_lower(kernel_, 0);
    finish_solving();
    for (std::size_t i = 0; i < alpha.size(); ++i) alpha[i] += kernel_[i];
    kernel_ = alpha;
    to_features(theta_);
  }
}

void DualRidgeModel::refine() {
  rebuild_factor();
  solve_theta();
}

/// By Matheron's rule: a draw from the prior, less what noisy rewards of that draw would have taught.
void DualRidgeModel::draw_deviation(RandomStream& random, std::span<double> deviation) const {
  assert(deviation.size() == variance_.size());
  std::vector<double> prior(variance_.size());
  for (std::size_t a = 0; a < prior.size(); ++a) prior[a] = std::sqrt(variance_[a]) * random.normal();
  kernel_.resize(factor_.size());
  for (std::size_t i = 0; i < kernel_.size(); ++i) {
    const PlayedDocument& played = played_.in_order()[i];
    const double noise = random.normal() / std::sqrt(plays_of(played));
    kernel_[i] = dot(pool_.by_document.row(played.document), prior) + noise;
  }
  factor_.solve_lower(kernel_, 0);
  finish_solving();
  to_features(deviation);
  for (std::size_t a = 0; a < prior.size(); ++a) deviation[a] = prior[a] - deviation[a];
}

}  // namespace inkling
