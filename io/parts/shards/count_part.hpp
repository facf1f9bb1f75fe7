// Pass 1 of one part: its terms, and in how many of its documents each is.
#pragma once

#include <cstdint>
#include <functional>

#include "io/parts/shards/build_plan.hpp"
#include "io/parts/shards/counts_manifest.hpp"
#include "io/parts/shards/part_source.hpp"

namespace inkling {

/// Whether the rows of the part are kept beside its counts (part_rows.hpp).
enum class PartRowKeeping { drop, keep };

/// Publishes the counts and returns their manifest, without its files. `memory`: what the process may have resident.
/// Throws FormatError for bad input, and where the terms need more; SystemError.
[[nodiscard]] CountsManifest count_part(const BuildPlan& plan, std::int64_t part, PartRowKeeping rows,
                                        const SourceOptions& process, std::uint64_t memory, PoolStaging& staging,
                                        const BuildProgress& progress);

/// Whether counts that stand are those of this part and of this plan.
[[nodiscard]] bool are_counts_of(const CountsManifest& counts, const BuildPlan& plan, std::int64_t part);

}  // namespace inkling
