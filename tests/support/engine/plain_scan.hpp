// The plain twin of the scans: one document at a time, one entry at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/scoring/scan/batch_scan.hpp"
#include "engine/scoring/scan/joint_scan.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling::test {

/// A model as plain vectors, with its features in order of discovery.
struct PlainModel {
  std::vector<FeatureId> features;
  std::vector<double> theta, inverse;

  [[nodiscard]] BatchScan frozen() const { return {features, theta, inverse}; }

  /// Sums run over the document's features in ascending order.
  [[nodiscard]] Prediction predict(SparseRow row) const {
    Prediction prediction{0.0, 0.0};
    std::vector<std::size_t> positions;
    std::vector<double> values;
    for (std::size_t n = 0; n < row.size(); ++n) {
      for (std::size_t a = 0; a < features.size(); ++a) {
        if (features[a] != row.features[n]) continue;
        const auto value = static_cast<double>(row.values[n]);
        double off_diagonal = 0.0;
        for (std::size_t q = 0; q < positions.size(); ++q)
          off_diagonal += values[q] * inverse[a * features.size() + positions[q]];
        prediction.mean += value * theta[a];
        prediction.square += value * (value * inverse[a * features.size() + a] + 2.0 * off_diagonal);
        positions.push_back(a);
        values.push_back(value);
      }
    }
    return prediction;
  }
};

/// A model of random numbers over `count` of the features, in random order.
inline PlainModel random_model(std::int32_t features, std::int32_t count, RandomStream& random) {
  PlainModel model{.features = shuffled(features, random), .theta = {}, .inverse = {}};
  const auto m = static_cast<std::size_t>(count);
  model.features.resize(m);
  for (std::size_t n = 0; n < m; ++n) model.theta.push_back(random.normal());
  for (std::size_t n = 0; n < m * m; ++n) model.inverse.push_back(random.normal());
  return model;
}

/// The prediction of a model for a row is at [model * rows + row], as in the scans.
inline std::vector<Prediction> plainly_scanned(const std::vector<PlainModel>& models, CsrView documents) {
  std::vector<Prediction> predictions;
  for (const PlainModel& model : models)
    for (DocumentId row = 0; row < documents.rows(); ++row) predictions.push_back(model.predict(documents.row(row)));
  return predictions;
}

/// The fast scan of these models together.
inline JointScan joint(const std::vector<PlainModel>& models) {
  std::vector<FrozenModel> frozen;
  frozen.reserve(models.size());
  for (const PlainModel& model : models) frozen.emplace_back(model.frozen());
  return JointScan(std::move(frozen));
}

/// Compares bits, so that 0 and -0 differ.
inline bool same_bits(const Prediction& one, const Prediction& other) {
  return std::bit_cast<std::uint64_t>(one.mean) == std::bit_cast<std::uint64_t>(other.mean) &&
         std::bit_cast<std::uint64_t>(one.square) == std::bit_cast<std::uint64_t>(other.square);
}

inline bool same_bits(std::span<const Prediction> one, std::span<const Prediction> other) {
  if (one.size() != other.size()) return false;
  for (std::size_t n = 0; n < one.size(); ++n)
    if (!same_bits(one[n], other[n])) return false;
  return true;
}

}  // namespace inkling::test
