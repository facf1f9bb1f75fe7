#include "io/doors/cli/interruption.hpp"

#include <csignal>

#include <unistd.h>

#include "io/base/file/partial_folder.hpp"

namespace inkling {
namespace {

extern "C" void handle_interruption(int signal) {
  remember_interruption(signal);
  constexpr int ended_by_signal = 128;
  if (signal != SIGINT && may_end_at_once()) ::_exit(ended_by_signal + signal);
}

}  // namespace

void install_interruption_handler() {
  prepare_interruption();
  struct sigaction action = {};
  action.sa_handler = handle_interruption;
  sigemptyset(&action.sa_mask);
  // Only the first signal of a kind, so that a second one works where nothing asks for the flag. Without SA_RESTART,
  // so that a call that waits returns.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (signal != SIGHUP || before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

}  // namespace inkling
