// The checksum at the end of a gzip file, which libarchive passes over.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace inkling {

/// The CRC-32 of gzip and zip, of bytes that come in pieces.
class Crc32 {
 public:
  void append(std::span<const char> bytes);
  [[nodiscard]] std::uint32_t value() const { return ~state_; }

 private:
  std::uint32_t state_ = ~std::uint32_t{0};
};

/// Told of everything that goes into an unpacker and comes out of it. A gzip file ends in the CRC-32 and the
/// length of its last part; where it has only one part, they are those of all that came out.
class GzipCheck {
 public:
  void note_packed(std::span<const char> bytes);
  void note_unpacked(std::span<const char> bytes);

  /// After the end: checksum or length are not those of what came out. Where something that could begin
  /// another part went in, a length that differs proves nothing, and then the checksum proves nothing too;
  /// nor does an end of zeros, with which files are filled up.
  [[nodiscard]] bool is_broken() const;

 private:
  [[nodiscard]] std::uint32_t number_at(std::size_t position) const;

  std::array<char, 8> last_bytes_ = {};
  int beginnings_ = 0;  // of parts, or what looks like them
  Crc32 crc_;
  std::uint64_t unpacked_ = 0;
};

}  // namespace inkling
