// The plain twin of RidgeModel: it remembers all observations and computes each answer from them.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/csr_view.hpp"
#include "tests/support/dense_twin.hpp"

namespace inkling::test {

/// The solution of the ridge regression for the observations so far.
struct SolvedRidge {
  std::vector<FeatureId> features;  ///< in order of discovery
  TextbookFactor factor;
  std::vector<Real> theta;
  SquareMatrix inverse;
  Real log_det_ratio;    ///< ln det V - ln det Lambda
  Real condition_bound;  ///< the trace of V over the least precision: no less than the condition number of V

  [[nodiscard]] Real mean(SparseRow row) const;
  [[nodiscard]] Real square(SparseRow row) const;
  [[nodiscard]] std::vector<Real> restricted(SparseRow row) const;
};

/// Lifetime: the pool must outlive it.
class ReferenceRidge {
 public:
  ReferenceRidge(PoolView pool, double ridge) : pool_(pool), ridge_(ridge) {}

  void observe(DocumentId document, double reward) { observations_.push_back({document, reward}); }
  void adopt(FeatureId feature);
  void reweigh(FeatureId feature, double precision) { precision_[feature] = precision; }
  void forget(FeatureId feature);

  [[nodiscard]] std::span<const FeatureId> features() const noexcept { return features_; }
  [[nodiscard]] bool uses(FeatureId feature) const;

  /// V = Lambda + sum x x' added up observation by observation, then V theta = sum y x.
  [[nodiscard]] SolvedRidge solved() const;

 private:
  struct Observation {
    DocumentId document;
    double reward;
  };

  PoolView pool_;
  double ridge_;
  std::vector<Observation> observations_;
  std::vector<FeatureId> features_;
  std::map<FeatureId, double> precision_;  // of those in use
};

}  // namespace inkling::test
