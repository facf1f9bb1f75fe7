#include "io/base/system/waiting.hpp"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace inkling {

Waker::Waker() noexcept {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return;
  for (const int end : ends) {
    ::fcntl(end, F_SETFD, FD_CLOEXEC);
    ::fcntl(end, F_SETFL, O_NONBLOCK);
  }
  end_ = File(ends[0]);
  other_end_ = File(ends[1]);
}

void Waker::wake() const noexcept {
  const int error_before = errno;
  [[maybe_unused]] const ssize_t ignored = ::write(other_end_.number(), "", 1);  // a full pipe is readable, too
  errno = error_before;
}

void Waker::clear() const noexcept {
  std::array<char, 256> bytes{};
  while (::read(end_.number(), bytes.data(), bytes.size()) > 0) {
  }
}

}  // namespace inkling
