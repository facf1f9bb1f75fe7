// A pool on disk, opened: its matrix by document and by feature, its words, its documents' ids, labels and
// texts.
#pragma once

#include <cstdint>
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
#include "io/pool/format/string_table.hpp"
#include "io/pool/open/pool_contents.hpp"

namespace inkling {

/// Mapped, zero copies. Move-only.
/// Lifetime: all views are valid while the pool, or what it was moved to, lives; hence not from a temporary.
/// The files may be renamed or deleted meanwhile. Thread safety: const after opening.
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

}  // namespace inkling
