#include "engine/model/linear_model.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/core/errors.hpp"
#include "engine/core/portable_math.hpp"
#include "engine/model/dual_ridge_model.hpp"
#include "engine/model/ridge_model.hpp"

namespace inkling {

void check_id(const char* kind, std::int32_t id, std::int32_t count) {
  if (id >= 0 && id < count) return;
  throw FormatError(std::string(kind) + " " + std::to_string(id),
                    "expected a " + std::string(kind) + " from 0 to " + std::to_string(count - 1));
}

void check_reward(std::int64_t document, double reward) {
  if (std::isfinite(reward) && std::fabs(reward) <= kLargestReward) return;
  throw FormatError("reward of document " + std::to_string(document),
                    "expected a finite number of at most 1e100 in size, got " + number_text(reward));
}

void check_precision(double precision) {
  if (precision >= kSmallestRidge && precision <= kLargestRidge) return;
  throw NumericalError("the ridge must be from 1e-60 to 1e60, got " + number_text(precision));
}

LinearModel::LinearModel(std::int32_t columns, double ridge, RowKeeping rows)
    : ridge_(ridge), played_(columns, rows) {
  check_precision(ridge);
}

RankOneChange LinearModel::follow_reward(std::int64_t document, double leverage, double residual) {
  const double shrink = 1.0 / (1.0 + leverage);
  const double gain = residual * shrink;
  if (!(leverage >= 0.0) || !std::isfinite(leverage) || !std::isfinite(gain)) {
    throw NumericalError("the leverage of document " + std::to_string(document) + " became " +
                         number_text(leverage));
  }
  add_to_theta(gain, direction_);
  log_det_ratio_.add(natural_log_plus_one(leverage));
  return {direction_, gain, -shrink, leverage};
}

void LinearModel::add_to_theta(double gain, std::span<const double> direction) {
  for (std::size_t a = 0; a < theta_.size(); ++a) theta_[a] += gain * direction[a];
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

ModelForm model_form(PoolView pool, std::int32_t features_in_use, std::int64_t rounds) noexcept {
  // Below, a gram costs microseconds a round, and a model of it can be scored from its inverse.
  constexpr std::int32_t small_gram = 256;
  const std::int64_t most = rounds > 0 ? rounds : pool.documents();
  const std::int64_t played = std::min<std::int64_t>(most, pool.documents());
  return features_in_use > small_gram && played < features_in_use ? ModelForm::dual : ModelForm::primal;
}

std::unique_ptr<LinearModel> make_linear_model(ModelForm form, std::int32_t columns,
                                               const RidgeOptions& options) {
  if (form == ModelForm::dual) return std::make_unique<DualRidgeModel>(columns, options.ridge, options.rows);
  return std::make_unique<RidgeModel>(columns, options);
}

}  // namespace inkling
