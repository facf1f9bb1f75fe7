// One pool, or the shards of a set, each opened when a document of it is shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/corpus/pool/format/set_file.hpp"
#include "io/corpus/pool/open/pool.hpp"

namespace inkling {

/// Rows are counted through all shards. Thread safety: one thread.
class ShownPools {
 public:
  /// A pool is opened, of a set only its file is read. Throws as these do.
  ShownPools(const std::string& path, PoolTrust trust);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::size_t count() const { return paths_.size(); }
  [[nodiscard]] std::int64_t documents() const { return first_rows_.back(); }
  /// Requires: n < count() (here and below).
  [[nodiscard]] std::int64_t first_row(std::size_t n) const { return first_rows_[n]; }
  /// Which of them has the row. Requires: 0 <= row < documents().
  [[nodiscard]] std::size_t pool_of(std::int64_t row) const;

  /// Lifetime: lends the pool.
  [[nodiscard]] const Pool& open(std::size_t n);

  /// Of those that were opened, as Pool::check_unchanged.
  void check_unchanged() const;

 private:
  std::string path_;
  PoolTrust trust_;
  std::vector<ShardRecord> shards_;  // none for a pool
  std::vector<std::string> paths_;
  std::vector<std::int64_t> first_rows_ = {0};  // and the end
  std::map<std::size_t, Pool> opened_;
};

}  // namespace inkling
