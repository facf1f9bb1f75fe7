#include "io/corpus/pool/write/staged_file.hpp"

#include <algorithm>
#include <cassert>
#include <cerrno>

#include <fmt/format.h>
#include <simdjson.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/system/interruption.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling {
namespace {

constexpr std::uint64_t kMostOverwritten = 4096;

// At least as many bytes as may be overwritten, so that these are either all in the buffer or all written. When a file is
// larger than a large page, writes begin and end at large pages. So the system can keep the file in large pages, which
// takes less time, and map it in them, which makes a pass over a pool of a gigabyte 70 ms shorter.
constexpr std::size_t kBufferedBytes = std::size_t{1} << 16U;
static_assert(kBufferedBytes >= kMostOverwritten && kLargePageBytes % kBufferedBytes == 0);

// So many bytes are handed to the disk at a time: it is busy from the start, and close() waits only for the last of them.
constexpr std::uint64_t kWritebackBytes = std::uint64_t{8} << 20U;

}  // namespace

StagedFile::StagedFile(FileStaging& staging, std::string name)
    : staging_(staging), written_(std::move(name)), file_(staging.create_file(written_.name())) {}

// Fills and writes the buffer first; then writes large pieces directly, without copying them.
void StagedFile::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::size_t piece = written_.bytes() < kLargePageBytes ? kBufferedBytes : kLargePageBytes;
    const std::size_t room = piece - static_cast<std::size_t>(written_.bytes() % piece) - buffer_.size();
    if (buffer_.empty() && bytes.size() >= room) {
      const std::size_t whole = bytes.size() - (bytes.size() - room) % piece;
      write(bytes.first(whole));
      bytes = bytes.subspan(whole);
      continue;
    }
    const auto taken = bytes.first(std::min(room, bytes.size()));
    if (piece == kLargePageBytes) buffer_.reserve(piece);
    buffer_.insert(buffer_.end(), taken.begin(), taken.end());
    if (taken.size() == room) write_buffer();
    bytes = bytes.subspan(taken.size());
  }
}

void StagedFile::overwrite(std::uint64_t position, std::string_view text) {
  assert(position + text.size() <= std::min(kMostOverwritten, size()));
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  if (written_.bytes() == 0) {
    std::ranges::copy(bytes, buffer_.begin() + static_cast<std::ptrdiff_t>(position));
    return;
  }
  const int error = file_.write_all_at(bytes, position);
  if (error != 0) fail_to_write(error, bytes.size(), position);
  std::vector<std::byte> first_block(std::min<std::uint64_t>(written_.bytes(), kChecksumBlockBytes));
  if (file_.read_at(first_block, 0) < first_block.size())
    throw SystemError(path(), errno != 0 ? errno : EIO, "cannot read what was written");
  written_.renew_first_block(first_block);
}

void StagedFile::close() {
  write_buffer();
  buffer_ = {};
  if (const int error = file_.sync(); error != 0)
    throw SystemError(path(), error, fmt::format("cannot sync {} bytes", digit_groups(written_.bytes())));
  if (const int error = file_.close(); error != 0) throw SystemError(path(), error, "cannot close");
  staging_.add_file(std::move(written_).record());
}

void StagedFile::write(std::span<const std::byte> bytes) {
  const int error = file_.write_all(bytes);
  if (error != 0) fail_to_write(error, bytes.size(), written_.bytes());
  written_.add(bytes);
  if (written_.bytes() - writeback_from_ >= kWritebackBytes) start_writeback();
}

void StagedFile::write_buffer() {
  if (!buffer_.empty()) write(buffer_);
  buffer_.clear();
}

// Only a hint to the system, so its result is ignored: close() syncs in any case. Pieces have equal sizes, so that no
// page that is still being filled is written to the disk.
void StagedFile::start_writeback() {
  const std::uint64_t end = written_.bytes() - written_.bytes() % kWritebackBytes;
  file_.start_writeback(writeback_from_, end - writeback_from_);
  writeback_from_ = end;
}

