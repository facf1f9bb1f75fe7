#include "io/corpus/unpack/packing.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kTarBlock = 512;

bool is_bzip2(std::string_view head) {
  // "BZh", a level, then the first block, or the end if the content is empty.
  if (head.size() < 10 || !head.starts_with("BZh"sv) || head[3] < '1' || head[3] > '9') return false;
  const std::string_view block = head.substr(4);
  return block.starts_with("1AY&SY"sv) || block.starts_with("\x17\x72\x45\x38\x50\x90"sv);
}

PackingKind compression_of(std::string_view head) {
  // UTF-32 begins with the same two bytes and two zeros, which are not a character of a text in UTF-16.
  const bool has_mark = head.starts_with("\xFF\xFE"sv) || head.starts_with("\xFE\xFF"sv);
  if (has_mark && head.substr(2, 2) != "\0\0"sv) return PackingKind::utf16;
  if (head.starts_with("\x1F\x8B\x08"sv)) return PackingKind::gzip;
  if (head.starts_with("\xFD"
                       "7zXZ\0"sv))
    return PackingKind::xz;
  if (head.starts_with("\x28\xB5\x2F\xFD"sv)) return PackingKind::zstd;
  if (head.starts_with("\x04\x22\x4D\x18"sv)) return PackingKind::lz4;
  return is_bzip2(head) ? PackingKind::bzip2 : PackingKind::none;
}

bool is_zip(std::string_view head) { return head.starts_with("PK\x03\x04"sv) || head.starts_with("PK\x05\x06"sv); }

// An octal number padded by spaces and ended by a NUL or a space, as headers of tar have it.
unsigned long octal(std::string_view field) {
  unsigned long number = 0;
  for (const char digit : field.substr(std::min(field.find_first_not_of(' '), field.size()))) {
    if (digit < '0' || digit > '7') break;
    number = number * 8 + static_cast<unsigned long>(digit - '0');
  }
  return number;
}

// Compares the checksum of the header: the sum of all its bytes, with spaces in the place of the sum itself. A block of
// zeros ends an archive and never begins one.
bool is_tar(std::string_view head) {
  constexpr std::size_t sum_begin = 148;
  constexpr std::size_t sum_size = 8;
  if (head.size() < kTarBlock || head.front() == '\0') return false;
  unsigned long sum = sum_size * ' ';
  for (std::size_t i = 0; i < kTarBlock; ++i)
    if (i - sum_begin >= sum_size) sum += static_cast<unsigned char>(head[i]);
  return sum == octal(head.substr(sum_begin, sum_size));
}

bool is_cpio(std::string_view head) {
  constexpr std::size_t odc_header = 76;
  constexpr std::size_t newc_header = 110;
  const auto all = [&](std::size_t size, std::string_view digits) {
    return head.size() >= size && head.substr(0, size).find_first_not_of(digits) == std::string_view::npos;
  };
  if (head.starts_with("070707"sv)) return all(odc_header, "01234567"sv);
  if (head.starts_with("070701"sv) || head.starts_with("070702"sv)) return all(newc_header, "0123456789abcdefABCDEF"sv);
  return false;
}

constexpr std::array kCompressedEndings = {".gz"sv, ".bz2"sv, ".xz"sv, ".zst"sv, ".lz4"sv,
                                           // Endings of packed files that cannot be read here.
                                           ".7z"sv, ".rar"sv, ".lzma"sv, ".lz"sv, ".lzo"sv};
constexpr std::array kArchiveEndings = {".tar"sv, ".zip"sv, ".cpio"sv};
constexpr std::array kCompressedTarEndings = {".tgz"sv, ".tbz2"sv, ".tbz"sv, ".txz"sv, ".tzst"sv, ".tlz4"sv};

char lower_ascii(char character) {
  return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a') : character;
}

// The ending that the name has, in any letter case, after at least one other character; empty if it has none of them.
template <typename Endings>
std::string_view ending_among(std::string_view name, const Endings& endings) {
  const auto fits = [&](std::string_view ending) {
    return name.size() > ending.size() && std::ranges::equal(name.substr(name.size() - ending.size()), ending, {}, lower_ascii);
  };
  const auto found = std::ranges::find_if(endings, fits);
  return found == endings.end() ? std::string_view() : *found;
}

}  // namespace

PackingKind packing_kind_of(std::string_view head) {
  if (const PackingKind kind = compression_of(head); kind != PackingKind::none) return kind;
  if (is_zip(head)) return PackingKind::zip;
  if (is_tar(head)) return PackingKind::tar;
  return is_cpio(head) ? PackingKind::cpio : PackingKind::none;
}

Packing packing_of(PackingKind kind) {
  switch (kind) {
    case PackingKind::none: return Packing::none;
    case PackingKind::tar:
    case PackingKind::zip:
    case PackingKind::cpio: return Packing::archive;
    case PackingKind::utf16:
    case PackingKind::gzip:
    case PackingKind::bzip2:
    case PackingKind::xz:
    case PackingKind::zstd:
    case PackingKind::lz4: break;
  }
  return Packing::compressed;
}

NamePromise promise_of_name(std::string_view name) {
  if (const std::string_view both = ending_among(name, kCompressedTarEndings); !both.empty()) return {both, both};
  NamePromise promise;
  promise.compressed = ending_among(name, kCompressedEndings);
  name.remove_suffix(promise.compressed.size());
  promise.archive = ending_among(name, kArchiveEndings);
  return promise;
}

bool is_empty_tar(std::string_view head) {
  return head.size() >= kTarBlock && head.substr(0, kTarBlock).find_first_not_of('\0') == std::string_view::npos;
}

void UnpackingMeter::add(std::uint64_t unpacked) {
  unpacked_ += unpacked;
  *total_ += unpacked;
  const double most = static_cast<double>(limits_.free_bytes) + limits_.most_expansion * static_cast<double>(file_->bytes_read());
  if (static_cast<double>(unpacked_) > most) {
    throw FormatError(file_->path(), fmt::format("expected at most {} bytes unpacked for each packed one "
                                                 "beyond the first {} (--max-expansion), found more",
                                                 number_text(limits_.most_expansion), limits_.free_bytes));
  }
  if (*total_ > limits_.most_unpacked_bytes) {
    throw FormatError(file_->path(), fmt::format("expected at most {} bytes unpacked (--max-unpacked), found more",
                                                 limits_.most_unpacked_bytes));
  }
}

void refuse_packed(const std::string& name, std::string_view found) {
  throw FormatError(name, fmt::format("expected an intact compressed file or archive, found: {}", found));
}

}  // namespace inkling
