#include "io/cli/interruption.hpp"

#include <atomic>
#include <csignal>

namespace inkling {
namespace {

// A signal handler may only use a lock-free atomic that lives as long as the process.
std::atomic<bool> interruption_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void remember_interruption(int /*signal*/) {
  interruption_asked.store(true, std::memory_order_relaxed);
}

}  // namespace

void install_interruption_handler() {
  struct sigaction action = {};
  action.sa_handler = remember_interruption;
  sigemptyset(&action.sa_mask);
  // Only the first Ctrl-C, so that a second one works where a loop does not ask. System calls go on.
  action.sa_flags = static_cast<int>(static_cast<unsigned>(SA_RESETHAND) | static_cast<unsigned>(SA_RESTART));
  sigaction(SIGINT, &action, nullptr);
}

bool interrupted() noexcept { return interruption_asked.load(std::memory_order_relaxed); }

void throw_if_interrupted() {
  if (interrupted()) throw InterruptedError();
}

}  // namespace inkling
