// The paper's synthetic pools: documents of random words, or points of the unit sphere; and a sparse truth
// that says which features matter.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling::bench {

/// How common words are, as a share of the documents: low <= document frequency / documents <= high.
struct FrequencyBand {
  double low = 0.0;
  double high = 1.0;
};

enum class SyntheticRows {
  word_counts,  ///< sparse: counts of drawn words, as a document has them
  sphere,       ///< dense: uniform on the unit sphere, as the early-regret section has them
};

struct SyntheticPoolOptions {
  std::int32_t documents = 1000;
  std::int32_t features = 40;
  std::int32_t words = 8;  ///< draws a document, of word counts
  double zipf = 0.0;       ///< word j is drawn with probability proportional to (j + 1)^-zipf; 0 is uniform
  SyntheticRows rows = SyntheticRows::word_counts;
};

/// Rows of unit length. On the sphere every row holds every feature, and there is one draw an entry.
[[nodiscard]] CsrMatrix synthetic_documents(const SyntheticPoolOptions& options, RandomStream& random);

/// The features that at least one document holds, within the band, ascending.
[[nodiscard]] std::vector<FeatureId> features_within(PoolView pool, FrequencyBand band);

/// `count` of the candidates, drawn without replacement, ascending. Requires: 0 <= count <=
/// candidates.size().
[[nodiscard]] std::vector<FeatureId> draw_features(std::vector<FeatureId> candidates, std::int32_t count,
                                                   RandomStream& random);

/// theta*: a weight for every feature, normal on the relevant ones and scaled to this norm, 0 elsewhere.
[[nodiscard]] std::vector<double> draw_truth(std::int32_t features, const std::vector<FeatureId>& relevant,
                                             double norm, RandomStream& random);

}  // namespace inkling::bench
