// What the files of a pool say once every one of them has been checked, whether they are mapped or in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/sparse/csr_view.hpp"
#include "io/pool/format/manifest.hpp"
#include "io/pool/format/pool_layout.hpp"

namespace inkling {

/// What is checked of a pool beside its structure (sizes, offsets, ids in range and sorted, finite values,
/// columns that are the transposed rows), which is always checked.
enum class PoolTrust {
  checksums,  ///< every block of every file
  structure,  ///< no checksums (`--trust`)
};

/// The bytes of each file of a pool by its name, the manifest among them. Each begins at a multiple of 8, as
/// mapped and allocated memory does.
using PoolFiles = std::map<std::string, std::span<const std::byte>, std::less<>>;

/// Lifetime: lends the bytes of the files. May move: what lends from its own vectors stays where it is.
struct PoolContents {
  Manifest manifest;
  PoolView matrix;
  std::optional<StringTable> vocabulary;
  std::span<const std::int32_t> document_frequency;
  std::span<const double> idf;
  std::optional<StringTable> ids;
  std::optional<StringTable> texts;
  std::vector<std::string> label_names;
  std::span<const std::int32_t> labels;

  std::vector<std::int64_t> term_offsets;  ///< where the lines of the vocabulary begin
};

/// Told of each piece of a file that has been looked at; may be called from any thread.
using PieceChecked = std::function<void(std::span<const std::byte>)>;

/// Checks everything, in parallel. Throws CorruptFileError with "PATH/FILE" and what was expected, the same
/// one for any number of threads. Thread safety: pure.
[[nodiscard]] PoolContents checked_contents(
    const std::string& path, const PoolFiles& files, PoolTrust trust,
    const PieceChecked& checked = [](std::span<const std::byte>) {});

}  // namespace inkling
