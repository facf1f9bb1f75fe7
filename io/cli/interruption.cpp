#include "io/cli/interruption.hpp"

#include <atomic>
#include <csignal>

namespace inkling {
namespace {

// A signal handler may touch nothing but a lock-free atomic that outlives everything.
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
  // Once only, so that a second Ctrl-C works where a loop does not ask; calls in progress go on by
  // themselves.
  action.sa_flags = static_cast<int>(static_cast<unsigned>(SA_RESETHAND) | static_cast<unsigned>(SA_RESTART));
  sigaction(SIGINT, &action, nullptr);
}

bool interrupted() noexcept { return interruption_asked.load(std::memory_order_relaxed); }

void throw_if_interrupted() {
  if (interrupted()) throw InterruptedError();
}

}  // namespace inkling
