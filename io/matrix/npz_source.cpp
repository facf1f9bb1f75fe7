#include "io/matrix/npz_source.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/matrix/npz_slice.hpp"
#include "io/source/quoted_text.hpp"

namespace inkling {
namespace {

constexpr std::int64_t entries_at_once = std::int64_t{1} << 16U;
constexpr std::int64_t lines_at_once = std::int64_t{1} << 16U;
constexpr std::uint64_t offsets_at_once = std::uint64_t{1} << 13U;

}  // namespace

NpzSource::NpzSource(std::unique_ptr<NpzMembers> members)
    : members_(std::move(members)), origin_(std::make_shared<const std::string>(members_->path())) {
  read_layout();
  read_shape();
  open_arrays();
}

std::uint64_t NpzSource::bytes_read() const {
  if (entries_ == 0) return 0;
  const double share =
      static_cast<double>(progress_.load(std::memory_order_relaxed)) / static_cast<double>(entries_);
  return static_cast<std::uint64_t>(share * static_cast<double>(members_->bytes()));
}

std::optional<MatrixPiece> NpzSource::read() {
  std::optional<MatrixPiece> piece = layout_ == Layout::coo ? read_triplets() : read_lines();
  progress_.store(entries_read_, std::memory_order_relaxed);
  return piece;
}

NpyStream NpzSource::open(std::string_view name) {
  std::unique_ptr<InputStream> stream = members_->open(name);
  if (!stream)
    throw FormatError(members_->path(),
                      fmt::format("expected an array named \"{}\" in a matrix of SciPy, found none", name));
  return {std::move(stream), fmt::format("{}/{}.npy", members_->path(), name)};
}

NpyStream NpzSource::open_indices(std::string_view name, std::int64_t length) {
  NpyStream array = open(name);
  if (!is_integer(array.kind())) array.fail("expected integers, found other numbers");
  if (array.length() != length)
    array.fail(fmt::format("expected {} numbers, found {}", length, array.length()));
  return array;
}

// A text array without dimensions: bytes, or four bytes a character.
void NpzSource::read_layout() {
  constexpr std::size_t most = 64;
  NpyStream format = open("format");
  std::string text = format.read_text(most);
  std::erase(text, '\0');
  if (text == "csr") return;
  if (text != "csc" && text != "coo")
    format.fail(fmt::format(R"(expected the layout "csr", "csc" or "coo", found {})", quoted_text(text)));
  layout_ = text == "csc" ? Layout::csc : Layout::coo;
}

void NpzSource::read_shape() {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  NpyStream shape = open_indices("shape", 2);
  const RawNumbers numbers = shape.read(2);
  rows_ = numbers.integer(0);
  columns_ = numbers.integer(1);
  const auto fits = [&](std::int64_t size) { return size >= 0 && size <= most; };
  if (!fits(rows_) || !fits(columns_))
    shape.fail(fmt::format("expected 0 to {} rows and columns, found {} and {}", most, rows_, columns_));
}

void NpzSource::open_arrays() {
  values_.emplace(open("data"));
  static_cast<void>(values_->kind());  // refuses what is no number now rather than later
  entries_ = values_->length();
  if (layout_ == Layout::coo) {
    row_indices_.emplace(open_indices("row", entries_));
    indices_.emplace(open_indices("col", entries_));
    return;
  }
  indices_.emplace(open_indices("indices", entries_));
  offsets_left_ = (layout_ == Layout::csr ? rows_ : columns_) + 1;
  offsets_.emplace(open_indices("indptr", offsets_left_));
  if (next_offset() != 0) offsets_->fail("expected the first number to be 0, found another");
}

std::optional<MatrixPiece> NpzSource::read_lines() {
  if (offsets_left_ == 0) return std::nullopt;
  auto slice = std::make_shared<NpzSlice>();
  slice->name = *origin_;
  slice->rows = rows_;
  slice->columns = columns_;
  slice->first_line = next_line_;
  slice->first_entry = entries_read_;
  slice->line_sizes = next_line_sizes();
  const auto count = static_cast<std::uint64_t>(last_offset_ - entries_read_);
  slice->indices = indices_->read(count);
  slice->values = values_->read(count);
  entries_read_ = last_offset_;
  const auto parse = layout_ == Layout::csr ? &parse_csr : &parse_csc;
  return MatrixPiece{origin_, [slice, parse](MatrixBatch& batch) { return parse(*slice, batch); }};
}

std::optional<MatrixPiece> NpzSource::read_triplets() {
  const auto count = static_cast<std::uint64_t>(std::min(entries_ - entries_read_, entries_at_once));
  if (count == 0) return std::nullopt;
  auto slice = std::make_shared<NpzSlice>();
  slice->name = *origin_;
  slice->rows = rows_;
  slice->columns = columns_;
  slice->first_entry = entries_read_;
  slice->row_indices = row_indices_->read(count);
  slice->indices = indices_->read(count);
  slice->values = values_->read(count);
  entries_read_ += static_cast<std::int64_t>(count);
  return MatrixPiece{origin_, [slice](MatrixBatch& batch) { return parse_coo(*slice, batch); }};
}

// Of whole rows or columns, until they are enough for a piece.
std::vector<std::int64_t> NpzSource::next_line_sizes() {
  const std::int64_t bound = layout_ == Layout::csr ? columns_ : rows_;
  std::vector<std::int64_t> sizes;
  while (offsets_left_ > 0 && last_offset_ - entries_read_ < entries_at_once &&
         static_cast<std::int64_t>(sizes.size()) < lines_at_once) {
    const std::int64_t before = last_offset_;
    const std::int64_t size = next_offset() - before;
    if (size > bound)
      offsets_->fail(fmt::format("expected at most {} entries between two numbers, found {}", bound, size));
    sizes.push_back(size);
    ++next_line_;
  }
  if (offsets_left_ == 0 && last_offset_ != entries_)
    offsets_->fail(fmt::format("expected the last number to be {}, found {}", entries_, last_offset_));
  return sizes;
}

std::int64_t NpzSource::next_offset() {
  if (next_in_buffer_ == offset_buffer_.size()) {
    offset_buffer_ = offsets_->read(std::min(static_cast<std::uint64_t>(offsets_left_), offsets_at_once));
    next_in_buffer_ = 0;
  }
  const std::int64_t offset = offset_buffer_.integer(next_in_buffer_++);
  --offsets_left_;
  if (offset < last_offset_ || offset > entries_)
    offsets_->fail(fmt::format("expected numbers that never fall up to {}, found {} after {}", entries_,
                               offset, last_offset_));
  last_offset_ = offset;
  return offset;
}

}  // namespace inkling
