#include "io/corpus/pool/open/open_pool.hpp"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <utility>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/system/limits.hpp"
#include "io/corpus/pool/format/sealed_json.hpp"
#include "io/corpus/pool/format/set_file.hpp"

namespace inkling {
namespace {

File open_folder(const std::string& path) {
  File folder = File::open(path, OpenAs::folder);
  if (folder.is_open()) return folder;
  if (const int error = errno; error != ENOTDIR) throw SystemError(path, error, "cannot open");
  if (is_set_file(path)) throw CorruptFileError(path, "expected one pool, found a set of them: give one of its shards");
  throw CorruptFileError(path, "expected a pool, which is a folder, found a file");
}

File open_pool_file(const File& folder, const std::string& name, const std::string& path) {
  for (;;) {
    try {
      return open_regular_file(folder, name, path);
    } catch (const SystemError& error) {
      // Every open pool takes some descriptors, so a process with many pools may reach the limit.
      if (error.error_number() == EMFILE && raise_limit_of_open_files()) continue;
      if (error.error_number() != EINVAL && error.error_number() != EISDIR) throw;
      throw CorruptFileError(path, "expected a file, found a folder, a pipe or a device");
    }
  }
}

bool is_absent(const SystemError& error) { return error.error_number() == ENOENT || error.error_number() == ENOTDIR; }

FileStamp stamp_of(const File& file, const std::string& path) {
  if (const std::optional<FileStatus> status = file.status()) return FileStamp(*status);
  throw SystemError(path, errno, "cannot look at it");
}

// A manifest grows with the number of blocks of the files that it describes; refuses a larger file.
void check_manifest_size(const File& folder, const PoolFileReader& file) {
  constexpr std::uint64_t of_all_else = std::uint64_t{64} << 20U;
  constexpr std::uint64_t of_block = 32;
  if (file.size() <= of_all_else) return;  // no need to look at the other files
  std::uint64_t blocks = 0;
  for (const std::string_view name : kPoolFileNames) {
    const std::optional<FileStatus> status = status_in(folder, std::string(name));
    if (status && status->is_file()) blocks += status->size / kChecksumBlockBytes;
  }
  const std::uint64_t most = of_all_else + of_block * blocks;
  if (file.size() <= most) return;
  throw CorruptFileError(file.path(), "expected a manifest of at most {} bytes for these files, found {}", digit_groups(most),
                         digit_groups(file.size()));
}

std::string manifest_text_in(const File& folder, const PoolFileReader& file) {
  check_manifest_size(folder, file);
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.read(0, std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace

FileStamp::FileStamp(const FileStatus& status)
    : identity(status.identity), size(status.size), modified(status.modified), changed(status.changed) {}

void FileStamp::check_unchanged(const std::string& path, const FileStamp& later) const {
  if (later.size < size)
    throw CorruptFileError(path, "became shorter while it was being read: {}", file_size_problem(later.size, size));
  if (later.size != size || later.modified != modified) throw CorruptFileError(path, "was changed while it was being read");
}

PoolFileReader::PoolFileReader(const File& folder, const std::string& name, std::string path)
    : path_(std::move(path)), file_(open_pool_file(folder, name, path_)), stamp_(stamp_of(file_, path_)) {}

void PoolFileReader::read(std::uint64_t position, std::span<std::byte> bytes) const {
  const std::size_t got = file_.read_at(bytes, position);
  if (got == bytes.size()) return;
  if (errno != 0) throw SystemError(path_, errno, "cannot read");
  throw CorruptFileError(path_, file_size_problem(position + got, size()));
}

void PoolFileReader::read_block(const FileRecord& record, std::size_t index, PoolTrust trust,
                                std::vector<std::byte>& block) const {
  const std::uint64_t position = index * kChecksumBlockBytes;
  assert(position < size());
  block.resize(std::min(kChecksumBlockBytes, size() - position));
  read(position, block);
  if (trust != PoolTrust::structure && checksum_of(block) != record.checksums[index])
    throw CorruptFileError(path_, block_problem(position, block.size()));
}

void PoolFileReader::check_unchanged() const { stamp_.check_unchanged(path_, stamp_of(file_, path_)); }

OpenPool::OpenPool(std::string path) : path_(std::move(path)) {
  // If the folder is replaced, some of its files may be removed before they are opened; then all files are opened from
  // the new folder.
  constexpr int most_attempts = 100;
  for (int attempt = 1; !open_files(); ++attempt)
    if (attempt == most_attempts)
      throw CorruptFileError(path_, "expected a pool that is not replaced while it is opened, found it replaced again and again");
  for (const FileRecord& record : manifest_.files) {
    const auto file = files_.find(record.name);
    const std::string of_file = pool_file_path(path_, record.name);
    if (file == files_.end()) throw CorruptFileError(of_file, "missing");
    if (file->second.size() != record.bytes)
      throw CorruptFileError(of_file, file_size_problem(file->second.size(), record.bytes));
  }
}

bool OpenPool::open_files() {
  files_.clear();
  opened_at_ = FileTime::now();
  const File folder = open_folder(path_);
  const auto is_replaced = [&] { return !folder.is_at(path_); };
  try {
    const std::string manifest_path = pool_file_path(path_, PoolFile::manifest);
    const PoolFileReader manifest(folder, std::string(PoolFile::manifest), manifest_path);
    const std::string text = manifest_text_in(folder, manifest);
    manifest_ = parse_manifest(manifest_path, text);
    manifest_checksum_ = *seal_of(text);  // a manifest without a checksum was refused
    manifest_stamp_ = manifest.stamp();
  } catch (const SystemError& error) {
    if (!is_absent(error)) throw;
    if (is_replaced()) return false;
    throw CorruptFileError(path_, "expected a pool, which has a manifest.json, found none");
  }
  for (const FileRecord& record : manifest_.files) {
    try {
      files_.try_emplace(record.name, folder, record.name, pool_file_path(path_, record.name));
    } catch (const SystemError& error) {
      if (!is_absent(error)) throw;
      if (is_replaced()) return false;
    }
  }
  return true;
}

std::uint64_t OpenPool::bytes() const {
  std::uint64_t bytes = manifest_stamp_.size;
  for (const FileRecord& record : manifest_.files) bytes += record.bytes;
  return bytes;
}

const PoolFileReader& OpenPool::file(std::string_view name) const {
  static_cast<void>(record(name));
  const auto found = files_.find(name);
  assert(found != files_.end());
  return found->second;
}

const FileRecord& OpenPool::record(std::string_view name) const {
  const FileRecord* const record = manifest_.file(name);
  if (record != nullptr) return *record;
  throw CorruptFileError(pool_file_path(path_, PoolFile::manifest), "expected the file {}", name);
}

void OpenPool::keep_open(std::span<const std::string> names) {
  std::erase_if(files_, [&](const auto& file) { return std::ranges::find(names, file.first) == names.end(); });
}

void OpenPool::check_unchanged() const {
  for (const auto& [name, file] : files_) file.check_unchanged();
}

}  // namespace inkling
