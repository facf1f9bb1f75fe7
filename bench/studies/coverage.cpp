#include "bench/studies/coverage.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace inkling::bench {
namespace {

/// Of numbers that are equal but for rounding, neither is said to be larger.
constexpr double kRounding = 1e-9;

}  // namespace

/// V = Lambda + sum x x', so the square is a sum over features and one over plays.
double distance_to_truth(const LinearModel& model, CsrView documents, std::span<const double> truth) {
  std::vector<double> error(truth.size(), 0.0);
  double square = 0.0;
  for (std::size_t j = 0; j < error.size(); ++j) {
    const auto feature = static_cast<FeatureId>(j);
    if (!model.uses(feature)) continue;
    error[j] = model.weight(feature) - truth[j];
    square += model.precision(feature) * error[j] * error[j];
  }
  for (const PlayedDocument& played : model.played().in_order()) {
    const SparseRow row = documents.row(played.document);
    double product = 0.0;
    for (std::size_t n = 0; n < row.size(); ++n) {
      product += static_cast<double>(row.values[n]) * error[static_cast<std::size_t>(row.features[n])];
    }
    square += static_cast<double>(played.plays) * product * product;
  }
  return std::sqrt(square);
}

void Coverage::add(const LinearModel& model, const KnownTruth& known, double radius) {
  const Prediction best = model.predict(known.documents.row(known.best));
  const double optimistic = best.mean + radius * std::sqrt(std::max(best.square, 0.0));
  ++rounds;
  if (distance_to_truth(model, known.documents, known.truth) > radius + kRounding) ++missed;
  if (known.best_value > optimistic + kRounding) ++undervalued;
}

}  // namespace inkling::bench
