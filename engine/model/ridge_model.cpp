#include "engine/model/ridge_model.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/core/check_id.hpp"
#include "engine/core/errors.hpp"
#include "engine/core/portable_math.hpp"
#include "engine/model/factor_checks.hpp"

namespace inkling {
namespace {

/// Rounding errors of a kept V^-1 are relative to its largest entries, 1 / lambda, so those of a squared width are relative to
/// |x|^2 / lambda. Rows for which that would matter are solved by the factor.
constexpr double kLargestKeptScale = 1e3;
/// After how many rewards a kept V^-1 is compared with the factor, and how far they may differ on that scale.
constexpr std::int64_t kRewardsBetweenChecks = 64;
constexpr double kLargestDrift = 1e-11;
/// If a precision falls by more than this factor, too few digits of the difference are left, and the model is rebuilt.
constexpr double kMostFall = 1e4;

/// Twice as much room as is used, but never more than there are features.
std::int32_t doubled_capacity(std::int32_t size, std::int32_t first, std::int32_t features) {
  return std::min(std::max(first, 2 * size), features);
}

}  // namespace

RidgeModel::RidgeModel(std::int32_t columns, const RidgeOptions& options)
    : LinearModel(columns, options),
      options_(options),
      factor_(make_cholesky_factor(options.factor)),
      precisions_(leading_, options.ridge),
      least_precision_(options.ridge) {
  if (leading_ == 0) return;
  rebuild_factor(capacity_for(leading_));
  if (keeps_inverse()) kept_.assign(1, whole_inverse());
}

double RidgeModel::weight(FeatureId feature) const noexcept {
  const auto position = features_.position(feature);
  return position ? theta()[static_cast<std::size_t>(*position)] : 0.0;
}

double RidgeModel::precision(FeatureId feature) const noexcept {
  const auto position = features_.position(feature);
  return position ? precisions_[leading_ + static_cast<std::size_t>(*position)] : std::numeric_limits<double>::infinity();
}

std::int32_t RidgeModel::capacity_for(std::size_t rows) const noexcept {
  return doubled_capacity(static_cast<std::int32_t>(rows), options_.first_capacity,
                          columns() + static_cast<std::int32_t>(leading_));
}

RestrictedRow RidgeModel::restricted(SparseRow row, double base) const {
  if (leading_ == 0) return features_.restrict_row(row, row_);
  row_.clear();
  if (base != 0.0) row_.add(0, base);
  features_.for_each_relevant(row,
                              [&](std::int32_t position, float value) { row_.add(position + 1, static_cast<double>(value)); });
  return {row_.positions, row_.values};
}

/// solution = V^-1 e with e the unit vector of this position.
void RidgeModel::solve_unit(std::int32_t position, std::span<double> solution) const {
  const double one = 1.0;
  factor_->solve(RestrictedRow{{&position, 1}, {&one, 1}}, solution);
}

/// solution = V^-1 x.
void RidgeModel::solve(RestrictedRow x, std::span<double> solution) {
  const double scale = squared_norm(x) / least_precision_;
  if (!keeps_inverse() || !(scale <= kLargestKeptScale)) return factor_->solve(x, solution);
  if (++rewards_since_check_ >= kRewardsBetweenChecks) {
    rewards_since_check_ = 0;
    const double drift = std::fabs(factor_->inverse_form(x) - kept_.form(x));
    if (!(drift <= kLargestDrift * scale)) kept_.assign(factor_->size(), whole_inverse());
  }
  kept_.multiply(x, solution);
}

Prediction RidgeModel::predict(SparseRow row, double base) const {
  const RestrictedRow x = restricted(row, base);
  if (x.empty()) return {0.0, 0.0};
  return {dot(x, theta_), keeps_inverse() ? kept_.form(x) : factor_->inverse_form(x)};
}

std::vector<double> RidgeModel::whole_inverse() const {
  const std::size_t m = theta_.size();
  std::vector<double> inverse(m * m);
  for (std::size_t a = 0; a < m; ++a) solve_unit(static_cast<std::int32_t>(a), std::span(inverse).subspan(a * m, m));
  return inverse;
}

std::vector<double> RidgeModel::inverse() const {
  std::vector<double> whole = whole_inverse();
  if (leading_ == 0) return whole;
  const std::size_t m = theta_.size() - leading_;
  std::vector<double> inverse;
  inverse.reserve(m * m);
  for (std::size_t a = leading_; a < theta_.size(); ++a) {
    const auto row = std::span(whole).subspan(a * theta_.size() + leading_, m);
    inverse.insert(inverse.end(), row.begin(), row.end());
  }
  return inverse;
}

std::vector<double> RidgeModel::base_inverse() const {
  assert(leading_ == 1);
  std::vector<double> row(theta_.size());
  solve_unit(0, row);
  return row;
}

RankOneChange RidgeModel::learn_row(const Observation& observation) {
  played_.record(observation.key, observation.row, observation.reward, observation.base, observation.weight);
  const RestrictedRow x = restricted_played(*played_.place(observation.key));
  direction_.assign(theta_.size(), 0.0);
  if (x.empty()) return along_direction(0.0, 0.0);
  try {
    solve(x, direction_);
    const RankOneChange change = follow_reward(observation, dot(x, direction_), observation.reward - dot(x, theta_));
    update_factor(x, observation.weight);
    if (keeps_inverse()) kept_.add(direction_, change.square_gain);
    return change;
  } catch (const NumericalError& trouble) {
    return recover(trouble.what());
  }
}

void RidgeModel::update_factor(RestrictedRow x, double weight) {
  if (weight == 1.0) return factor_->update(x);
  std::vector<double> scaled(x.values.begin(), x.values.end());
  for (double& value : scaled) value *= std::sqrt(weight);
  factor_->update({x.positions, scaled});
}

RidgeModel::Birth RidgeModel::gather_birth(FeatureId feature) {
  Birth birth{std::vector<double>(theta_.size(), 0.0), ridge_, 0.0};
  for (const auto& [place, value] : played_.column(feature)) {
    const PlayedDocument& played = played_.in_order()[place];
    const RestrictedRow x = restricted_played(place);
    const double weight = played.weight;
    for (std::size_t a = 0; a < x.size(); ++a) birth.b[static_cast<std::size_t>(x.positions[a])] += weight * value * x.values[a];
    birth.c += weight * value * value;
    birth.residual += value * (played.reward_sum.value() - weight * dot(x, theta_));
  }
  return birth;
}

RankOneChange RidgeModel::adopt(FeatureId feature) {
  check_id("feature", feature, columns());
  assert(!features_.contains(feature));
  const Birth birth = gather_birth(feature);
  try {
    if (!factor_->has_room()) rebuild_factor(capacity_for(theta_.size() + 1));
    // The direction is (-w, 1) with w = V^-1 b.
    direction_.assign(theta_.size(), 0.0);
    const bool met_another = std::ranges::any_of(birth.b, [](double entry) { return entry != 0.0; });
    if (met_another) factor_->solve(birth.b, direction_);
    const double explained = std::inner_product(birth.b.begin(), birth.b.end(), direction_.begin(), 0.0);
    for (double& entry : direction_) entry = -entry;
    direction_.push_back(1.0);

    const double schur = factor_->append(birth.b, birth.c);
    check_pivot_holds_ridge(schur, ridge_);
    const double eta = birth.residual / schur;
    if (!std::isfinite(eta)) throw NumericalError("the weight of a new feature became " + number_text(eta));
    append_feature(feature);
    add_to_theta(eta, direction_);
    if (keeps_inverse()) {
      kept_.append();
      kept_.add(direction_, 1.0 / schur);
    }
    log_det_ratio_.add(natural_log(schur / ridge_));
    return along_direction(eta, 1.0 / schur, std::max(explained, 0.0));
  } catch (const NumericalError& trouble) {
    if (!features_.contains(feature)) append_feature(feature);
    return recover(trouble.what());
  }
}

void RidgeModel::append_feature(FeatureId feature) {
  features_.append(feature);
  theta_.push_back(0.0);
  precisions_.push_back(ridge_);
  least_precision_ = std::min(least_precision_, ridge_);
}

/// With q = V^-1 e and delta the change of the precision, V + delta e e' has the inverse
/// V^-1 - delta q q' / (1 + delta q_j).
RankOneChange RidgeModel::reweigh(FeatureId feature, double precision) {
  check_id("feature", feature, columns());
  check_precision(precision);
  assert(features_.contains(feature));
  const std::int32_t position = place_of(feature);
  const auto at = static_cast<std::size_t>(position);
  const double before = std::exchange(precisions_[at], precision);
  least_precision_ = std::ranges::min(precisions_);
  try {
    if (before > kMostFall * precision)
      throw NumericalError("the precision of a feature fell from " + number_text(before) + " to " + number_text(precision));
    direction_.assign(theta_.size(), 0.0);
    solve_unit(position, direction_);
    const double delta = precision - before;
    const double growth = 1.0 + delta * direction_[at];
    const double gain = -delta / growth;
    const double mean_gain = gain * theta_[at];
    if (!(growth > 0.0) || !std::isfinite(mean_gain))
      throw NumericalError("the variance of a feature of another precision became " + number_text(growth));
    factor_->add_to_diagonal(position, delta);
    if (keeps_inverse()) kept_.add(direction_, gain);
    add_to_theta(mean_gain, direction_);
    log_det_ratio_.add(natural_log(growth * (before / precision)));
    return along_direction(mean_gain, gain);
  } catch (const NumericalError& trouble) {
    return recover(trouble.what());
  }
}

std::vector<double> RidgeModel::draw_deviation(RandomStream& random) const {
  std::vector<double> normals(theta_.size());
  for (double& z : normals) z = random.normal();
  std::vector<double> deviation(theta_.size());
  factor_->colour(normals, deviation);
  deviation.erase(deviation.begin(), deviation.begin() + static_cast<std::ptrdiff_t>(leading_));
  return deviation;
}

void RidgeModel::rebuild_factor(std::int32_t capacity) {
  PlayedRows rows;
  for (std::size_t place = 0; place < played_.in_order().size(); ++place) {
    const RestrictedRow x = restricted_played(place);
    if (!x.empty()) rows.append(x, played_.in_order()[place].weight);
  }
  factor_->rebuild(rows, precisions_, capacity);
  log_det_ratio_ = CompensatedSum(factor_->log_det_ratio(precisions_));
}

void RidgeModel::refine() {
  rebuild_factor(capacity_for(theta_.size()));
  if (keeps_inverse()) kept_.assign(factor_->size(), whole_inverse());
  if (!theta_.empty()) refine_theta();
}

/// theta += V^-1 (sum x (y - x.theta) - Lambda theta), which is zero at the exact theta.
void RidgeModel::refine_theta() {
  std::vector<CompensatedSum> gradient(theta_.size());
  for (std::size_t a = 0; a < theta_.size(); ++a) gradient[a].add(-precisions_[a] * theta_[a]);
  for (std::size_t place = 0; place < played_.in_order().size(); ++place) {
    const PlayedDocument& played = played_.in_order()[place];
    const RestrictedRow x = restricted_played(place);
    const double residual = played.reward_sum.value() - played.weight * dot(x, theta_);
    for (std::size_t n = 0; n < x.size(); ++n) gradient[static_cast<std::size_t>(x.positions[n])].add(x.values[n] * residual);
  }
  std::vector<double> right_hand_side(theta_.size());
  std::ranges::transform(gradient, right_hand_side.begin(), [](const CompensatedSum& sum) { return sum.value(); });
  std::vector<double> correction(theta_.size());
  factor_->solve(right_hand_side, correction);
  add_to_theta(1.0, correction);
}

}  // namespace inkling
