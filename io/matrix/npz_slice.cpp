#include "io/matrix/npz_slice.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/matrix/matrix_value.hpp"

namespace inkling {
namespace {

[[noreturn]] void fail(const NpzSlice& slice, std::string_view array, std::size_t at,
                       const std::string& expectation) {
  const std::int64_t position = slice.first_entry + static_cast<std::int64_t>(at);
  throw FormatError(fmt::format("{}/{}.npy[{}]", slice.name, array, position), expectation);
}

std::int32_t index_at(const NpzSlice& slice, const RawNumbers& numbers, std::string_view array,
                      std::size_t at, std::int64_t bound) {
  const std::int64_t number = numbers.integer(at);
  if (number < 0 || number >= bound)
    fail(slice, array, at, fmt::format("expected an index from 0 to {}, found {}", bound - 1, number));
  return static_cast<std::int32_t>(number);
}

float value_at(const NpzSlice& slice, std::size_t at) {
  const double number = slice.values.real(at);
  const std::optional<float> value = matrix_value(number);
  if (!value) fail(slice, "data", at, fmt::format("{}, found {}", matrix_value_rule, number_text(number)));
  return *value;
}

void append_nonzero(MatrixBatch& batch, const MatrixEntry& entry) {
  ++batch.records;
  if (entry.value == 0.0F)
    ++batch.zeros;
  else
    batch.entries.push_back(entry);
}

// The indices of one row must be different ones, those of zeros too.
void refuse_duplicates(const NpzSlice& slice, std::span<std::int32_t> columns, std::size_t first) {
  if (!std::ranges::is_sorted(columns)) std::ranges::sort(columns);
  const auto twice = std::ranges::adjacent_find(columns);
  if (twice == columns.end()) return;
  fail(slice, "indices", first, fmt::format("expected each column once in a row, found {} twice", *twice));
}

}  // namespace

ChunkOutcome parse_csr(const NpzSlice& slice, MatrixBatch& batch) {
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
    if (!ascending)
      std::ranges::sort(batch.entries.begin() + first, batch.entries.end(), {}, &MatrixEntry::feature);
    batch.labels.append("");
  }
  batch.rows = static_cast<std::int64_t>(slice.line_sizes.size());
  return {};
}

ChunkOutcome parse_csc(const NpzSlice& slice, MatrixBatch& batch) {
  std::size_t at = 0;
  for (std::size_t line = 0; line < slice.line_sizes.size(); ++line) {
    const auto column = static_cast<FeatureId>(slice.first_line + static_cast<std::int64_t>(line));
    const std::size_t end = at + static_cast<std::size_t>(slice.line_sizes[line]);
    for (; at < end; ++at)
      append_nonzero(batch,
                   {index_at(slice, slice.indices, "indices", at, slice.rows), column, value_at(slice, at)});
  }
  return {};
}

ChunkOutcome parse_coo(const NpzSlice& slice, MatrixBatch& batch) {
  for (std::size_t at = 0; at < slice.values.size(); ++at) {
    const std::int32_t row = index_at(slice, slice.row_indices, "row", at, slice.rows);
    append_nonzero(batch, {row, index_at(slice, slice.indices, "col", at, slice.columns), value_at(slice, at)});
  }
  return {};
}

}  // namespace inkling
