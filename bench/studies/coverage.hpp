// Whether a policy keeps what its radius promises: that the truth is in its ellipsoid, and that the best
// document is not undervalued.
#pragma once

#include <cstdint>
#include <span>

#include "engine/core/ids.hpp"
#include "engine/model/linear_model.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling::bench {

/// What a watched trial knows and its policy does not. Lifetime: lends the world's memory.
struct KnownTruth {
  CsrView documents;
  std::span<const double> truth;  ///< theta*, by feature
  double best_value = 0.0;        ///< the expected reward of the best document that may be chosen
  DocumentId best = 0;
};

/// |theta - theta*|_V over the features in use: what a radius bounds. A feature that is not in use is left
/// out of both. Requires: the documents are those of the model's pool.
[[nodiscard]] double distance_to_truth(const LinearModel& model, CsrView documents,
                                       std::span<const double> truth);

/// Counts rounds; each is looked at between its choice and its reward.
struct Coverage {
  std::int64_t rounds = 0;       ///< in which there was a radius
  std::int64_t missed = 0;       ///< of those, the truth lay outside the ellipsoid
  std::int64_t undervalued = 0;  ///< of those, the best document was worth more than its mean + radius width

  void add(const LinearModel& model, const KnownTruth& known, double radius);
};

}  // namespace inkling::bench
