#include "io/corpus/matrix/npz_source.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/matrix/npy_stream.hpp"
#include "io/corpus/unpack/archive_reader.hpp"

namespace inkling {
namespace {

// One array of a zip file.
class ZipMember final : public InputStream {
 public:
  ZipMember(const std::string& path, UnpackingLimits limits)
      : file_(path), reader_(Packing::archive, file_, file_, limits, total_) {}

  [[nodiscard]] bool find(std::string_view name) {
    for (std::string found; reader_.next_file(found);)
      if (found == name) return true;
    return false;
  }
  [[nodiscard]] std::size_t read(std::span<char> to) override { return reader_.read(to); }

 private:
  FileStream file_;
  std::uint64_t total_ = 0;
  ArchiveReader reader_;
};

// Some whole rows or columns, or some triplets, and their position in the arrays.
struct NpzSlice {
  std::string name;  // the name of the file
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t first_line = 0;  // first row of csr, first column of csc
  std::int64_t first_entry = 0;
  std::vector<std::int64_t> line_sizes;  // of csr and csc
  RawNumbers row_indices;                // of coo
  RawNumbers indices;
  RawNumbers values;
};

[[noreturn]] void fail(const NpzSlice& slice, std::string_view array, std::size_t at, const std::string& expectation) {
  const std::int64_t position = slice.first_entry + static_cast<std::int64_t>(at);
  throw FormatError(fmt::format("{}/{}.npy[{}]", slice.name, array, position), expectation);
}

std::int32_t index_at(const NpzSlice& slice, const RawNumbers& numbers, std::string_view array, std::size_t at,
                      std::int64_t bound) {
  const std::int64_t number = numbers.integer(at);
  if (number < 0 || number >= bound)
    fail(slice, array, at, fmt::format("expected an index from 0 to {}, found {}", bound - 1, numbers.integer_text(at)));
  return static_cast<std::int32_t>(number);
}

float value_at(const NpzSlice& slice, std::size_t at) {
  const double number = slice.values.real(at);
  const std::optional<float> value = matrix_value(number);
  if (!value) fail(slice, "data", at, fmt::format("{}, found {}", kMatrixValueRule, number_text(number)));
  return *value;
}

void append_nonzero(MatrixBatch& batch, const MatrixEntry& entry) {
  ++batch.records;
  if (entry.value == 0.0F)
    ++batch.zeros;
  else
    batch.entries.push_back(entry);
}

// If rows come in any order, places are compared later, so those of zeros must be kept, too.
void append_place(MatrixBatch& batch, const MatrixEntry& entry) {
  append_nonzero(batch, entry);
  if (entry.value == 0.0F) batch.zero_places.push_back(entry);
}

// Throws if two entries of one row have the same index. Zeros count, too.
void refuse_duplicates(const NpzSlice& slice, std::span<std::int32_t> columns, std::size_t first) {
  if (!std::ranges::is_sorted(columns)) std::ranges::sort(columns);
  const auto twice = std::ranges::adjacent_find(columns);
  if (twice == columns.end()) return;
  fail(slice, "indices", first, fmt::format("expected each column once in a row, found {} twice", *twice));
}

constexpr std::int64_t kEntriesAtOnce = std::int64_t{1} << 16U;
constexpr std::int64_t kLinesAtOnce = std::int64_t{1} << 16U;
constexpr std::uint64_t kOffsetsAtOnce = std::uint64_t{1} << 13U;

void parse_csr(const NpzSlice& slice, MatrixBatch& batch) {
  std::size_t at = 0;
  std::vector<std::int32_t> columns;
  for (std::size_t line = 0; line < slice.line_sizes.size(); ++line) {
    const auto row = static_cast<std::int32_t>(line);
    const std::size_t row_begin = at;
    const std::size_t row_end = at + static_cast<std::size_t>(slice.line_sizes[line]);
    const auto first = static_cast<std::ptrdiff_t>(batch.entries.size());
    columns.clear();
    for (; at < row_end; ++at) {
      columns.push_back(index_at(slice, slice.indices, "indices", at, slice.columns));
      append_nonzero(batch, {row, columns.back(), value_at(slice, at)});
    }
    const bool ascending = std::ranges::is_sorted(columns);
    refuse_duplicates(slice, columns, row_begin);
    if (!ascending) std::ranges::sort(batch.entries.begin() + first, batch.entries.end(), {}, &MatrixEntry::feature);
    batch.labels.append("");
  }
  batch.rows = static_cast<std::int64_t>(slice.line_sizes.size());
}

void parse_csc(const NpzSlice& slice, MatrixBatch& batch) {
  std::size_t at = 0;
  for (std::size_t line = 0; line < slice.line_sizes.size(); ++line) {
    const auto column = static_cast<FeatureId>(slice.first_line + static_cast<std::int64_t>(line));
    const std::size_t end = at + static_cast<std::size_t>(slice.line_sizes[line]);
    for (; at < end; ++at)
      append_place(batch, {index_at(slice, slice.indices, "indices", at, slice.rows), column, value_at(slice, at)});
  }
}

void parse_coo(const NpzSlice& slice, MatrixBatch& batch) {
  for (std::size_t at = 0; at < slice.values.size(); ++at) {
    const std::int32_t row = index_at(slice, slice.row_indices, "row", at, slice.rows);
    append_place(batch, {row, index_at(slice, slice.indices, "col", at, slice.columns), value_at(slice, at)});
  }
}

// csr by row, csc by column, coo neither.
enum class NpzLayout { csr, csc, coo };

class NpzSource final : public MatrixSource {
 public:
  explicit NpzSource(NpzMembers members)
      : members_(std::move(members)), origin_(std::make_shared<const std::string>(members_.path)) {
    read_layout();
    read_shape();
    open_arrays();
  }

