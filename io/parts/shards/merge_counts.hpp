// Merges counts of several parts as sorted streams, so memory does not grow with the terms.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/parts/shards/counts_folder.hpp"

namespace inkling {

/// The manifest of the merged counts, without terms and files. Throws FormatError, which names two of the folders, if these are
/// not of the same plan or if both count the same part. Requires: at least one.
[[nodiscard]] CountsManifest merged_manifest(const std::vector<CountsFolder>& inputs);

/// The least `memory` that merging needs.
inline constexpr std::uint64_t kLeastMergeMemory = std::uint64_t{64} << 20U;

/// Publishes the merged counts and returns their manifest. The same bytes come out for any grouping and order of merges.
/// `memory`: the limit on resident memory. `progress(done, total)` reports terms read. Throws FormatError if the inputs need more
/// memory. Requires: at least kLeastMergeMemory.
[[nodiscard]] CountsManifest merge_counts(const std::vector<CountsFolder>& inputs, std::uint64_t memory, PoolStaging& staging,
                                          const std::function<void(std::uint64_t done, std::uint64_t total)>& progress);

}  // namespace inkling
