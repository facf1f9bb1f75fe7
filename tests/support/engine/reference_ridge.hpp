// The plain twin of a ridge model: it remembers all observations and computes each answer from them.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "engine/model/observation.hpp"
#include "engine/sparse/csr_view.hpp"
#include "tests/support/engine/dense_twin.hpp"

namespace inkling::test {

/// The solution of the ridge regression for the observations so far; if there is a base feature, it has the last row.
struct SolvedRidge {
  std::vector<FeatureId> features;  ///< in order of discovery
  double base;                      ///< 0 without a base feature
  TextbookFactor factor;
  std::vector<Real> theta;
  Real log_det_ratio;    ///< ln det V - ln det Lambda
  Real condition_bound;  ///< the trace of V over the least precision: no less than the condition number of V

  [[nodiscard]] Real weight(FeatureId feature) const;
  [[nodiscard]] Real base_mean() const { return base == 0.0 ? 0.0L : base * theta.back(); }
  [[nodiscard]] Real mean(SparseRow row, double base_value = 0.0) const;
  [[nodiscard]] Real square(SparseRow row, double base_value = 0.0) const;
  [[nodiscard]] std::vector<Real> restricted(SparseRow row, double base_value = 0.0) const;
};

/// Lifetime: the pool must outlive it.
class ReferenceRidge {
 public:
  ReferenceRidge(PoolView pool, double ridge, double base = 0.0) : pool_(pool), ridge_(ridge), base_(base) {}

  void observe(DocumentId document, double reward) {
    observe({.key = document, .row = pool_.by_document.row(document), .reward = reward});
  }
  void observe(const Observation& observation) { observations_.push_back(observation); }
  void forget_observations(std::int64_t key) {
    std::erase_if(observations_, [&](const Observation& one) { return one.key == key; });
  }
  void adopt(FeatureId feature);
  void reweigh(FeatureId feature, double precision) { precision_[feature] = precision; }

  [[nodiscard]] std::span<const FeatureId> features() const noexcept { return features_; }
  [[nodiscard]] bool uses(FeatureId feature) const { return precision_.contains(feature); }

  /// V = Lambda + sum x x' added up observation by observation, then V theta = sum y x.
  [[nodiscard]] SolvedRidge solved() const;

 private:
  PoolView pool_;
  double ridge_;
  double base_;
  std::vector<Observation> observations_;
  std::vector<FeatureId> features_;
  std::map<FeatureId, double> precision_;  // of those in use
};

}  // namespace inkling::test
