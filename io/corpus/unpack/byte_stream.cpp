#include "io/corpus/unpack/byte_stream.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/interruption.hpp"

namespace inkling {
namespace {

std::size_t copy_front(std::string_view from, std::span<char> to) {
  const std::size_t count = std::min(from.size(), to.size());
  if (count > 0) std::memcpy(to.data(), from.data(), count);
  return count;
}

}  // namespace

std::string joined_path(const std::string& folder, const std::string& name) {
  if (folder.empty()) return name;
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

std::size_t MemoryStream::read(std::span<char> to) {
  const std::size_t count = copy_front(left_, to);
  left_.remove_prefix(count);
  return count;
}

std::size_t LimitedStream::read(std::span<char> to) {
  const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), left_));
  const std::size_t count = stream_->read(to.first(wanted));
  left_ -= count;
  return count;
}

std::size_t Utf16Stream::read(std::span<char> to) {
  std::size_t count = 0;
  while (count < to.size()) {
    if (decoded_at_ == decoded_.size()) {
      decoded_.clear();
      decoded_at_ = 0;
      if (!at_end_) decode_some();
      if (decoded_.empty() && at_end_) break;
    }
    const std::size_t some = std::min(to.size() - count, decoded_.size() - decoded_at_);
    std::copy_n(decoded_.data() + decoded_at_, some, to.data() + count);
    decoded_at_ += some;
    count += some;
  }
  return count;
}

void Utf16Stream::decode_some() {
  constexpr std::size_t block = std::size_t{1} << 16U;
  std::string bytes(block, '\0');
  const std::size_t got = stream_->read(bytes);
  at_end_ = got < block;
  const auto byte_at = [&bytes](std::size_t at) { return static_cast<unsigned>(static_cast<unsigned char>(bytes[at])); };
  if (position_ == 0) high_byte_first_ = bytes.starts_with("\xFE\xFF");
  for (std::size_t at = 0; at + 1 < got; at += 2, position_ += 2) {
    const char32_t unit = high_byte_first_ ? byte_at(at) << 8U | byte_at(at + 1) : byte_at(at + 1) << 8U | byte_at(at);
    const bool is_second = unit >= 0xDC00 && unit < 0xE000;
    if (is_second != (high_ != 0)) refuse("half a character");
    if (unit >= 0xD800 && unit < 0xDC00) {
      high_ = unit;
      continue;
    }
    append_character(is_second ? 0x10000 + ((high_ - 0xD800) << 10U) + (unit - 0xDC00) : unit, decoded_);
    high_ = 0;
  }
  if (at_end_ && (got % 2 != 0 || high_ != 0)) refuse("its end within a character");
}

void Utf16Stream::refuse(std::string_view found) const {
  throw FormatError(name_, fmt::format("expected UTF-16, as its first two bytes say, found {} at byte {}", found, position_ + 1));
}

PeekedStream::PeekedStream(InputStream& stream) : stream_(&stream), head_size_(stream.read(head_)) {}

std::size_t PeekedStream::read(std::span<char> to) {
  const std::size_t count = copy_front(head().substr(head_read_), to);
  head_read_ += count;
  return count == to.size() ? count : count + stream_->read(to.subspan(count));
}

// `begin_` is not initialised: clearing it for each small file takes time.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init)
FileStream::FileStream(std::string path) : path_(std::move(path)), file_(File::open(path_, OpenAs::reader)) {
  if (!file_.is_open() && errno == EINTR) throw_if_interrupted();
  if (!file_.is_open()) throw SystemError(path_, errno, "cannot open");
  const std::optional<FileStatus> status = file_.status();
  if (!status) throw SystemError(path_, errno, "cannot read");
  can_seek_ = status->is_file();
  if (can_seek_) size_ = status->size;
  // A pipe is not asked for more than the head: that might take long to come.
  const std::span<char> wanted = std::span(begin_).first(can_seek_ ? begin_.size() : kHeadBytes);
  // Some files of the system have a size of 0, whatever they hold.
  const bool is_small = size_ > 0 && size_ < wanted.size();
  begin_size_ = read_file(is_small ? wanted.first(static_cast<std::size_t>(size_)) : wanted);
  is_whole_ = can_seek_ && (is_small ? begin_size_ == size_ : begin_size_ < wanted.size());
}

std::uint64_t FileStream::bytes_read() const { return can_seek_ ? std::min(bytes_read_, size_) : bytes_read_; }

std::size_t FileStream::read(std::span<char> to) {
  std::size_t count = 0;
  if (position_ < begin_size_) count = copy_front(begin().substr(static_cast<std::size_t>(position_)), to);
  if (count < to.size() && !is_whole_) count += read_file(to.subspan(count));
  position_ += count;
  bytes_read_ += count;
  return count;
}

// The first bytes are kept, so the file itself never has to go back into them.
void FileStream::seek(std::uint64_t position) {
  const std::uint64_t in_file = std::max<std::uint64_t>(position, begin_size_);
  if (const int error = file_.seek(in_file); error != 0) throw SystemError(path_, error, "cannot seek");
  position_ = position;
}

std::size_t FileStream::read_at(std::uint64_t position, std::span<char> to) const {
  if (is_whole_) return position < begin_size_ ? copy_front(begin().substr(static_cast<std::size_t>(position)), to) : 0;
  const std::size_t count = file_.read_at(std::as_writable_bytes(to), position);
  const bool is_beyond_any_file = count < to.size() && errno == EINVAL;
  if (count < to.size() && errno != 0 && !is_beyond_any_file) throw SystemError(path_, errno, "cannot read");
  return count;
}

std::size_t FileStream::read_file(std::span<char> to) {
  std::size_t count = 0;
  while (count < to.size()) {
    if (!can_seek_) await_input(file_);
    const std::ptrdiff_t got = file_.read(std::as_writable_bytes(to.subspan(count)));
    if (got < 0 && errno == EINTR) throw_if_interrupted();
    if (got < 0) throw SystemError(path_, errno, "cannot read");
    if (got == 0) break;
    count += static_cast<std::size_t>(got);
  }
  return count;
}

}  // namespace inkling
