#include "io/matrix/npy_stream.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/file/utf8.hpp"

namespace inkling {
namespace {

static_assert(std::endian::native == std::endian::little);

struct KindName {
  std::string_view descr;
  NumberKind kind;
};

constexpr std::array<KindName, 12> kKindNames = {{{"|i1", NumberKind::i1},
                                                  {"<i1", NumberKind::i1},
                                                  {"<i2", NumberKind::i2},
                                                  {"<i4", NumberKind::i4},
                                                  {"<i8", NumberKind::i8},
                                                  {"|u1", NumberKind::u1},
                                                  {"|b1", NumberKind::u1},
                                                  {"<u2", NumberKind::u2},
                                                  {"<u4", NumberKind::u4},
                                                  {"<u8", NumberKind::u8},
                                                  {"<f4", NumberKind::f4},
                                                  {"<f8", NumberKind::f8}}};

template <typename Number>
Number number_at(std::span<const std::byte> bytes, std::size_t index) {
  Number number{};
  std::memcpy(&number, bytes.data() + index * sizeof number, sizeof number);
  return number;
}

// Calls `use` with the number as the type that it is.
template <typename Use>
auto with_number(const RawNumbers& numbers, std::size_t index, const Use& use) {
  switch (numbers.kind) {
    case NumberKind::i1:
      return use(number_at<std::int8_t>(numbers.bytes, index));
    case NumberKind::i2:
      return use(number_at<std::int16_t>(numbers.bytes, index));
    case NumberKind::i4:
      return use(number_at<std::int32_t>(numbers.bytes, index));
    case NumberKind::i8:
      return use(number_at<std::int64_t>(numbers.bytes, index));
    case NumberKind::u1:
      return use(number_at<std::uint8_t>(numbers.bytes, index));
    case NumberKind::u2:
      return use(number_at<std::uint16_t>(numbers.bytes, index));
    case NumberKind::u4:
      return use(number_at<std::uint32_t>(numbers.bytes, index));
    case NumberKind::u8:
      return use(number_at<std::uint64_t>(numbers.bytes, index));
    case NumberKind::f4:
      return use(number_at<float>(numbers.bytes, index));
    default:
      return use(number_at<double>(numbers.bytes, index));
  }
}

}  // namespace

std::size_t bytes_of(NumberKind kind) {
  constexpr std::array<std::size_t, 10> bytes = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8};
  return bytes[static_cast<std::size_t>(kind)];
}

bool is_integer(NumberKind kind) { return kind != NumberKind::f4 && kind != NumberKind::f8; }

std::int64_t RawNumbers::integer(std::size_t index) const {
  return with_number(*this, index, [](auto number) -> std::int64_t {
    if constexpr (std::is_floating_point_v<decltype(number)>) {
      return 0;
    } else {
      constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
      return std::in_range<std::int64_t>(number) ? static_cast<std::int64_t>(number) : most;
    }
  });
}

double RawNumbers::real(std::size_t index) const {
  return with_number(*this, index, [](auto number) { return static_cast<double>(number); });
}

NpyStream::NpyStream(std::unique_ptr<InputStream> stream, std::string name)
    : stream_(std::move(stream)), name_(std::move(name)) {
  std::string bytes(kNpyPrefixBytes, '\0');
  bytes.resize(stream_->read(bytes));
  const auto size = static_cast<std::size_t>(npy_header_bytes(name_, std::as_bytes(std::span(bytes))));
  const std::size_t prefix = std::min(bytes.size(), size);
  bytes.resize(size);
  bytes.resize(prefix + stream_->read(std::span(bytes).subspan(prefix)));
  header_ = parse_npy_header(name_, std::as_bytes(std::span(bytes)));
}

NumberKind NpyStream::kind() const {
  const auto* const found = std::ranges::find(kKindNames, header_.descr, &KindName::descr);
  if (found == kKindNames.end()) {
    fail(fmt::format("expected integers, float32 or float64 in this machine's order of bytes, found {}",
                     quoted_text(header_.descr)));
  }
  return found->kind;
}

std::int64_t NpyStream::length() const {
  if (header_.shape.size() != 1) fail(fmt::format("expected one dimension, found {}", header_.shape.size()));
  return header_.shape.front();
}

RawNumbers NpyStream::read(std::uint64_t count) {
  constexpr std::uint64_t block = std::uint64_t{1} << 16U;
  RawNumbers numbers = {.kind = kind(), .bytes = {}};
  const std::size_t size = bytes_of(numbers.kind);
  for (std::uint64_t left = count; left > 0;) {
    const auto some = static_cast<std::size_t>(std::min(left, block));
    const std::size_t before = numbers.bytes.size();
    numbers.bytes.resize(before + some * size);
    const std::span<char> room(reinterpret_cast<char*>(numbers.bytes.data()) + before, some * size);
    if (stream_->read(room) != room.size()) fail("expected more numbers, as its header says; found the end");
    left -= some;
  }
  return numbers;
}

std::string NpyStream::read_text(std::size_t most) {
  std::string text(most, '\0');
  text.resize(stream_->read(text));
  return text;
}

void NpyStream::fail(const std::string& expectation) const { throw FormatError(name_, expectation); }

}  // namespace inkling
