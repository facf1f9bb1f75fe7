// Reads the numbers of a .npy array in pieces, of any kind of number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/pool/format/npy_header.hpp"
#include "io/source/byte_stream.hpp"

namespace inkling {

/// The kinds of number that matrices are saved with, little-endian as NumPy writes them here.
enum class NumberKind { i1, i2, i4, i8, u1, u2, u4, u8, f4, f8 };

[[nodiscard]] std::size_t bytes_of(NumberKind kind);
[[nodiscard]] bool is_integer(NumberKind kind);

/// Numbers as they came, so that they can be decoded by another thread.
struct RawNumbers {
  NumberKind kind = NumberKind::i4;
  std::vector<std::byte> bytes;

  [[nodiscard]] std::size_t size() const { return bytes.size() / bytes_of(kind); }
  /// Requires: index < size(), and an integer kind. What is beyond 64 bits signed is the largest of them.
  [[nodiscard]] std::int64_t integer(std::size_t index) const;
  /// Requires: index < size().
  [[nodiscard]] double real(std::size_t index) const;
};

/// Broken headers and truncation throw FormatError naming the array.
/// Thread safety: one thread at a time.
class NpyStream {
 public:
  /// Reads the header. `name` is for messages: "matrix.npz/data.npy".
  NpyStream(std::unique_ptr<InputStream> stream, std::string name);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const NpyHeader& header() const { return header_; }

  /// Of the numbers. Throws FormatError unless they are of a kind that we read.
  [[nodiscard]] NumberKind kind() const;
  /// The length of the array. Throws FormatError unless it has one dimension.
  [[nodiscard]] std::int64_t length() const;

  /// The next `count` numbers. Allocates memory only for what came. Throws FormatError where fewer are left.
  [[nodiscard]] RawNumbers read(std::uint64_t count);

  /// The next bytes, at most `most`, of arrays that do not hold numbers.
  [[nodiscard]] std::string read_text(std::size_t most);

  [[noreturn]] void fail(const std::string& expectation) const;

 private:
  std::unique_ptr<InputStream> stream_;
  std::string name_;
  NpyHeader header_;
};

}  // namespace inkling
