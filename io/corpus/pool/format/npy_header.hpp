// The headers of NumPy's .npy files: reads every valid form, writes always the same one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inkling {

/// The header of an array, which comes before its numbers.
struct NpyHeader {
  std::string descr;  ///< NumPy's name of the number's type: "<f4", "|u1"
  bool fortran_order = false;
  std::vector<std::int64_t> shape;  ///< each 0 or more
  std::uint64_t data_offset = 0;    ///< where the numbers begin

  bool operator==(const NpyHeader&) const = default;
};

/// The first bytes of a file, which tell how long its header is.
inline constexpr std::size_t kNpyPrefixBytes = 12;

/// The size of the whole header, at most 64 KiB, from the first `kNpyPrefixBytes` bytes of the file;
/// versions 1.0, 2.0 and 3.0 of the format. Throws FormatError naming `where`.
[[nodiscard]] std::uint64_t npy_header_bytes(const std::string& where, std::span<const std::byte> prefix);

/// The header that `bytes` begin with; numbers may follow it. Throws FormatError naming `where`.
[[nodiscard]] NpyHeader parse_npy_header(const std::string& where, std::span<const std::byte> bytes);

/// Every header is written with this length, so that it can be written last, when the length of the array is known.
inline constexpr std::uint64_t kPoolNpyHeaderBytes = 128;

/// The header of a one-dimensional array, version 1.0, of exactly `kPoolNpyHeaderBytes`.
[[nodiscard]] std::string pool_npy_header(std::string_view descr, std::int64_t count);

/// NumPy's name of a number of this program.
template <typename Number>
inline constexpr std::string_view npy_descr = "";
template <>
inline constexpr std::string_view npy_descr<std::int64_t> = "<i8";
template <>
inline constexpr std::string_view npy_descr<std::int32_t> = "<i4";
template <>
inline constexpr std::string_view npy_descr<float> = "<f4";
template <>
inline constexpr std::string_view npy_descr<double> = "<f8";
template <>
inline constexpr std::string_view npy_descr<std::uint8_t> = "|u1";
template <>
inline constexpr std::string_view npy_descr<std::int8_t> = "|i1";

/// Checks the beginning and the length of a file. Throws CorruptFileError naming `path` unless the file is an array of
/// `count` such numbers with a header of version 1.0 and `kPoolNpyHeaderBytes`, and holds nothing else.
void check_npy_beginning(const std::string& path, std::span<const std::byte> beginning, std::uint64_t file_bytes,
                         std::string_view descr, std::size_t number_bytes, std::int64_t count);

}  // namespace inkling
