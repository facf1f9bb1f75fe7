#include "io/source/archive_headers.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

using namespace std::string_view_literals;

std::uint64_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

// A number with its lowest byte first.
std::uint64_t number_in(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t n = size; n > 0; --n) number = number << 8U | byte_at(bytes, at + n - 1);
  return number;
}

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
      case Part::stream:
        return take_stream(header);
      case Part::block:
        return take_block(header);
      case Part::chunk:
        return take_chunk(header);
      case Part::index_count:
      case Part::index_number:
        return take_index_number(header);
      case Part::padding:
        return take_padding(header);
    }
  }

  void take_stream(std::string_view header) {
    constexpr std::array<std::uint64_t, 16> check_sizes = {0,  4,  4,  4,  8,  8,  8,  16,
                                                           16, 16, 32, 32, 32, 64, 64, 64};
    if (!header.starts_with("\xFD"
                            "7zXZ\0"sv))
      refuse_packed(name(), "something else after the end of what xz packed");
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
    refuse_packed(name(), "a way of packing that is not known");
  }

  static std::uint64_t window_of_bits(std::uint64_t bits) {
    constexpr std::uint64_t largest = 40;
    if (bits >= largest) return UINT32_MAX;
    return (2U | (bits & 1U)) << (bits / 2 + 11);
  }

  // A control byte, the size of what is unpacked and, where it is packed, of what is packed.
  void take_chunk(std::string_view header) {
    const std::uint64_t control = byte_at(header, 0);
    constexpr std::size_t stored = 3;
    constexpr std::size_t packed = 5;
    const auto high_first = [&](std::size_t at) {
      return byte_at(header, at) << 8U | byte_at(header, at + 1);
    };
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

  // The index: how many numbers, each of them, filled up to four bytes, a checksum of four; then a footer of twelve.
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
    const std::uint64_t magic = number_in(header, 0, kMagic);
    if ((magic & 0xFFFFFFF0U) == 0x184D2A50U) {
      if (header.size() < skippable_header) return want_more(skippable_header);
      return go_on(number_in(header, kMagic, 4), kMagic, true);
    }
    if (magic != 0xFD2FB528U) refuse_packed(name(), "something else after the end of what zstd packed");
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
    const std::uint64_t window = whole_in_window
                                     ? number_in(header, length_at, length) + (length == 2 ? 256 : 0)
                                     : window_of(byte_at(header, window_at));
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
    const std::uint64_t block = number_in(header, 0, kBlockHeader);
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

// cpio: headers whose names may be as long as a header says.
class CpioWatch final : public HeaderWatch {
 public:
  explicit CpioWatch(std::string name) : HeaderWatch(std::move(name)) { want_more(kMagic); }

 private:
  static constexpr std::size_t kMagic = 6;

  void take_header(std::string_view header) override {
    const bool old = header.starts_with("070707"sv);
    if (!old && !header.starts_with("070701"sv) && !header.starts_with("070702"sv))
      refuse_packed(name(), "a damaged header");
    const std::size_t size = old ? 76 : 110;
    if (header.size() < size) return want_more(size);
    const std::uint64_t name_size = old ? digits(header.substr(59, 6), 8) : digits(header.substr(94, 8), 16);
    const std::uint64_t content = old ? digits(header.substr(65, 11), 8) : digits(header.substr(54, 8), 16);
    constexpr std::uint64_t longest_name = 0xFFFF;
    if (name_size > longest_name)
      refuse_packed(name(),
                    fmt::format("a name of {} bytes, where {} are the most", name_size, longest_name));
    const std::uint64_t named = size + name_size;
    if (header.size() < named) return want_more(static_cast<std::size_t>(named));
    if (header.substr(size).starts_with("TRAILER!!!\0"sv)) return stop();
    go_on(old ? content : (4 - named % 4) % 4 + (content + 3) / 4 * 4, kMagic);
  }

  std::uint64_t digits(std::string_view text, std::uint64_t base) const {
    std::uint64_t number = 0;
    for (const char digit : text) {
      const std::size_t value =
          "0123456789abcdef"sv.find(digit >= 'A' && digit <= 'F' ? static_cast<char>(digit + 32) : digit);
      if (value >= base) refuse_packed(name(), "a damaged header");
      number = number * base + value;
    }
    return number;
  }
};

// A zip file's directory is read in order, a record of 46 bytes and three texts after the other.
class DirectoryReader {
 public:
  DirectoryReader(InputStream& stream, const std::string& name) : stream_(stream), name_(name) {}

  // The next bytes, valid until the next call. Requires: at most half a megabyte.
  [[nodiscard]] std::string_view take(std::size_t bytes) {
    while (block_.size() - at_ < bytes) {
      block_.erase(0, at_);
      at_ = 0;
      const std::size_t before = block_.size();
      block_.resize(before + kBlock);
      block_.resize(before + stream_.read(std::span(block_).subspan(before)));
      if (block_.size() == before) refuse_packed(name_, "its list of files cut");
    }
    at_ += bytes;
    return std::string_view(block_).substr(at_ - bytes, bytes);
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 16U;
  InputStream& stream_;
  const std::string& name_;
  std::string block_;
  std::size_t at_ = 0;
};

constexpr std::size_t kSignature = 4;
constexpr std::size_t kZipEnd = 22;
constexpr std::string_view kZipEndSignature = "PK\x05\x06";
constexpr std::string_view kZip64EndSignature = "PK\x06\x06";
constexpr std::string_view kZipFileSignature = "PK\x01\x02";

bool is_zip_link(std::string_view record) {
  constexpr std::uint64_t of_unix = 3;
  constexpr std::uint64_t kind_bits = 0170000;
  constexpr std::uint64_t link = 0120000;
  return byte_at(record, 5) == of_unix && ((number_in(record, 38, 4) >> 16U) & kind_bits) == link;
}

// The number of files that the end of the directory tells; nothing where it tells only its lowest bits.
bool has_told_files(std::string_view end, std::uint64_t files) {
  if (end.starts_with(kZip64EndSignature)) return number_in(end, 32, 8) == files;
  const std::uint64_t told = number_in(end, 10, 2);
  return told == 0xFFFF || told == (files & 0xFFFFU);
}

std::string bytes_of(const FileStream& file, std::uint64_t position, std::size_t count) {
  std::string bytes(count, '\0');
  bytes.resize(file.read_at(position, bytes));
  return bytes;
}

// What the record says that ends a file, or the larger one before it for large files.
ZipDirectory directory_told_by(const FileStream& file, std::uint64_t position, std::string_view end) {
  const ZipDirectory directory = {position, number_in(end, 12, 4), number_in(end, 10, 2)};
  constexpr std::size_t locator = 20;
  constexpr std::size_t large_end = 56;
  if (position < locator + large_end) return directory;
  const std::string pointer = bytes_of(file, position - locator, locator);
  if (!pointer.starts_with("PK\x06\x07"sv)) return directory;
  for (const std::uint64_t at : {number_in(pointer, 8, 8), position - locator - large_end}) {
    const std::string large = bytes_of(file, at, large_end);
    if (large.size() == large_end && large.starts_with(kZip64EndSignature))
      return {at, number_in(large, 40, 8), number_in(large, 32, 8)};
  }
  return directory;
}

}  // namespace

std::optional<ZipDirectory> find_zip_directory(const FileStream& file, std::size_t comment) {
  if (file.size() < kZipEnd) return std::nullopt;
  const auto tail_size = static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), kZipEnd + comment));
  const std::uint64_t tail_begin = file.size() - tail_size;
  const std::string tail = bytes_of(file, tail_begin, tail_size);
  if (tail.size() < kZipEnd) return std::nullopt;
  for (std::size_t at = tail.rfind(kZipEndSignature, tail.size() - kZipEnd); at != std::string::npos;
       at = at == 0 ? std::string::npos : tail.rfind(kZipEndSignature, at - 1)) {
    if (at + kZipEnd + number_in(tail, at + 20, 2) > tail.size()) continue;
    ZipDirectory found = directory_told_by(file, tail_begin + at, std::string_view(tail).substr(at));
    // What it tells of places is too low where something stands before the zip file, but the list ends right here.
    if (found.bytes > found.begin) continue;
    found.begin -= found.bytes;
    if (found.bytes == 0 || bytes_of(file, found.begin, kSignature) == kZipFileSignature) return found;
  }
  return std::nullopt;
}

