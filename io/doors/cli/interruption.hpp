// Which signals ask a program to end in order: Ctrl-C, SIGTERM, and the end of its terminal.
#pragma once

#include "io/base/system/interruption.hpp"

namespace inkling {

/// From now on the first SIGINT, SIGTERM or SIGHUP only sets the flag of io/base/system/interruption.hpp and interrupts system
/// calls that wait; a second one of the same kind ends the process at once. Where no output is being written, the first
/// SIGTERM or SIGHUP already does, with exit code 128 and its number. A SIGHUP that was ignored stays ignored, as `nohup`
/// wants it.
void install_interruption_handler();

}  // namespace inkling
