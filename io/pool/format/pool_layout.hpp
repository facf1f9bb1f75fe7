// The names of the files of a pool, and the numbers that its format fixes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inkling {

/// Each block of so many bytes of a file has a checksum of its own (XXH3, 64 bits); the last may be shorter.
inline constexpr std::uint64_t checksum_block_bytes = std::uint64_t{1} << 20U;

/// Rows and columns are numbered from 0 in 32 bits.
inline constexpr std::int64_t most_rows_or_columns = (std::int64_t{1} << 31U) - 1;

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
  static constexpr std::string_view labels = "documents/labels.npy";
  static constexpr std::string_view label_names = "documents/label_names.txt";

  /// The two files of a table of strings, of which `ids` and `texts` are the names.
  [[nodiscard]] static std::string bytes_of(std::string_view table) { return std::string(table) + ".npy"; }
  [[nodiscard]] static std::string offsets_of(std::string_view table) {
    return std::string(table) + "_indptr.npy";
  }
};

/// Every file that a pool may have beside its manifest, ascending.
inline constexpr std::array<std::string_view, 15> pool_file_names = {"by_feature/data.npy",
                                                                     "by_feature/indices.npy",
                                                                     "by_feature/indptr.npy",
                                                                     "data.npy",
                                                                     "document_frequency.npy",
                                                                     "documents/ids.npy",
                                                                     "documents/ids_indptr.npy",
                                                                     "documents/label_names.txt",
                                                                     "documents/labels.npy",
                                                                     "documents/texts.npy",
                                                                     "documents/texts_indptr.npy",
                                                                     "idf.npy",
                                                                     "indices.npy",
                                                                     "indptr.npy",
                                                                     "vocabulary.txt"};

/// "POOL/NAME", as messages name a file of a pool.
[[nodiscard]] std::string pool_file_path(std::string_view pool, std::string_view name);

/// What an error says of a file that has other than its bytes, and of a block whose checksum does not fit.
[[nodiscard]] std::string file_size_problem(std::uint64_t bytes, std::uint64_t expected);
[[nodiscard]] std::string block_problem(std::uint64_t position, std::uint64_t bytes);

/// The folders that some of them lie in.
inline constexpr std::array<std::string_view, 2> pool_sub_folders = {"by_feature", "documents"};

/// XXH3, 64 bits, with its default secret and no seed.
[[nodiscard]] std::uint64_t checksum_of(std::span<const std::byte> bytes) noexcept;

/// Of each block of `checksum_block_bytes` in order; the last may be shorter, and no bytes have no block.
[[nodiscard]] std::vector<std::uint64_t> block_checksums(std::span<const std::byte> bytes);

}  // namespace inkling
