// A pool on disk, opened: its matrix by document and by feature, its words,
// its documents' ids, labels and texts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/csr_view.hpp"
#include "io/file/mapped_file.hpp"
#include "io/pool/format/manifest.hpp"
#include "io/pool/format/pool_layout.hpp"
#include "io/pool/open/pool_contents.hpp"

namespace inkling {

/// Lifetime: `by_name` lends what `files` own. May move.
struct MappedPool {
  std::vector<MappedFile> files;
  PoolFiles by_name;
};

/// Maps every file that a pool may have and that is there, all of one folder, even where another process puts
/// a new pool in its place at the same time. Throws SystemError, and CorruptFileError where the path is not a folder
/// with a manifest.
[[nodiscard]] MappedPool map_pool(const std::string& path);

/// Mapped, zero copies. Move-only.
/// Lifetime: all views are valid while the pool, or what it was moved to, lives; so it cannot be called on a temporary.
/// The files may be renamed or deleted while they are mapped. Thread safety: const after opening.
class Pool {
 public:
  /// Every failure is a CorruptFileError naming the file, or a SystemError.
  [[nodiscard]] static Pool open(const std::string& path, PoolTrust trust = PoolTrust::checksums);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const Manifest& manifest() const { return contents_.manifest; }

  [[nodiscard]] PoolView view() const& { return contents_.matrix; }
  PoolView view() const&& = delete;

  /// Terms by feature, ascending; nothing where the matrix was imported without them.
  [[nodiscard]] const std::optional<StringTable>& vocabulary() const& { return contents_.vocabulary; }
  const std::optional<StringTable>& vocabulary() const&& = delete;
  [[nodiscard]] std::optional<FeatureId> feature_of(std::string_view term) const;

  [[nodiscard]] std::span<const std::int32_t> document_frequency() const& {
    return contents_.document_frequency;
  }
  std::span<const std::int32_t> document_frequency() const&& = delete;

  /// Empty where there is none.
  [[nodiscard]] std::span<const double> idf() const& { return contents_.idf; }
  std::span<const double> idf() const&& = delete;

  [[nodiscard]] const std::optional<StringTable>& ids() const& { return contents_.ids; }
  const std::optional<StringTable>& ids() const&& = delete;
  [[nodiscard]] const std::optional<StringTable>& texts() const& { return contents_.texts; }
  const std::optional<StringTable>& texts() const&& = delete;

  /// Names ascending; a row's label is an index of them, or -1 where it has none. Both empty where no
  /// document has one.
  [[nodiscard]] const std::vector<std::string>& label_names() const& { return contents_.label_names; }
  const std::vector<std::string>& label_names() const&& = delete;
  [[nodiscard]] std::span<const std::int32_t> labels() const& { return contents_.labels; }
  std::span<const std::int32_t> labels() const&& = delete;

 private:
  Pool(std::string path, std::vector<MappedFile> files, PoolContents contents)
      : path_(std::move(path)), files_(std::move(files)), contents_(std::move(contents)) {}

  std::string path_;
  std::vector<MappedFile> files_;
  PoolContents contents_;
};

/// Bytes of all its files. Throws SystemError.
[[nodiscard]] std::uint64_t pool_bytes(const std::string& path);

struct VerifyReport {
  std::int64_t files = 0;
  std::uint64_t bytes = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t nonzeros = 0;
};

/// Checks all that Pool::open checks, checksums included, in parallel; memory once looked at is given back,
/// so that little of the pool is resident at any time. `advance(done, total)` tells bytes, from any thread;
/// each byte counts twice, for its checksum and for its meaning. Throws as Pool::open does.
[[nodiscard]] VerifyReport verify_pool(
    const std::string& path, const std::function<void(std::uint64_t done, std::uint64_t total)>& advance =
                                 [](std::uint64_t, std::uint64_t) {});

}  // namespace inkling
