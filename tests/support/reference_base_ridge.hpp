// The plain twin of a ridge model with a base rate, weights and ratings of words: all observations, solved anew.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/model/linear_model.hpp"
#include "tests/support/dense_twin.hpp"

namespace inkling::test {

/// The solution for the observations so far; the base feature is the last row where there is one.
struct SolvedBaseRidge {
  std::vector<FeatureId> features;
  double base = 0.0;
  std::vector<Real> theta;
  SquareMatrix inverse;
  Real log_det_ratio = 0.0L;

  [[nodiscard]] Real weight(FeatureId feature) const;
  [[nodiscard]] Real base_mean() const { return base == 0.0 ? 0.0L : base * theta.back(); }
  [[nodiscard]] Real mean(SparseRow row, double base_value) const;
  [[nodiscard]] Real square(SparseRow row, double base_value) const;
  [[nodiscard]] std::vector<Real> spelled(SparseRow row, double base_value) const;
};

class ReferenceBaseRidge {
 public:
  ReferenceBaseRidge(double ridge, double base) : ridge_(ridge), base_(base) {}

  void observe(const Observation& observation) { observations_.push_back(observation); }
  void forget_observations(std::int64_t key) {
    std::erase_if(observations_, [&](const Observation& one) { return one.key == key; });
  }
  void adopt(FeatureId feature) { precision_[feature] = ridge_; }
  void forget(FeatureId feature) { precision_.erase(feature); }
  void reweigh(FeatureId feature, double precision) { precision_[feature] = precision; }

  [[nodiscard]] bool uses(FeatureId feature) const { return precision_.contains(feature); }
  /// Without its inverse, where nobody asks for a square.
  [[nodiscard]] SolvedBaseRidge solved(bool with_inverse = true) const;

 private:
  double ridge_;
  double base_;
  std::vector<Observation> observations_;
  std::map<FeatureId, double> precision_;
};

}  // namespace inkling::test
