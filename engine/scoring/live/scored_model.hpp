// A ridge model and the scores of all documents, kept in step.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/model/observation.hpp"
#include "engine/scoring/live/running_scores.hpp"

namespace inkling {

class DualRidgeModel;
class LinearModel;
class PlayedDocuments;

/// Every event goes to the model and then to the scores. Scores are refreshed from the model every
/// kRefreshInterval events, and at once where a played document shows that they have drifted. The model learns the same
/// to the last bit whether scores are kept or not, and so the choices are the same, too: `ModelScan` decides between
/// documents that only rounding tells apart.
///
/// Lifetime: the pool must outlive it. Thread safety: none; the work inside may use all threads.
class ScoredModel {
 public:
  ScoredModel(PoolView pool, std::unique_ptr<LinearModel> model);
  ScoredModel(const ScoredModel&) = delete;
  ScoredModel& operator=(const ScoredModel&) = delete;
  ~ScoredModel();

  [[nodiscard]] const LinearModel& model() const noexcept { return *model_; }
  /// The members of the model of these names.
  [[nodiscard]] const DualRidgeModel* dual() const noexcept;
  [[nodiscard]] const PlayedDocuments& played() const noexcept;
  [[nodiscard]] double precision(FeatureId feature) const noexcept;
  [[nodiscard]] std::int64_t rebuilds() const noexcept;

  /// Requires: no feature is in use and nothing was learned.
  void start_with(std::span<const FeatureId> features);
  void adopt(FeatureId feature);
  /// Each of these features gets its precision. If they are many, the scores are computed again from the model when
  /// they are next needed.
  void reweigh(std::span<const Reweighed> features);
  void observe(DocumentId document, double reward);
  /// Learns a row of any kind: a document with a weight, or a word on its own.
  void observe(const Observation& observation);
  /// As if nothing had been observed under this key (`LinearModel::forget_observations`).
  void forget_observations(std::int64_t key);
  /// `DualRidgeModel::believe`, and `forget_belief`. Requires: `dual`.
  void believe(std::span<const Belief> beliefs);
  void forget_belief(FeatureId feature);
  /// `LinearModel::recount`.
  void recount(std::span<const Recount> rows);
  /// The document is a row of the view, while observed documents are numbered in the whole pool.
  void retire(DocumentId document);

  /// `LinearModel::put_off`, until `refine`.
  void put_off(std::function<void()> between);

  /// Computes the model afresh from the played documents, and the scores from the model.
  void refine();

  /// Frees the scores; they are computed again when they are next needed.
  void drop_scores() noexcept { scores_.reset(); }

  /// From now on only the model follows events; the scores are computed from it when they are next needed.
  void leave_scores_behind() noexcept { behind_ = true; }

  /// Up to date. Valid until the next event.
  [[nodiscard]] const RunningScores& scores() {
    catch_up();
    return *scores_;
  }

  /// The document of highest mean + radius * width by `ModelScan`, ties to the lowest row; kNoDocument where all are
  /// retired. Requires: radius >= 0 and finite.
  [[nodiscard]] Ranked best(double radius);
  /// The same document, found by predicting every document again.
  [[nodiscard]] Ranked best_by_solves(double radius);
  /// The same, with a score that is a function of the model alone.
  [[nodiscard]] Ranked best_with_score(double radius) { return scored_by_scan(best(radius).document, radius); }
  /// Requires: a row of the view, or kNoDocument.
  [[nodiscard]] Ranked scored_by_scan(DocumentId document, double radius) const;

 private:
  static constexpr std::int64_t kRefreshInterval = 1 << 14;

  void follow(const RankOneChange& change);
  [[nodiscard]] bool drifted(const Observation& observation, const RankOneChange& change) const noexcept;
  [[nodiscard]] bool rescoring_is_less_work(std::size_t changes) const noexcept;
  [[nodiscard]] DualRidgeModel& changed_dual();
  [[nodiscard]] bool follows() const noexcept { return scores_.has_value() && !behind_; }
  [[nodiscard]] RunningScores::Slack slack() const noexcept;
  /// Decides by the kept scores, and by `ModelScan` between documents that only rounding tells apart.
  [[nodiscard]] Ranked decided(double radius) const;
  void make_scores();
  void catch_up();

  PoolView pool_;
  std::unique_ptr<LinearModel> model_;
  std::optional<RunningScores> scores_;
  std::vector<DocumentId> retired_;
  std::int64_t events_since_refresh_ = 0;
  bool behind_ = false;  // the scores must be computed from the model
  bool fresh_ = false;   // the scores were computed from it, and no event has followed
};

}  // namespace inkling
