#include "io/base/system/random.hpp"

#include <cerrno>

#include <sys/random.h>

#include "engine/core/errors.hpp"

namespace inkling {

void fill_random(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = ::getrandom(bytes.data(), bytes.size(), 0);
    if (got < 0 && errno != EINTR) throw SystemError("getrandom", errno, "cannot get random numbers");
    if (got > 0) bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

}  // namespace inkling
