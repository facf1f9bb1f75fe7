// Matrices as scipy.sparse.save_npz writes them: arrays in a zip file, by row, by column or as triplets.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/matrix/matrix_source.hpp"
#include "io/matrix/npy_stream.hpp"
#include "io/matrix/npz_members.hpp"

namespace inkling {

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

}  // namespace inkling
