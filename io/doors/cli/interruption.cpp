#include "io/doors/cli/interruption.hpp"

#include <csignal>

#include "io/base/file/partial_folder.hpp"
#include "io/base/system/signals.hpp"

namespace inkling {
namespace {

extern "C" void handle_interruption(int signal) {
  remember_interruption(signal);
  constexpr int ended_by_signal = 128;
  if (signal != SIGINT && may_end_at_once()) end_at_once(ended_by_signal + signal);
}

}  // namespace

void install_interruption_handler() {
  prepare_interruption();
  on_end_signals(handle_interruption);
}

}  // namespace inkling
