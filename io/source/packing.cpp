#include "io/source/packing.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace inkling {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t tar_block = 512;

bool is_compressed(std::string_view head) {
  constexpr std::array magics = {"\x1F\x8B\x08"sv,
                                 "\xFD"
                                 "7zXZ\0"sv,
                                 "\x28\xB5\x2F\xFD"sv, "\x04\x22\x4D\x18"sv};
  if (std::ranges::any_of(magics, [&](std::string_view magic) { return head.starts_with(magic); }))
    return true;
  // bzip2: "BZh", a level, then the first block or, where there is nothing in it, the end.
  if (head.size() < 10 || !head.starts_with("BZh"sv) || head[3] < '1' || head[3] > '9') return false;
  const std::string_view block = head.substr(4);
  return block.starts_with("1AY&SY"sv) || block.starts_with("\x17\x72\x45\x38\x50\x90"sv);
}

bool is_zip(std::string_view head) {
  return head.starts_with("PK\x03\x04"sv) || head.starts_with("PK\x05\x06"sv);
}

// An octal number padded by spaces and ended by a NUL or a space, as headers of tar have it.
unsigned long octal(std::string_view field) {
  unsigned long number = 0;
  for (const char digit : field.substr(std::min(field.find_first_not_of(' '), field.size()))) {
    if (digit < '0' || digit > '7') break;
    number = number * 8 + static_cast<unsigned long>(digit - '0');
  }
  return number;
}

// The sum of all bytes of a header, where the sum itself counts as spaces. A block of zeros ends an archive
// and begins none.
bool is_tar(std::string_view head) {
  constexpr std::size_t sum_begin = 148;
  constexpr std::size_t sum_size = 8;
  if (head.size() < tar_block || head.front() == '\0') return false;
  unsigned long sum = sum_size * ' ';
  for (std::size_t i = 0; i < tar_block; ++i) {
    if (i - sum_begin >= sum_size) sum += static_cast<unsigned char>(head[i]);
  }
  return sum == octal(head.substr(sum_begin, sum_size));
}

bool is_cpio(std::string_view head) {
  constexpr std::size_t odc_header = 76;
  constexpr std::size_t newc_header = 110;
  const auto all = [&](std::size_t size, std::string_view digits) {
    return head.size() >= size && head.substr(0, size).find_first_not_of(digits) == std::string_view::npos;
  };
  if (head.starts_with("070707"sv)) return all(odc_header, "01234567"sv);
  if (head.starts_with("070701"sv) || head.starts_with("070702"sv))
    return all(newc_header, "0123456789abcdefABCDEF"sv);
  return false;
}

}  // namespace

Packing packing_of(std::string_view head) {
  if (is_compressed(head)) return Packing::compressed;
  if (is_zip(head) || is_tar(head) || is_cpio(head)) return Packing::archive;
  return Packing::none;
}

}  // namespace inkling
