#include "io/pool/open/read_pool.hpp"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <sys/stat.h>

#include "engine/core/errors.hpp"
#include "io/file/corrupt_file_error.hpp"
#include "io/pool/open/layout_check.hpp"

namespace inkling {

PoolFolder::PoolFolder(std::string path)
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_.is_open()) return;
  if (errno == ENOTDIR) throw CorruptFileError(path_, "expected a pool, which is a folder, found a file");
  throw SystemError(path_, errno, "cannot open");
}

std::string PoolFolder::path_of(std::string_view name) const { return pool_file_path(path_, name); }

bool PoolFolder::is_in_place() const { return is_open_as(descriptor_.number(), path_); }

void PoolFolder::fail_without_manifest() const {
  throw CorruptFileError(path_, "expected a pool, which has a manifest.json, found none");
}

PoolFileReader::PoolFileReader(const PoolFolder& folder, const FileRecord& record)
    : record_(record),
      path_(folder.path_of(record.name)),
      descriptor_(::openat(folder.descriptor(), record.name.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (!descriptor_.is_open() && errno == ENOENT) throw CorruptFileError(path_, "missing");
  if (!descriptor_.is_open()) throw SystemError(path_, errno, "cannot open");
  struct stat status = {};
  if (::fstat(descriptor_.number(), &status) != 0) throw SystemError(path_, errno, "cannot look at");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size != record.bytes) throw CorruptFileError(path_, file_size_problem(size, record.bytes));
}

void PoolFileReader::read(std::uint64_t position, std::span<std::byte> bytes) const {
  const std::size_t got = read_at(descriptor_.number(), bytes, position);
  if (got == bytes.size()) return;
  if (errno != 0) throw SystemError(path_, errno, "cannot read");
  throw CorruptFileError(path_, file_size_problem(position + got, record_.bytes));
}

void PoolFileReader::read_block(std::size_t index, PoolTrust trust, std::vector<std::byte>& block) const {
  const std::uint64_t position = index * kChecksumBlockBytes;
  assert(position < record_.bytes);
  block.resize(std::min(kChecksumBlockBytes, record_.bytes - position));
  read(position, block);
  if (trust == PoolTrust::checksums && checksum_of(block) != record_.checksums[index])
    throw CorruptFileError(path_, block_problem(position, block.size()));
}

Manifest manifest_in(const PoolFolder& folder) {
  const std::string path = folder.path_of(PoolFile::manifest);
  const Descriptor file(::openat(folder.descriptor(), PoolFile::manifest.data(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open() && errno == ENOENT) folder.fail_without_manifest();
  if (!file.is_open()) throw SystemError(path, errno, "cannot open");
  std::string text;
  std::array<char, 1U << 16U> piece{};
  while (const std::size_t got =
             read_at(file.number(), std::as_writable_bytes(std::span(piece)), text.size())) {
    text.append(piece.data(), got);
  }
  if (errno != 0) throw SystemError(path, errno, "cannot read");
  return parse_manifest(path, text);
}

const FileRecord& record_in(const PoolFolder& folder, const Manifest& manifest, std::string_view name) {
  const FileRecord* const record = manifest.file(name);
  if (record != nullptr) return *record;
  throw CorruptFileError(folder.path_of(PoolFile::manifest), "expected the file {}", name);
}

CheckedReader::CheckedReader(const PoolFolder& folder, const Manifest& manifest, std::string_view name,
                             PoolTrust trust)
    : record_(record_in(folder, manifest, name)), file_(folder, record_), trust_(trust) {}

void CheckedReader::read(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    if (used_ == block_.size()) {
      file_.read_block(blocks_read_++, trust_, block_);
      used_ = 0;
    }
    const std::size_t taken = std::min(bytes.size(), block_.size() - used_);
    std::copy_n(block_.begin() + static_cast<std::ptrdiff_t>(used_), taken, bytes.begin());
    used_ += taken;
    bytes = bytes.subspan(taken);
  }
}

RowStream::RowStream(const std::string& path, PoolTrust trust, std::int64_t block_entries)
    : folder_(path),
      manifest_(manifest_in(folder_)),
      offsets_(folder_, manifest_, PoolFile::row_offsets, trust),
      features_(folder_, manifest_, PoolFile::row_features, trust),
      values_(folder_, manifest_, PoolFile::row_values, trust),
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
  const std::int64_t most =
      std::min(manifest_.nonzeros, row_end_ + std::min(manifest_.columns, manifest_.nonzeros - row_end_));
  if (end < row_end_ || end > most || (row_ + 1 == manifest_.rows && end != manifest_.nonzeros))
    throw CorruptFileError(offsets_.path(),
                           "expected row {} to end from {} to {}, and the last at {}, found {}", row_,
                           row_end_, most, manifest_.nonzeros, end);
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
    throw CorruptFileError(
        folder_.path_of(fmt::format("rows from {} on: {}", block.first_row, error.where())),
        error.expectation());
  }
  return true;
}

