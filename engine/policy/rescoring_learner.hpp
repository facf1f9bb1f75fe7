// Optimism by the plain way, which the fast way is measured against.
#pragma once

#include <optional>
#include <vector>

#include "engine/policy/ridge_learner.hpp"

namespace inkling {

/// Chooses as OptimisticLearner does, by a triangular solve for every document in every round: O(documents
/// m^2).
class RescoringLearner final : public RidgeLearner {
 public:
  RescoringLearner(PoolView pool, const PolicyOptions& options);

  void retire(DocumentId document) override;
  [[nodiscard]] DocumentId choose(RandomStream& sampling) override;

 private:
  CsrView documents_;
  std::vector<bool> retired_;
};

}  // namespace inkling
