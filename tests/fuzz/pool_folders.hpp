// Pools on disk for fuzz targets, and what is read of them in each way to open them.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/base/system/file.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "tests/fuzz/fuzz_input.hpp"
#include "tests/fuzz/scripted_pool.hpp"

namespace inkling::fuzz {

/// A folder that is removed at the end of the program; in memory if the system has a file system there.
class PoolFolders {
 public:
  PoolFolders() {
    namespace fs = std::filesystem;
    const fs::path memory = "/dev/shm";
    std::string name = ((fs::is_directory(memory) ? memory : fs::temp_directory_path()) / "inkling-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~PoolFolders() { std::filesystem::remove_all(path_); }
  PoolFolders(const PoolFolders&) = delete;
  PoolFolders& operator=(const PoolFolders&) = delete;
  PoolFolders(PoolFolders&&) = delete;
  PoolFolders& operator=(PoolFolders&&) = delete;

  /// Writes these files as the pool of this name, and returns its path. Files that are unchanged since the last call are not
  /// written: that saves much, because inputs differ little from those before.
  [[nodiscard]] std::string write(const std::string& name, const Files& files) {
    std::string path = path_ + "/" + name;
    const auto [pool, is_new] = written_.try_emplace(name);
    if (is_new)
      for (const std::string_view folder : kPoolSubFolders) std::filesystem::create_directories(path + "/" + std::string(folder));
    Files& there = pool->second;
    std::erase_if(there, [&](const auto& file) {
      const bool goes = !files.contains(file.first);
      if (goes) std::filesystem::remove(path + "/" + file.first);
      return goes;
    });
    for (const auto& [file, bytes] : files) {
      const auto [old, is_added] = there.try_emplace(file);
      if (!is_added && old->second == bytes) continue;
      overwrite(path + "/" + file, bytes);
      old->second = bytes;
    }
    return path;
  }

 private:
  /// Overwrites the file in place, so that the system need not allocate its pages again.
  static void overwrite(const std::string& path, const Bytes& bytes) {
    const File file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    const ssize_t written = ::write(file.number(), bytes.data(), bytes.size());
    const bool is_whole = written == static_cast<ssize_t>(bytes.size());
    if (!is_whole || ::ftruncate(file.number(), static_cast<off_t>(bytes.size())) != 0) std::abort();
  }

  std::string path_;
  std::map<std::string, Files> written_;
};

/// Whether the pool is refused when it is opened in memory. Then it must also be refused on disk, because the files are the same.
inline bool is_refused_in_memory(const ScriptedPool& pool, PoolTrust trust) {
  PoolFiles files;
  for (const auto& [name, bytes] : pool.files) files.emplace(name, bytes);
  try {
    const bool trusts = trust == PoolTrust::structure;
    static_cast<void>(checked_contents("fuzz", files, trusts ? CheckExtent::structure : CheckExtent::everything));
    return false;
  } catch (const FormatError&) {
    return true;
  }
}

/// Whether to open the pool on disk, too. That takes ten times as long as in memory, so it is done for some inputs only, and for
/// fewer refused ones, because most inputs are refused and these are much alike.
inline bool is_looked_at_on_disk(bool is_refused, const std::uint8_t* data, std::size_t size) {
  constexpr unsigned one_in_refused = 64;
  constexpr unsigned one_in_sound = 16;
  return is_one_in(is_refused ? one_in_refused : one_in_sound, data, size);
}

/// How the contents of pools with so many documents and entries begin.
inline std::string beginning_of_contents(std::uint64_t documents, std::uint64_t nonzeros) {
  return std::to_string(documents) + " documents, " + std::to_string(nonzeros) + " entries:";
}

/// The text of a pool that was refused begins with this.
inline constexpr std::string_view kRefused = "refused: ";

/// All contents of the pools as one text, or why they were refused.
inline std::string contents_of(std::span<const std::string> paths, PoolAccess access, PoolTrust trust) {
  try {
    const PoolSet pools = PoolSet::open(paths, access, trust);
    std::string told =
        beginning_of_contents(static_cast<std::uint64_t>(pools.documents()), static_cast<std::uint64_t>(pools.nonzeros()));
    const auto add_numbers = [&told](const auto& numbers) {
      const auto bytes = std::as_bytes(std::span(numbers));
      told.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      told += ';';
    };
    IdStream ids(pools);
    for (std::int64_t document = 0; document < pools.documents(); ++document) {
      told.append(ids.next().value_or("none")).append(pools.id(document).value_or("none"));
      const CsrMatrix row = pools.row(document);
      add_numbers(row.view().features().unchecked());
      add_numbers(row.view().values());
    }
    for (FeatureId feature = 0; feature < pools.features(); ++feature) {
      told += std::to_string(pools.document_frequency(feature)) + ";";
      if (pools.has_words()) told += pools.word(feature);
    }
    pools.check_unchanged();
    return told;
  } catch (const FormatError& error) {
    return std::string(kRefused) + error.what();
  }
}

}  // namespace inkling::fuzz
