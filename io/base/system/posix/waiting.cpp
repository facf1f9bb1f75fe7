#include "io/base/system/waiting.hpp"

#include <array>
#include <cerrno>

#include <poll.h>

namespace inkling {

Waited wait_for_input(const File& file, const Waker* waker, int milliseconds) noexcept {
  const int wakes = waker == nullptr ? -1 : waker->end().number();  // poll passes over a number of -1
  std::array<pollfd, 2> waiting = {{{file.number(), POLLIN, 0}, {wakes, POLLIN, 0}}};
  const int ready = ::poll(waiting.data(), waiting.size(), milliseconds);
  if (ready < 0) return {.is_impossible = errno != EINTR};
  return {.has_input = waiting[0].revents != 0,
          .is_at_end = (static_cast<unsigned>(waiting[0].revents) & POLLHUP) != 0,
          .was_woken = waiting[1].revents != 0};
}

}  // namespace inkling
