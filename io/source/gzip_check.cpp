#include "io/source/gzip_check.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>

namespace inkling {
namespace {

constexpr std::string_view kGzipMemberMagic = "\x1F\x8B\x08";
constexpr std::size_t kStride = 8;

using Tables = std::array<std::array<std::uint32_t, 256>, kStride>;

// Table 0 is that of one byte; table n is that of a byte with n zeros after it, so that eight bytes are taken
// in at once.
constexpr Tables make_tables() {
  constexpr std::uint32_t polynomial = 0xEDB88320U;
  Tables kTables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t state = byte;
    for (int bit = 0; bit < 8; ++bit) state = (state >> 1U) ^ ((state & 1U) != 0 ? polynomial : 0U);
    kTables[0][byte] = state;
  }
  for (std::size_t n = 1; n < kStride; ++n) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = kTables[n - 1][byte];
      kTables[n][byte] = (before >> 8U) ^ kTables[0][before & 0xFFU];
    }
  }
  return kTables;
}

constexpr Tables kTables = make_tables();

int count_of(std::string_view pattern, std::string_view text) {
  int count = 0;
  for (std::size_t at = text.find(pattern); at != std::string_view::npos; at = text.find(pattern, at + 1))
    ++count;
  return count;
}

static_assert(std::endian::native == std::endian::little);

}  // namespace

void Crc32::append(std::span<const char> bytes) {
  for (; bytes.size() >= kStride; bytes = bytes.subspan(kStride)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    word ^= state_;
    state_ = 0;
    for (std::size_t n = 0; n < kStride; ++n) state_ ^= kTables[kStride - 1 - n][(word >> (8 * n)) & 0xFFU];
  }
  for (const char byte : bytes)
    state_ = (state_ >> 8U) ^ kTables[0][(state_ ^ static_cast<unsigned char>(byte)) & 0xFFU];
}

void GzipCheck::note_packed(std::span<const char> bytes) {
  if (bytes.empty()) return;
  // Across the border between two pieces first.
  constexpr std::size_t overlap = kGzipMemberMagic.size() - 1;
  std::string border(last_bytes_.end() - overlap, last_bytes_.end());
  border.append(bytes.data(), std::min(bytes.size(), overlap));
  beginnings_ +=
      count_of(kGzipMemberMagic, border) + count_of(kGzipMemberMagic, {bytes.data(), bytes.size()});

  const std::size_t fresh = std::min(bytes.size(), last_bytes_.size());
  std::copy(last_bytes_.begin() + static_cast<std::ptrdiff_t>(fresh), last_bytes_.end(), last_bytes_.begin());
  std::memcpy(last_bytes_.data() + last_bytes_.size() - fresh, bytes.last(fresh).data(), fresh);
}

void GzipCheck::note_unpacked(std::span<const char> bytes) {
  crc_.append(bytes);
  unpacked_ += bytes.size();
}

bool GzipCheck::is_broken() const {
  const std::uint32_t checksum = number_at(0);
  const std::uint32_t length = number_at(4);
  const bool right_length = length == static_cast<std::uint32_t>(unpacked_);
  if (right_length) return checksum != crc_.value();
  const bool filled_up = checksum == 0 && length == 0;
  return beginnings_ == 1 && !filled_up;
}

std::uint32_t GzipCheck::number_at(std::size_t position) const {
  std::uint32_t number = 0;
  std::memcpy(&number, last_bytes_.data() + position, sizeof number);
  return number;
}

}  // namespace inkling
