// Pools with wrong contents whose checksums fit, as a broken or a malicious program might write them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/corpus/pool/format/pool_layout.hpp"
#include "tests/support/io/small_pools.hpp"

namespace inkling::test {

/// The files of a pool, and its manifest, whose lengths and checksums are set when it is written.
struct PoolToTell {
  PoolBytes files;
  Manifest manifest;
};

/// A change to a pool. Some changes leave it valid.
struct Lie {
  std::string name;  ///< "data.npy: number 3 is NaN"
  std::function<void(PoolToTell&)> tell;
};

/// Some hundreds of changes to small_pool(): each array, each file of lines and each member of the manifest, wrong in every way
/// that we thought of.
[[nodiscard]] std::vector<Lie> all_lies();

/// Writes the files into a new folder, with a manifest whose lengths and checksums are those of the files. The manifest still
/// names files that are missing.
void write_told_pool(const PoolToTell& pool, const std::string& path);

/// small_pool() as it is on disk.
[[nodiscard]] PoolToTell sound_pool();

}  // namespace inkling::test
