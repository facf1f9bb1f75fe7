#include "io/doors/commands/shown_pools.hpp"

#include <algorithm>

#include "io/corpus/pool/open/pool_set.hpp"

namespace inkling {

ShownPools::ShownPools(const std::string& path, PoolTrust trust) : path_(path), trust_(trust) {
  if (!is_set_file(path)) {
    paths_ = {path};
    first_rows_.push_back(opened_.emplace(0, Pool::open(path, trust_)).first->second.view().documents());
    return;
  }
  shards_ = read_set_file(path).shards;
  for (const ShardRecord& shard : shards_) {
    paths_.push_back(shard_path(path, shard));
    first_rows_.push_back(shard.first_row + shard.rows);
  }
}

std::size_t ShownPools::pool_of(std::int64_t row) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(first_rows_, row) - first_rows_.begin()) - 1;
}

const Pool& ShownPools::open(std::size_t n) {
  const auto known = opened_.find(n);
  if (known != opened_.end()) return known->second;
  Pool pool = Pool::open(paths_[n], trust_);
  check_shard(path_, shards_[n], paths_[n], pool.manifest(), pool.manifest_checksum());
  return opened_.emplace(n, std::move(pool)).first->second;
}

void ShownPools::check_unchanged() const {
  for (const auto& [n, pool] : opened_) pool.check_unchanged();
}

}  // namespace inkling