  [[nodiscard]] std::string name() const override { return members_.path; }
  [[nodiscard]] RowOrder order() const override { return layout_ == NpzLayout::csr ? RowOrder::ascending : RowOrder::any; }
  [[nodiscard]] DeclaredShape shape() const override { return {rows_, columns_, entries_}; }
  [[nodiscard]] std::uint64_t total_bytes() const override { return members_.bytes; }
  [[nodiscard]] std::uint64_t bytes_read() const override {
    if (entries_ == 0) return 0;
    const double share = static_cast<double>(progress_.load(std::memory_order_relaxed)) / static_cast<double>(entries_);
    return static_cast<std::uint64_t>(share * static_cast<double>(members_.bytes));
  }

  [[nodiscard]] std::optional<MatrixPiece> read() override {
    const bool triplets = layout_ == NpzLayout::coo;
    if (triplets ? entries_read_ == entries_ : offsets_left_ == 0) {
      finish_arrays();
      return std::nullopt;
    }
    auto slice = std::make_shared<NpzSlice>();
    slice->name = *origin_;
    slice->rows = rows_;
    slice->columns = columns_;
    slice->first_line = next_line_;
    slice->first_entry = entries_read_;
    if (!triplets) slice->line_sizes = next_line_sizes();
    const auto count =
        static_cast<std::uint64_t>(triplets ? std::min(entries_ - entries_read_, kEntriesAtOnce) : last_offset_ - entries_read_);
    if (triplets) slice->row_indices = row_indices_->read(count);
    slice->indices = indices_->read(count);
    slice->values = values_->read(count);
    entries_read_ += static_cast<std::int64_t>(count);
    progress_.store(entries_read_, std::memory_order_relaxed);
    const auto parse = triplets ? &parse_coo : layout_ == NpzLayout::csr ? &parse_csr : &parse_csc;
    return MatrixPiece{origin_, [slice, parse](MatrixBatch& batch) {
                         parse(*slice, batch);
                         return ChunkOutcome();
                       }};
  }

 private:
  [[nodiscard]] NpyStream open(std::string_view name) {
    std::unique_ptr<InputStream> stream = members_.open(name);
    if (!stream)
      throw FormatError(members_.path, fmt::format("expected an array named \"{}\" in a matrix of SciPy, found none", name));
    return {std::move(stream), fmt::format("{}/{}.npy", members_.path, name)};
  }

  NpyStream open_indices(std::string_view name, std::int64_t length) {
    NpyStream array = open(name);
    if (!array.kind().is_integer) array.fail("expected integers, found other numbers");
    if (array.length() != length) array.fail(fmt::format("expected {} numbers, found {}", length, array.length()));
    return array;
  }

  // A text array without dimensions: bytes, or four bytes a character.
  void read_layout() {
    constexpr std::size_t most = 64;
    NpyStream format = open("format");
    std::string text = format.read_text(most);
    format.finish();
    std::erase(text, '\0');
    if (text == "csr") return;
    if (text != "csc" && text != "coo")
      format.fail(fmt::format(R"(expected the layout "csr", "csc" or "coo", found {})", quoted_text(text)));
    layout_ = text == "csc" ? NpzLayout::csc : NpzLayout::coo;
  }

