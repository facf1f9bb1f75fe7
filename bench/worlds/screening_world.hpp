// Worlds in which a reader screens the records of a systematic review, from one relevant and one irrelevant record on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/csr_view.hpp"
#include "io/search/simulation/world.hpp"

namespace inkling::bench {

/// The common part of all searches of a review. Lifetime: lends the pool.
struct Screening {
  PoolView pool;
  std::vector<bool> relevant;              ///< by record
  std::shared_ptr<const CsrMatrix> marks;  ///< what the reader marks in each record; nothing: no marks at all
};

/// The records that a search begins with; both are rated at the start and neither is counted.
struct ScreeningStart {
  DocumentId relevant = 0;
  DocumentId irrelevant = 0;
};

/// Whether each record is relevant, from a pool's labels.
[[nodiscard]] std::vector<bool> relevant_records(std::span<const std::int32_t> labels, std::int32_t relevant);

/// In each relevant record the first `most` of these words that it holds: `words` are in the order in which the reader
/// prefers them.
[[nodiscard]] CsrMatrix marks_in_relevant(PoolView pool, const std::vector<bool>& relevant, std::span<const FeatureId> words,
                                          std::size_t most);

/// A function of its arguments alone. Requires: a record of either side.
[[nodiscard]] ScreeningStart draw_start(const std::vector<bool>& relevant, std::uint64_t seed, std::uint64_t trial);

/// The reader rates relevant records +1 and all others -1, without mistakes. The start is `draw_start`'s,
/// whatever is marked. Lifetime: lends the pool.
[[nodiscard]] World make_screening_world(const Screening& screening, std::uint64_t seed, std::uint64_t trial);

}  // namespace inkling::bench
