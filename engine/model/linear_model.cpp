#include "engine/model/linear_model.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/check_id.hpp"
#include "engine/core/errors.hpp"
#include "engine/core/portable_math.hpp"
#include "engine/model/dual_ridge_model.hpp"
#include "engine/model/ridge_model.hpp"

namespace inkling {

LinearModel::LinearModel(std::int32_t columns, const RidgeOptions& options)
    : ridge_(options.ridge),
      base_(options.base),
      played_(columns, options.rows),
      leading_(options.base > 0.0 ? 1 : 0),
      theta_(leading_, 0.0),
      direction_(leading_, 0.0) {
  check_precision(ridge_);
  if (base_ >= 0.0 && base_ <= kLargestBase) return;
  throw FormatError("the value of the base feature", "expected a number from 0 to 1e6, got " + number_text(base_));
}

/// A reward of weight w is w equal rewards: V gains w x x', and sum y x as much as w y x.
RankOneChange LinearModel::follow_reward(const Observation& observation, double leverage, double residual) {
  const double weight = observation.weight;
  const double shrink = 1.0 / (1.0 + weight * leverage);
  const double gain = weight * residual * shrink;
  if (!(leverage >= 0.0) || !std::isfinite(leverage) || !std::isfinite(gain))
    throw NumericalError("the leverage of document " + std::to_string(observation.key) + " became " + number_text(leverage));
  add_to_theta(gain, direction_);
  log_det_ratio_.add(natural_log_plus_one(weight * leverage));
  return along_direction(gain, -(weight * shrink), leverage);
}

RankOneChange LinearModel::along_direction(double mean_gain, double square_gain, double leverage) const noexcept {
  return {.direction = std::span(direction_).subspan(leading_),
          .mean_gain = mean_gain,
          .square_gain = square_gain,
          .leverage = leverage,
          .base = leading_ == 0 ? 0.0 : base_ * direction_.front()};
}

void LinearModel::forget_observations(std::int64_t key) {
  const std::optional<std::size_t> place = played_.place(key);
  if (!place) return;
  played_.erase(*place);
  try {
    drop_played(*place);
  } catch (const NumericalError& trouble) {
    recover(trouble.what());
  }
}

void LinearModel::recount(std::span<const Recount> rows) {
  for (const Recount& row : rows)
    check_observation({.key = row.key, .reward = row.reward_sum / row.weight, .weight = row.weight});
  std::vector<std::size_t> places;
  std::vector<double> before;
  places.reserve(rows.size());
  before.reserve(rows.size());
  for (const Recount& row : rows) {
    places.push_back(*played_.place(row.key));
    before.push_back(played_.in_order()[places.back()].weight);
    played_.replace_rewards(places.back(), row.weight, row.reward_sum, row.reward_squares);
  }
  try {
    follow_recount(places, before);
  } catch (const NumericalError& trouble) {
    recover(trouble.what());
  }
}

void LinearModel::add_to_theta(double gain, std::span<const double> direction) {
  for (std::size_t a = 0; a < theta_.size(); ++a) theta_[a] += gain * direction[a];
}

void LinearModel::predict_all(std::span<const SparseRow> rows, std::span<Prediction> predictions) const {
  std::ranges::transform(rows, predictions.begin(), [this](SparseRow row) { return predict(row); });
}

void LinearModel::reweigh_all(std::span<const Reweighed> features) {
  for (const Reweighed& one : features) {
    check_id("feature", one.feature, columns());
    check_precision(one.precision);
  }
  for (const Reweighed& one : features) reweigh(one.feature, one.precision);
}

RankOneChange LinearModel::recover(const std::string& trouble) {
  ++rebuilds_;
  last_trouble_ = trouble;
  std::ranges::fill(theta_, 0.0);
  refine();
  RankOneChange change;
  change.rebuilt = true;
  return change;
}

std::unique_ptr<LinearModel> make_linear_model(ModelForm form, std::int32_t columns, const RidgeOptions& options) {
  switch (form) {
    case ModelForm::primal: break;
    case ModelForm::dual: return std::make_unique<DualRidgeModel>(columns, options);
  }
  return std::make_unique<RidgeModel>(columns, options);
}

}  // namespace inkling
