// Pools from a seed: the paper's, with a sparse truth that says which features matter, and pools of any size
// that look like text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling {

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

/// Throws FormatError naming `what` if there are fewer of `those` features than wanted.
void require_features(std::string_view what, std::string_view those, std::size_t there, std::int32_t wanted);

/// `count` of the candidates, drawn without replacement, ascending. Requires: 0 <= count <=
/// candidates.size().
[[nodiscard]] std::vector<FeatureId> draw_features(std::vector<FeatureId> candidates, std::int32_t count, RandomStream& random);

/// theta*: a weight for every feature, normal on the relevant ones and scaled to this norm, 0 elsewhere.
[[nodiscard]] std::vector<double> draw_truth(std::int32_t features, const std::vector<FeatureId>& relevant, double norm,
                                             RandomStream& random);

/// Words are drawn independently, the word of rank r with probability proportional to r^-zipf; lengths are
/// lognormal.
struct ZipfPoolOptions {
  std::int32_t documents = 4868;
  std::int32_t features = 47'757;
  double zipf = 1.07;
  double mean_tokens = 150.0;  ///< before lengths are cut to 10 ... 3000
  double length_sigma = 0.6;   ///< of the logarithm of a length
  std::uint64_t seed = 1;
};

/// Rows are tf * (ln((1 + n) / (1 + df)) + 1) at unit length; feature j is the word of rank j + 1. The first
/// documents of a larger pool have the same words as a smaller one, and other weights only because idf
/// differs. The same bits on every machine and at any number of threads; uses all there are.
/// Requires: documents >= 1, features >= 1, zipf >= 0, mean_tokens > 0.
[[nodiscard]] PoolMatrix make_zipf_pool(const ZipfPoolOptions& options);

/// The size of the arrays of both layouts, as the engine reads them.
[[nodiscard]] std::uint64_t bytes_of(PoolView pool);

}  // namespace inkling
