// What the format of pools fixes: names of files, numbers, and the manifest, which says what is in a pool, how it was
// made, and the checksums of every file.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inkling {

/// Each block of this many bytes of a file has its own checksum (XXH3, 64 bits); the last block may be shorter.
inline constexpr std::uint64_t kChecksumBlockBytes = std::uint64_t{1} << 20U;

/// Rows and columns are numbered from 0 in 32 bits.
inline constexpr std::int64_t kMostRowsOrColumns = (std::int64_t{1} << 31U) - 1;

struct PoolFile {
  static constexpr std::string_view manifest = "manifest.json";

  static constexpr std::string_view row_offsets = "indptr.npy";
  static constexpr std::string_view row_features = "indices.npy";
  static constexpr std::string_view row_values = "data.npy";
  static constexpr std::string_view column_offsets = "by_feature/indptr.npy";
  static constexpr std::string_view column_rows = "by_feature/indices.npy";
  static constexpr std::string_view column_values = "by_feature/data.npy";

  static constexpr std::string_view vocabulary = "vocabulary.txt";
  static constexpr std::string_view document_frequency = "document_frequency.npy";
  static constexpr std::string_view idf = "idf.npy";

  static constexpr std::string_view ids = "documents/ids";
  static constexpr std::string_view texts = "documents/texts";
  static constexpr std::string_view fields = "documents/fields";
  static constexpr std::string_view labels = "documents/labels.npy";
  static constexpr std::string_view label_names = "documents/label_names.txt";
  static constexpr std::string_view copies = "documents/copies.npy";
  static constexpr std::string_view originals = "documents/originals.npy";
  /// Vectors that a person brought, by document: codes, what each row of them is multiplied with, and what was subtracted from each.
  static constexpr std::string_view vectors = "documents/vectors.npy";
  static constexpr std::string_view vector_scales = "documents/vector_scales.npy";
  static constexpr std::string_view vector_centre = "documents/vector_centre.npy";
  /// Of a shard: two numbers for each text, by which a set finds equal ones.
  static constexpr std::string_view text_marks = "documents/text_marks.npy";
  /// Of a shard: six numbers for each record (RecordIdentity), by which a set finds records that are one.
  static constexpr std::string_view identities = "documents/identities.npy";

  /// The two files of the table of strings `ids`, `texts` or `fields`.
  [[nodiscard]] static std::string bytes_of(std::string_view table) { return std::string(table) + ".npy"; }
  [[nodiscard]] static std::string offsets_of(std::string_view table) { return std::string(table) + "_indptr.npy"; }
};

/// Every file that a pool may have beside its manifest, ascending.
inline constexpr auto kPoolFileNames = std::to_array<std::string_view>({"by_feature/data.npy",
                                                                        "by_feature/indices.npy",
                                                                        "by_feature/indptr.npy",
                                                                        "data.npy",
                                                                        "document_frequency.npy",
                                                                        "documents/copies.npy",
                                                                        "documents/fields.npy",
                                                                        "documents/fields_indptr.npy",
                                                                        "documents/identities.npy",
                                                                        "documents/ids.npy",
                                                                        "documents/ids_indptr.npy",
                                                                        "documents/label_names.txt",
                                                                        "documents/labels.npy",
                                                                        "documents/originals.npy",
                                                                        "documents/text_marks.npy",
                                                                        "documents/texts.npy",
                                                                        "documents/texts_indptr.npy",
                                                                        "documents/vector_centre.npy",
                                                                        "documents/vector_scales.npy",
                                                                        "documents/vectors.npy",
                                                                        "idf.npy",
                                                                        "indices.npy",
                                                                        "indptr.npy",
                                                                        "vocabulary.txt"});

/// "POOL/NAME", as messages name a file of a pool.
[[nodiscard]] std::string pool_file_path(std::string_view pool, std::string_view name);

/// What an error says of a file whose length is wrong, and of a block whose checksum is wrong.
[[nodiscard]] std::string file_size_problem(std::uint64_t bytes, std::uint64_t expected);
[[nodiscard]] std::string block_problem(std::uint64_t position, std::uint64_t bytes);

/// The folders that hold some of these files.
inline constexpr std::array<std::string_view, 2> kPoolSubFolders = {"by_feature", "documents"};

