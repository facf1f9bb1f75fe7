#include "io/pool/open/checked_reader.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/file/corrupt_file_error.hpp"
#include "io/file/digit_groups.hpp"
#include "io/pool/format/pool_layout.hpp"

namespace inkling {
namespace {

int open_file(const PoolFolder& folder, std::string_view name) {
  return ::openat(folder.descriptor(), std::string(name).c_str(), O_RDONLY | O_CLOEXEC);
}

// As many bytes as there are, up to the size of `bytes`; throws SystemError.
std::size_t read_fully(int descriptor, std::span<std::byte> bytes, const std::string& path) {
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::read(descriptor, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw SystemError(path, errno, "cannot read");
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

}  // namespace

CheckedReader::CheckedReader(const PoolFolder& folder, const FileRecord& record, PoolTrust trust)
    : path_(folder.path_of(record.name)),
      record_(record),
      trust_(trust),
      descriptor_(open_file(folder, record.name)) {
  if (descriptor_ < 0 && errno == ENOENT) throw CorruptFileError(path_, "missing");
  if (descriptor_ < 0) throw SystemError(path_, errno, "cannot open");
  struct stat status = {};
  if (::fstat(descriptor_, &status) == 0 && static_cast<std::uint64_t>(status.st_size) == record.bytes)
    return;
  ::close(descriptor_);
  throw CorruptFileError(path_, file_size_problem(static_cast<std::uint64_t>(status.st_size), record.bytes));
}

CheckedReader::~CheckedReader() { ::close(descriptor_); }

void CheckedReader::read(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    if (used_ == block_.size()) read_block();
    const std::size_t taken = std::min(bytes.size(), block_.size() - used_);
    std::copy_n(block_.begin() + static_cast<std::ptrdiff_t>(used_), taken, bytes.begin());
    used_ += taken;
    bytes = bytes.subspan(taken);
  }
}

void CheckedReader::read_block() {
  const std::uint64_t position = blocks_read_ * checksum_block_bytes;
  assert(position < record_.bytes);
  block_.resize(std::min(checksum_block_bytes, record_.bytes - position));
  const std::size_t got = read_fully(descriptor_, block_, path_);
  if (got < block_.size()) throw CorruptFileError(path_, file_size_problem(position + got, record_.bytes));
  if (trust_ == PoolTrust::checksums && checksum_of(block_) != record_.checksums[blocks_read_]) {
    throw CorruptFileError(path_, block_problem(position, block_.size()));
  }
  used_ = 0;
  ++blocks_read_;
}

std::string read_small_file(const PoolFolder& folder, std::string_view name) {
  const std::string path = folder.path_of(name);
  const int descriptor = open_file(folder, name);
  if (descriptor < 0) throw SystemError(path, errno, "cannot open");
  try {
    std::string text;
    std::array<char, 1U << 16U> piece{};
    while (const std::size_t got = read_fully(descriptor, std::as_writable_bytes(std::span(piece)), path)) {
      text.append(piece.data(), got);
    }
    ::close(descriptor);
    return text;
  } catch (...) {
    ::close(descriptor);
    throw;
  }
}

}  // namespace inkling
