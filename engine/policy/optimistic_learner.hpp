// Optimism in the face of uncertainty: the document that could be best.
#pragma once

#include "engine/policy/learner.hpp"
#include "engine/scoring/live/scored_model.hpp"

namespace inkling {

/// Keeps every document's score through each event, with the smaller of the two matrices.
class OptimisticLearner : public Learner {
 public:
  OptimisticLearner(PoolView pool, const PolicyOptions& options)
      : options_(options), scored_(pool, model_for(pool, options)) {}

  [[nodiscard]] std::int32_t features_in_use() const noexcept final { return model()->features_in_use(); }
  [[nodiscard]] bool uses(FeatureId feature) const noexcept final { return model()->uses(feature); }
  [[nodiscard]] double weight(FeatureId feature) const noexcept final { return model()->weight(feature); }
  [[nodiscard]] const LinearModel* model() const noexcept final { return &scored_.model(); }

  void start_with(std::span<const FeatureId> features) final { scored_.start_with(features); }
  void adopt(FeatureId feature) final { scored_.adopt(feature); }
  void forget(FeatureId feature) override { scored_.forget(feature); }
  void observe(DocumentId document, double reward) final { scored_.observe(document, reward); }
  void learn(std::span<const Lesson> lessons, const std::function<void()>& between) override;
  void refine() final { scored_.refine(); }
  void retire(DocumentId document) final { scored_.retire(document); }
  [[nodiscard]] DocumentId choose(RandomStream& sampling) final;
  [[nodiscard]] std::optional<double> radius() const final { return radius_of(*model(), options_); }

 protected:
  PolicyOptions options_;
  ScoredModel scored_;
};

}  // namespace inkling
