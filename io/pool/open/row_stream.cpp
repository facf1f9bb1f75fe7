#include "io/pool/open/row_stream.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/file/corrupt_file_error.hpp"
#include "io/pool/format/npy_header.hpp"
#include "io/pool/format/pool_layout.hpp"
#include "io/pool/open/pool_folder.hpp"

namespace inkling {
struct RowStream::State {
  State(const std::string& path, PoolTrust trust, std::int64_t most_entries)
      : folder(path),
        manifest(manifest_in(folder)),
        offsets(folder, record_in(folder, manifest, PoolFile::row_offsets), trust),
        features(folder, record_in(folder, manifest, PoolFile::row_features), trust),
        values(folder, record_in(folder, manifest, PoolFile::row_values), trust),
        block_entries(std::max<std::int64_t>(most_entries, 1)) {
    offsets.skip_npy_header<std::int64_t>(manifest.rows + 1);
    features.skip_npy_header<FeatureId>(manifest.nonzeros);
    values.skip_npy_header<float>(manifest.nonzeros);
    std::int64_t first = 0;
    offsets.read_numbers(std::span(&first, 1));
    if (first != 0)
      throw CorruptFileError(offsets.path(), fmt::format("expected offsets to begin at 0, found {}", first));
  }

  // Where the row after those already given ends.
  std::int64_t next_end() {
    if (next_row_end) return *next_row_end;
    std::int64_t end = 0;
    offsets.read_numbers(std::span(&end, 1));
    const std::int64_t most =
        std::min(manifest.nonzeros, row_end + std::min(manifest.columns, manifest.nonzeros - row_end));
    if (end < row_end || end > most || (row + 1 == manifest.rows && end != manifest.nonzeros)) {
      throw CorruptFileError(offsets.path(),
                             fmt::format("expected row {} to end from {} to {}, and the last at {}, found {}",
                                         row, row_end, most, manifest.nonzeros, end));
    }
    next_row_end = end;
    return end;
  }

  // The offsets of the next block. Returns its entries.
  std::size_t take_rows(CsrBlock& block) {
    block.first_row = row;
    block.columns = static_cast<std::int32_t>(manifest.columns);
    block.offsets.assign(1, 0);
    const std::int64_t begin = row_end;
    while (row < manifest.rows && static_cast<std::int64_t>(block.offsets.size()) <= block_entries) {
      const std::int64_t end = next_end();
      if (end - begin > block_entries && block.offsets.size() > 1) break;
      block.offsets.push_back(end - begin);
      row_end = end;
      next_row_end.reset();
      ++row;
    }
    return static_cast<std::size_t>(row_end - begin);
  }

  PoolFolder folder;
  Manifest manifest;
  CheckedReader offsets;
  CheckedReader features;
  CheckedReader values;
  std::int64_t block_entries;
  std::int64_t row = 0;      // the next one
  std::int64_t row_end = 0;  // of the one before it
  std::optional<std::int64_t> next_row_end;
};

RowStream::RowStream(const std::string& path, PoolTrust trust, std::int64_t block_entries)
    : state_(std::make_unique<State>(path, trust, block_entries)) {}

RowStream::~RowStream() = default;

const Manifest& RowStream::manifest() const { return state_->manifest; }

bool RowStream::next(CsrBlock& block) {
  if (state_->row == state_->manifest.rows) return false;
  const std::size_t entries = state_->take_rows(block);
  block.features.resize(entries);
  block.values.resize(entries);
  state_->features.read_numbers(std::span(block.features));
  state_->values.read_numbers(std::span(block.values));
  try {
    check_csr(block.columns, block.offsets, block.features, block.values);
  } catch (const FormatError& error) {
    throw CorruptFileError(
        state_->folder.path_of(fmt::format("rows from {} on: {}", block.first_row, error.where())),
        error.expectation());
  }
  return true;
}

}  // namespace inkling
