#include "io/base/system/mapping.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <span>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace inkling {

namespace {

// The path in this line of /proc/self/maps if the address lies in the range of the line, else nullptr.
const char* path_in(std::span<const char> line, std::uintptr_t address) noexcept {
  const char* const end_of_line = line.data() + line.size() - 1;
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  constexpr int hexadecimal = 16;
  const auto first = std::from_chars(line.data(), end_of_line, begin, hexadecimal);
  if (first.ec != std::errc() || *first.ptr != '-') return nullptr;
  if (std::from_chars(first.ptr + 1, end_of_line, end, hexadecimal).ec != std::errc()) return nullptr;
  return address >= begin && address < end ? std::strchr(line.data(), '/') : nullptr;
}

}  // namespace

const char* mapped_path_at(const void* address) noexcept {
  // A path and what precedes it; a signal handler has no memory of its own.
  static std::array<char, 8192> line;
  const File maps(::open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> piece{};
  std::size_t length = 0;
  for (ssize_t got = 0; (got = ::read(maps.number(), piece.data(), piece.size())) > 0;) {
    for (const char byte : std::span(piece).first(static_cast<std::size_t>(got))) {
      line[length] = byte == '\n' ? '\0' : byte;
      if (length + 1 < line.size()) ++length;
      if (byte != '\n') continue;
      if (const char* const path = path_in(std::span(line).first(length), reinterpret_cast<std::uintptr_t>(address))) return path;
      length = 0;
    }
  }
  return nullptr;
}

}  // namespace inkling
