// Small pools on disk and in memory for tests, and ways to damage their bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/sparse/csr_view.hpp"
#include "io/base/system/file.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/write/matrix_writer.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/engine/test_vectors.hpp"

namespace inkling::test {

/// The contents of a pool to be written. A list of strings has one for each row or column, or is empty if the pool has no such
/// file.
struct SmallPool {
  std::int32_t columns = 0;
  std::vector<RowOfEntries> rows = {};
  std::optional<std::vector<std::string>> vocabulary = {};
  std::optional<std::vector<double>> idf = {};
  std::optional<std::vector<std::string>> ids = {};
  std::optional<std::vector<std::string>> texts = {};
  std::optional<std::vector<std::string>> fields = {};
  std::vector<std::string> label_names = {};
  std::vector<std::int32_t> labels = {};
  CopiedRows copies = {};
  Vectors vectors = {};
  std::vector<float> vector_centre = {};
  std::string recipe = R"({"source":"test","ridge":1.0})";
};

/// Five documents of seven words with an empty row, an unused word, an explicit zero, and every optional
/// file.
[[nodiscard]] SmallPool small_pool();

/// Random rows without optional files.
[[nodiscard]] SmallPool random_small_pool(const RandomPoolOptions& options, RandomStream& random);

struct WriteOptions {
  std::uint32_t block_rows = 2;
  std::uint64_t memory = std::uint64_t{1} << 20U;
};

/// Builds the pool with PoolStaging and MatrixWriter, and publishes it.
void write_pool(const SmallPool& pool, const std::string& path, const WriteOptions& options = {});

/// The rows from `first` on, at most `count` of them, each in reverse order of features, which is allowed in
/// a block.
[[nodiscard]] UnsortedBlock block_of(const std::vector<RowOfEntries>& rows, std::size_t first, std::size_t count);

/// The files of a pool in memory, each at a multiple of 16.
class PoolBytes {
 public:
  /// Reads the files of the pool in a folder.
  explicit PoolBytes(const std::string& path);

  [[nodiscard]] std::vector<std::byte>& operator[](const std::string& name) { return files_.at(name); }
  [[nodiscard]] const std::map<std::string, std::vector<std::byte>, std::less<>>& files() const { return files_; }
  [[nodiscard]] std::map<std::string, std::vector<std::byte>, std::less<>>& files() { return files_; }

  /// Lifetime: valid until the bytes change.
  [[nodiscard]] PoolFiles view() const;

  /// Makes the manifest fit the damaged files, so that no checksum shows the damage. The manifest
  /// must be readable.
  void repair_manifest();

 private:
  std::map<std::string, std::vector<std::byte>, std::less<>> files_;
};

/// Reads everything in a pool. It returns a number that depends on all of it, so that the compiler cannot leave out a read.
[[nodiscard]] double scan_of(const PoolContents& contents);

/// Whether both matrices are the same, entry by entry.
[[nodiscard]] bool same_matrix(CsrView one, CsrView other);

/// The checksum of each block of `kChecksumBlockBytes` in order; none if there are no bytes.
[[nodiscard]] std::vector<std::uint64_t> block_checksums(std::span<const std::byte> bytes);

/// A block sorted with a new sorter.
[[nodiscard]] inline SortedBlock sorted_block(const UnsortedBlock& block, std::int32_t columns) {
  SortedBlock sorted;
  BlockSorter().sort(block, columns, sorted);
  return sorted;
}

/// All strings of a table; none if there is no table.
[[nodiscard]] inline std::vector<std::string> strings_of(const std::optional<StringTable>& table) {
  std::vector<std::string> strings;
  for (std::int64_t row = 0; table && row < table->size(); ++row) strings.emplace_back((*table)[row]);
  return strings;
}

}  // namespace inkling::test
