#include "io/pool/open/pool_folder.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/file/corrupt_file_error.hpp"
#include "io/pool/format/pool_layout.hpp"

namespace inkling {

PoolFolder::PoolFolder(std::string path)
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ >= 0) return;
  if (errno == ENOTDIR) throw CorruptFileError(path_, "expected a pool, which is a folder, found a file");
  throw SystemError(path_, errno, "cannot open");
}

PoolFolder::~PoolFolder() { ::close(descriptor_); }

std::string PoolFolder::path_of(std::string_view name) const { return pool_file_path(path_, name); }

bool PoolFolder::is_in_place() const {
  struct stat opened = {};
  struct stat named = {};
  return ::fstat(descriptor_, &opened) == 0 && ::stat(path_.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

void PoolFolder::fail_without_manifest() const {
  throw CorruptFileError(path_, "expected a pool, which has a manifest.json, found none");
}

PoolFileReader::PoolFileReader(const PoolFolder& folder, const std::string& name)
    : path_(folder.path_of(name)),
      descriptor_(::openat(folder.descriptor(), name.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ >= 0) return;
  if (errno == ENOENT) throw CorruptFileError(path_, "missing");
  throw SystemError(path_, errno, "cannot open");
}

PoolFileReader::~PoolFileReader() { ::close(descriptor_); }

void PoolFileReader::check_size(const FileRecord& record) const {
  struct stat status = {};
  if (::fstat(descriptor_, &status) != 0) throw SystemError(path_, errno, "cannot look at");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size != record.bytes) throw CorruptFileError(path_, file_size_problem(size, record.bytes));
}

std::size_t PoolFileReader::read(std::uint64_t position, std::span<std::byte> bytes) const {
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::pread(descriptor_, bytes.data() + filled, bytes.size() - filled,
                                static_cast<off_t>(position + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw SystemError(path_, errno, "cannot read");
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

void PoolFileReader::read_all(const FileRecord& record, std::uint64_t position,
                              std::span<std::byte> bytes) const {
  const std::size_t got = read(position, bytes);
  if (got < bytes.size()) throw CorruptFileError(path_, file_size_problem(position + got, record.bytes));
}

void PoolFileReader::read_block(const FileRecord& record, std::size_t index, PoolTrust trust,
                                std::vector<std::byte>& block) const {
  const std::uint64_t position = index * kChecksumBlockBytes;
  assert(position < record.bytes);
  block.resize(std::min(kChecksumBlockBytes, record.bytes - position));
  read_all(record, position, block);
  if (trust == PoolTrust::checksums && checksum_of(block) != record.checksums[index])
    throw CorruptFileError(path_, block_problem(position, block.size()));
}

Manifest manifest_in(const PoolFolder& folder) {
  const auto open = [&] {
    try {
      return std::make_unique<PoolFileReader>(folder, std::string(PoolFile::manifest));
    } catch (const CorruptFileError&) {
      folder.fail_without_manifest();
    }
  };
  const std::unique_ptr<PoolFileReader> file = open();
  std::string text;
  std::array<char, 1U << 16U> piece{};
  while (const std::size_t got = file->read(text.size(), std::as_writable_bytes(std::span(piece))))
    text.append(piece.data(), got);
  return parse_manifest(file->path(), text);
}

const FileRecord& record_in(const PoolFolder& folder, const Manifest& manifest, std::string_view name) {
  const FileRecord* const record = manifest.file(name);
  if (record != nullptr) return *record;
  throw CorruptFileError(folder.path_of(PoolFile::manifest), fmt::format("expected the file {}", name));
}

CheckedReader::CheckedReader(const PoolFolder& folder, const FileRecord& record, PoolTrust trust)
    : file_(folder, record.name), record_(record), trust_(trust) {
  file_.check_size(record);
}

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

}  // namespace inkling
