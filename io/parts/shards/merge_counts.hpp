// Counts of several parts become one: sorted streams are merged, so memory does not grow with the terms.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/parts/shards/counts_folder.hpp"

namespace inkling {

/// What counts of these folders together stand for, without terms and files. Throws FormatError, which names two of them,
/// where they are not of one plan, or where both stand for the same part. Requires: at least one.
[[nodiscard]] CountsManifest merged_manifest(const std::vector<CountsFolder>& inputs);

/// The least `memory` that merging needs.
inline constexpr std::uint64_t kLeastMergeMemory = std::uint64_t{64} << 20U;

/// Publishes the merged counts and returns their manifest. The same bytes come out for any grouping and order of
/// merges. `memory`: what the process may have resident. `progress(done, total)` tells terms read. Throws FormatError
/// where so many inputs need more; Requires: at least kLeastMergeMemory.
[[nodiscard]] CountsManifest merge_counts(const std::vector<CountsFolder>& inputs, std::uint64_t memory, PoolStaging& staging,
                                          const std::function<void(std::uint64_t done, std::uint64_t total)>& progress);

}  // namespace inkling
