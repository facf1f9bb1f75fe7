#include "io/parts/model/collection.hpp"

#include <string>
#include <vector>

#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/format/sealed_json.hpp"

namespace inkling {

std::uint64_t collection_checksum(std::span<const std::uint64_t> manifests) {
  std::string lines;
  for (const std::uint64_t manifest : manifests) lines += checksum_digits(manifest) + '\n';
  return checksum_of(std::as_bytes(std::span(lines)));
}

std::uint64_t collection_checksum(const PoolSet& pools) {
  std::vector<std::uint64_t> manifests;
  manifests.reserve(pools.pools());
  for (std::size_t pool = 0; pool < pools.pools(); ++pool) manifests.push_back(pools.member(pool).manifest_checksum());
  return collection_checksum(manifests);
}

std::uint64_t collection_checksum(const SetFile& set) {
  std::vector<std::uint64_t> manifests;
  manifests.reserve(set.shards.size());
  for (const ShardRecord& shard : set.shards) manifests.push_back(shard.manifest);
  return collection_checksum(manifests);
}

}  // namespace inkling
