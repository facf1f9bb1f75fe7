#include "io/parts/shards/join_set.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/system/folder.hpp"
#include "io/corpus/pool/open/open_pool.hpp"
#include "io/parts/shards/build_part.hpp"

namespace inkling {
namespace {

// The facts about a shard that joining needs; its files are closed again.
struct GivenShard {
  std::string path;
  ShardOrigin origin;
  std::uint64_t manifest_checksum = 0;
  Manifest manifest;
};

GivenShard given_shard(const std::string& path) {
  const OpenPool pool(path);
  const std::optional<ShardOrigin> origin = shard_origin_of(path, pool.manifest());
  if (!origin) throw FormatError(path, "expected a shard, made by inkling parts build, found a pool that was built by itself");
  return {path, *origin, pool.manifest_checksum(), pool.manifest()};
}

bool same_file(const GivenShard& one, const GivenShard& other, std::string_view name) {
  const FileRecord* const record = one.manifest.file(name);
  const FileRecord* const record_of_other = other.manifest.file(name);
  return record != nullptr && record_of_other != nullptr && *record == *record_of_other;
}

void check_shards(const std::vector<GivenShard>& shards) {
  const GivenShard& first = shards.front();
  std::int64_t next_row = 0;
  for (std::size_t n = 0; n < shards.size(); ++n) {
    const GivenShard& shard = shards[n];
    const auto refuse = [&](const std::string& expectation) { throw FormatError(shard.path, expectation); };
    if (shard.origin.plan != first.origin.plan)
      refuse(fmt::format("expected a shard of the plan of {}, found one of another plan", first.path));
    if (shard.origin.counts != first.origin.counts)
      refuse(fmt::format("expected a shard by the counts of {}, found one by other counts", first.path));
    if (n > 0 && shard.origin.part == shards[n - 1].origin.part)
      refuse(fmt::format("expected each part once, found part {}, which {} is, too", shard.origin.part, shards[n - 1].path));
    if (shard.origin.part != static_cast<std::int64_t>(n))
      refuse(fmt::format("expected all parts 0 to {}, found part {} without part {}", shard.origin.all_parts - 1,
                         shard.origin.part, n));
    if (shard.origin.first_row != next_row)
      refuse(
          fmt::format("expected its first document to be number {} of the corpus, found {}", next_row, shard.origin.first_row));
    if (!same_file(shard, first, PoolFile::vocabulary) || !same_file(shard, first, PoolFile::idf))
      refuse(fmt::format("expected the words and the idf of {}, found others", first.path));
    next_row += shard.manifest.rows;
  }
  if (first.origin.all_parts != std::ssize(shards)) {
    throw FormatError(first.path, fmt::format("expected all {} parts, found {}; part {} is missing", first.origin.all_parts,
                                              shards.size(), shards.size()));
  }
}

// How the set names a shard: relative to the set's folder, with links followed.
std::string relative_path(const std::string& shard, const std::string& set_path) {
  namespace fs = std::filesystem;
  const std::optional<std::string> folder = whole_path_of(folder_around(set_path));
  if (!folder) throw SystemError(set_path, errno, "cannot look at its folder");
  const std::optional<std::string> place = whole_path_of(shard);
  if (!place) throw SystemError(shard, errno, "cannot look at it");
  return fs::path(*place).lexically_relative(*folder).generic_string();
}

}  // namespace

SetFile joined_set(const std::vector<std::string>& shards, const std::string& set_path, std::string_view program_version) {
  std::vector<GivenShard> given;
  given.reserve(shards.size());
  for (const std::string& path : shards) given.push_back(given_shard(path));
  std::ranges::stable_sort(given, {}, [](const GivenShard& shard) { return shard.origin.part; });
  check_shards(given);
  SetFile set;
  set.columns = given.front().manifest.columns;
  set.counts = given.front().origin.counts;
  set.program_version = program_version;
  for (const GivenShard& shard : given) {
    set.shards.push_back({.path = relative_path(shard.path, set_path),
                          .rows = shard.manifest.rows,
                          .first_row = shard.origin.first_row,
                          .manifest = shard.manifest_checksum});
    set.rows += shard.manifest.rows;
    set.nonzeros += shard.manifest.nonzeros;
  }
  return set;
}

}  // namespace inkling