ZipFiles read_zip_directory(InputStream& directory, const std::string& name) {
  DirectoryReader reader(directory, name);
  ZipFiles found;
  for (;;) {
    constexpr std::size_t rest_of_record = 42;
    std::string record(reader.take(kSignature));
    if (record != kZipFileSignature) {
      const bool large = record == kZip64EndSignature;
      if (!large && record != kZipEndSignature) refuse_packed(name, "its list of files damaged or cut");
      record += reader.take((large ? 56 : kZipEnd) - kSignature);
      if (!has_told_files(record, found.files)) refuse_packed(name, "its list of files damaged or cut");
      return found;
    }
    record += reader.take(rest_of_record);
    found.checksums += number_in(record, 16, 4);
    const std::string_view file = reader.take(static_cast<std::size_t>(number_in(record, 28, 2)));
    if (found.first_link.empty() && is_zip_link(record)) found.first_link = file.empty() ? "?" : file;
    static_cast<void>(
        reader.take(static_cast<std::size_t>(number_in(record, 30, 2) + number_in(record, 32, 2))));
    ++found.files;
  }
}

std::uint64_t zip_directory_memory(std::uint64_t files) {
  constexpr std::uint64_t of_a_file = 224;  // as libarchive keeps it
  return files * of_a_file;
}

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

std::unique_ptr<HeaderWatch> watch_headers(PackingKind kind, const std::string& name,
                                           const UnpackingLimits& limits) {
  switch (kind) {
    case PackingKind::xz:
      return std::make_unique<XzWatch>(name, limits);
    case PackingKind::zstd:
      return std::make_unique<ZstdWatch>(name, limits);
    case PackingKind::cpio:
      return std::make_unique<CpioWatch>(name);
    default:
      return nullptr;
  }
}

void check_unpacking_memory(const std::string& name, std::uint64_t needed, const UnpackingLimits& limits) {
  if (needed <= limits.most_memory) return;
  throw FormatError(
      name, fmt::format("expected to unpack it in {} bytes of memory (an eighth of --memory), found that "
                        "it needs {}: allow more, or pack it in another way",
                        limits.most_memory, needed));
}

}  // namespace inkling
