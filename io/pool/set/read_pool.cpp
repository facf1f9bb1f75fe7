#include "io/pool/set/read_pool.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "engine/core/errors.hpp"
#include "io/file/corrupt_file_error.hpp"
#include "io/pool/format/npy_header.hpp"
#include "io/pool/format/pool_layout.hpp"
#include "io/pool/open/layout_check.hpp"
#include "io/pool/open/pool_folder.hpp"

namespace inkling {

CheckedFile::CheckedFile(const PoolFolder& folder, const FileRecord& record, PoolTrust trust)
    : folder_(folder), record_(record) {
  PoolFileReader(folder_, record_.name).check_size(record_);
  if (trust == PoolTrust::checksums) is_good_.resize(record_.checksums.size(), false);
}

void CheckedFile::check_is_array(std::string_view descr, std::size_t number_bytes, std::int64_t count) const {
  std::array<std::byte, kPoolNpyHeaderBytes> header{};
  const auto beginning = std::span(header).first(std::min<std::uint64_t>(header.size(), record_.bytes));
  read(0, beginning);
  check_npy_beginning(path(), beginning, record_.bytes, descr, number_bytes, count);
}

void CheckedFile::read(std::uint64_t position, std::span<std::byte> bytes) const {
  if (bytes.empty()) return;
  assert(position <= record_.bytes && bytes.size() <= record_.bytes - position);
  const PoolFileReader file(folder_, record_.name);
  std::vector<std::byte> block;
  const auto last = static_cast<std::size_t>((position + bytes.size() - 1) / kChecksumBlockBytes);
  for (auto index = static_cast<std::size_t>(position / kChecksumBlockBytes); index <= last; ++index) {
    if (is_known_good(index)) continue;
    file.read_block(record_, index, PoolTrust::checksums, block);
    const std::scoped_lock lock(known_);
    is_good_[index] = true;
  }
  file.read_all(record_, position, bytes);
}

bool CheckedFile::is_known_good(std::size_t block) const {
  if (is_good_.empty()) return true;
  const std::scoped_lock lock(known_);
  return is_good_[block];
}

ReadPool::ReadPool(const std::string& path, PoolTrust trust)
    : path_(path),
      trust_(trust),
      folder_(path),
      manifest_(manifest_in(folder_)),
      row_offsets_(folder_, record(PoolFile::row_offsets), trust),
      row_features_(folder_, record(PoolFile::row_features), trust),
      row_values_(folder_, record(PoolFile::row_values), trust),
      column_offsets_(folder_, record(PoolFile::column_offsets), trust),
      column_rows_(folder_, record(PoolFile::column_rows), trust),
      column_values_(folder_, record(PoolFile::column_values), trust) {
  row_offsets_.check_is_array<std::int64_t>(manifest_.rows + 1);
  row_features_.check_is_array<FeatureId>(manifest_.nonzeros);
  row_values_.check_is_array<float>(manifest_.nonzeros);
  column_offsets_.check_is_array<std::int64_t>(manifest_.columns + 1);
  column_rows_.check_is_array<DocumentId>(manifest_.nonzeros);
  column_values_.check_is_array<float>(manifest_.nonzeros);
  if (manifest_.file(PoolFile::offsets_of(PoolFile::ids)) != nullptr) {
    id_offsets_.emplace(folder_, record(PoolFile::offsets_of(PoolFile::ids)), trust);
    id_bytes_.emplace(folder_, record(PoolFile::bytes_of(PoolFile::ids)), trust);
    id_offsets_->check_is_array<std::int64_t>(manifest_.rows + 1);
    const std::uint64_t bytes = id_bytes_->bytes();
    id_bytes_->check_is_array<std::uint8_t>(
        static_cast<std::int64_t>(bytes - std::min(bytes, kPoolNpyHeaderBytes)));
  }
  if (manifest_.file(PoolFile::vocabulary) != nullptr) read_vocabulary();
}

const FileRecord& ReadPool::record(std::string_view name) const {
  return record_in(folder_, manifest_, name);
}

void ReadPool::read_vocabulary() {
  CheckedReader reader(folder_, record(PoolFile::vocabulary), trust_);
  terms_.resize(reader.bytes_in_file());
  reader.read(std::as_writable_bytes(std::span(terms_)));
  term_offsets_ = checked_lines(reader.path(), terms_, [](std::span<const std::byte>) {});
  vocabulary_ = lines_of(terms_, term_offsets_);
  if (vocabulary_->size() == manifest_.columns) return;
  throw CorruptFileError(reader.path(),
                         fmt::format("expected {} terms, found {}", manifest_.columns, vocabulary_->size()));
}

void ReadPool::drop_vocabulary() {
  vocabulary_.reset();
  terms_ = {};
  term_offsets_ = {};
}

std::pair<std::int64_t, std::int64_t> ReadPool::offsets_at(const CheckedFile& offsets, std::int64_t at,
                                                           std::int64_t end) {
  std::array<std::int64_t, 2> two{};
  offsets.read_numbers(at, std::span<std::int64_t>(two));
  if (two[0] >= 0 && two[0] <= two[1] && two[1] <= end) return {two[0], two[1]};
  throw CorruptFileError(offsets.path(), fmt::format("expected offsets that never fall, from 0 to {}, found "
                                                     "{} and {}",
                                                     end, two[0], two[1]));
}

CsrMatrix ReadPool::row(DocumentId row) const {
  const auto [begin, end] = offsets_at(row_offsets_, row, manifest_.nonzeros);
  if (end - begin > manifest_.columns) {
    throw CorruptFileError(row_offsets_.path(),
                           fmt::format("expected row {} to have at most {} entries, found {}", row,
                                       manifest_.columns, end - begin));
  }
  std::vector<FeatureId> features(static_cast<std::size_t>(end - begin));
  std::vector<float> values(features.size());
  row_features_.read_numbers(begin, std::span(features));
  row_values_.read_numbers(begin, std::span(values));
  try {
    return {static_cast<std::int32_t>(manifest_.columns),
            {0, end - begin},
            std::move(features),
            std::move(values)};
  } catch (const FormatError& error) {
    throw CorruptFileError(folder_.path_of(fmt::format("row {}: {}", row, error.where())),
                           error.expectation());
  }
}

std::pair<std::int64_t, std::int64_t> ReadPool::postings_of(FeatureId feature) const {
  const auto [begin, end] = offsets_at(column_offsets_, feature, manifest_.nonzeros);
  if (end - begin <= manifest_.rows) return {begin, end};
  throw CorruptFileError(column_offsets_.path(),
                         fmt::format("expected column {} to have at most {} entries, found {}", feature,
                                     manifest_.rows, end - begin));
}

void ReadPool::read_postings(std::int64_t first, std::span<DocumentId> documents,
                             std::span<float> values) const {
  column_rows_.read_numbers(first, documents);
  column_values_.read_numbers(first, values);
}

std::optional<std::string> ReadPool::id(DocumentId row) const {
  if (!id_bytes_) return std::nullopt;
  const auto bytes = static_cast<std::int64_t>(id_bytes_->bytes() - kPoolNpyHeaderBytes);
  const auto [begin, end] = offsets_at(*id_offsets_, row, bytes);
  std::string id(static_cast<std::size_t>(end - begin), '\0');
  id_bytes_->read_numbers(begin, std::span(id));
  if (simdjson::validate_utf8(id)) return id;
  throw CorruptFileError(id_bytes_->path(), fmt::format("expected UTF-8 in row {}", row));
}

std::unique_ptr<PoolMember> read_member(const std::string& path, PoolTrust trust) {
  return std::make_unique<ReadPool>(path, trust);
}

}  // namespace inkling
