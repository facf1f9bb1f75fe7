#include "io/pool/write/staged_file.hpp"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/file/digit_groups.hpp"
#include "io/pool/format/pool_layout.hpp"

namespace inkling {
namespace {

constexpr std::uint64_t kMostOverwritten = 4096;

// Handing the disk this much at a time keeps it busy from the start, and close() waits only for the last of it.
constexpr std::uint64_t kWritebackBytes = std::uint64_t{8} << 20U;

}  // namespace

StagedFile::StagedFile(PoolStaging& staging, std::string name)
    : staging_(staging), record_{.name = std::move(name)}, descriptor_(staging.create_file(record_.name)) {}

StagedFile::~StagedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

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
  const int error = staging_.calls().write_all_at(descriptor_, bytes, position);
  if (error != 0) fail_to_write(error, bytes.size(), position);
  hash_first_block_again();
}

void StagedFile::close() {
  if (!buffer_.empty()) write_block(buffer_);
  buffer_ = {};
  if (const int error = staging_.calls().sync(descriptor_); error != 0) {
    throw SystemError(path(), error, fmt::format("cannot sync {} bytes", digit_groups(written_)));
  }
  // Closed in any case: on Linux the descriptor is gone even where close reports an error.
  if (::close(std::exchange(descriptor_, -1)) != 0) throw SystemError(path(), errno, "cannot close");
  record_.bytes = written_;
  staging_.add_file(std::move(record_));
}

void StagedFile::write_block(std::span<const std::byte> block) {
  record_.checksums.push_back(checksum_of(block));
  const int error = staging_.calls().write_all(descriptor_, block);
  if (error != 0) fail_to_write(error, block.size(), written_);
  written_ += block.size();
  if (written_ - writeback_from_ >= kWritebackBytes) start_writeback();
}

// Only a hint to the system, so its answer is not looked at: close() syncs in any case.
void StagedFile::start_writeback() {
  ::sync_file_range(descriptor_, static_cast<off_t>(writeback_from_),
                    static_cast<off_t>(written_ - writeback_from_), SYNC_FILE_RANGE_WRITE);
  writeback_from_ = written_;
}

void StagedFile::hash_first_block_again() {
  std::vector<std::byte> block(kChecksumBlockBytes);
  std::size_t filled = 0;
  while (filled < block.size()) {
    const ssize_t got =
        ::pread(descriptor_, block.data() + filled, block.size() - filled, static_cast<off_t>(filled));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw SystemError(path(), got < 0 ? errno : EIO, "cannot read what was written");
    filled += static_cast<std::size_t>(got);
  }
  record_.checksums.front() = checksum_of(block);
}

void StagedFile::fail_to_write(int error, std::uint64_t bytes, std::uint64_t position) const {
  throw SystemError(path(), error,
                    fmt::format("cannot write {} bytes at {}", digit_groups(bytes), digit_groups(position)));
}

StagedStrings::StagedStrings(PoolStaging& staging, std::string_view name)
    : bytes_(staging, PoolFile::bytes_of(name)),
      offsets_(staging, PoolFile::offsets_of(name)),
      path_(staging.path_of(PoolFile::bytes_of(name))) {
  offsets_.append(0);
}

void StagedStrings::append(std::string_view text) {
  if (!simdjson::validate_utf8(text)) {
    throw FormatError(path_, fmt::format("expected string {} to be UTF-8", offsets_.size() - 1));
  }
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

}  // namespace inkling
