// Pools on disk for fuzz targets, and what every way to open them makes of them.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ios>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/errors.hpp"
#include "io/pool/open/pool_set.hpp"
#include "tests/fuzz/scripted_pool.hpp"

namespace inkling::fuzz {

/// A folder in memory, where the system has one, that is removed at the end of the program.
class PoolFolders {
 public:
  PoolFolders() {
    namespace fs = std::filesystem;
    const fs::path memory = "/dev/shm";
    std::string name =
        ((fs::is_directory(memory) ? memory : fs::temp_directory_path()) / "inkling-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~PoolFolders() { std::filesystem::remove_all(path_); }
  PoolFolders(const PoolFolders&) = delete;
  PoolFolders& operator=(const PoolFolders&) = delete;
  PoolFolders(PoolFolders&&) = delete;
  PoolFolders& operator=(PoolFolders&&) = delete;

  /// Writes the pool in place of an earlier one of that name, and returns its path.
  [[nodiscard]] std::string write(const std::string& name, const Files& files) const {
    std::string path = path_ + "/" + name;
    for (const char* const folder : {"/by_feature", "/documents"})
      std::filesystem::create_directories(path + folder);
    for (const std::string_view file : kPoolFileNames)
      if (!files.contains(file)) std::filesystem::remove(path + "/" + std::string(file));
    for (const auto& [file, bytes] : files) {
      std::ofstream(path + "/" + file, std::ios::binary)
          .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    return path;
  }

 private:
  std::string path_;
};

/// Everything that is in the pools, or what was refused.
inline std::string contents_of(std::span<const std::string> paths, PoolAccess access, PoolTrust trust) {
  try {
    const PoolSet pools = PoolSet::open(paths, access, trust);
    std::string told;
    const auto add_numbers = [&told](const auto& numbers) {
      const auto bytes = std::as_bytes(std::span(numbers));
      told.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      told += ';';
    };
    IdStream ids(pools);
    for (std::int64_t document = 0; document < pools.documents(); ++document) {
      told.append(ids.next().value_or("none")).append(pools.id(document).value_or("none"));
      const CsrMatrix row = pools.row(document);
      add_numbers(row.view().features());
      add_numbers(row.view().values());
    }
    for (FeatureId feature = 0; feature < pools.features(); ++feature) {
      told += std::to_string(pools.document_frequency(feature)) + ";";
      if (pools.has_words()) told += pools.word(feature);
    }
    pools.check_unchanged();
    return told;
  } catch (const FormatError& error) {
    return std::string("refused: ") + error.what();
  }
}

}  // namespace inkling::fuzz
