// Soft marks: optimism on all features, with a prior that marks and silence change.
#pragma once

#include "engine/policy/mark_beliefs.hpp"
#include "engine/policy/optimistic_learner.hpp"

namespace inkling {

/// Every feature is in use from the start, and a mark only makes it likelier to matter.
class PersuadedLearner final : public OptimisticLearner {
 public:
  PersuadedLearner(PoolView pool, const PolicyOptions& options);

  [[nodiscard]] const MarkBeliefs& beliefs() const noexcept { return beliefs_; }

  /// Un-marks: the feature stays in use, with the precision of one that was never marked.
  void forget(FeatureId feature) override { follow(beliefs_.unmark(feature)); }
  void listen(DocumentId document, std::span<const Mark> marks) override;
  /// All marks before all rewards, which gives the same model: a precision is a function of what was seen and
  /// not of its order, and a precision that changes under rewards is far more work.
  void learn(std::span<const Lesson> lessons, const std::function<void()>& between) override;

 private:
  PersuadedLearner(PoolView pool, const PolicyOptions& options, MarkBeliefs beliefs);

  void follow(std::span<const FeatureId> changed);

  PoolView pool_;
  MarkBeliefs beliefs_;
};

}  // namespace inkling
