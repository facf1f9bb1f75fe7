#include "io/corpus/pool/open/open_pool.hpp"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/resource.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/corpus/pool/format/sealed_json.hpp"
#include "io/corpus/pool/format/set_file.hpp"

namespace inkling {
namespace {

Descriptor open_folder(const std::string& path) {
  Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.is_open()) return folder;
  if (const int error = errno; error != ENOTDIR) throw SystemError(path, error, "cannot open");
  if (is_set_file(path))
    throw CorruptFileError(path, "expected one pool, found a set of them: give one of its shards");
  throw CorruptFileError(path, "expected a pool, which is a folder, found a file");
}

// Raises the limit of open files, because every open pool takes some. Returns whether it is higher than before.
bool raise_limit_of_open_files() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return false;
  limit.rlim_cur = limit.rlim_max;
  return ::setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

Descriptor open_pool_file(int folder, const std::string& name, const std::string& path) {
  for (;;) {
    try {
      return open_regular_file(folder, name, path);
    } catch (const SystemError& error) {
      if (error.error_number() == EMFILE && raise_limit_of_open_files()) continue;
      if (error.error_number() != EINVAL && error.error_number() != EISDIR) throw;
      throw CorruptFileError(path, "expected a file, found a folder, a pipe or a device");
    }
  }
}

bool is_absent(const SystemError& error) {
  return error.error_number() == ENOENT || error.error_number() == ENOTDIR;
}

struct stat status_of(const PoolFileReader& file) {
  struct stat status = {};
  if (::fstat(file.descriptor(), &status) != 0) throw SystemError(file.path(), errno, "cannot look at it");
  return status;
}

// A manifest grows with the number of blocks of the files that it describes; refuses a larger file.
void check_manifest_size(int folder, const PoolFileReader& file) {
  constexpr std::uint64_t of_all_else = std::uint64_t{64} << 20U;
  constexpr std::uint64_t of_block = 32;
  if (file.size() <= of_all_else) return;  // no need to look at the other files
  std::uint64_t blocks = 0;
  for (const std::string_view name : kPoolFileNames) {
    struct stat status = {};
    if (::fstatat(folder, std::string(name).c_str(), &status, 0) == 0 && S_ISREG(status.st_mode))
      blocks += static_cast<std::uint64_t>(status.st_size) / kChecksumBlockBytes;
  }
  const std::uint64_t most = of_all_else + of_block * blocks;
  if (file.size() <= most) return;
  throw CorruptFileError(file.path(), "expected a manifest of at most {} bytes for these files, found {}",
                         digit_groups(most), digit_groups(file.size()));
}

std::string manifest_text_in(int folder, const PoolFileReader& file) {
  check_manifest_size(folder, file);
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.read(0, std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace

FileStamp::FileStamp(const struct stat& status)
    : identity{status.st_dev, status.st_ino},
      size(static_cast<std::uint64_t>(status.st_size)),
      modified(status.st_mtim),
      changed(status.st_ctim) {}

void FileStamp::check_unchanged(const std::string& path, const FileStamp& later) const {
  if (later.size < size) {
    throw CorruptFileError(path, "became shorter while it was being read: {}",
                           file_size_problem(later.size, size));
  }
  const bool same_time =
      later.modified.tv_sec == modified.tv_sec && later.modified.tv_nsec == modified.tv_nsec;
  if (later.size != size || !same_time) throw CorruptFileError(path, "was changed while it was being read");
}

PoolFileReader::PoolFileReader(int folder, const std::string& name, std::string path)
    : path_(std::move(path)), descriptor_(open_pool_file(folder, name, path_)) {
  stamp_ = FileStamp(status_of(*this));
}

void PoolFileReader::read(std::uint64_t position, std::span<std::byte> bytes) const {
  const std::size_t got = read_at(descriptor_.number(), bytes, position);
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

void PoolFileReader::check_unchanged() const { stamp_.check_unchanged(path_, FileStamp(status_of(*this))); }

OpenPool::OpenPool(std::string path) : path_(std::move(path)) {
  // If the folder is replaced, some of its files may be removed before they are opened; then all files are opened from
  // the new folder.
  constexpr int most_attempts = 100;
  for (int attempt = 1; !open_files(); ++attempt) {
    if (attempt == most_attempts)
      throw CorruptFileError(
          path_,
          "expected a pool that is not replaced while it is opened, found it replaced again and again");
  }
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
  if (::clock_gettime(CLOCK_REALTIME, &opened_at_) != 0)
    throw SystemError(path_, errno, "cannot read the clock");
  const Descriptor folder = open_folder(path_);
  const auto is_replaced = [&] { return !is_open_as(folder.number(), path_); };
  try {
    const std::string manifest_path = pool_file_path(path_, PoolFile::manifest);
    const PoolFileReader manifest(folder.number(), std::string(PoolFile::manifest), manifest_path);
    const std::string text = manifest_text_in(folder.number(), manifest);
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
      files_.try_emplace(record.name, folder.number(), record.name, pool_file_path(path_, record.name));
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
  std::erase_if(files_,
                [&](const auto& file) { return std::ranges::find(names, file.first) == names.end(); });
}

void OpenPool::check_unchanged() const {
  for (const auto& [name, file] : files_) file.check_unchanged();
}

}  // namespace inkling
