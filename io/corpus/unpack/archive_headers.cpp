#include "io/corpus/unpack/archive_headers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/low_first.hpp"

namespace inkling {
namespace {

using namespace std::string_view_literals;

std::uint64_t byte_at(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

// xz: streams of blocks of LZMA2 chunks. The header of each block says how large its window is.
class XzWatch final : public HeaderWatch {
 public:
  XzWatch(std::string name, const UnpackingLimits& limits) : HeaderWatch(std::move(name)), limits_(limits) {
    want_more(kStreamHeader);
  }

 private:
  static constexpr std::size_t kStreamHeader = 12;

  void take_header(std::string_view header) override {
    switch (next_) {
      case Part::stream: return take_stream(header);
      case Part::block: return take_block(header);
      case Part::chunk: return take_chunk(header);
      case Part::index_count:
      case Part::index_number: return take_index_number(header);
      case Part::padding: return take_padding(header);
    }
  }

  void take_stream(std::string_view header) {
    constexpr std::array<std::uint64_t, 16> check_sizes = {0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64};
    if (!header.starts_with("\xFD"
                            "7zXZ\0"sv))
      refuse_packed(name(), "other bytes after the end of the xz data");
    check_ = check_sizes[byte_at(header, 7) & 0xFU];
    next_ = Part::block;
    go_on(0, 1);
  }

  void take_block(std::string_view header) {
    const auto size = static_cast<std::size_t>((byte_at(header, 0) + 1) * 4);
    if (header.size() == 1 && header.front() == '\0') {
      index_bytes_ = 1;
      next_ = Part::index_count;
      return go_on(0, 1);
    }
    if (header.size() < size) return want_more(size);
    check_unpacking_memory(name(), window_of(header), limits_);
    block_bytes_ = 0;
    next_ = Part::chunk;
    go_on(0, 1);
  }

  // A number of seven bits a byte, the lowest first.
  std::uint64_t long_number(std::string_view header, std::size_t& at) const {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
      if (at >= header.size()) break;
      const std::uint64_t byte = byte_at(header, at++);
      number |= (byte & 0x7FU) << shift;
      if (byte < 0x80) return number;
    }
    refuse_packed(name(), "a damaged header");
  }

  [[nodiscard]] std::uint64_t window_of(std::string_view header) const {
    constexpr std::uint64_t lzma2 = 0x21;
    const std::uint64_t flags = byte_at(header, 1);
    std::size_t at = 2;
    if ((flags & 0x40U) != 0) static_cast<void>(long_number(header, at));
    if ((flags & 0x80U) != 0) static_cast<void>(long_number(header, at));
    for (std::uint64_t filter = 0; filter <= (flags & 3U); ++filter) {
      const std::uint64_t kind = long_number(header, at);
      const std::uint64_t size = long_number(header, at);
      if (size > header.size() - at) refuse_packed(name(), "a damaged header");
      if (kind == lzma2 && size == 1) return window_of_bits(byte_at(header, at));
      at += static_cast<std::size_t>(size);
    }
    refuse_packed(name(), "an unknown way of packing");
  }

  static std::uint64_t window_of_bits(std::uint64_t bits) {
    constexpr std::uint64_t largest = 40;
    if (bits >= largest) return UINT32_MAX;
    return (2U | (bits & 1U)) << (bits / 2 + 11);
  }

  // A control byte, the unpacked size and, if the chunk is packed, the packed size.
  void take_chunk(std::string_view header) {
    const std::uint64_t control = byte_at(header, 0);
    constexpr std::size_t stored = 3;
    constexpr std::size_t packed = 5;
    const auto high_first = [&](std::size_t at) { return byte_at(header, at) << 8U | byte_at(header, at + 1); };
    if (control == 0) return end_block();
    if (control > 2 && control < 0x80) refuse_packed(name(), "a damaged header");
    const std::size_t size = control < 0x80 ? stored : packed;
    if (header.size() < size) return want_more(size);
    const std::uint64_t properties = control >= 0xC0 ? 1 : 0;
    const std::uint64_t content = control < 0x80 ? high_first(1) + 1 : high_first(3) + 1 + properties;
    block_bytes_ += size + content;
    go_on(content, 1);
  }

  void end_block() {
    ++block_bytes_;
    next_ = Part::block;
    go_on((4 - block_bytes_ % 4) % 4 + check_, 1);
  }

  // The index: the number of its numbers, these numbers, padding to four bytes, and a checksum of four bytes. A footer of
  // twelve bytes follows.
  void take_index_number(std::string_view header) {
    if (byte_at(header, header.size() - 1) >= 0x80) return want_more(header.size() + 1);
    index_bytes_ += header.size();
    std::size_t at = 0;
    const std::uint64_t number = long_number(header, at);
    if (next_ == Part::index_count) {
      if (number > UINT64_MAX / 4) refuse_packed(name(), "a damaged header");
      numbers_left_ = 2 * number;
      next_ = Part::index_number;
    } else {
      --numbers_left_;
    }
    if (numbers_left_ > 0) return go_on(0, 1);
    next_ = Part::padding;
    go_on((4 - index_bytes_ % 4) % 4 + 4 + kStreamHeader, 4, true);
  }

  // Zeros between streams, four at a time.
  void take_padding(std::string_view header) {
    if (header == "\0\0\0\0"sv) return go_on(0, 4, true);
    next_ = Part::stream;
    want_more(kStreamHeader);
  }

  enum class Part { stream, block, chunk, index_count, index_number, padding };

  UnpackingLimits limits_;
  Part next_ = Part::stream;
  std::uint64_t check_ = 0;
  std::uint64_t block_bytes_ = 0;
  std::uint64_t index_bytes_ = 0;
  std::uint64_t numbers_left_ = 0;
};

// zstd: frames of blocks. The header of each frame says how large its window is.
class ZstdWatch final : public HeaderWatch {
 public:
  ZstdWatch(std::string name, const UnpackingLimits& limits) : HeaderWatch(std::move(name)), limits_(limits) {
    want_more(kMagic);
  }

