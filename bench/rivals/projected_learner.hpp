// CBRAP: optimism on random projections of the documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bench/rivals/all_features_learner.hpp"
#include "engine/core/ids.hpp"
#include "engine/scoring/live/scored_model.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling::bench {

/// Each document becomes as many numbers.
inline constexpr std::int32_t kMostDimensions = 4096;

/// P, with a row of m numbers for each feature: x becomes P'x, and a theta of m numbers stands for P theta.
class Projection {
 public:
  /// `entries` is P, row by row. Throws FormatError unless there are from 1 to kMostDimensions dimensions.
  /// Requires: entries.size() is a multiple of them.
  Projection(std::int32_t dimensions, std::vector<double> entries);

  /// Entries from N(0, 1/m), which keeps squared lengths on average: drawn feature by feature from the stream
  /// (seed, 0, RandomRole::projection).
  [[nodiscard]] static Projection gaussian(std::int32_t features, std::int32_t dimensions,
                                           std::uint64_t seed);

  [[nodiscard]] std::int32_t dimensions() const noexcept { return dimensions_; }

  /// A feature's row of P. Requires: a feature of P.
  [[nodiscard]] std::span<const double> row(FeatureId feature) const noexcept {
    const auto width = static_cast<std::size_t>(dimensions_);
    return std::span(entries_).subspan(static_cast<std::size_t>(feature) * width, width);
  }

  /// The projected documents, as rows that hold every dimension; a document of no entries stays empty. Throws
  /// FormatError on one that projects to more than a float can hold. Requires: a row of P for each column.
  [[nodiscard]] CsrMatrix project(CsrView documents) const;

 private:
  std::int32_t dimensions_;
  std::vector<double> entries_;
};

struct ProjectionOptions {
  std::int32_t dimensions = 50;
  std::uint64_t seed = 1;  ///< of the projection
};

/// Yu, Lyu and King (2017): documents are projected once, and OFUL runs on what they became, m numbers each.
/// Its radius is OFUL's in m dimensions: what the projection itself bends is in no radius, as in the paper.
/// Memory: a projected document takes 16 m bytes, the projection 8 m for each feature.
class ProjectedLearner final : public AllFeaturesLearner {
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
