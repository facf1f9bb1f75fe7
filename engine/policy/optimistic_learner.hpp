// Optimism in the face of uncertainty: the document that could be best, found in three ways.
#pragma once

#include <optional>
#include <vector>

#include "engine/model/ridge_model.hpp"
#include "engine/policy/learner.hpp"
#include "engine/scoring/live/scored_model.hpp"
#include "engine/scoring/live/sublinear_scores.hpp"

namespace inkling {

/// Keeps every document's score through each event, with the smaller of the two matrices.
class OptimisticLearner : public Learner {
 public:
  OptimisticLearner(PoolView pool, const PolicyOptions& options)
      : options_(options), scored_(pool, model_for(pool, options)) {}

  [[nodiscard]] const LinearModel* model() const noexcept final { return &scored_.model(); }
  void start_with(std::span<const FeatureId> features) final { scored_.start_with(features); }
  void adopt(FeatureId feature) final { scored_.adopt(feature); }
  void forget(FeatureId feature) override { scored_.forget(feature); }
  void observe(DocumentId document, double reward) final { scored_.observe(document, reward); }
  void learn(std::span<const Lesson> lessons, const std::function<void()>& between) override;
  void refine() final { scored_.refine(); }
  void retire(DocumentId document) final { scored_.retire(document); }
  [[nodiscard]] DocumentId choose(RandomStream& /*sampling*/) final {
    return scored_.best(*radius()).document;
  }
  [[nodiscard]] std::optional<double> radius() const final { return radius_of(*model(), options_); }

 protected:
  PolicyOptions options_;
  ScoredModel scored_;
};

/// Looks only at the documents that could win, by SublinearScores, with a factor of V. The model is refined
/// every kRefreshInterval events.
class SublinearLearner final : public Learner {
 public:
  SublinearLearner(PoolView pool, const PolicyOptions& options);

  [[nodiscard]] const RidgeModel* model() const noexcept override { return &model_; }
  void adopt(FeatureId feature) override;
  void forget(FeatureId feature) override;
  void observe(DocumentId document, double reward) override;
  void refine() override;
  void retire(DocumentId document) override { scores_.retire(document); }
  [[nodiscard]] DocumentId choose(RandomStream& /*sampling*/) override {
    return scores_.best(model_, *radius()).document;
  }
  [[nodiscard]] std::optional<double> radius() const override { return radius_of(model_, options_); }
  [[nodiscard]] std::int64_t documents_scored() const noexcept override { return scores_.documents_scored(); }

 private:
  static constexpr std::int64_t kRefreshInterval = 1 << 14;

  void follow(const RankOneChange& change);

  PolicyOptions options_;
  RidgeModel model_;
  SublinearScores scores_;
  std::int64_t events_since_refresh_ = 0;
};

/// The plain way, which the others are measured against: a triangular solve for every document in every
/// round, O(documents m^2).
class RescoringLearner final : public Learner {
 public:
  RescoringLearner(PoolView pool, const PolicyOptions& options);

  [[nodiscard]] const RidgeModel* model() const noexcept override { return &model_; }
  void adopt(FeatureId feature) override { model_.adopt(feature); }
  void forget(FeatureId feature) override { model_.forget(feature); }
  void observe(DocumentId document, double reward) override { model_.observe(document, reward); }
  void refine() override { model_.refine(); }
  void retire(DocumentId document) override { retired_[static_cast<std::size_t>(document)] = true; }
  [[nodiscard]] DocumentId choose(RandomStream& sampling) override;
  [[nodiscard]] std::optional<double> radius() const override { return radius_of(model_, options_); }

 private:
  PolicyOptions options_;
  RidgeModel model_;
  CsrView documents_;
  std::vector<bool> retired_;
};

}  // namespace inkling
