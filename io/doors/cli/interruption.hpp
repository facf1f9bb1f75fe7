// Which signals ask a program to end in order: Ctrl-C, SIGTERM, and the end of its terminal.
#pragma once

#include "io/base/system/interruption.hpp"

namespace inkling {

/// From now on the first SIGINT, SIGTERM or SIGHUP only sets the flag of io/base/system/interruption.hpp and interrupts waiting
/// system calls; a second one of the same kind ends the process at once. While no output is being written, the first SIGTERM or
/// SIGHUP already ends it, with 128 + its number as the exit code. A SIGHUP that `nohup` made ignored stays ignored.
void install_interruption_handler();

}  // namespace inkling
