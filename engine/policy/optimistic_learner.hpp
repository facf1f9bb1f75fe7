// Optimism in the face of uncertainty: the document that could be best, found in three ways.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/policy/learner.hpp"
#include "engine/policy/policy_options.hpp"
#include "engine/scoring/live/fresh_ranking.hpp"
#include "engine/scoring/live/scored_model.hpp"
#include "engine/scoring/live/sublinear_scores.hpp"

namespace inkling {

class RidgeModel;

/// Keeps every document's score through each event, with a model of the smaller matrix (V or K).
class OptimisticLearner : public Learner {
 public:
  OptimisticLearner(PoolView pool, const PolicyOptions& options);

  [[nodiscard]] const LinearModel* model() const noexcept final { return &scored_.model(); }
  void start_with(std::span<const FeatureId> features) final { scored_.start_with(features); }
  void adopt(FeatureId feature) final { scored_.adopt(feature); }
  void observe(DocumentId document, double reward) final { scored_.observe(document, reward); }
  void put_off(const std::function<void()>& between) final { scored_.put_off(between); }
  void refine() final { scored_.refine(); }
  void retire(DocumentId document) final { scored_.retire(document); }
  [[nodiscard]] DocumentId choose(RandomStream& /*sampling*/) override { return scored_.best(*radius()).document; }
  [[nodiscard]] Ranked best_held(RandomStream& sampling) final { return scored_.scored_by_scan(choose(sampling), *radius()); }
  [[nodiscard]] std::vector<Ranked> rank(RandomStream& /*sampling*/, std::size_t count, const Remains& remains) final {
    return fresh_ranking(*model(), pool_, *radius(), count, remains);
  }
  void keep_scores(bool keep) final {
    if (!keep) scored_.drop_scores();
  }
  [[nodiscard]] std::optional<double> radius() const final;

 protected:
  PoolView pool_;
  PolicyOptions options_;
  ScoredModel scored_;
};

/// Looks only at the documents that could win, by SublinearScores, with a factor of V. The model is refined
/// every kRefreshInterval events.
class SublinearLearner final : public Learner {
 public:
  /// Throws FormatError where the options ask for a base rate, which these scores do not know.
  SublinearLearner(PoolView pool, const PolicyOptions& options);
  SublinearLearner(const SublinearLearner&) = delete;
  SublinearLearner& operator=(const SublinearLearner&) = delete;
  ~SublinearLearner() override;

  [[nodiscard]] const LinearModel* model() const noexcept override;
  void adopt(FeatureId feature) override;
  void observe(DocumentId document, double reward) override;
  void refine() override;
  void retire(DocumentId document) override;
  [[nodiscard]] DocumentId choose(RandomStream& sampling) override { return best_held(sampling).document; }
  [[nodiscard]] Ranked best_held(RandomStream& /*sampling*/) override { return scores().best(*model_, *radius()); }
  [[nodiscard]] std::vector<Ranked> rank(RandomStream& /*sampling*/, std::size_t count, const Remains& remains) override {
    return fresh_ranking(*model(), pool_, *radius(), count, remains);
  }
  void keep_scores(bool keep) override {
    if (!keep) scores_.reset();
  }
  [[nodiscard]] std::optional<double> radius() const override;
  [[nodiscard]] std::int64_t documents_scored() const noexcept override { return scores_ ? scores_->documents_scored() : 0; }

 private:
  static constexpr std::int64_t kRefreshInterval = 1 << 14;

  void follow(const RankOneChange& change);
  [[nodiscard]] SublinearScores& scores();

  PolicyOptions options_;
  PoolView pool_;
  std::unique_ptr<RidgeModel> model_;
  std::optional<SublinearScores> scores_;  // made when they are needed
  std::vector<DocumentId> retired_;
  std::int64_t events_since_refresh_ = 0;
};

/// The plain way, which the others are measured against: a triangular solve for every document in every round,
/// O(documents m^2). It chooses what an OptimisticLearner chooses.
class RescoringLearner final : public OptimisticLearner {
 public:
  using OptimisticLearner::OptimisticLearner;

  [[nodiscard]] DocumentId choose(RandomStream& /*sampling*/) override { return scored_.best_by_solves(*radius()).document; }
};

}  // namespace inkling
