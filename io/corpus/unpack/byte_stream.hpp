// Bytes that come one after the other, from a file or from memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "io/base/system/file.hpp"

namespace inkling {

/// "FOLDER/NAME", and NAME alone where the folder is the current one.
[[nodiscard]] std::string joined_path(const std::string& folder, const std::string& name);

/// Thread safety: one thread at a time.
class InputStream {
 public:
  InputStream() = default;
  virtual ~InputStream() = default;
  InputStream(const InputStream&) = delete;
  InputStream& operator=(const InputStream&) = delete;

  /// Fills `to` from its front and returns how many bytes came: fewer than it holds
  /// at the end, and only there.
  [[nodiscard]] virtual std::size_t read(std::span<char> to) = 0;
};

/// Lifetime: lends the bytes.
class MemoryStream final : public InputStream {
 public:
  explicit MemoryStream(std::string_view bytes) : left_(bytes) {}
  [[nodiscard]] std::size_t read(std::span<char> to) override;

 private:
  std::string_view left_;
};

/// The next bytes of another stream, up to a limit. Lifetime: lends the other stream.
class LimitedStream final : public InputStream {
 public:
  LimitedStream(InputStream& stream, std::uint64_t bytes) : stream_(&stream), left_(bytes) {}
  [[nodiscard]] std::size_t read(std::span<char> to) override;

 private:
  InputStream* stream_;
  std::uint64_t left_;
};

/// Text in UTF-16 as UTF-8, its byte order mark included. Throws FormatError for invalid UTF-16, naming the byte.
/// Lifetime: lends the other stream.
class Utf16Stream final : public InputStream {
 public:
  Utf16Stream(std::string name, InputStream& stream) : name_(std::move(name)), stream_(&stream) {}
  [[nodiscard]] std::size_t read(std::span<char> to) override;

 private:
  void decode_some();
  [[noreturn]] void refuse(std::string_view found) const;

  std::string name_;
  InputStream* stream_;
  std::string decoded_;
  std::size_t decoded_at_ = 0;
  std::uint64_t position_ = 0;  // of the next unit in the other stream
  char32_t high_ = 0;           // the first half of a surrogate pair, until the second one comes
  bool high_byte_first_ = false;
  bool at_end_ = false;
};

/// Shows the first bytes of another stream before it is read. Lifetime: lends the other stream.
class PeekedStream final : public InputStream {
 public:
  explicit PeekedStream(InputStream& stream);
  [[nodiscard]] std::size_t read(std::span<char> to) override;

  /// The first bytes of the stream, 512 or all of a shorter one, even if they were not read yet.
  [[nodiscard]] std::string_view head() const { return {head_.data(), head_size_}; }

 private:
  InputStream* stream_;
  std::array<char, 512> head_ = {};
  std::size_t head_size_;
  std::size_t head_read_ = 0;
};

/// A file, a pipe or a device. Failures throw SystemError.
class FileStream final : public InputStream {
 public:
  explicit FileStream(std::string path);
  [[nodiscard]] std::size_t read(std::span<char> to) override;

  /// The first bytes of the file, 512 or all of a shorter one, even if they were not read yet.
  [[nodiscard]] std::string_view head() const { return {begin_.data(), begin_size_ < kHeadBytes ? begin_size_ : kHeadBytes}; }

  /// Its length in bytes; 0 if that is not known before reading, as for a pipe.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// How many bytes were read so far. Bytes that were read twice count twice, but the number never exceeds the size if
  /// that is known.
  [[nodiscard]] std::uint64_t bytes_read() const;

  [[nodiscard]] bool can_seek() const { return can_seek_; }
  [[nodiscard]] std::uint64_t position() const { return position_; }
  /// Requires: can_seek().
  void seek(std::uint64_t position);
  /// Fills `to` with the bytes at `position`, fewer at the end of the file; does not move the stream. Requires:
  /// can_seek().
  [[nodiscard]] std::size_t read_at(std::uint64_t position, std::span<char> to) const;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  static constexpr std::size_t kHeadBytes = 512;
  [[nodiscard]] std::size_t read_file(std::span<char> to);
  [[nodiscard]] std::string_view begin() const { return {begin_.data(), begin_size_}; }

  std::string path_;
  File file_;
  bool can_seek_ = false;
  std::uint64_t size_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t bytes_read_ = 0;
  bool is_whole_ = false;       // `begin_` holds the whole file, as it does of a small one
  std::size_t begin_size_ = 0;  // how many bytes were read when it was opened
  std::array<char, 8 * kHeadBytes> begin_;
};

}  // namespace inkling
