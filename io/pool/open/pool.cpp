#include "io/pool/open/pool.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "engine/core/errors.hpp"
#include "io/pool/format/pool_layout.hpp"
#include "io/pool/open/pool_contents.hpp"
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
  for (const std::string_view name : kPoolFileNames) take(name);
  return pool;
}

}  // namespace

MappedPool map_pool(const std::string& path) {
  // A folder that was replaced may have lost files before they were mapped; what replaced
  // it has all of its own.
  constexpr int most_attempts = 100;
  for (int attempt = 1;; ++attempt) {
    const PoolFolder folder(path);
    MappedPool pool = map_files(folder);
    if (!folder.is_in_place() && attempt < most_attempts) continue;
    if (pool.by_name.contains(PoolFile::manifest)) return pool;
    folder.fail_without_manifest();
  }
}

Pool Pool::open(const std::string& path, PoolTrust trust) {
  MappedPool mapped = map_pool(path);
  PoolContents contents = checked_contents(path, mapped.by_name, trust);
  return {path, std::move(mapped.files), std::move(contents)};
}

std::optional<FeatureId> Pool::feature_of(std::string_view term) const {
  const std::optional<std::int64_t> row =
      contents_.vocabulary ? contents_.vocabulary->find(term) : std::nullopt;
  return row ? std::optional(static_cast<FeatureId>(*row)) : std::nullopt;
}

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

VerifyReport verify_pool(const std::string& path,
                         const std::function<void(std::uint64_t, std::uint64_t)>& advance) {
  const MappedPool mapped = map_pool(path);
  std::uint64_t bytes = 0;
  for (const auto& [name, file] : mapped.by_name) bytes += file.size();

  std::atomic<std::uint64_t> done = 0;
  const auto checked = [&](std::span<const std::byte> piece) {
    advance(done += piece.size(), 2 * bytes);
    forget_pages(piece);
  };
  const PoolContents contents = checked_contents(path, mapped.by_name, PoolTrust::checksums, checked);
  advance(2 * bytes, 2 * bytes);  // headers and the like were not told of
  return {.files = static_cast<std::int64_t>(mapped.files.size()),
          .bytes = bytes,
          .rows = contents.manifest.rows,
          .columns = contents.manifest.columns,
          .nonzeros = contents.manifest.nonzeros};
}

}  // namespace inkling
