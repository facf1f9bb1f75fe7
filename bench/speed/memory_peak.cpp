#include "bench/speed/memory_peak.hpp"

#include <fstream>

#include <malloc.h>

#include "io/cli/peak_memory.hpp"

namespace inkling::bench {

MemoryPeak::MemoryPeak() {
  ::malloc_trim(0);                          // what others have freed is not this part's
  constexpr char reset_resident_peak = '5';  // proc(5)
  std::ofstream file("/proc/self/clear_refs");
  file << reset_resident_peak << std::flush;
  reset_ = file.good();
}

std::optional<std::uint64_t> MemoryPeak::bytes() const {
  return reset_ ? peak_resident_memory() : std::nullopt;
}

}  // namespace inkling::bench
