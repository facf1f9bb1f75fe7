#include "io/pool/open/mapped_pool.hpp"

#include <cerrno>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/core/errors.hpp"
#include "io/pool/format/pool_layout.hpp"
#include "io/pool/open/pool_folder.hpp"

namespace inkling {
namespace {

// The file mapped, or nothing where there is none.
std::optional<MappedFile> mapped(const PoolFolder& folder, std::string_view name) {
  try {
    return MappedFile(folder.descriptor(), std::string(name), folder.path_of(name));
  } catch (const SystemError& error) {
    if (error.error_number() == ENOENT || error.error_number() == ENOTDIR) return std::nullopt;
    throw;
  }
}

MappedPool map_files(const PoolFolder& folder) {
  MappedPool pool;
  const auto take = [&](std::string_view name) {
    std::optional<MappedFile> file = mapped(folder, name);
    if (!file) return;
    pool.by_name.emplace(name, file->bytes());
    pool.files.push_back(std::move(*file));
  };
  take(PoolFile::manifest);
  for (const std::string_view name : pool_file_names) take(name);
  return pool;
}

}  // namespace

MappedPool map_pool(const std::string& path) {
  // A folder that was replaced may have lost files before they were mapped; what replaced it has all of its
  // own.
  constexpr int most_attempts = 100;
  for (int attempt = 1;; ++attempt) {
    const PoolFolder folder(path);
    MappedPool pool = map_files(folder);
    if (!folder.is_in_place() && attempt < most_attempts) continue;
    if (pool.by_name.contains(PoolFile::manifest)) return pool;
    folder.fail_without_manifest();
  }
}

}  // namespace inkling
