// Pass 2 of one part: a pool whose words and idf are those of the corpus.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "io/corpus/from_text/text_builder.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/parts/shards/build_plan.hpp"
#include "io/parts/shards/counts_folder.hpp"
#include "io/parts/shards/part_rows.hpp"

namespace inkling {

/// What a pool says of itself that is a part of a corpus: the member "shard" of its recipe.
struct ShardOrigin {
  std::uint64_t plan = 0;  ///< checksums, of the plan and of the counts of all parts
  std::uint64_t counts = 0;
  std::int64_t part = 0;
  std::int64_t all_parts = 0;
  std::int64_t first_row = 0;  ///< its first document, in the corpus

  bool operator==(const ShardOrigin&) const = default;
};

[[nodiscard]] std::string shard_origin_json(const ShardOrigin& origin);

/// Nothing for a pool that was built by itself. Throws CorruptFileError, which names the pool's manifest.
[[nodiscard]] std::optional<ShardOrigin> shard_origin_of(const std::string& pool, const Manifest& manifest);

/// The origin of a shard that is to be built. Throws FormatError where the counts are not those of all parts of the plan,
/// and names what differs: the program, the recipe, the plan, or the part that is missing.
[[nodiscard]] ShardOrigin planned_shard(const BuildPlan& plan, const CountsFolder& counts, std::int64_t part);

/// The manifest of the pool at a path, or nothing where there is none.
[[nodiscard]] std::optional<Manifest> pool_manifest_at(const std::string& path);

/// How a staging writes shards: what has the name stays.
[[nodiscard]] StagedKind staged_shard();

/// The rows that were kept beside the counts of this part, in a folder; nothing where there are none. Throws FormatError
/// where the folder holds other counts than those of this part within `counts`; CorruptFileError, SystemError. Requires:
/// `counts` of all parts.
[[nodiscard]] std::unique_ptr<PartRows> kept_rows(const CountsFolder& counts, std::int64_t part, const std::string& folder);

/// Publishes the shard. `rows`: those of this part, or nullptr; with them the text is only compared with what was counted.
/// `memory`: what the process may have resident. Throws as build_text_pool does; FormatError also
/// where the corpus has no documents or no features, unless the plan allows it, where a field or a label that the plan
/// asks for is in no document, and where what is read is not what was counted.
[[nodiscard]] TextBuildSummary build_part(const BuildPlan& plan, const CountsFolder& counts, const ShardOrigin& origin,
                                          PartRows* rows, const SourceOptions& process, std::uint64_t memory,
                                          PoolStaging& staging, const BuildProgress& progress);

}  // namespace inkling