void StagedFile::fail_to_write(int error, std::uint64_t bytes, std::uint64_t position) const {
  throw_if_interrupted();
  throw SystemError(path(), error, fmt::format("cannot write {} bytes at {}", digit_groups(bytes), digit_groups(position)));
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
    throw FormatError(fmt::format("{}:{}", file_.path(), lines_ + 1), fmt::format("expected a line {}", expectation));
  };
  if (line.find('\n') != std::string_view::npos) refuse("without a line end");
  if (!simdjson::validate_utf8(line)) refuse("of UTF-8");
  if (lines_ > 0 && line <= last_) refuse("that comes after the one before it");
  file_.append(line);
  file_.append("\n");
  last_ = line;
  ++lines_;
}

ScratchFile::ScratchFile(const PoolStaging& staging, std::uint64_t kept)
    : staging_(staging), most_kept_(kept), file_(File::nameless(staging.folder(), staging.scratch())) {
  if (!file_.is_open()) throw SystemError(staging.target(), errno, "cannot make a temporary file");
}

std::uint64_t ScratchFile::append(std::span<const std::byte> bytes) {
  const std::uint64_t position = size_;
  if (kept_ == size_ && size_ + bytes.size() <= most_kept_) {
    keep(bytes);
  } else {
    if (kept_ == size_ && kept_ > 0)
      if (const int error = file_.seek(kept_); error != 0) fail_to_write(error, bytes.size());
    const int error = file_.write_all(bytes);
    if (error != 0) fail_to_write(error, bytes.size());
    most_kept_ = 0;
  }
  size_ += bytes.size();
  return position;
}

void ScratchFile::keep(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::size_t at = kept_ % kLargePageBytes;
    if (at == 0) kept_pages_.emplace_back(kLargePageBytes);
    const auto fitting = bytes.first(std::min(kLargePageBytes - at, bytes.size()));
    std::ranges::copy(fitting, kept_pages_.back().data() + at);
    kept_ += fitting.size();
    bytes = bytes.subspan(fitting.size());
  }
}

void ScratchFile::write_kept() {
  most_kept_ = 0;
  for (std::size_t page = 0; page < kept_pages_.size(); ++page) {
    if (kept_pages_[page].size() == 0) continue;  // it was released
    const std::uint64_t position = page * kLargePageBytes;
    const std::span<const std::byte> bytes(kept_pages_[page].data(), std::min<std::uint64_t>(kLargePageBytes, kept_ - position));
    const int error = file_.write_all_at(bytes, position);
    if (error != 0) fail_to_write(error, bytes.size());
  }
  if (kept_ == size_)
    if (const int error = file_.seek(size_); error != 0) fail_to_write(error, 0);
  kept_ = 0;
  kept_pages_.clear();
}

void ScratchFile::fail_to_write(int error, std::uint64_t bytes) const {
  throw_if_interrupted();
  throw SystemError(staging_.target(), error,
                    fmt::format("cannot write {} bytes of temporary data after {}", digit_groups(bytes), digit_groups(size_)));
}

void ScratchFile::read(std::uint64_t position, std::span<std::byte> bytes) const {
  while (!bytes.empty() && position < kept_) {
    const std::size_t at = position % kLargePageBytes;
    const auto here = std::min<std::uint64_t>({kLargePageBytes - at, kept_ - position, bytes.size()});
    const std::byte* const from = kept_pages_[position / kLargePageBytes].data() + at;
    std::copy(from, from + here, bytes.begin());
    position += here;
    bytes = bytes.subspan(here);
  }
  if (bytes.empty()) return;
  if (file_.read_at(bytes, position) < bytes.size())
    throw SystemError(staging_.target(), errno != 0 ? errno : EIO, "cannot read temporary data");
}

void ScratchFile::prefetch(std::uint64_t position, std::uint64_t bytes) const noexcept { file_.prefetch(position, bytes); }

void ScratchFile::release(std::uint64_t position, std::uint64_t bytes) const noexcept {
  const std::uint64_t end = position + bytes;
  for (std::uint64_t page = (position + kLargePageBytes - 1) / kLargePageBytes;
       page < kept_pages_.size() && (page + 1) * kLargePageBytes <= end; ++page)
    kept_pages_[page] = {};
  if (end > kept_) file_.release(position, bytes);
}

}  // namespace inkling
