#include "io/base/system/random.hpp"

#include <algorithm>
#include <cerrno>

#include "engine/core/errors.hpp"
#include "io/base/system/windows/handles.hpp"

namespace inkling {

void fill_random(std::span<std::byte> bytes) {
  constexpr std::size_t most = std::size_t{1} << 20U;
  while (!bytes.empty()) {
    const std::span<std::byte> some = bytes.first(std::min(bytes.size(), most));
    if (::BCryptGenRandom(nullptr, reinterpret_cast<unsigned char*>(some.data()), static_cast<ULONG>(some.size()),
                          BCRYPT_USE_SYSTEM_PREFERRED_RNG) != 0)
      throw SystemError("BCryptGenRandom", EIO, "cannot get random numbers");
    bytes = bytes.subspan(some.size());
  }
}

}  // namespace inkling
