#include "io/corpus/pool/open/read_pool.hpp"

#include <cassert>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/open/checked_record.hpp"

namespace inkling {
namespace {

CheckedTexts checked_texts(const OpenPool& files, PoolTrust trust) {
  return check_once(files, trust, [&files](CheckExtent extent) {
    return check_contents(files.path(), files.manifest(), files_to_check(files), extent, [](std::uint64_t) {});
  });
}

std::vector<std::string> files_to_keep() {
  std::vector<std::string> names = {PoolFile::offsets_of(PoolFile::ids), PoolFile::bytes_of(PoolFile::ids)};
  for (const std::string_view name : {PoolFile::row_offsets, PoolFile::row_features, PoolFile::row_values,
                                      PoolFile::column_offsets, PoolFile::column_rows, PoolFile::column_values})
    names.emplace_back(name);
  return names;
}

// Two neighbouring offsets. Throws CorruptFileError unless they ascend and are at most `end`.
std::pair<std::int64_t, std::int64_t> offsets_at(const CheckedFile& offsets, std::int64_t at, std::int64_t end) {
  std::array<std::int64_t, 2> two{};
  offsets.read_numbers(at, std::span<std::int64_t>(two));
  if (two[0] >= 0 && two[0] <= two[1] && two[1] <= end) return {two[0], two[1]};
  throw CorruptFileError(offsets.path(), "expected offsets that never fall, from 0 to {}, found {} and {}", end, two[0], two[1]);
}

// A row of a table of texts.
std::string text_at(const CheckedFile& offsets, const CheckedFile& bytes, DocumentId row) {
  const auto [begin, end] = offsets_at(offsets, row, static_cast<std::int64_t>(bytes.bytes() - kPoolNpyHeaderBytes));
  std::string text(static_cast<std::size_t>(end - begin), '\0');
  bytes.read_numbers(begin, std::span(text));
  if (simdjson::validate_utf8(text)) return text;
  throw CorruptFileError(bytes.path(), "expected UTF-8 in row {}", row);
}

}  // namespace

void CheckedReader::read(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    if (used_ == block_.size()) {
      file_.read_block(record_, blocks_read_++, trust_, block_);
      used_ = 0;
    }
    const std::size_t taken = std::min(bytes.size(), block_.size() - used_);
    std::copy_n(block_.begin() + static_cast<std::ptrdiff_t>(used_), taken, bytes.begin());
    used_ += taken;
    bytes = bytes.subspan(taken);
  }
}

RowStream::RowStream(const OpenPool& pool, PoolTrust trust, std::int64_t block_entries)
    : path_(pool.path()),
      manifest_(pool.manifest()),
      offsets_(pool, PoolFile::row_offsets, trust),
      features_(pool, PoolFile::row_features, trust),
      values_(pool, PoolFile::row_values, trust),
      block_entries_(std::max<std::int64_t>(block_entries, 1)) {
  offsets_.skip_npy_header<std::int64_t>(manifest_.rows + 1);
  features_.skip_npy_header<FeatureId>(manifest_.nonzeros);
  values_.skip_npy_header<float>(manifest_.nonzeros);
  std::int64_t first = 0;
  offsets_.read_numbers(std::span(&first, 1));
  if (first != 0) throw CorruptFileError(offsets_.path(), "expected offsets to begin at 0, found {}", first);
}

std::int64_t RowStream::next_end() {
  if (next_row_end_) return *next_row_end_;
  std::int64_t end = 0;
  offsets_.read_numbers(std::span(&end, 1));
  const std::int64_t most = std::min(manifest_.nonzeros, row_end_ + std::min(manifest_.columns, manifest_.nonzeros - row_end_));
  if (end < row_end_ || end > most || (row_ + 1 == manifest_.rows && end != manifest_.nonzeros))
    throw CorruptFileError(offsets_.path(), "expected row {} to end from {} to {}, and the last at {}, found {}", row_, row_end_,
                           most, manifest_.nonzeros, end);
  next_row_end_ = end;
  return end;
}

std::size_t RowStream::take_rows(CsrBlock& block) {
  block.first_row = row_;
  block.columns = static_cast<std::int32_t>(manifest_.columns);
  block.offsets.assign(1, 0);
  const std::int64_t begin = row_end_;
  while (row_ < manifest_.rows && static_cast<std::int64_t>(block.offsets.size()) <= block_entries_) {
    const std::int64_t end = next_end();
    if (end - begin > block_entries_ && block.offsets.size() > 1) break;
    block.offsets.push_back(end - begin);
    row_end_ = end;
    next_row_end_.reset();
    ++row_;
  }
  return static_cast<std::size_t>(row_end_ - begin);
}