  void read_shape() {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    NpyStream shape = open_indices("shape", 2);
    const RawNumbers numbers = shape.read(2);
    shape.finish();
    rows_ = numbers.integer(0);
    columns_ = numbers.integer(1);
    const auto fits = [&](std::int64_t size) { return size >= 0 && size <= most; };
    if (!fits(rows_) || !fits(columns_))
      shape.fail(fmt::format("expected 0 to {} rows and columns, found {} and {}", most, numbers.integer_text(0),
                             numbers.integer_text(1)));
  }

  // Reads all arrays to their ends, because their checksums are compared there.
  void finish_arrays() {
    for (std::optional<NpyStream>* const array : {&offsets_, &row_indices_, &indices_, &values_})
      if (*array) (*array)->finish();
  }

  void open_arrays() {
    values_.emplace(open("data"));
    static_cast<void>(values_->kind());  // throws now if the array holds no numbers
    entries_ = values_->length();
    if (layout_ == NpzLayout::coo) {
      row_indices_.emplace(open_indices("row", entries_));
      indices_.emplace(open_indices("col", entries_));
      return;
    }
    indices_.emplace(open_indices("indices", entries_));
    offsets_left_ = (layout_ == NpzLayout::csr ? rows_ : columns_) + 1;
    offsets_.emplace(open_indices("indptr", offsets_left_));
    if (next_offset() != 0) offsets_->fail("expected the first number to be 0, found another");
  }

  // The sizes of the next whole rows or columns, until they are enough for a piece.
  std::vector<std::int64_t> next_line_sizes() {
    const std::int64_t bound = layout_ == NpzLayout::csr ? columns_ : rows_;
    std::vector<std::int64_t> sizes;
    while (offsets_left_ > 0 && last_offset_ - entries_read_ < kEntriesAtOnce &&
           static_cast<std::int64_t>(sizes.size()) < kLinesAtOnce) {
      const std::int64_t before = last_offset_;
      const std::int64_t size = next_offset() - before;
      if (size > bound) offsets_->fail(fmt::format("expected at most {} entries between two numbers, found {}", bound, size));
      sizes.push_back(size);
    }
    if (offsets_left_ == 0 && last_offset_ != entries_)
      offsets_->fail(fmt::format("expected the last number to be {}, found {}", entries_, last_offset_));
    next_line_ += static_cast<std::int64_t>(sizes.size());
    return sizes;
  }

  std::int64_t next_offset() {
    if (next_in_buffer_ == offset_buffer_.size()) {
      offset_buffer_ = offsets_->read(std::min(static_cast<std::uint64_t>(offsets_left_), kOffsetsAtOnce));
      next_in_buffer_ = 0;
    }
    const std::size_t at = next_in_buffer_++;
    const std::int64_t offset = offset_buffer_.integer(at);
    --offsets_left_;
    if (offset < last_offset_ || offset > entries_)
      offsets_->fail(fmt::format("expected numbers that never fall up to {}, found {} after {}", entries_,
                                 offset_buffer_.integer_text(at), last_offset_));
    last_offset_ = offset;
    return offset;
  }

  NpzMembers members_;
  std::shared_ptr<const std::string> origin_;
  NpzLayout layout_ = NpzLayout::csr;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::int64_t entries_ = 0;
  std::optional<NpyStream> offsets_;
  std::optional<NpyStream> row_indices_;  // of coo
  std::optional<NpyStream> indices_;
  std::optional<NpyStream> values_;
  RawNumbers offset_buffer_;  // read and not used yet, from `next_in_buffer_` on
  std::size_t next_in_buffer_ = 0;
  std::int64_t offsets_left_ = 0;
  std::int64_t last_offset_ = 0;
  std::int64_t next_line_ = 0;
  std::int64_t entries_read_ = 0;
  std::atomic<std::int64_t> progress_ = 0;  // entries_read_ for other threads
};

}  // namespace

std::unique_ptr<MatrixSource> read_npz(NpzMembers members) { return std::make_unique<NpzSource>(std::move(members)); }

std::unique_ptr<MatrixSource> open_npz(const std::vector<std::string>& paths, const MatrixSourceOptions& options) {
  const std::string& path = paths.at(0);
  const FileStream file(path);
  if (!file.can_seek()) throw FormatError(path, "expected a file for a matrix of SciPy, found a pipe or a device");
  if (packing_of(file.head()) != Packing::archive)
    throw FormatError(path, "expected a zip file, as scipy.sparse.save_npz writes it, found something else");
  return read_npz(
      {path, file.size(), [path, limits = options.reading.unpacking](std::string_view name) -> std::unique_ptr<InputStream> {
         auto member = std::make_unique<ZipMember>(path, limits);
         if (!member->find(std::string(name) + ".npy")) return nullptr;
         return member;
       }});
}

}  // namespace inkling
