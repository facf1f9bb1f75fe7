// Matrices as scipy.sparse.save_npz writes them: arrays in a zip file, by row, by column or as triplets.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/matrix/matrix_source.hpp"
#include "io/matrix/npy_stream.hpp"
#include "io/source/archive_reader.hpp"
#include "io/source/byte_stream.hpp"

namespace inkling {

/// The arrays of a matrix by name, each to be read on its own, side by side.
class NpzMembers {
 public:
  NpzMembers() = default;
  virtual ~NpzMembers() = default;
  NpzMembers(const NpzMembers&) = delete;
  NpzMembers& operator=(const NpzMembers&) = delete;

  /// As messages name the file.
  [[nodiscard]] virtual const std::string& path() const = 0;
  /// The bytes of "NAME.npy"; null where there is none.
  [[nodiscard]] virtual std::unique_ptr<InputStream> open(std::string_view name) = 0;
  /// Of the file.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// Those of a zip file.
class ZipMembers final : public NpzMembers {
 public:
  ZipMembers(std::string path, UnpackingLimits limits);

  [[nodiscard]] const std::string& path() const override { return path_; }
  [[nodiscard]] std::unique_ptr<InputStream> open(std::string_view name) override;
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }

 private:
  std::string path_;
  UnpackingLimits limits_;
  std::uint64_t bytes_;
};

/// Whole rows or columns of the arrays, or some triplets, and where they stand in all of them.
struct NpzSlice {
  std::string name;       ///< of the file
  std::int64_t rows = 0;  ///< bounds of what indices may be
  std::int64_t columns = 0;
  std::int64_t first_line = 0;  ///< row of csr, column of csc
  std::int64_t first_entry = 0;
  std::vector<std::int64_t> line_sizes;  ///< of csr and csc
  RawNumbers row_indices;                ///< of coo
  RawNumbers indices;
  RawNumbers values;
};

/// The entries of a slice, by the rules of a MatrixSource. Each throws FormatError naming the array and the
/// position ("matrix.npz/indices.npy[7]") for indices out of range, columns that come twice in a row of csr,
/// and values against the rule. Thread safety: pure.
ChunkOutcome parse_csr(const NpzSlice& slice, MatrixBatch& batch);
ChunkOutcome parse_csc(const NpzSlice& slice, MatrixBatch& batch);
ChunkOutcome parse_coo(const NpzSlice& slice, MatrixBatch& batch);

/// csr, csc and coo with integers or floats; anything else is refused by name. Nothing is believed: offsets
/// must not fall, indices be in range and unique in each row. Zeros are left out and counted.
class NpzSource final : public MatrixSource {
 public:
  explicit NpzSource(std::unique_ptr<NpzMembers> members);

  [[nodiscard]] std::string name() const override { return members_->path(); }
  [[nodiscard]] RowOrder order() const override {
    return layout_ == Layout::csr ? RowOrder::ascending : RowOrder::any;
  }
  [[nodiscard]] DeclaredShape shape() const override { return {rows_, columns_, entries_}; }
  [[nodiscard]] std::optional<MatrixPiece> read() override;
  [[nodiscard]] std::uint64_t total_bytes() const override { return members_->bytes(); }
  [[nodiscard]] std::uint64_t bytes_read() const override;

 private:
  /// csr by row, csc by column, coo neither.
  enum class Layout { csr, csc, coo };

  [[nodiscard]] NpyStream open(std::string_view name);
  [[nodiscard]] NpyStream open_indices(std::string_view name, std::int64_t length);
  void read_layout();
  void read_shape();
  void open_arrays();
  [[nodiscard]] std::optional<MatrixPiece> read_lines();
  [[nodiscard]] std::optional<MatrixPiece> read_triplets();
  [[nodiscard]] std::vector<std::int64_t> next_line_sizes();
  [[nodiscard]] std::int64_t next_offset();

  std::unique_ptr<NpzMembers> members_;
  std::shared_ptr<const std::string> origin_;
  Layout layout_ = Layout::csr;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::int64_t entries_ = 0;
  std::optional<NpyStream> offsets_;
  std::optional<NpyStream> row_indices_;  // of coo
  std::optional<NpyStream> indices_;
  std::optional<NpyStream> values_;
  RawNumbers offset_buffer_;  // read and not used yet, from `next_offset_` on
  std::size_t next_in_buffer_ = 0;
  std::int64_t offsets_left_ = 0;
  std::int64_t last_offset_ = 0;
  std::int64_t next_line_ = 0;
  std::int64_t entries_read_ = 0;
  std::atomic<std::int64_t> progress_ = 0;  // entries_read_ for other threads
};

/// Requires: one path.
[[nodiscard]] std::unique_ptr<MatrixSource> open_npz(const std::vector<std::string>& paths,
                                                     const MatrixSourceOptions& options);

}  // namespace inkling
