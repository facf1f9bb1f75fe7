#include "io/base/file/mapped_file.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/base/file/cut_files.hpp"
#include "io/base/file/file_identity.hpp"

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

MappedFile::MappedFile(const std::string& path)
    : MappedFile(open_regular_file(AT_FDCWD, path, path).number(), path) {}

MappedFile::MappedFile(int descriptor, const std::string& path) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) throw SystemError(path, errno, "cannot map");
  if (status.st_size == 0) return;  // nothing can be mapped, and nothing needs to be
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (address == MAP_FAILED) throw SystemError(path, errno, "cannot map");
  bytes_ = {static_cast<const std::byte*>(address), {.size = size}};
  note_mapped(bytes_.get(), size, path);
}

void MappedFile::Unmap::operator()(const std::byte* bytes) const noexcept {
  forget_mapped(bytes);
  ::munmap(const_cast<std::byte*>(bytes), size);
}

const char* mapped_path_at(const void* address) noexcept {
  static std::array<char, 8192>
      line;  // a path and what stands before it; a signal handler has no memory of its own
  const Descriptor maps(::open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> piece{};
  std::size_t length = 0;
  for (ssize_t got = 0; (got = ::read(maps.number(), piece.data(), piece.size())) > 0;) {
    for (const char byte : std::span(piece).first(static_cast<std::size_t>(got))) {
      line[length] = byte == '\n' ? '\0' : byte;
      if (length + 1 < line.size()) ++length;
      if (byte != '\n') continue;
      if (const char* const path =
              path_in(std::span(line).first(length), reinterpret_cast<std::uintptr_t>(address)))
        return path;
      length = 0;
    }
  }
  return nullptr;
}

}  // namespace inkling
