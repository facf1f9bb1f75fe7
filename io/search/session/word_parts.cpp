#include "io/search/session/word_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/core/id_map.hpp"
#include "engine/model/dense_kernels.hpp"
#include "engine/model/dual_ridge_model.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/scoring/scan/entry_filter.hpp"

namespace inkling {
namespace {

/// A played document that holds one of the features asked for.
struct Meeting {
  std::size_t feature;  ///< its place among them
  std::size_t played;   ///< the place of the document
  double value;
};

/// In a row that is this many times longer than the list of features, each feature is searched for; a shorter row is walked
/// through.
constexpr std::size_t kLongRow = 16;

/// In order of the played documents; for each document in order of the features, if these ascend.
std::vector<Meeting> meetings(const DualRidgeModel& model, IdView features) {
  const FeatureBits bits(
      std::vector<FeatureId>(features.begin(), features.end()));  // most entries of most rows are none of these
  IdMap<FeatureId> places;
  for (std::size_t n = 0; n < features.size(); ++n) places.set(features[n], static_cast<std::int32_t>(n));
  std::vector<Meeting> found;
  for (std::size_t played = 0; played < model.factor().size(); ++played) {
    const SparseRow row = model.played().row(played);
    const auto meet = [&](std::size_t place, std::size_t n) {
      found.insert(found.end(), {place, played, static_cast<double>(row.values[n])});
    };
    if (row.size() > kLongRow * features.size()) {  // the average document, for one
      for (std::size_t place = 0; place < features.size(); ++place) {
        const auto at = std::ranges::lower_bound(row.features, features[place]);
        if (at != row.features.end() && *at == features[place]) meet(place, static_cast<std::size_t>(at - row.features.begin()));
      }
      continue;
    }
    for (std::size_t n = 0; n < row.size(); ++n) {
      if (!bits.may_hold(row.features[n])) continue;
      const std::int32_t place = places.find(row.features[n]);
      if (place != IdMap<FeatureId>::kNone) meet(static_cast<std::size_t>(place), n);
    }
  }
  return found;
}

// With k = X Gamma x, V^-1 x = Gamma (x - X' K^-1 k).
std::vector<ScorePart> parts_by_dual(const DualRidgeModel& model, SparseRow row) {
  std::vector<double> shares;
  shares.reserve(row.size());
  for (std::size_t n = 0; n < row.size(); ++n)
    shares.push_back(model.variance(row.features[n]) * static_cast<double>(row.values[n]));
  const std::vector<Meeting> met = meetings(model, row.features);
  std::vector<double> solved(model.factor().size(), 0.0);
  if (model.base() != 0.0)
    for (std::size_t p = 0; p < solved.size(); ++p)
      solved[p] = model.base() * model.base_variance() * model.played().in_order()[p].base;
  for (const Meeting& meeting : met) solved[meeting.played] += shares[meeting.feature] * meeting.value;
  model.factor().solve_lower(solved, 0);
  model.factor().finish_solve(solved);  // K^-1 k

  std::vector<double> learned(row.size(), 0.0);
  for (const Meeting& meeting : met) learned[meeting.feature] += meeting.value * solved[meeting.played];
  std::vector<ScorePart> parts;
  parts.reserve(row.size());
  for (std::size_t n = 0; n < row.size(); ++n) {
    const double variance = model.variance(row.features[n]);
    if (variance == 0.0) continue;
    const auto value = static_cast<double>(row.values[n]);
    parts.push_back({.feature = row.features[n],
                     .value = value,
                     .weight = model.weight(row.features[n]),
                     .smoothed = variance * (value - learned[n])});
  }
  return parts;
}

// gamma_j - gamma_j^2 x_j' K^-1 x_j, with x_j the feature's column of X.
std::vector<double> variances_by_dual(const DualRidgeModel& model, std::span<const FeatureId> features) {
  std::vector<Meeting> met = meetings(model, features);
  std::ranges::stable_sort(met, {}, &Meeting::feature);
  std::vector<double> variances;
  variances.reserve(features.size());
  std::vector<double> column(model.factor().size());
  auto at = met.begin();
  for (std::size_t n = 0; n < features.size(); ++n) {
    const double prior = model.variance(features[n]);
    variances.push_back(prior);
    if (at == met.end() || at->feature != n) continue;
    const std::size_t first = at->played;
    std::ranges::fill(column, 0.0);
    for (; at != met.end() && at->feature == n; ++at) column[at->played] = at->value;
    model.factor().solve_lower(column, first);
    const double explained = form_over_pivots(column, model.factor().pivots(), first);
    variances.back() = std::max(prior - prior * prior * explained, 0.0);
  }
  return variances;
}

// A row of V^-1 for each feature of the document.
std::vector<ScorePart> parts_by_primal(const RidgeModel& model, SparseRow row) {
  const auto size = static_cast<std::size_t>(model.factor().size());
  const auto leading = static_cast<std::int32_t>(size - model.theta().size());  // a base rate comes first
  RestrictedRows buffer;
  std::vector<ScorePart> parts;
  for (std::size_t n = 0; n < row.size(); ++n) {
    const auto position = model.features().position(row.features[n]);
    if (!position) continue;
    const auto value = static_cast<double>(row.values[n]);
    buffer.add(*position + leading, value);
    parts.push_back({.feature = row.features[n], .value = value, .weight = model.weight(row.features[n])});
  }
  const RestrictedRow x = {buffer.positions, buffer.values};
  const std::vector<double> of_base = model.base() != 0.0 ? model.base_inverse() : std::vector<double>();
  std::vector<double> inverse_row(size);
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const double one = 1.0;
    model.factor().solve(RestrictedRow{{&x.positions[n], 1}, {&one, 1}}, inverse_row);
    parts[n].smoothed = dot(x, inverse_row);
    if (!of_base.empty()) parts[n].smoothed += model.base() * of_base[static_cast<std::size_t>(x.positions[n])];
  }
  return parts;
}

}  // namespace

std::vector<ScorePart> parts_of_document(const LinearModel& model, SparseRow row) {
  if (const DualRidgeModel* dual = model.dual()) return parts_by_dual(*dual, row);
  return parts_by_primal(*model.primal(), row);
}

std::vector<double> variances_of(const LinearModel& model, std::span<const FeatureId> features) {
  if (const DualRidgeModel* dual = model.dual()) return variances_by_dual(*dual, features);
  std::vector<double> variances;
  variances.reserve(features.size());
  const float one = 1.0F;
  for (const FeatureId& feature : features)
    variances.push_back(std::max(model.predict({std::span(&feature, 1), std::span(&one, 1)}, 0.0).square, 0.0));
  return variances;
}

}  // namespace inkling
