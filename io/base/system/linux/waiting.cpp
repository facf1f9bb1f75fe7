#include "io/base/system/waiting.hpp"

#include <cerrno>
#include <cstdint>

#include <sys/eventfd.h>
#include <unistd.h>

namespace inkling {

Waker::Waker() noexcept : end_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void Waker::wake() const noexcept {
  const int error_before = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t ignored = ::write(end_.number(), &one, sizeof one);
  errno = error_before;
}

void Waker::clear() const noexcept {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t ignored = ::read(end_.number(), &count, sizeof count);
}

}  // namespace inkling
