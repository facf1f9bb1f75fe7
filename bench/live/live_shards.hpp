// What each worker of a simulated live search holds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/sparse/csr_matrix.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/parts/live/sharded_search.hpp"

namespace inkling::bench {

/// A shard and what all workers know of all shards. Move-only. Lifetime: views live as long as it does.
class LiveShard {
 public:
  /// The worker's shard of the set. Throws FormatError where there are not as many shards as workers.
  [[nodiscard]] static LiveShard of_set(const std::string& set_path, const ShardGroup& group);

  /// Equal shares of a pool of drawn words from a seed.
  [[nodiscard]] static LiveShard of_seed(std::int32_t documents, std::int32_t features, std::int32_t words,
                                         std::uint64_t seed, const ShardGroup& group);

  [[nodiscard]] PoolView view() const& { return pool_ ? pool_->view() : matrix_->view(); }
  PoolView view() const&& = delete;
  [[nodiscard]] const ShardLayout& layout() const noexcept { return layout_; }
  /// Features that may matter: neither in hardly any document nor in most, of all shards together.
  [[nodiscard]] const std::vector<FeatureId>& candidates() const noexcept { return candidates_; }

 private:
  LiveShard() = default;
  void find_candidates(const std::vector<std::int64_t>& document_frequency);

  std::optional<Pool> pool_;
  std::optional<PoolMatrix> matrix_;
  ShardLayout layout_;
  std::vector<FeatureId> candidates_;
};

}  // namespace inkling::bench
