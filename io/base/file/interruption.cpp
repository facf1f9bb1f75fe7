#include "io/base/file/interruption.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace inkling {
namespace {

// A signal handler may only use lock-free atomics that live as long as the process.
std::atomic<int> signal_that_asked = 0;
static_assert(std::atomic<int>::is_always_lock_free);

// Can be read from the moment a signal asked; -1 where the system has none to give.
std::atomic<int> wake_descriptor = -1;

}  // namespace

void remember_interruption(int signal) noexcept {
  const int error_before = errno;
  signal_that_asked.store(signal, std::memory_order_relaxed);
  const std::uint64_t one = 1;
  if (const int wake = wake_descriptor.load(std::memory_order_relaxed); wake >= 0) [[maybe_unused]]
    const ssize_t ignored = ::write(wake, &one, sizeof one);
  errno = error_before;
}

void prepare_interruption() noexcept {
  if (wake_descriptor.load(std::memory_order_relaxed) < 0)
    wake_descriptor.store(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), std::memory_order_relaxed);
}

int interrupting_signal() noexcept { return signal_that_asked.load(std::memory_order_relaxed); }

void throw_if_interrupted() {
  if (interrupted()) throw InterruptedError();
}

void await_input(int descriptor) {
  // poll passes over a descriptor of -1.
  std::array<pollfd, 2> waiting = {
      {{descriptor, POLLIN, 0}, {wake_descriptor.load(std::memory_order_relaxed), POLLIN, 0}}};
  while (true) {
    throw_if_interrupted();
    const int ready = ::poll(waiting.data(), waiting.size(), -1);
    // Where it cannot wait for this descriptor, the read itself says why.
    if (ready < 0 && errno != EINTR) return;
    if (ready > 0 && waiting[0].revents != 0) return throw_if_interrupted();
  }
}

}  // namespace inkling