bool RowStream::next(CsrBlock& block) {
  if (row_ == manifest_.rows) return false;
  const std::size_t entries = take_rows(block);
  block.features.resize(entries);
  block.values.resize(entries);
  features_.read_numbers(std::span(block.features));
  values_.read_numbers(std::span(block.values));
  try {
    check_csr(block.columns, block.offsets, block.features, block.values);
  } catch (const FormatError& error) {
    throw CorruptFileError(pool_file_path(path_, fmt::format("rows from {} on: {}", block.first_row, error.where())),
                           error.expectation());
  }
  return true;
}

CheckedFile::CheckedFile(const OpenPool& pool, std::string_view name, PoolTrust trust)
    : record_(pool.record(name)), file_(pool.file(name)) {
  if (trust != PoolTrust::structure) is_good_.resize(record_.checksums.size(), false);
}

void CheckedFile::read(std::uint64_t position, std::span<std::byte> bytes) const {
  if (bytes.empty()) return;
  assert(position <= record_.bytes && bytes.size() <= record_.bytes - position);
  std::vector<std::byte> block;
  const auto last = static_cast<std::size_t>((position + bytes.size() - 1) / kChecksumBlockBytes);
  for (auto index = static_cast<std::size_t>(position / kChecksumBlockBytes); index <= last; ++index) {
    if (is_known_good(index)) continue;
    file_.read_block(record_, index, PoolTrust::checksums, block);
    const std::scoped_lock lock(known_);
    is_good_[index] = true;
  }
  file_.read(position, bytes);
}

bool CheckedFile::is_known_good(std::size_t block) const {
  if (is_good_.empty()) return true;
  const std::scoped_lock lock(known_);
  return is_good_[block];
}

ReadPool::ReadPool(const std::string& path, PoolTrust trust)
    : trust_(trust),
      files_(path),
      texts_(checked_texts(files_, trust)),
      vocabulary_(texts_.vocabulary ? std::optional(texts_.vocabulary->lines()) : std::nullopt),
      row_offsets_(files_, PoolFile::row_offsets, trust),
      row_features_(files_, PoolFile::row_features, trust),
      row_values_(files_, PoolFile::row_values, trust),
      column_offsets_(files_, PoolFile::column_offsets, trust),
      column_rows_(files_, PoolFile::column_rows, trust),
      column_values_(files_, PoolFile::column_values, trust) {
  if (has_ids()) {
    id_offsets_.emplace(files_, PoolFile::offsets_of(PoolFile::ids), trust);
    id_bytes_.emplace(files_, PoolFile::bytes_of(PoolFile::ids), trust);
  }
  files_.keep_open(files_to_keep());
}

void ReadPool::drop_vocabulary() {
  vocabulary_.reset();
  texts_.vocabulary.reset();
}

CsrMatrix ReadPool::row(DocumentId row) const {
  const auto [begin, end] = offsets_at(row_offsets_, row, manifest().nonzeros);
  if (end - begin > manifest().columns)
    throw CorruptFileError(row_offsets_.path(), "expected row {} to have at most {} entries, found {}", row, manifest().columns,
                           end - begin);
  std::vector<FeatureId> features(static_cast<std::size_t>(end - begin));
  std::vector<float> values(features.size());
  row_features_.read_numbers(begin, std::span(features));
  row_values_.read_numbers(begin, std::span(values));
  try {
    return {static_cast<std::int32_t>(manifest().columns), {0, end - begin}, std::move(features), std::move(values)};
  } catch (const FormatError& error) {
    throw CorruptFileError(pool_file_path(path(), fmt::format("row {}: {}", row, error.where())), error.expectation());
  }
}

std::pair<std::int64_t, std::int64_t> ReadPool::postings_of(FeatureId feature) const {
  const auto [begin, end] = offsets_at(column_offsets_, feature, manifest().nonzeros);
  if (end - begin <= manifest().rows) return {begin, end};
  throw CorruptFileError(column_offsets_.path(), "expected column {} to have at most {} entries, found {}", feature,
                         manifest().rows, end - begin);
}

void ReadPool::read_postings(std::int64_t first, std::span<DocumentId> documents, std::span<float> values) const {
  column_rows_.read_numbers(first, documents);
  column_values_.read_numbers(first, values);
}

std::optional<std::string> ReadPool::id(DocumentId row) const {
  return id_bytes_ ? std::optional(text_at(*id_offsets_, *id_bytes_, row)) : std::nullopt;
}

std::vector<std::string> first_fields(const OpenPool& pool, DocumentId count) {
  std::vector<std::string> fields;
  if (pool.manifest().file(PoolFile::bytes_of(PoolFile::fields)) == nullptr) return fields;
  const CheckedFile offsets(pool, PoolFile::offsets_of(PoolFile::fields), PoolTrust::checksums);
  const CheckedFile bytes(pool, PoolFile::bytes_of(PoolFile::fields), PoolTrust::checksums);
  const DocumentId end = std::min(count, static_cast<DocumentId>(pool.manifest().rows));
  for (DocumentId row = 0; row < end; ++row) fields.push_back(text_at(offsets, bytes, row));
  return fields;
}

}  // namespace inkling
