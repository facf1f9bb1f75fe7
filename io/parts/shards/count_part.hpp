// Pass 1 of one part: its terms, and how many of its documents hold each.
#pragma once

#include <cstdint>
#include <functional>

#include "io/parts/shards/build_plan.hpp"
#include "io/parts/shards/counts_manifest.hpp"
#include "io/parts/shards/part_source.hpp"

namespace inkling {

/// Whether the rows of the part are kept beside its counts (part_rows.hpp).
enum class PartRowKeeping { drop, keep };

/// Publishes the counts and returns their manifest, without its files. `memory`: the limit on resident memory.
/// Throws FormatError for bad input, and if the terms need more memory; SystemError.
[[nodiscard]] CountsManifest count_part(const BuildPlan& plan, std::int64_t part, PartRowKeeping rows,
                                        const SourceOptions& process, std::uint64_t memory, PoolStaging& staging,
                                        const BuildProgress& progress);

/// Whether existing counts are those of this part of this plan.
[[nodiscard]] bool are_counts_of(const CountsManifest& counts, const BuildPlan& plan, std::int64_t part);

}  // namespace inkling
