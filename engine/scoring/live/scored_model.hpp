// A ridge model and the scores of all documents, kept in step.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "engine/model/linear_model.hpp"
#include "engine/scoring/live/running_scores.hpp"

namespace inkling {

/// Every event goes to the model and then to the scores. Scores are refreshed from the model every
/// kRefreshInterval events, and at once where a played document shows that they have drifted.
/// Lifetime: the pool must outlive it. Thread safety: none; the work inside may use all threads.
class ScoredModel {
 public:
  ScoredModel(PoolView pool, std::unique_ptr<LinearModel> model);

  [[nodiscard]] const LinearModel& model() const noexcept { return *model_; }

  /// Requires: no feature is in use and nothing was learned.
  void start_with(std::span<const FeatureId> features);
  void adopt(FeatureId feature);
  void reweigh(FeatureId feature, double precision);
  void forget(FeatureId feature);
  void observe(DocumentId document, double reward);
  void retire(DocumentId document) { scores_.retire(document); }

  /// The model, afresh from the played documents, and the scores from it.
  void refine();

  /// Between these two, rewards, new features and new precisions go to the model alone; the scores are taken
  /// from it when they are next needed. Requires: nothing else is called in between but `refine`.
  void pause_scores() noexcept { paused_ = true; }
  void resume_scores() noexcept { paused_ = false; }

  /// Up to date. Valid until the next event.
  [[nodiscard]] const RunningScores& scores() {
    catch_up();
    return scores_;
  }

  /// As RunningScores::best.
  [[nodiscard]] Ranked best(double radius) { return scores().best(radius); }

 private:
  static constexpr std::int64_t kRefreshInterval = 1 << 14;

  void follow(const RankOneChange& change);
  [[nodiscard]] bool model_alone();
  void catch_up();

  PoolView pool_;
  std::unique_ptr<LinearModel> model_;
  RunningScores scores_;
  std::int64_t events_since_refresh_ = 0;
  bool paused_ = false;
  bool behind_ = false;  // the scores are to be taken from the model
};

}  // namespace inkling