CheckedFile::CheckedFile(const PoolFolder& folder, const Manifest& manifest, std::string_view name,
                         PoolTrust trust)
    : folder_(folder), record_(record_in(folder, manifest, name)) {
  static_cast<void>(PoolFileReader(folder_, record_));  // its length
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
  const PoolFileReader file(folder_, record_);
  std::vector<std::byte> block;
  const auto last = static_cast<std::size_t>((position + bytes.size() - 1) / kChecksumBlockBytes);
  for (auto index = static_cast<std::size_t>(position / kChecksumBlockBytes); index <= last; ++index) {
    if (is_known_good(index)) continue;
    file.read_block(index, PoolTrust::checksums, block);
    const std::scoped_lock lock(known_);
    is_good_[index] = true;
  }
  file.read(position, bytes);
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
      row_offsets_(folder_, manifest_, PoolFile::row_offsets, trust),
      row_features_(folder_, manifest_, PoolFile::row_features, trust),
      row_values_(folder_, manifest_, PoolFile::row_values, trust),
      column_offsets_(folder_, manifest_, PoolFile::column_offsets, trust),
      column_rows_(folder_, manifest_, PoolFile::column_rows, trust),
      column_values_(folder_, manifest_, PoolFile::column_values, trust) {
  row_offsets_.check_is_array<std::int64_t>(manifest_.rows + 1);
  row_features_.check_is_array<FeatureId>(manifest_.nonzeros);
  row_values_.check_is_array<float>(manifest_.nonzeros);
  column_offsets_.check_is_array<std::int64_t>(manifest_.columns + 1);
  column_rows_.check_is_array<DocumentId>(manifest_.nonzeros);
  column_values_.check_is_array<float>(manifest_.nonzeros);
  if (has_ids()) {
    id_offsets_.emplace(folder_, manifest_, PoolFile::offsets_of(PoolFile::ids), trust);
    id_bytes_.emplace(folder_, manifest_, PoolFile::bytes_of(PoolFile::ids), trust);
    id_offsets_->check_is_array<std::int64_t>(manifest_.rows + 1);
    const std::uint64_t bytes = id_bytes_->bytes();
    id_bytes_->check_is_array<std::uint8_t>(
        static_cast<std::int64_t>(bytes - std::min(bytes, kPoolNpyHeaderBytes)));
  }
  if (manifest_.file(PoolFile::vocabulary) != nullptr) read_vocabulary();
}

void ReadPool::read_vocabulary() {
  CheckedReader reader(folder_, manifest_, PoolFile::vocabulary, trust_);
  terms_.resize(reader.bytes_in_file());
  reader.read(std::as_writable_bytes(std::span(terms_)));
  term_offsets_ =
      checked_vocabulary(reader.path(), terms_, manifest_.columns, [](std::span<const std::byte>) {});
  vocabulary_ = StringTable(term_offsets_, terms_, 1);
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
  throw CorruptFileError(offsets.path(), "expected offsets that never fall, from 0 to {}, found {} and {}",
                         end, two[0], two[1]);
}

CsrMatrix ReadPool::row(DocumentId row) const {
  const auto [begin, end] = offsets_at(row_offsets_, row, manifest_.nonzeros);
  if (end - begin > manifest_.columns)
    throw CorruptFileError(row_offsets_.path(), "expected row {} to have at most {} entries, found {}", row,
                           manifest_.columns, end - begin);
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
  throw CorruptFileError(column_offsets_.path(), "expected column {} to have at most {} entries, found {}",
                         feature, manifest_.rows, end - begin);
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
  throw CorruptFileError(id_bytes_->path(), "expected UTF-8 in row {}", row);
}

}  // namespace inkling
