#include "io/corpus/matrix/npy_stream.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

static_assert(std::endian::native == std::endian::little);

template <typename Number>
Number number_at(const std::byte* at) {
  Number number{};
  std::memcpy(&number, at, sizeof number);
  return number;
}

template <typename Number>
constexpr NumberKind number_kind(std::string_view descr) {
  constexpr auto integer = [](const std::byte* at) -> std::int64_t {
    if constexpr (!std::is_integral_v<Number>) return 0;
    const auto number = number_at<Number>(at);
    if constexpr (std::is_same_v<Number, std::uint64_t>)
      if (!std::in_range<std::int64_t>(number)) return std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(number);
  };
  constexpr auto text = [](const std::byte* at) { return fmt::to_string(+number_at<Number>(at)); };
  constexpr auto real = [](const std::byte* at) { return static_cast<double>(number_at<Number>(at)); };
  return {descr, sizeof(Number), std::is_integral_v<Number>, integer, text, real};
}

constexpr std::array kNumberKinds = {
    number_kind<std::int8_t>("|i1"),   number_kind<std::int8_t>("<i1"),   number_kind<std::int16_t>("<i2"),
    number_kind<std::int32_t>("<i4"),  number_kind<std::int64_t>("<i8"),  number_kind<std::uint8_t>("|u1"),
    number_kind<std::uint8_t>("|b1"),  number_kind<std::uint16_t>("<u2"), number_kind<std::uint32_t>("<u4"),
    number_kind<std::uint64_t>("<u8"), number_kind<float>("<f4"),         number_kind<double>("<f8")};

}  // namespace

NpyStream::NpyStream(std::unique_ptr<InputStream> stream, std::string name) : stream_(std::move(stream)), name_(std::move(name)) {
  std::string bytes(kNpyPrefixBytes, '\0');
  bytes.resize(stream_->read(bytes));
  const auto size = static_cast<std::size_t>(npy_header_bytes(name_, std::as_bytes(std::span(bytes))));
  const std::size_t prefix = std::min(bytes.size(), size);
  bytes.resize(size);
  bytes.resize(prefix + stream_->read(std::span(bytes).subspan(prefix)));
  header_ = parse_npy_header(name_, std::as_bytes(std::span(bytes)));
}

const NumberKind& NpyStream::kind() const {
  const auto* const found = std::ranges::find(kNumberKinds, header_.descr, &NumberKind::descr);
  if (found == kNumberKinds.end()) {
    fail(fmt::format("expected integers, float32 or float64 in this machine's order of bytes, found {}",
                     quoted_text(header_.descr)));
  }
  return *found;
}

std::int64_t NpyStream::length() const {
  if (header_.shape.size() != 1) fail(fmt::format("expected one dimension, found {}", header_.shape.size()));
  return header_.shape.front();
}

RawNumbers NpyStream::read(std::uint64_t count) {
  constexpr std::uint64_t block = std::uint64_t{1} << 16U;
  RawNumbers numbers = {.kind = &kind(), .bytes = {}};
  const std::size_t size = numbers.kind->bytes;
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

void NpyStream::finish() {
  std::array<char, 1> one_more{};
  if (stream_->read(one_more) != 0) fail("expected nothing after its numbers, found more bytes");
}

void NpyStream::fail(const std::string& expectation) const { throw FormatError(name_, expectation); }

}  // namespace inkling
