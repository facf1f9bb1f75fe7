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

/// The member "shard" of the recipe of a pool that is a part of a corpus.
struct ShardOrigin {
  std::uint64_t plan = 0;    ///< its checksum
  std::uint64_t counts = 0;  ///< the checksum of the counts of all parts
  std::int64_t part = 0;
  std::int64_t all_parts = 0;
  std::int64_t first_row = 0;  ///< its first document, in the corpus

  bool operator==(const ShardOrigin&) const = default;
};

[[nodiscard]] std::string shard_origin_json(const ShardOrigin& origin);

/// Nothing for a pool that is not a shard. Throws CorruptFileError, which names the pool's manifest.
[[nodiscard]] std::optional<ShardOrigin> shard_origin_of(const std::string& pool, const Manifest& manifest);

/// The origin of a shard that is to be built. Throws FormatError if the counts are not those of all parts of the plan. It names
/// the difference: the program, the recipe, the plan, or the missing part.
[[nodiscard]] ShardOrigin planned_shard(const BuildPlan& plan, const CountsFolder& counts, std::int64_t part);

/// The manifest of the pool at a path, or nothing where there is none.
[[nodiscard]] std::optional<Manifest> pool_manifest_at(const std::string& path);

/// How a staging writes shards: it never replaces an existing folder.
[[nodiscard]] StagedKind staged_shard();

/// The rows that were kept in a folder beside the counts of this part; nothing if there are none. Throws FormatError if the
/// folder's counts are not the ones that `counts` includes for this part; CorruptFileError, SystemError. Requires: `counts` of
/// all parts.
[[nodiscard]] std::unique_ptr<PartRows> kept_rows(const CountsFolder& counts, std::int64_t part, const std::string& folder);

/// Publishes the shard. `rows`: those of this part, or nullptr; with them, the text is only compared with its checksum. `memory`:
/// the limit on resident memory. Throws as build_text_pool does; FormatError also if the corpus has no documents or no features
/// (unless the plan allows it), if a field or a label that the plan asks for is in no document, and if the text has changed since
/// it was counted.
[[nodiscard]] TextBuildSummary build_part(const BuildPlan& plan, const CountsFolder& counts, const ShardOrigin& origin,
                                          PartRows* rows, const SourceOptions& process, std::uint64_t memory,
                                          PoolStaging& staging, const BuildProgress& progress);

}  // namespace inkling
