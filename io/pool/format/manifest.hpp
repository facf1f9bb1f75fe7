// The manifest of a pool: what is in it, how it was made, and the checksums of every file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/pool/format/pool_layout.hpp"

namespace inkling {

/// One file of a pool: its length and the XXH3 (64 bits) of each block of `kChecksumBlockBytes`, in order.
struct FileRecord {
  std::string name;  ///< relative to the pool: "by_feature/indptr.npy"
  std::uint64_t bytes = 0;
  std::vector<std::uint64_t> checksums = {};

  bool operator==(const FileRecord&) const = default;
};

struct Manifest {
  static constexpr std::int64_t current_version = 1;
  /// The first program that reads the current version; an older one tells its user so.
  static constexpr std::string_view needs_program = "0.1.0";

  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t nonzeros = 0;
  std::string program_version;
  std::string recipe = "{}";      ///< how the pool was made: one JSON object on one line, see FORMAT.md
  std::vector<FileRecord> files;  ///< ascending by name

  /// The record of a file, or nothing where the pool has no such file.
  [[nodiscard]] const FileRecord* file(std::string_view name) const;

  bool operator==(const Manifest&) const = default;
};

/// The text of manifest.json, which ends in the checksum of everything before
/// it. Requires: a recipe as above.
[[nodiscard]] std::string manifest_text(const Manifest& manifest);

/// Throws CorruptFileError naming `path`; for a newer format it says which version of the program it needs.
[[nodiscard]] Manifest parse_manifest(const std::string& path, std::string_view text);

/// Whether this is how a manifest of any version begins: enough to tell a pool from other folders.
[[nodiscard]] bool looks_like_manifest(std::string_view text);

}  // namespace inkling
