#include "bench/paper/data/whole_stream.hpp"

#include <cstddef>
#include <span>

namespace inkling::bench {

std::string whole_stream(InputStream& stream, std::uint64_t most) {
  constexpr std::size_t block = std::size_t{1} << 14U;
  std::string bytes;
  while (bytes.size() <= most) {
    const std::size_t before = bytes.size();
    bytes.resize(before + block);
    const std::size_t got = stream.read(std::span(bytes).subspan(before));
    bytes.resize(before + got);
    if (got < block) break;
  }
  return bytes;
}

}  // namespace inkling::bench
