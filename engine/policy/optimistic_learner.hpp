// Optimism in the face of uncertainty: the document that could be best.
#pragma once

#include "engine/policy/learner.hpp"
#include "engine/scoring/running_scores.hpp"

namespace inkling {

/// Keeps every document's score through each event. Scores are refreshed from the model every
/// kRefreshInterval events, and at once where a played document shows that they have drifted.
class OptimisticLearner final : public Learner {
 public:
  OptimisticLearner(PoolView pool, const LearnerOptions& options);

  void adopt(FeatureId feature) override;
  void forget(FeatureId feature) override;
  void observe(DocumentId document, double reward) override;
  void retire(DocumentId document) override;
  [[nodiscard]] DocumentId choose(RandomStream& sampling) override;
  [[nodiscard]] std::optional<double> radius() const override { return confidence(); }

 private:
  static constexpr std::int64_t kRefreshInterval = 1 << 14;

  void follow(const RankOneChange& change);
  void refresh();

  PoolView pool_;
  RunningScores scores_;
  std::int64_t events_since_refresh_ = 0;
};

}  // namespace inkling
