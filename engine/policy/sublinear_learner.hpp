// Optimism that looks only at the documents that could win.
#pragma once

#include "engine/policy/ridge_learner.hpp"
#include "engine/scoring/live/sublinear_scores.hpp"

namespace inkling {

/// Chooses as OptimisticLearner does, by SublinearScores. The model is refined every kRefreshInterval events.
class SublinearLearner final : public RidgeLearner {
 public:
  SublinearLearner(PoolView pool, const PolicyOptions& options);

  void adopt(FeatureId feature) override;
  void forget(FeatureId feature) override;
  void observe(DocumentId document, double reward) override;
  void refine() override;
  void retire(DocumentId document) override;
  [[nodiscard]] DocumentId choose(RandomStream& sampling) override;
  [[nodiscard]] std::int64_t documents_scored() const noexcept override { return scores_.documents_scored(); }

 private:
  static constexpr std::int64_t kRefreshInterval = 1 << 14;

  void follow(const RankOneChange& change);

  SublinearScores scores_;
  std::int64_t events_since_refresh_ = 0;
};

}  // namespace inkling
