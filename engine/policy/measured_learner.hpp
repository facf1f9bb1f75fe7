// What `inkling` learns of measurements: soft marks, with the size of the noise and of the weights estimated.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/policy/learner.hpp"
#include "engine/policy/mark_beliefs.hpp"
#include "engine/scoring/live/fresh_ranking.hpp"
#include "engine/scoring/live/scored_model.hpp"

namespace inkling {

/// As `soft-marks` with S = 1, but R is estimated. The precision of an unmarked word, R^2 d / S^2, is the value of a
/// grid for which the rewards and that S are likeliest. It is estimated again after 2, 3, 4, 6, 8 ... rewards. The
/// radius is R sqrt(ln(t + 2)), with the estimated noise.
class MeasuredLearner final : public Learner {
 public:
  MeasuredLearner(PoolView pool, const PolicyOptions& options);

  [[nodiscard]] const LinearModel* model() const noexcept override { return &scored_.model(); }
  void start_with(std::span<const FeatureId> features) override { scored_.start_with(features); }
  void adopt(FeatureId feature) override { scored_.adopt(feature); }
  void observe(DocumentId document, double reward) override;
  void observe_marks(DocumentId document, std::span<const SaidWord> marks) override;
  /// A word that was rated above 0 is a mark in no document; any other rating says nothing.
  void rate_words(std::span<const SaidWord> ratings) override;
  void put_off(const std::function<void()>& between) override { scored_.put_off(between); }
  void refine() override { scored_.refine(); }
  void retire(DocumentId document) override { scored_.retire(document); }
  [[nodiscard]] DocumentId choose(RandomStream& /*sampling*/) override { return scored_.best(*radius()).document; }
  [[nodiscard]] Ranked best_held(RandomStream& /*sampling*/) override { return scored_.best_with_score(*radius()); }
  [[nodiscard]] std::vector<Ranked> rank(RandomStream& /*sampling*/, std::size_t count, const Remains& remains) override {
    return fresh_ranking(*model(), pool_, *radius(), count, remains);
  }
  void keep_scores(bool keep) override {
    if (!keep) scored_.drop_scores();
  }
  [[nodiscard]] std::optional<double> radius() const override;

 private:
  void reweigh(std::span<const FeatureId> changed);
  void estimate_when_due();
  void estimate();
  void take(double scale);

  PoolView pool_;
  MarkBeliefs beliefs_;
  ScoredModel scored_;
  double scale_ = 1.0;  // the precision of an unmarked word
  double noise_;
  double next_estimate_ = 2.0;
  std::vector<Reweighed> reweighed_;
};

}  // namespace inkling
