#include "io/base/system/mapping.hpp"

#include <array>
#include <cstdint>

#include <libproc.h>
#include <unistd.h>

namespace inkling {

const char* mapped_path_at(const void* address) noexcept {
  static std::array<char, PROC_PIDPATHINFO_MAXSIZE> path;  // a signal handler has no memory of its own
  const int length = ::proc_regionfilename(::getpid(), reinterpret_cast<std::uintptr_t>(address), path.data(), path.size());
  return length > 0 ? path.data() : nullptr;
}

}  // namespace inkling
