// Pools that are not what they say, under checksums that fit: what a broken or a malicious program might write.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/corpus/pool/format/pool_layout.hpp"
#include "tests/support/small_pools.hpp"

namespace inkling::test {

/// The files of a pool, and what its manifest will say of all but their lengths and checksums.
struct PoolToTell {
  PoolBytes files;
  Manifest manifest;
};

/// A change of a pool. Some of them leave a pool that is as good as before.
struct Lie {
  std::string name;  ///< "data.npy: number 3 is NaN"
  std::function<void(PoolToTell&)> tell;
};

/// Each array, each file of lines and each member of the manifest wrong in each way that somebody thought of, for
/// small_pool(): some hundreds.
[[nodiscard]] std::vector<Lie> all_lies();

/// Writes the files into a new folder, with a manifest whose lengths and checksums are those of the files. Files that the
/// manifest names and that are not there keep their record.
void write_told_pool(const PoolToTell& pool, const std::string& path);

/// small_pool() as it is on disk.
[[nodiscard]] PoolToTell sound_pool();

}  // namespace inkling::test
