#include "io/pool/open/pool_size.hpp"

#include <filesystem>

#include "engine/core/errors.hpp"

namespace inkling {

std::uint64_t pool_bytes(const std::string& path) {
  namespace fs = std::filesystem;
  try {
    std::uint64_t bytes = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file()) bytes += entry.file_size();
    return bytes;
  } catch (const fs::filesystem_error& error) {
    throw SystemError(path, error.code().value(), "cannot read");
  }
}

}  // namespace inkling
