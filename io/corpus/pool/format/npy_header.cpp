#include "io/corpus/pool/format/npy_header.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/strict_number.hpp"

namespace inkling {
namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";
constexpr std::size_t kMostHeaderBytes = std::size_t{1} << 16U;

std::string_view header_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Reads the Python literal of a header: {'descr': '<f4', 'fortran_order': False, 'shape': (3,), }
class DictReader {
 public:
  DictReader(const std::string& where, std::string_view text) : where_(where), text_(text) {}

  void read_into(NpyHeader& header) {
    expect("{");
    bool has_descr = false;
    bool has_order = false;
    bool has_shape = false;
    while (!take("}")) {
      const std::string_view key = quoted();
      expect(":");
      if (key == "descr" && !std::exchange(has_descr, true))
        header.descr = quoted();
      else if (key == "fortran_order" && !std::exchange(has_order, true))
        header.fortran_order = truth();
      else if (key == "shape" && !std::exchange(has_shape, true))
        header.shape = shape();
      else
        fail("expected the keys descr, fortran_order and shape, each once");
      if (!take(",")) {
        expect("}");
        break;
      }
    }
    skip_spaces();
    if (!text_.empty()) fail("expected nothing after the dictionary");
    if (!has_descr || !has_order || !has_shape) fail("expected the keys descr, fortran_order and shape");
  }

 private:
  [[noreturn]] void fail(const std::string& expectation) const {
    throw FormatError(where_, "in the .npy header, " + expectation);
  }

  void skip_spaces() { text_.remove_prefix(std::min(text_.find_first_not_of(" \t\n"), text_.size())); }

  bool take(std::string_view token) {
    skip_spaces();
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token)) fail(fmt::format("expected '{}'", token));
  }

  std::string_view quoted() {
    const char quote = take("'") ? '\'' : '"';
    if (quote == '"') expect("\"");
    const std::size_t end = text_.find(quote);
    if (end == std::string_view::npos) fail("expected a string to end");
    const std::string_view inside = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return inside;
  }

  bool truth() {
    if (take("True")) return true;
    expect("False");
    return false;
  }

  std::vector<std::int64_t> shape() {
    constexpr std::size_t most_dimensions = 32;  // NumPy's own limit
    std::vector<std::int64_t> lengths;
    expect("(");
    while (!take(")")) {
      skip_spaces();
      const std::size_t digits = std::min(text_.find_first_not_of("0123456789"), text_.size());
      const std::optional<std::int64_t> length = parse_integer(text_.substr(0, digits));
      if (!length || lengths.size() == most_dimensions) fail("expected a shape, such as (3,) or (3, 4)");
      lengths.push_back(*length);
      text_.remove_prefix(digits);
      if (!take(",")) {
        expect(")");
        break;
      }
    }
    return lengths;
  }

  const std::string& where_;
  std::string_view text_;
};

NpyHeader header_of(const std::string& path, std::span<const std::byte> bytes) {
  try {
    return parse_npy_header(path, bytes);
  } catch (const FormatError& error) {
    throw CorruptFileError(error.where(), error.expectation());
  }
}

}  // namespace

std::uint64_t npy_header_bytes(const std::string& where, std::span<const std::byte> prefix) {
  const std::string_view text = header_text(prefix);
  if (text.size() < kNpyPrefixBytes || !text.starts_with(kNpyMagic)) throw FormatError(where, "expected a NumPy array (.npy)");
  const auto byte = [&](std::size_t at) { return static_cast<std::uint64_t>(prefix[at]); };
  const std::uint64_t version = byte(6);
  if (version < 1 || version > 3 || byte(7) != 0)
    throw FormatError(where, fmt::format("expected version 1.0, 2.0 or 3.0 of the .npy format, found {}.{}", version, byte(7)));
  const std::uint64_t bytes =
      version == 1 ? 10 + byte(8) + (byte(9) << 8U) : 12 + byte(8) + (byte(9) << 8U) + (byte(10) << 16U) + (byte(11) << 24U);
  if (bytes > kMostHeaderBytes)
    throw FormatError(where, fmt::format("expected a .npy header of at most {} bytes, found {}", kMostHeaderBytes, bytes));
  return std::max<std::uint64_t>(bytes, kNpyPrefixBytes);
}

NpyHeader parse_npy_header(const std::string& where, std::span<const std::byte> bytes) {
  NpyHeader header;
  header.data_offset = npy_header_bytes(where, bytes);
  if (header.data_offset > bytes.size())
    throw FormatError(where, fmt::format("expected a .npy header of {} bytes, found only {}", header.data_offset, bytes.size()));
  const std::size_t begin = bytes[6] == std::byte{1} ? 10 : 12;
  const std::string_view dictionary = header_text(bytes.subspan(begin, header.data_offset - begin));
  DictReader(where, dictionary).read_into(header);
  return header;
}

std::string pool_npy_header(std::string_view descr, std::int64_t count) {
  std::string header(kNpyMagic);
  header += std::string_view("\x01\x00\x76\x00", 4);  // version 1.0, 118 bytes follow
  header += fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", descr, count);
  assert(header.size() < kPoolNpyHeaderBytes);
  header.resize(kPoolNpyHeaderBytes - 1, ' ');
  header += '\n';
  return header;
}

void check_npy_beginning(const std::string& path, std::span<const std::byte> beginning, std::uint64_t file_bytes,
                         std::string_view descr, std::size_t number_bytes, std::int64_t count) {
  const NpyHeader header = header_of(path, beginning);
  if (beginning[6] != std::byte{1})
    throw CorruptFileError(path, "expected version 1.0 of the .npy format, found {}.0", static_cast<int>(beginning[6]));
  if (header.descr != descr || header.fortran_order || header.shape.size() != 1)
    throw CorruptFileError(path, "expected a one-dimensional array of '{}'", descr);
  if (header.shape.front() != count) throw CorruptFileError(path, "expected {} numbers, found {}", count, header.shape.front());
  if (header.data_offset != kPoolNpyHeaderBytes)
    throw CorruptFileError(path, "expected a header of {} bytes, found {}", kPoolNpyHeaderBytes, header.data_offset);
  const std::uint64_t data_bytes = file_bytes - std::min(file_bytes, kPoolNpyHeaderBytes);
  if (data_bytes % number_bytes != 0 || data_bytes / number_bytes != static_cast<std::uint64_t>(count))
    throw CorruptFileError(path, "expected {} bytes of numbers, found {}",
                           digit_groups(static_cast<std::uint64_t>(count) * number_bytes), digit_groups(data_bytes));
}

}  // namespace inkling