/// XXH3, 64 bits, with its default secret and no seed.
[[nodiscard]] std::uint64_t checksum_of(std::span<const std::byte> bytes) noexcept;

/// One file of a pool: its length and the XXH3 (64 bits) of each block of `kChecksumBlockBytes`, in order.
struct FileRecord {
  std::string name;  ///< relative to the pool: "by_feature/indptr.npy"
  std::uint64_t bytes = 0;
  std::vector<std::uint64_t> checksums = {};

  bool operator==(const FileRecord&) const = default;
};

struct Manifest {
  static constexpr std::int64_t current_version = 1;
  /// The first version of the program that reads this format; older programs name it to their user.
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

/// Whether the text begins as a manifest of any version does. That is enough to tell a pool from other folders.
[[nodiscard]] bool looks_like_manifest(std::string_view text);

/// Lifetime: borrows its owner's bytes and offsets. Pass by value. Invariants (checked by the code that makes it):
/// offsets never fall and stay within the bytes; there is one more offset than strings.
class StringTable {
 public:
  StringTable() noexcept = default;

  /// String n is the bytes between offsets n and n + 1, without the last `gap` of them (a line's end). Requires: the
  /// invariants.
  StringTable(std::span<const std::int64_t> offsets, std::string_view bytes, std::size_t gap = 0) noexcept
      : offsets_(offsets), bytes_(bytes), gap_(gap) {}

  /// The strings of several tables, one after the other. Table n begins at row first_rows[n]; the last element of
  /// first_rows is the number of rows. An empty table means rows without strings, which read as empty. Requires:
  /// tables without parts.
  StringTable(std::span<const StringTable> parts, std::span<const std::int64_t> first_rows) noexcept
      : parts_(parts.data()), offsets_(first_rows) {}

  [[nodiscard]] std::int64_t size() const noexcept {
    if (parts_ != nullptr) return offsets_.back();
    return offsets_.empty() ? 0 : static_cast<std::int64_t>(offsets_.size()) - 1;
  }

  /// Requires: 0 <= row < size().
  [[nodiscard]] std::string_view operator[](std::int64_t row) const noexcept {
    assert(row >= 0 && row < size());
    if (parts_ != nullptr) return in_part(row);
    const auto at = static_cast<std::size_t>(row);
    // A file that is cut short while it is mapped may break the invariants; even then nothing outside the bytes is read.
    const std::size_t begin = std::min(static_cast<std::size_t>(offsets_[at]), bytes_.size());
    return bytes_.substr(begin, static_cast<std::size_t>(offsets_[at + 1]) - begin - gap_);
  }

  [[nodiscard]] std::vector<std::string_view> all() const {
    std::vector<std::string_view> strings;
    strings.reserve(static_cast<std::size_t>(size()));
    for (std::int64_t row = 0; row < size(); ++row) strings.push_back((*this)[row]);
    return strings;
  }

  /// Whether the row has a string, which may be empty. Requires: 0 <= row < size().
  [[nodiscard]] bool has(std::int64_t row) const noexcept { return parts_ == nullptr || parts_[part_of(row)].size() > 0; }

  /// The row of a string, or nothing. Requires: strings ascend.
  [[nodiscard]] std::optional<std::int32_t> find(std::string_view text) const noexcept {
    std::int64_t begin = 0;
    for (std::int64_t end = size(); begin < end;) {
      const std::int64_t middle = begin + (end - begin) / 2;
      if ((*this)[middle] < text)
        begin = middle + 1;
      else
        end = middle;
    }
    if (begin == size() || (*this)[begin] != text) return std::nullopt;
    return static_cast<std::int32_t>(begin);
  }

 private:
  [[nodiscard]] std::size_t part_of(std::int64_t row) const noexcept {
    return static_cast<std::size_t>(std::ranges::upper_bound(offsets_, row) - offsets_.begin()) - 1;
  }

  [[nodiscard]] std::string_view in_part(std::int64_t row) const noexcept {
    const std::size_t part = part_of(row);
    return parts_[part].size() > 0 ? parts_[part][row - offsets_[part]] : std::string_view();
  }

  const StringTable* parts_ = nullptr;     // null if the strings lie in one piece
  std::span<const std::int64_t> offsets_;  // first rows of the parts, if there are any
  std::string_view bytes_;
  std::size_t gap_ = 0;
};

}  // namespace inkling
