// Reads the numbers of a .npy array in pieces, of any kind of number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/pool/format/npy_header.hpp"
#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling {

/// A kind of number that matrices are saved with, little-endian as NumPy writes them here.
struct NumberKind {
  std::string_view descr;
  std::size_t bytes;
  bool is_integer;
  std::int64_t (*integer)(const std::byte*);  ///< for integers; at most the largest signed 64-bit number
  std::string (*text)(const std::byte*);      ///< for integers, in messages; exact
  double (*real)(const std::byte*);
};

/// Numbers as they were read, so that another thread can decode them.
struct RawNumbers {
  const NumberKind* kind = nullptr;
  std::vector<std::byte> bytes;

  [[nodiscard]] std::size_t size() const { return bytes.empty() ? 0 : bytes.size() / kind->bytes; }
  /// Requires: index < size(), and an integer kind.
  [[nodiscard]] std::int64_t integer(std::size_t index) const { return kind->integer(bytes.data() + index * kind->bytes); }
  /// The same number as a message shows it.
  [[nodiscard]] std::string integer_text(std::size_t index) const { return kind->text(bytes.data() + index * kind->bytes); }
  /// Requires: index < size().
  [[nodiscard]] double real(std::size_t index) const { return kind->real(bytes.data() + index * kind->bytes); }
};

/// Broken headers and truncation throw FormatError naming the array.
/// Thread safety: one thread at a time.
class NpyStream {
 public:
  /// Reads the header. `name` is for messages: "matrix.npz/data.npy".
  NpyStream(std::unique_ptr<InputStream> stream, std::string name);

  /// The kind of the numbers. Throws FormatError unless it is one that can be read.
  [[nodiscard]] const NumberKind& kind() const;
  /// The length of the array. Throws FormatError unless it has one dimension.
  [[nodiscard]] std::int64_t length() const;

  /// The next `count` numbers. Allocates memory only for numbers that are there. Throws FormatError if fewer are left.
  [[nodiscard]] RawNumbers read(std::uint64_t count);

  /// The next bytes, at most `most`, of arrays that do not hold numbers.
  [[nodiscard]] std::string read_text(std::size_t most);

  /// Reads to the end, which also compares the checksum. Throws FormatError if anything is left or the checksum is wrong.
  void finish();

  [[noreturn]] void fail(const std::string& expectation) const;

 private:
  std::unique_ptr<InputStream> stream_;
  std::string name_;
  NpyHeader header_;
};

}  // namespace inkling
