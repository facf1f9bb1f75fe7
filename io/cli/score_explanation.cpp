#include "io/cli/score_explanation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <tuple>

namespace inkling {
namespace {

struct Entry {
  std::size_t position;  // among the model's features
  double value;
};

std::vector<Entry> relevant_entries(std::span<const FeatureId> features, SparseRow document) {
  std::vector<Entry> entries;
  for (std::size_t n = 0; n < document.size(); ++n) {
    const auto found = std::ranges::lower_bound(features, document.features[n]);
    if (found == features.end() || *found != document.features[n]) continue;
    entries.push_back(
        {static_cast<std::size_t>(found - features.begin()), static_cast<double>(document.values[n])});
  }
  return entries;
}

// (V^-1 x)_a
double smoothed(std::span<const double> inverse_row, std::span<const Entry> entries) {
  double sum = 0.0;
  for (const Entry& entry : entries) sum += inverse_row[entry.position] * entry.value;
  return sum;
}

}  // namespace

std::vector<WordShare> explain_score(const BatchScan& model, SparseRow document,
                                     const std::function<std::string(FeatureId)>& word_of) {
  const std::size_t m = model.features().size();
  const std::vector<Entry> entries = relevant_entries(model.features(), document);
  std::vector<WordShare> shares;
  double square = 0.0;
  for (const auto& [position, value] : entries) {
    const std::span<const double> inverse_row = model.inverse().subspan(position * m, m);
    const FeatureId feature = model.features()[position];
    const double weight = model.theta()[position];
    const double part = value * smoothed(inverse_row, entries);
    square += part;
    shares.push_back({.feature = feature,
                      .word = word_of(feature),
                      .value = value,
                      .weight = weight,
                      .contribution = value * weight,
                      .uncertainty = std::sqrt(std::max(inverse_row[position], 0.0)),
                      .width_share = part});
  }
  for (WordShare& share : shares) share.width_share = square > 0.0 ? share.width_share / square : 0.0;
  std::ranges::sort(shares, [](const WordShare& left, const WordShare& right) {
    return std::tuple(-std::fabs(left.contribution), left.feature) <
           std::tuple(-std::fabs(right.contribution), right.feature);
  });
  return shares;
}

}  // namespace inkling
