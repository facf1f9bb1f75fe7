#include "io/base/system/interruption.hpp"

#include <atomic>

#include "io/base/system/waiting.hpp"

namespace inkling {
namespace {

// A signal handler may only use lock-free atomics that live as long as the process.
std::atomic<int> signal_that_asked = 0;
static_assert(std::atomic<int>::is_always_lock_free);

// Wakes waiting reads once a signal asked the program to end; nullptr before prepare_interruption().
std::atomic<const Waker*> waker_of_signals = nullptr;
static_assert(std::atomic<const Waker*>::is_always_lock_free);

}  // namespace

void remember_interruption(int signal) noexcept {
  signal_that_asked.store(signal, std::memory_order_relaxed);
  if (const Waker* const waker = waker_of_signals.load(); waker != nullptr) waker->wake();
}

void prepare_interruption() {
  if (waker_of_signals.load() == nullptr)
    waker_of_signals.store(new Waker);  // NOLINT(cppcoreguidelines-owning-memory): as long as the process
}

int interrupting_signal() noexcept { return signal_that_asked.load(std::memory_order_relaxed); }

void throw_if_interrupted() {
  if (interrupted()) throw InterruptedError();
}

void await_input(const File& file) {
  while (true) {
    throw_if_interrupted();
    const Waited waited = wait_for_input(file, waker_of_signals.load(), -1);
    if (waited.is_impossible) return;
    if (waited.has_input) return throw_if_interrupted();
  }
}

}  // namespace inkling
