#include "io/pool/write/staged_file.hpp"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/file/digit_groups.hpp"
#include "io/file/interruption.hpp"
#include "io/pool/format/pool_layout.hpp"

namespace inkling {
namespace {

constexpr std::uint64_t kMostOverwritten = 4096;

// Handing the disk this much at a time keeps it busy from the start, and close() waits only for the last of it.
constexpr std::uint64_t kWritebackBytes = std::uint64_t{8} << 20U;

// A file without a name; where the file system cannot make one, a file whose name is taken away at once.
int nameless_file(const PoolStaging& staging) {
  const int descriptor = ::open(staging.folder().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0) return descriptor;
  const std::string name = staging.scratch();
  int named = -1;
  do {  // while another thread has not yet taken away the name of its own
    named = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  } while (named < 0 && errno == EEXIST);
  const int error = errno;
  if (named >= 0) ::unlink(name.c_str());
  errno = error;
  return named;
}

}  // namespace

StagedFile::StagedFile(FileStaging& staging, std::string name)
    : staging_(staging), record_{.name = std::move(name)}, descriptor_(staging.create_file(record_.name)) {}

void StagedFile::append(std::span<const std::byte> bytes) {
  while (buffer_.size() + bytes.size() >= kChecksumBlockBytes) {
    const std::size_t taken = kChecksumBlockBytes - buffer_.size();
    if (buffer_.empty()) {
      write_block(bytes.first(taken));
    } else {
      buffer_.insert(buffer_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(taken));
      write_block(buffer_);
      buffer_.clear();
    }
    bytes = bytes.subspan(taken);
  }
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void StagedFile::overwrite(std::uint64_t position, std::string_view text) {
  assert(position + text.size() <= std::min(kMostOverwritten, size()));
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  if (written_ == 0) {
    std::ranges::copy(bytes, buffer_.begin() + static_cast<std::ptrdiff_t>(position));
    return;
  }
  const int error = staging_.calls().write_all_at(descriptor_.number(), bytes, position);
  if (error != 0) fail_to_write(error, bytes.size(), position);
  std::vector<std::byte> first_block(kChecksumBlockBytes);
  if (read_at(descriptor_.number(), first_block, 0) < first_block.size())
    throw SystemError(path(), errno != 0 ? errno : EIO, "cannot read what was written");
  record_.checksums.front() = checksum_of(first_block);
}

void StagedFile::close() {
  if (!buffer_.empty()) write_block(buffer_);
  buffer_ = {};
  if (const int error = staging_.calls().sync(descriptor_.number()); error != 0)
    throw SystemError(path(), error, fmt::format("cannot sync {} bytes", digit_groups(written_)));
  if (const int error = descriptor_.close(); error != 0) throw SystemError(path(), error, "cannot close");
  record_.bytes = written_;
  staging_.add_file(std::move(record_));
}

void StagedFile::write_block(std::span<const std::byte> block) {
  record_.checksums.push_back(checksum_of(block));
  const int error = staging_.calls().write_all(descriptor_.number(), block);
  if (error != 0) fail_to_write(error, block.size(), written_);
  written_ += block.size();
  if (written_ - writeback_from_ >= kWritebackBytes) start_writeback();
}

// Only a hint to the system, so its answer is not looked at: close() syncs in any case.
void StagedFile::start_writeback() {
  ::sync_file_range(descriptor_.number(), static_cast<off_t>(writeback_from_),
                    static_cast<off_t>(written_ - writeback_from_), SYNC_FILE_RANGE_WRITE);
  writeback_from_ = written_;
}

void StagedFile::fail_to_write(int error, std::uint64_t bytes, std::uint64_t position) const {
  throw_if_interrupted();
  throw SystemError(path(), error,
                    fmt::format("cannot write {} bytes at {}", digit_groups(bytes), digit_groups(position)));
}

StagedStrings::StagedStrings(FileStaging& staging, std::string_view name)
    : bytes_(staging, PoolFile::bytes_of(name)),
      offsets_(staging, PoolFile::offsets_of(name)),
      path_(staging.path_of(PoolFile::bytes_of(name))) {
  offsets_.append(0);
}

void StagedStrings::append(std::string_view text) {
  if (!simdjson::validate_utf8(text))
    throw FormatError(path_, fmt::format("expected string {} to be UTF-8", offsets_.size() - 1));
  bytes_.append(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
  offsets_.append(bytes_.size());
}

void StagedStrings::close() {
  bytes_.close();
  offsets_.close();
}

void StagedLines::append(std::string_view line) {
  const auto refuse = [&](std::string_view expectation) {
    throw FormatError(fmt::format("{}:{}", file_.path(), lines_ + 1),
                      fmt::format("expected a line {}", expectation));
  };
  if (line.find('\n') != std::string_view::npos) refuse("without a line end");
  if (!simdjson::validate_utf8(line)) refuse("of UTF-8");
  if (lines_ > 0 && line <= last_) refuse("that comes after the one before it");
  file_.append(line);
  file_.append("\n");
  last_ = line;
  ++lines_;
}

ScratchFile::ScratchFile(const PoolStaging& staging)
    : staging_(staging), descriptor_(nameless_file(staging)) {
  if (!descriptor_.is_open()) throw SystemError(staging.target(), errno, "cannot make a temporary file");
}

std::uint64_t ScratchFile::append(std::span<const std::byte> bytes) {
  const std::uint64_t position = size_;
  const int error = staging_.calls().write_all(descriptor_.number(), bytes);
  if (error != 0) {
    throw_if_interrupted();
    throw SystemError(staging_.target(), error,
                      fmt::format("cannot write {} bytes of temporary data after {}",
                                  digit_groups(bytes.size()), digit_groups(size_)));
  }
  size_ += bytes.size();
  return position;
}

void ScratchFile::read(std::uint64_t position, std::span<std::byte> bytes) const {
  if (read_at(descriptor_.number(), bytes, position) < bytes.size())
    throw SystemError(staging_.target(), errno != 0 ? errno : EIO, "cannot read temporary data");
}

void ScratchFile::prefetch(std::uint64_t position, std::uint64_t bytes) const noexcept {
  ::posix_fadvise(descriptor_.number(), static_cast<off_t>(position), static_cast<off_t>(bytes),
                  POSIX_FADV_WILLNEED);
}

void ScratchFile::release(std::uint64_t position, std::uint64_t bytes) const noexcept {
  ::fallocate(descriptor_.number(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(position),
              static_cast<off_t>(bytes));
}

}  // namespace inkling
