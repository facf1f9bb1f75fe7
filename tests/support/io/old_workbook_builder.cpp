#include "tests/support/io/old_workbook_builder.hpp"

#include <algorithm>

namespace inkling::test {
namespace {

constexpr std::size_t kSector = 512;
constexpr std::uint64_t kEndOfChain = 0xFFFFFFFE;
constexpr std::uint64_t kUnused = 0xFFFFFFFF;

std::string filled(std::string bytes, std::size_t unit, char fill = '\0') {
  bytes.resize((bytes.size() + unit - 1) / unit * unit, fill);
  return bytes;
}

std::string entry(std::string_view name, int type, std::uint64_t first, std::uint64_t size) {
  std::string bytes;
  for (const char letter : name) bytes += {letter, '\0'};
  bytes.resize(64);
  bytes += low_bytes(2 * (name.size() + 1), 2) + static_cast<char>(type) + std::string(49, '\0');
  return bytes + low_bytes(first, 4) + low_bytes(size, 8);
}

// The links of sectors that follow one another from `begin` on.
std::string links(std::uint64_t begin, std::uint64_t count) {
  std::string bytes;
  for (std::uint64_t n = 1; n <= count; ++n) bytes += low_bytes(n < count ? begin + n : kEndOfChain, 4);
  return bytes;
}

}  // namespace

std::string low_bytes(std::uint64_t number, int bytes) {
  std::string text;
  for (int n = 0; n < bytes; ++n, number >>= 8U) text += static_cast<char>(number & 0xFFU);
  return text;
}

std::string xls_record(std::uint64_t kind, std::string_view content) {
  return low_bytes(kind, 2) + low_bytes(content.size(), 2) + std::string(content);
}

std::string xls_cell(std::uint64_t row, std::uint64_t column, std::uint64_t style) {
  return low_bytes(row, 2) + low_bytes(column, 2) + low_bytes(style, 2);
}

std::string xls_text(std::string_view latin1) { return low_bytes(latin1.size(), 2) + '\0' + std::string(latin1); }

std::string xls_book(std::string_view globals, std::string_view cells) {
  const auto begin = [](int kind) { return xls_record(0x809, low_bytes(0x600, 2) + low_bytes(static_cast<unsigned>(kind), 14)); };
  const std::string end = xls_record(0x0A, "");
  const std::string name = {1, '\0', 'A'};
  const std::size_t size_of_place = 4 + 6 + name.size();
  const std::uint64_t place = begin(5).size() + globals.size() + size_of_place + end.size();
  return begin(5) + std::string(globals) + xls_record(0x85, low_bytes(place, 4) + low_bytes(0, 2) + name) + end + begin(16) +
         std::string(cells) + end;
}

std::string compound_file(std::string_view name, std::string content, bool in_small_sectors) {
  constexpr std::size_t least_large = 4096;
  constexpr std::size_t small_sector = 64;
  if (!in_small_sectors) content.resize(std::max(content.size(), least_large));
  const std::uint64_t size = content.size();
  const std::string data = filled(std::move(content), kSector);
  const std::uint64_t sectors = data.size() / kSector;
  std::uint64_t tables = 1;
  while (tables * (kSector / 4) < tables + 2 + sectors) ++tables;
  // Tables, the directory, the table of small sectors, the content.
  std::string table;
  for (std::uint64_t n = 0; n < tables; ++n) table += low_bytes(0xFFFFFFFD, 4);
  table += links(tables, 1) + links(tables + 1, 1) + links(tables + 2, sectors);
  const std::uint64_t first = tables + 2;
  const std::string small = links(0, in_small_sectors ? (size + small_sector - 1) / small_sector : 1);
  const std::string directory =
      entry("Root Entry", 5, in_small_sectors ? first : kEndOfChain, in_small_sectors ? data.size() : 0) +
      entry(name, 2, in_small_sectors ? 0 : first, size);
  std::string head = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + std::string(16, '\0') + low_bytes(0x3E, 2) + low_bytes(3, 2) +
                     low_bytes(0xFFFE, 2) + low_bytes(9, 2) + low_bytes(6, 2) + std::string(10, '\0') + low_bytes(tables, 4) +
                     low_bytes(tables, 4) + low_bytes(0, 4) + low_bytes(least_large, 4) + low_bytes(tables + 1, 4) +
                     low_bytes(1, 4) + low_bytes(kEndOfChain, 4) + low_bytes(0, 4);
  for (std::uint64_t n = 0; n < 109; ++n) head += low_bytes(n < tables ? n : kUnused, 4);
  return head + filled(table, kSector, '\xFF') + filled(directory, kSector) + filled(small, kSector, '\xFF') + data;
}

}  // namespace inkling::test