 private:
  static constexpr std::size_t kMagic = 4;
  static constexpr std::size_t kBlockHeader = 3;

  void take_header(std::string_view header) override {
    if (in_frame_) return take_block(header);
    constexpr std::size_t skippable_header = 8;
    const std::uint64_t magic = low_first(header, 0, kMagic);
    if ((magic & 0xFFFFFFF0U) == 0x184D2A50U) {
      if (header.size() < skippable_header) return want_more(skippable_header);
      return go_on(low_first(header, kMagic, 4), kMagic, true);
    }
    if (magic != 0xFD2FB528U) refuse_packed(name(), "other bytes after the end of the zstd data");
    take_frame(header);
  }

  void take_frame(std::string_view header) {
    constexpr std::size_t descriptor_at = kMagic;
    if (header.size() == descriptor_at) return want_more(descriptor_at + 1);
    const std::uint64_t descriptor = byte_at(header, descriptor_at);
    const bool whole_in_window = (descriptor & 0x20U) != 0;
    constexpr std::array<std::size_t, 4> dictionary_sizes = {0, 1, 2, 4};
    constexpr std::array<std::size_t, 4> length_sizes = {0, 2, 4, 8};
    const std::size_t dictionary = dictionary_sizes[descriptor & 3U];
    std::size_t length = length_sizes[descriptor >> 6U];
    if (length == 0 && whole_in_window) length = 1;
    const std::size_t window_at = descriptor_at + 1;
    const std::size_t length_at = window_at + (whole_in_window ? 0 : 1) + dictionary;
    if (header.size() < length_at + length) return want_more(length_at + length);
    const std::uint64_t window =
        whole_in_window ? low_first(header, length_at, length) + (length == 2 ? 256 : 0) : window_of(byte_at(header, window_at));
    check_unpacking_memory(name(), window, limits_);
    checksum_ = (descriptor & 4U) != 0 ? 4 : 0;
    in_frame_ = true;
    go_on(0, kBlockHeader);
  }

  static std::uint64_t window_of(std::uint64_t byte) {
    const std::uint64_t base = std::uint64_t{1} << (10 + (byte >> 3U));
    return base + base / 8 * (byte & 7U);
  }

  void take_block(std::string_view header) {
    const std::uint64_t block = low_first(header, 0, kBlockHeader);
    const std::uint64_t kind = (block >> 1U) & 3U;
    constexpr std::uint64_t repeated = 1;
    constexpr std::uint64_t reserved = 3;
    if (kind == reserved) refuse_packed(name(), "a damaged header");
    const std::uint64_t size = kind == repeated ? 1 : block >> 3U;
    const bool last = (block & 1U) != 0;
    in_frame_ = !last;
    go_on(last ? size + checksum_ : size, last ? kMagic : kBlockHeader, last);
  }

