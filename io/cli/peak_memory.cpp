#include "io/cli/peak_memory.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

#include "io/file/strict_number.hpp"

namespace inkling {

std::optional<std::uint64_t> peak_resident_memory() {
  constexpr std::string_view name = "VmHWM:";
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (!line.starts_with(name)) continue;
    std::string_view number = std::string_view(line).substr(name.size());
    number.remove_prefix(std::min(number.find_first_not_of(" \t"), number.size()));
    const std::optional<std::int64_t> kibibytes = parse_integer(number.substr(0, number.find(' ')));
    if (kibibytes) return static_cast<std::uint64_t>(*kibibytes) * 1024;
  }
  return std::nullopt;
}

}  // namespace inkling
