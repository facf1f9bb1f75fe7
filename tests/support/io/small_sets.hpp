// One pool on disk, and the same rows cut into the shards of a set.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {

/// Random rows over words "w000", "w001" and so on, with ids "d0", "d1" and so on if wanted.
[[nodiscard]] SmallPool random_worded_pool(const RandomPoolOptions& options, bool with_ids, RandomStream& random);

/// Adds random texts, some of them empty, and labels. Each label is that of some document; some documents have none.
void add_texts_and_labels(SmallPool& pool, RandomStream& random);

/// The rows [first, end) as a pool of their own.
[[nodiscard]] SmallPool slice_of(const SmallPool& pool, std::size_t first, std::size_t end);

/// The pool at "whole", slices of it at "shard0" and so on, and "set.json". Lifetime: the files live as long as it does.
class CutPool {
 public:
  /// Requires: `cuts` ascend within the rows; each begins a shard after the first.
  CutPool(const SmallPool& pool, std::span<const std::size_t> cuts);

  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  [[nodiscard]] std::string whole() const { return file("whole"); }
  [[nodiscard]] std::string set() const { return file("set.json"); }
  [[nodiscard]] const std::vector<std::string>& shards() const { return shards_; }

 private:
  TemporaryFolder folder_;
  std::vector<std::string> shards_;
};

/// Random cuts into `shards`, some of which may be empty.
[[nodiscard]] std::vector<std::size_t> random_cuts(std::size_t rows, std::size_t shards, RandomStream& random);

/// Writes a set of these pools beside them. Requires: they lie in the folder of the path.
void write_set(const std::string& path, std::span<const std::string> shards);

}  // namespace inkling::test
