#include "engine/model/dual_ridge_model.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "engine/core/check_id.hpp"
#include "engine/core/errors.hpp"
#include "engine/core/portable_math.hpp"
#include "engine/model/dense_kernels.hpp"
#include "engine/sparse/add_scaled.hpp"

namespace inkling {
namespace {

/// A feature's coordinate is prefetched this many features ahead.
constexpr std::size_t kFeaturesAhead = 12;
/// A rank-one change costs the square of the rows, a new factor a third of their cube.
constexpr std::size_t kChangesOfFactor = 3;

}  // namespace

DualRidgeModel::DualRidgeModel(std::int32_t columns, const RidgeOptions& options)
    : LinearModel(columns, options),
      largest_variance_(1.0 / options.ridge),
      seen_(leading_, -1),
      variance_(leading_, 1.0 / options.ridge),
      holders_(leading_) {}

double DualRidgeModel::dot(Located row, std::span<const double> dense) noexcept {
  double sum = row.base == 0.0 ? 0.0 : row.base * dense.front();
  for (std::size_t n = 0; n < row.size(); ++n) sum += static_cast<double>(row.values[n]) * dense[at(row.coordinates[n])];
  return sum;
}

/// Valid until the next call.
DualRidgeModel::Located DualRidgeModel::located(SparseRow row, double base) const {
  located_.resize(row.size());
  for (std::size_t n = 0; n < row.size(); ++n) {
    if (n + kFeaturesAhead < row.size()) coordinate_.prefetch(row.features[n + kFeaturesAhead]);
    located_[n] = coordinate_.find(row.features[n]);
  }
  return {located_, row.values, leading_ == 0 ? 0.0 : base};
}

DualRidgeModel::Located DualRidgeModel::played_row(std::size_t place) const noexcept {
  const std::size_t first = first_coordinate_[place];
  const std::span<const float> values = played_.row(place).values;
  return {std::span(coordinates_).subspan(first, values.size()), values, leading_ == 0 ? 0.0 : played_.in_order()[place].base};
}

/// Returns the feature's coordinate, a new one if it had none.
std::int32_t DualRidgeModel::see(FeatureId feature) {
  const std::int32_t known = coordinate_.find(feature);
  if (known != kUnseen) return known;
  const auto fresh = static_cast<std::int32_t>(seen_.size());
  coordinate_.set(feature, fresh);
  seen_.push_back(feature);
  variance_.push_back(unseen_variance_);
  theta_.push_back(0.0);
  direction_.push_back(0.0);
  holders_.emplace_back();
  return fresh;
}

/// Gives coordinates to the features of a document that was just recorded for the first time.
void DualRidgeModel::see_row(SparseRow row) {
  first_coordinate_.push_back(coordinates_.size());
  for (const FeatureId feature : row.features) coordinates_.push_back(see(feature));
  hold_row(first_coordinate_.size() - 1);
}

void DualRidgeModel::hold_row(std::size_t place) {
  const Located row = played_row(place);
  for (std::size_t n = 0; n < row.size(); ++n)
    holders_[at(row.coordinates[n])].push_back({static_cast<std::int32_t>(place), row.values[n]});
}

std::vector<double> DualRidgeModel::by_feature(std::span<const double> by_coordinate, double otherwise) const {
  std::vector<double> numbers(static_cast<std::size_t>(columns()), otherwise);
  for (std::size_t a = leading_; a < seen_.size(); ++a) numbers[at(seen_[a])] = by_coordinate[a];
  return numbers;
}

void DualRidgeModel::start_with(std::span<const FeatureId> features) {
  if (features.size() < static_cast<std::size_t>(columns())) return LinearModel::start_with(features);
  assert(in_use_ == 0 && seen_.size() == leading_);
  in_use_ = columns();
  unseen_variance_ = 1.0 / ridge_;
}

/// Fills kernel_ with X Gamma x over the first `documents` documents, and returns x' Gamma x. Rows share few words with one
/// another, so each word is looked up in the rows that hold it.
double DualRidgeModel::fill_kernel(Located row, std::size_t documents) const {
  kernel_.assign(documents, 0.0);
  double square = 0.0;
  if (leading_ != 0) {
    const double share = variance_.front() * row.base;
    square = share * row.base;
    for (std::size_t i = 0; i < kernel_.size(); ++i) kernel_[i] = played_.in_order()[i].base * share;
  }
  for (std::size_t n = 0; n < row.size(); ++n) {
    const auto value = static_cast<double>(row.values[n]);
    const std::int32_t a = row.coordinates[n];
    const double share = (a == kUnseen ? unseen_variance_ : variance_[at(a)]) * value;
    square += share * value;
    if (a == kUnseen) continue;
    for (const Holder& held : holders_[at(a)]) {
      if (at(held.place) >= kernel_.size()) break;  // a later document
      kernel_[at(held.place)] += static_cast<double>(held.value) * share;
    }
  }
  return square;
}

/// Requires L^-1 b in kernel_, replaces it with K^-1 b, and returns b' K^-1 b.
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

/// direction = `by` times Gamma X' kernel_, by coordinate.
void DualRidgeModel::to_coordinates(double by, std::span<double> direction) const {
  std::ranges::fill(direction, 0.0);
  for (std::size_t i = 0; i < kernel_.size(); ++i) {
    const double share = by * kernel_[i];
    if (share == 0.0) continue;
    const Located row = played_row(i);
    add_scaled(direction, {row.coordinates, row.values}, share);
    if (row.base != 0.0) direction.front() += share * row.base;
  }
  for (std::size_t a = 0; a < direction.size(); ++a) direction[a] *= variance_[a];
}

double DualRidgeModel::mean_of(Located row) const noexcept {
  double mean = row.base == 0.0 ? 0.0 : row.base * theta_.front();
  for (std::size_t n = 0; n < row.size(); ++n)
    if (row.coordinates[n] != kUnseen) mean += static_cast<double>(row.values[n]) * theta_[at(row.coordinates[n])];
  return mean;
}

void DualRidgeModel::predict_all(std::span<const SparseRow> rows, std::span<Prediction> predictions) const {
  constexpr std::size_t together = KernelFactor::kSidesTogether;
  assert(predictions.size() == rows.size());
  for (std::size_t first = 0; first < rows.size(); first += together) {
    const std::span<Prediction> group = predictions.subspan(first, std::min(together, rows.size() - first));
    sides_.assign(factor_.size() * together, 0.0);
    for (std::size_t side = 0; side < group.size(); ++side) {
      const Located x = located(rows[first + side], base_);
      group[side] = {.mean = mean_of(x), .square = fill_kernel(x)};
      for (std::size_t i = 0; i < kernel_.size(); ++i) sides_[i * together + side] = kernel_[i];
    }
    std::array<double, together> explained{};
    factor_.quadratic_forms(sides_, explained);
    for (std::size_t side = 0; side < group.size(); ++side)
      group[side].square = std::max(group[side].square - explained[side], 0.0);
  }
}

Prediction DualRidgeModel::predict(SparseRow row, double base) const {
  const Located x = located(row, base);
  const double prior = fill_kernel(x);
  factor_.solve_lower(kernel_, 0);
  const double explained = form_over_pivots(kernel_, factor_.pivots(), 0);
  return {mean_of(x), std::max(prior - explained, 0.0)};
}

/// V^-1 x into the direction, for a document that was played before, `weight` times. K e_i is X Gamma x but
/// for 1 / weight on the diagonal, so V^-1 x = Gamma X' K^-1 e_i / weight: no difference of large numbers.
void DualRidgeModel::solve_played(std::size_t place, double weight) {
  kernel_.assign(factor_.size(), 0.0);
  kernel_[place] = 1.0 / weight;
  factor_.solve_lower(kernel_, place);
  finish_solving();
  to_coordinates(1.0, direction_);
}

/// V^-1 x into the direction, for a document that was not played before; its row is appended to K.
void DualRidgeModel::solve_and_append(Located row, double weight) {
  const double prior = fill_kernel(row);
  factor_.solve_lower(kernel_, 0);
  factor_.append(kernel_, 1.0 / weight + prior);
  kernel_.push_back(0.0);
  finish_solving();
  to_coordinates(-1.0, direction_);
  for (std::size_t n = 0; n < row.size(); ++n) {
    const std::size_t a = at(row.coordinates[n]);
    direction_[a] += variance_[a] * static_cast<double>(row.values[n]);
  }
  if (row.base != 0.0) direction_.front() += variance_.front() * row.base;
}

/// 1 / weight becomes 1 / (weight + more) on the diagonal of K.
void DualRidgeModel::raise_weight(std::size_t place, double weight, double more) {
  kernel_.assign(factor_.size(), 0.0);
  kernel_[place] = 1.0;
  factor_.add(-more / (weight * (weight + more)), kernel_, place);
}

void DualRidgeModel::check_room(std::int64_t document) const {
  if (played_.place(document) || played_.in_order().size() < static_cast<std::size_t>(kLargestGram)) return;
  throw FormatError("document " + std::to_string(document), "expected at most " + std::to_string(kLargestGram) +
                                                                " different documents where this many features are in use");
}

RankOneChange DualRidgeModel::learn_row(const Observation& observation) {
  check_room(observation.key);
  const std::optional<std::size_t> place = played_.place(observation.key);
  const double before = place ? played_.in_order()[*place].weight : 0.0;
  played_.record(observation.key, observation.row, observation.reward, observation.base, observation.weight);
  if (!place) see_row(observation.row);
  if (puts_off()) return {};
  const Located x = played_row(place.value_or(factor_.size()));
  try {
    if (place) {
      solve_played(*place, before);
      raise_weight(*place, before, observation.weight);
    } else {
      solve_and_append(x, observation.weight);
    }
    return follow_reward(observation, std::max(dot(x, direction_), 0.0), observation.reward - dot(x, theta_));
  } catch (const NumericalError& trouble) {
    return recover(trouble.what());
  }
}

void DualRidgeModel::drop_played(std::size_t place) {
  const std::size_t first = first_coordinate_[place];
  const std::size_t end = place + 1 < first_coordinate_.size() ? first_coordinate_[place + 1] : coordinates_.size();
  coordinates_.erase(coordinates_.begin() + static_cast<std::ptrdiff_t>(first),
                     coordinates_.begin() + static_cast<std::ptrdiff_t>(end));
  first_coordinate_.erase(first_coordinate_.begin() + static_cast<std::ptrdiff_t>(place));
  for (std::size_t later = place; later < first_coordinate_.size(); ++later) first_coordinate_[later] -= end - first;
  for (std::vector<Holder>& holders : holders_) holders.clear();
  for (std::size_t other = 0; other < first_coordinate_.size(); ++other) hold_row(other);
  if (puts_off()) return;
  factor_.remove(place);
  sum_log_det();
  solve_theta();
}

void DualRidgeModel::sum_log_det() {
  CompensatedSum log_det;
  for (std::size_t i = 0; i < factor_.size(); ++i) log_det.add(natural_log(factor_.pivots()[i] * played_.in_order()[i].weight));
  log_det_ratio_ = CompensatedSum(log_det.value());
}

void DualRidgeModel::follow_recount(std::span<const std::size_t> places, std::span<const double> before) {
  if (puts_off()) return;
  std::vector<double> change(factor_.size(), 0.0);
  std::vector<std::size_t> changed;
  for (std::size_t n = 0; n < places.size(); ++n) {
    change[places[n]] = 1.0 / played_.in_order()[places[n]].weight - 1.0 / before[n];
    if (change[places[n]] != 0.0) changed.push_back(places[n]);
  }
  if (kChangesOfFactor * changed.size() >= factor_.size()) {
    factor_.add_to_diagonal(change);
  } else {
    for (const std::size_t place : changed) {
      kernel_.assign(factor_.size(), 0.0);
      kernel_[place] = 1.0;
      factor_.add(change[place], kernel_, place);
    }
  }
  sum_log_det();
  solve_theta();
}

RankOneChange DualRidgeModel::adopt(FeatureId feature) {
  check_id("feature", feature, columns());
  assert(!uses(feature));
  ++in_use_;
  return change_variance(feature, 1.0 / ridge_);
}

RankOneChange DualRidgeModel::reweigh(FeatureId feature, double precision) {
  check_id("feature", feature, columns());
  check_precision(precision);
  assert(uses(feature));
  return change_variance(feature, 1.0 / precision);
}

void DualRidgeModel::reweigh_all(std::span<const Reweighed> features) {
  if (features.size() <= factor_.size()) return LinearModel::reweigh_all(features);
  for (const Reweighed& one : features) {
    check_id("feature", one.feature, columns());
    check_precision(one.precision);
    assert(uses(one.feature));
  }
  for (const Reweighed& one : features) variance_[at(see(one.feature))] = 1.0 / one.precision;
  largest_variance_ = greatest_variance();
  if (puts_off()) return;
  try {
    refine();
  } catch (const NumericalError& trouble) {
    recover(trouble.what());
  }
}

/// x_j, a feature's column of X, into kernel_.
DualRidgeModel::PlayedColumn DualRidgeModel::fill_column(FeatureId feature) const {
  PlayedColumn column{factor_.size(), 0.0, 0.0};
  kernel_.assign(factor_.size(), 0.0);
  for (const auto& [place, value] : played_.column(feature)) {
    const PlayedDocument& played = played_.in_order()[place];
    kernel_[place] = value;
    column.first = std::min(column.first, place);
    column.square += played.weight * value * value;
    const double mean = dot(played_row(place), theta_);
    column.residual += value * (played.reward_sum.value() - played.weight * mean);
  }
  return column;
}

/// Gamma_j += change. With v = e_j - Gamma X' K^-1 x_j and kappa = x_j' K^-1 x_j, V^-1 gains
/// change / (1 + change kappa) v v', and theta as much along v times what x_j says of the residuals.
RankOneChange DualRidgeModel::change_variance(FeatureId feature, double variance) {
  const std::size_t a = at(see(feature));
  const bool is_birth = variance_[a] == 0.0;
  const double change = variance - variance_[a];
  if (puts_off()) {
    set_variance(a, variance);
    return {};
  }
  const PlayedColumn column = fill_column(feature);
  if (column.first == factor_.size()) {
    set_variance(a, variance);
    return change_unplayed(a, change);
  }
  try {
    column_ = kernel_;
    factor_.solve_lower(kernel_, column.first);
    const double kappa = finish_solving();
    to_coordinates(-1.0, direction_);
    direction_[a] += 1.0;
    set_variance(a, variance);

    const double growth = 1.0 + change * kappa;
    const double gain = change / growth;
    const double mean_gain = gain * column.residual;
    if (!(growth > 0.0) || !std::isfinite(mean_gain))
      throw NumericalError("the kernel along feature " + std::to_string(feature) + " became " + number_text(growth));
    factor_.add(change, column_, column.first);
    add_to_theta(mean_gain, direction_);
    log_det_ratio_.add(natural_log(growth));
    const double explained = is_birth ? std::max(column.square - kappa, 0.0) : 0.0;
    return along_direction(mean_gain, gain, explained);
  } catch (const NumericalError& trouble) {
    return recover(trouble.what());
  }
}

/// A feature that no played document holds: only its own variance changes.
RankOneChange DualRidgeModel::change_unplayed(std::size_t coordinate, double change) {
  std::ranges::fill(direction_, 0.0);
  direction_[coordinate] = 1.0;
  return along_direction(0.0, change);
}

void DualRidgeModel::set_variance(std::size_t coordinate, double variance) {
  const double before = std::exchange(variance_[coordinate], variance);
  if (variance >= largest_variance_)
    largest_variance_ = variance;
  else if (before >= largest_variance_)
    largest_variance_ = greatest_variance();
}

double DualRidgeModel::greatest_variance() const noexcept {
  if (in_use_ == 0) return 1.0 / ridge_;
  const bool all_seen = seen_.size() - leading_ == static_cast<std::size_t>(columns());
  double greatest = all_seen ? 0.0 : unseen_variance_;
  for (const double variance : variance_) greatest = std::max(greatest, variance);
  return greatest;
}

/// With the variance g, a belief of weight w in the reward y makes it 1 / (1/g + w), and the mean w y times that.
void DualRidgeModel::believe(std::span<const Belief> beliefs) {
  for (const Belief& one : beliefs) {
    check_id("feature", one.feature, columns());
    check_observation({.reward = one.reward, .weight = one.weight});
    assert(uses(one.feature));
  }
  std::vector<VarianceChange> changes;
  changes.reserve(beliefs.size());
  for (const Belief& one : beliefs) {
    const std::size_t a = at(see(one.feature));
    if (believed_.size() <= a) believed_.resize(a + 1);
    assert(believed_[a].variance_before == 0.0);
    const double before = variance_[a];
    variance_[a] = 1.0 / (1.0 / before + one.weight);
    believed_[a] = {one.weight * one.reward * variance_[a], before};
    if (!holders_[a].empty()) changes.push_back({one.feature, variance_[a] - before});
  }
  follow_variances(changes);
}

void DualRidgeModel::forget_belief(FeatureId feature) {
  const std::size_t a = at(coordinate_.find(feature));
  const double variance = std::exchange(believed_[a], {}).variance_before;
  const VarianceChange change = {feature, variance - variance_[a]};
  variance_[a] = variance;
  follow_variances({&change, 1});
}

void DualRidgeModel::follow_variances(std::span<const VarianceChange> changes) {
  largest_variance_ = greatest_variance();
  if (puts_off()) return;
  try {
    if (kChangesOfFactor * changes.size() > factor_.size()) {
      rebuild_factor();
    } else {
      for (const auto& [feature, change] : changes) {
        const PlayedColumn column = fill_column(feature);
        if (column.first < factor_.size()) factor_.add(change, kernel_, column.first);
      }
      sum_log_det();
    }
    solve_theta();
  } catch (const NumericalError& trouble) {
    recover(trouble.what());
  }
}

void DualRidgeModel::add_prior_means() noexcept {
  for (std::size_t a = 0; a < believed_.size(); ++a) theta_[a] += believed_[a].mean;
}

/// Works on several rows at a time, so that the factor is read once for all of them.
void DualRidgeModel::rebuild_factor() {
  std::array<std::vector<double>, KernelFactor::kRowsTogether> lower;
  std::array<double, KernelFactor::kRowsTogether> corner{};
  factor_.clear();
  CompensatedSum log_det;
  for (std::size_t first = 0; first < played_.in_order().size(); first += lower.size()) {
    if (puts_off()) (*put_off_)();
    const std::size_t rows = std::min(lower.size(), played_.in_order().size() - first);
    for (std::size_t n = 0; n < rows; ++n) {
      corner[n] = 1.0 / played_.in_order()[first + n].weight + fill_kernel(played_row(first + n), first + n);
      lower[n] = kernel_;
    }
    factor_.solve_lower_together(std::span(lower).first(rows));
    for (std::size_t n = 0; n < rows; ++n) {
      factor_.continue_solving(lower[n], first);
      const double pivot = factor_.append(lower[n], corner[n]);
      log_det.add(natural_log(pivot * played_.in_order()[first + n].weight));
    }
  }
  log_det_ratio_ = CompensatedSum(log_det.value());
}

/// theta = m + Gamma X' alpha with K alpha = y - X m, y the mean rewards of the documents and m the means that are believed. The
/// residual of that system is y - X theta - D^-1 alpha; one step of refinement takes it away.
void DualRidgeModel::solve_theta() {
  std::vector<double> alpha(factor_.size(), 0.0);
  std::ranges::fill(theta_, 0.0);
  add_prior_means();
  constexpr int steps = 2;
  for (int step = 0; step < steps; ++step) {
    kernel_.resize(factor_.size());
    for (std::size_t i = 0; i < kernel_.size(); ++i) {
      const PlayedDocument& played = played_.in_order()[i];
      const double mean = dot(played_row(i), theta_);
      kernel_[i] = (played.reward_sum.value() - alpha[i]) / played.weight - mean;
    }
    factor_.solve_lower(kernel_, 0);
    finish_solving();
    for (std::size_t i = 0; i < alpha.size(); ++i) alpha[i] += kernel_[i];
    kernel_ = alpha;
    to_coordinates(1.0, theta_);
    add_prior_means();
  }
  document_weights_ = std::move(alpha);
}

void DualRidgeModel::refine() {
  rebuild_factor();
  solve_theta();
  put_off_.reset();
}

/// Uses Matheron's rule: a draw from the prior, minus the estimate from noisy rewards of that draw.
std::vector<double> DualRidgeModel::draw_deviation(RandomStream& random) const {
  std::vector<double> deviation = variances();
  for (double& entry : deviation) entry = std::sqrt(entry) * random.normal();
  const double of_base = leading_ == 0 ? 0.0 : std::sqrt(base_variance()) * random.normal();
  kernel_.resize(factor_.size());
  for (std::size_t i = 0; i < kernel_.size(); ++i) {
    const PlayedDocument& played = played_.in_order()[i];
    const double noise = random.normal() / std::sqrt(played.weight);
    kernel_[i] = inkling::dot(played_.row(i), deviation) + (played.base * of_base + noise);
  }
  factor_.solve_lower(kernel_, 0);
  finish_solving();
  std::vector<double> learned(seen_.size());
  to_coordinates(1.0, learned);
  for (std::size_t a = leading_; a < seen_.size(); ++a) deviation[at(seen_[a])] -= learned[a];
  return deviation;
}

}  // namespace inkling
