// A set: pools that together are one corpus, named in one file, which is written last.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inkling {

/// One pool of a set.
struct ShardRecord {
  std::string path;  ///< as the file names it: relative to the folder of the file, or absolute
  std::int64_t rows = 0;
  std::int64_t first_row = 0;  ///< its first document among those of the set
  std::uint64_t manifest = 0;  ///< the checksum that its manifest ends in: it covers every bit of the shard

  bool operator==(const ShardRecord&) const = default;
};

/// The file that lists which documents of a set are one with another.
struct SetCopiesRecord {
  std::string path;        ///< as the set names it, as those of shards; empty if no texts are equal
  std::int64_t count = 0;  ///< copies
  std::uint64_t checksum = 0;

  bool operator==(const SetCopiesRecord&) const = default;
};

/// A set as in FORMAT.md. All shards have the same features. Invariant: there is at least one shard, `rows` is the sum of
/// the shards' rows, and the first row of a shard is the sum of the rows before it.
struct SetFile {
  static constexpr std::int64_t current_version = 1;
  static constexpr std::string_view needs_program = "0.1.0";

  std::int64_t rows = 0;  ///< of all shards together: more than 2^31 are legal
  std::int64_t columns = 0;
  std::int64_t nonzeros = 0;
  std::uint64_t counts = 0;  ///< the checksum that the manifest of the counts ends in, from which words and idf come
  std::string program_version;
  std::vector<ShardRecord> shards;  ///< in order of rows
  /// Of the one pool with the same documents; nothing in sets that earlier programs joined, as the next.
  std::optional<std::string> fingerprint = {};
  std::optional<SetCopiesRecord> copies = {};

  /// Whether equal texts of different shards were never looked for.
  [[nodiscard]] bool has_uncompared_texts() const noexcept { return !copies && shards.size() > 1; }

  bool operator==(const SetFile&) const = default;
};

/// The text of the file, which ends in the checksum of everything before it.
[[nodiscard]] std::string set_file_text(const SetFile& set);

/// Throws CorruptFileError naming `path`; for a newer format it says which version of the program it needs.
[[nodiscard]] SetFile parse_set_file(const std::string& path, std::string_view text);

/// Whether this is how a set of any version begins.
[[nodiscard]] bool looks_like_set_file(std::string_view text);

/// Whether a path leads to a file that begins as a set does; false if it cannot be read. Never throws.
[[nodiscard]] bool is_set_file(const std::string& path);

/// Reads and checks only the file, not its shards. Throws SystemError and CorruptFileError.
[[nodiscard]] SetFile read_set_file(const std::string& path);

/// Where a shard, or another file, that the set at `set_path` names lies.
[[nodiscard]] std::string path_in_set(const std::string& set_path, const std::string& path);
[[nodiscard]] inline std::string shard_path(const std::string& set_path, const ShardRecord& shard) {
  return path_in_set(set_path, shard.path);
}

}  // namespace inkling
