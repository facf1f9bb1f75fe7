// The files of a pool, mapped; not looked into yet.
#pragma once

#include <string>
#include <vector>

#include "io/file/mapped_file.hpp"
#include "io/pool/open/pool_contents.hpp"

namespace inkling {

/// Lifetime: `by_name` lends what `files` own. May move.
struct MappedPool {
  std::vector<MappedFile> files;
  PoolFiles by_name;
};

/// Maps every file that a pool may have and that is there, all of one folder, even where another process puts
/// a new pool in its place meanwhile. Throws SystemError, and CorruptFileError where the path is no folder
/// with a manifest.
[[nodiscard]] MappedPool map_pool(const std::string& path);

}  // namespace inkling
