// Builds a corpus in parts in a folder, for tests of the steps, and compares the result with that of one build.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/random_stream.hpp"
#include "io/parts/shards/build_plan.hpp"
#include "io/parts/shards/count_part.hpp"

namespace inkling::test {

/// A plan for these sources in at most so many parts, with its checksum.
[[nodiscard]] BuildPlan plan_for(const std::vector<std::string>& sources, const SourceOptions& source, const TextRecipe& recipe,
                                 TextKeeping texts, std::int64_t parts);

/// Each of these steps writes one folder, without fsync.
void count_into(const std::string& out, const BuildPlan& plan, std::int64_t part, PartRowKeeping rows = PartRowKeeping::drop);
void merge_into(const std::string& out, const std::vector<std::string>& counts);
/// `own_counts` is the folder of the part's counts, which may also hold its rows; with "" no kept rows are used.
void build_into(const std::string& out, const BuildPlan& plan, std::int64_t part, const std::string& counts,
                const std::string& own_counts = "", std::uint64_t memory = std::uint64_t{1} << 28U);

/// Counts, merges in random groups, and builds all parts; returns the folders of the shards, in order.
[[nodiscard]] std::vector<std::string> build_shards(const std::string& folder, const BuildPlan& plan, RandomStream& random);

/// Merges counts in random groups until one is left, and returns its folder.
[[nodiscard]] std::string merge_randomly(const std::string& folder, std::vector<std::string> counts, RandomStream& random);

/// The pool that one build makes of all that the plan reads.
void build_at_once(const std::string& out, const BuildPlan& plan);

/// The first difference between the rows of the shards, one after the other, and those of the pool; empty if there is none.
[[nodiscard]] std::string difference_to_pool(const std::vector<std::string>& shards, const std::string& pool);

}  // namespace inkling::test
