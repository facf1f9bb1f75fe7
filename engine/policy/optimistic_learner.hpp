// Optimism in the face of uncertainty: the document that could be best.
#pragma once

#include "engine/policy/learner.hpp"
#include "engine/scoring/live/scored_model.hpp"

namespace inkling {

/// Keeps every document's score through each event, by whichever matrix is the smaller.
class OptimisticLearner final : public Learner {
 public:
  OptimisticLearner(PoolView pool, const PolicyOptions& options);

  [[nodiscard]] std::int32_t features_in_use() const noexcept override;
  [[nodiscard]] bool uses(FeatureId feature) const noexcept override;
  [[nodiscard]] double weight(FeatureId feature) const noexcept override;
  [[nodiscard]] const LinearModel* model() const noexcept override { return &scored_.model(); }

  void start_with(std::span<const FeatureId> features) override { scored_.start_with(features); }
  void adopt(FeatureId feature) override { scored_.adopt(feature); }
  void forget(FeatureId feature) override { scored_.forget(feature); }
  void observe(DocumentId document, double reward) override { scored_.observe(document, reward); }
  void learn(std::span<const Lesson> lessons, const std::function<void()>& between) override;
  void refine() override { scored_.refine(); }
  void retire(DocumentId document) override { scored_.retire(document); }
  [[nodiscard]] DocumentId choose(RandomStream& sampling) override;
  [[nodiscard]] std::optional<double> radius() const override;

 private:
  PolicyOptions options_;
  ScoredModel scored_;
};

}  // namespace inkling
