// CBRAP: optimism on random projections of the documents.
#pragma once

#include <cstdint>
#include <optional>

#include "bench/rivals/projection.hpp"
#include "bench/rivals/unmarked_learner.hpp"
#include "engine/scoring/live/scored_model.hpp"
#include "engine/sparse/pool_matrix.hpp"

namespace inkling::bench {

struct ProjectionOptions {
  std::int32_t dimensions = 50;
  std::uint64_t seed = 1;  ///< of the projection
};

/// Yu, Lyu and King (2017): documents are projected once, and OFUL runs on what they became, m numbers each.
/// Its radius is OFUL's in m dimensions: what the projection itself bends is in no radius, as in the paper.
/// Memory: a projected document takes 16 m bytes, the projection 8 m for each feature.
class ProjectedLearner final : public UnmarkedLearner {
 public:
  /// With the Gaussian projection of the options. Throws FormatError on dimensions that no projection has.
  ProjectedLearner(PoolView pool, const PolicyOptions& options, const ProjectionOptions& projection = {});
  /// Requires: the projection has a row for each feature of the pool.
  ProjectedLearner(PoolView pool, const PolicyOptions& options, Projection projection);

  /// Of P theta: what a document that is this feature alone would bring.
  [[nodiscard]] double weight(FeatureId feature) const noexcept override;
  void observe(DocumentId document, double reward) override { scored_.observe(document, reward); }
  void retire(DocumentId document) override { scored_.retire(document); }
  [[nodiscard]] DocumentId choose(RandomStream& sampling) override;
  [[nodiscard]] std::optional<double> radius() const override;

 private:
  PolicyOptions options_;
  Projection projection_;
  PoolMatrix projected_;
  ScoredModel scored_;  // of the projected pool
};

}  // namespace inkling::bench
