// Soft marks: optimism on all features, with a prior that marks and silence persuade.
#pragma once

#include "engine/policy/learner.hpp"
#include "engine/policy/mark_beliefs.hpp"
#include "engine/scoring/live/scored_model.hpp"

namespace inkling {

/// The options of a model that starts from these beliefs: features start as ones of which nothing is known,
/// and a belief is as narrow as the model says.
[[nodiscard]] PolicyOptions persuaded_by(const MarkBeliefs& beliefs, PolicyOptions options);

/// A mark is no gate: every feature is in use from the start, and a mark only makes it likelier to matter.
class PersuadedLearner final : public Learner {
 public:
  PersuadedLearner(PoolView pool, const PolicyOptions& options);

  [[nodiscard]] std::int32_t features_in_use() const noexcept override;
  [[nodiscard]] bool uses(FeatureId feature) const noexcept override;
  [[nodiscard]] double weight(FeatureId feature) const noexcept override;
  [[nodiscard]] const LinearModel* model() const noexcept override { return &scored_.model(); }
  [[nodiscard]] const MarkBeliefs& beliefs() const noexcept { return beliefs_; }

  void start_with(std::span<const FeatureId> features) override { scored_.start_with(features); }
  void adopt(FeatureId feature) override { scored_.adopt(feature); }
  /// Un-marks: the feature stays in use, with the precision of one that was never marked.
  void forget(FeatureId feature) override { follow(beliefs_.unmark(feature)); }
  void observe(DocumentId document, double reward) override { scored_.observe(document, reward); }
  void listen(DocumentId document, std::span<const Mark> marks) override;
  /// All marks before all rewards, which gives the same model: a precision is a function of what was seen and
  /// not of its order, and a precision that changes under rewards is far more work.
  void learn(std::span<const Lesson> lessons, const std::function<void()>& between) override;
  void refine() override { scored_.refine(); }
  void retire(DocumentId document) override { scored_.retire(document); }
  [[nodiscard]] DocumentId choose(RandomStream& sampling) override;
  [[nodiscard]] std::optional<double> radius() const override;

 private:
  PersuadedLearner(PoolView pool, const PolicyOptions& options, MarkBeliefs beliefs);

  void follow(std::span<const FeatureId> changed);

  PoolView pool_;
  PolicyOptions options_;
  MarkBeliefs beliefs_;
  ScoredModel scored_;
};

}  // namespace inkling