  UnpackingLimits limits_;
  bool in_frame_ = false;
  std::uint64_t checksum_ = 0;
};

// cpio: a header says how long its name is. libarchive skips a damaged header and looks for the next one behind it. So a
// damaged header must be refused here: otherwise libarchive would read other headers than were checked.
class CpioWatch final : public HeaderWatch {
 public:
  explicit CpioWatch(std::string name) : HeaderWatch(std::move(name)) { want_more(kMagic); }

 private:
  static constexpr std::size_t kMagic = 6;

  void take_header(std::string_view header) override {
    const bool old = header.starts_with("070707"sv);
    if (!old && !header.starts_with("070701"sv) && !header.starts_with("070702"sv)) refuse_packed(name(), "a damaged header");
    if (is_old_.value_or(old) != old) refuse_packed(name(), "a header of another kind of cpio");
    is_old_ = old;
    const std::size_t size = old ? 76 : 110;
    if (header.size() < size) return want_more(size);
    const std::string_view all_digits = old ? "01234567"sv : "0123456789abcdefABCDEF"sv;
    if (header.substr(0, size).find_first_not_of(all_digits) != std::string_view::npos) refuse_packed(name(), "a damaged header");
    const std::uint64_t name_size = old ? number(header.substr(59, 6), 8) : number(header.substr(94, 8), 16);
    const std::uint64_t content = old ? number(header.substr(65, 11), 8) : number(header.substr(54, 8), 16);
    constexpr std::uint64_t longest_name = 0xFFFF;
    if (name_size > longest_name)
      refuse_packed(name(), fmt::format("a name of {} bytes, where {} are the most", name_size, longest_name));
    const std::uint64_t named = size + name_size;
    if (header.size() < named) return want_more(static_cast<std::size_t>(named));
    constexpr std::string_view last_name = "TRAILER!!!\0"sv;
    if (name_size == last_name.size() && header.substr(size).starts_with(last_name)) return stop();
    go_on(old ? content : (4 - named % 4) % 4 + (content + 3) / 4 * 4, kMagic);
  }

  // Requires: digits of this base.
  static std::uint64_t number(std::string_view digits, int base) {
    std::uint64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
    return number;
  }

  std::optional<bool> is_old_;  // whether the first header is of the old kind; so must all be
};

}  // namespace

void HeaderWatch::note(std::span<const char> bytes) {
  while (!bytes.empty() && !stopped_) {
    const auto skipped = static_cast<std::size_t>(std::min<std::uint64_t>(skipped_, bytes.size()));
    skipped_ -= skipped;
    bytes = bytes.subspan(skipped);
    const std::size_t taken = std::min(wanted_ - header_.size(), bytes.size());
    header_.append(bytes.data(), taken);
    bytes = bytes.subspan(taken);
    while (skipped_ == 0 && header_.size() == wanted_ && !stopped_) take_header(header_);
  }
}

void HeaderWatch::go_on(std::uint64_t skipped, std::size_t next, bool may_end) {
  header_.clear();
  skipped_ = skipped;
  wanted_ = next;
  may_end_ = may_end;
}

void HeaderWatch::stop() {
  go_on(0, 1, true);
  stopped_ = true;
}

std::unique_ptr<HeaderWatch> watch_headers(PackingKind kind, const std::string& name, const UnpackingLimits& limits) {
  switch (kind) {
    case PackingKind::xz: return std::make_unique<XzWatch>(name, limits);
    case PackingKind::zstd: return std::make_unique<ZstdWatch>(name, limits);
    case PackingKind::cpio: return std::make_unique<CpioWatch>(name);
    case PackingKind::none:
    case PackingKind::utf16:
    case PackingKind::gzip:
    case PackingKind::bzip2:
    case PackingKind::lz4:
    case PackingKind::tar:
    case PackingKind::zip: break;
  }
  return nullptr;
}

ReadingBudget budget_of_unpacking(const UnpackingLimits& limits, const std::string& name, std::string_view otherwise) {
  return {{.bytes = limits.most_memory, .option = "a quarter of --memory", .otherwise = otherwise}, name};
}

void note_unpacking_memory(std::uint64_t needed, const UnpackingLimits& limits) {
  if (limits.needed_memory != nullptr)
    limits.needed_memory->store(std::max(needed, limits.needed_memory->load(std::memory_order_relaxed)),
                                std::memory_order_relaxed);
}

void check_unpacking_memory(const std::string& name, std::uint64_t needed, const UnpackingLimits& limits) {
  note_unpacking_memory(needed, limits);
  budget_of_unpacking(limits, name).take(needed);
}

}  // namespace inkling
