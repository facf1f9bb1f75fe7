// Signals that ask the program to end, and ending it.
#pragma once

#include <string_view>

namespace inkling {

/// `handle(signal)` is called for the first SIGINT, SIGTERM and SIGHUP each (a further one of a kind does what the system
/// does), but not for a SIGHUP that nohup has set aside. It may make async-signal-safe calls only. Calls that wait return.
void on_end_signals(void (*handle)(int signal)) noexcept;

/// "SIGTERM", "SIGHUP"; empty for others.
[[nodiscard]] std::string_view name_of_end_signal(int signal) noexcept;

/// From now on, a write to a closed pipe, or to a file that may not become larger, fails and does not end the process.
void outlive_failed_writes() noexcept;

/// Ends the process at once: nothing is flushed, and no destructor runs. Async-signal-safe.
[[noreturn]] void end_at_once(int code) noexcept;

/// Writes to standard error, as far as it takes it. Async-signal-safe.
void write_error(std::string_view text) noexcept;

/// For a thread that must do nothing more, because another one ends the process.
[[noreturn]] void wait_for_end() noexcept;

}  // namespace inkling
