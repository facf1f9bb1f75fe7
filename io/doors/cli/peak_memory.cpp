#include "io/doors/cli/peak_memory.hpp"

#include <fstream>
#include <string>

namespace inkling {

std::optional<std::uint64_t> peak_resident_memory() {
  std::ifstream status("/proc/self/status");
  std::uint64_t kibibytes = 0;
  for (std::string word; status >> word;)
    if (word == "VmHWM:" && status >> kibibytes) return kibibytes * 1024;
  return std::nullopt;
}

}  // namespace inkling
