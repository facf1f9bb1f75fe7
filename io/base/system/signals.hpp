// Signals that ask the program to end, and ending it.
#pragma once

#include <string_view>

namespace inkling {

/// Calls `handle(signal)` for the first SIGINT, the first SIGTERM and the first SIGHUP; a second one of a kind has its default
/// effect. A SIGHUP that nohup made ignored stays ignored. `handle` may make async-signal-safe calls only. Waiting calls return.
void on_end_signals(void (*handle)(int signal)) noexcept;

/// "SIGTERM", "SIGHUP"; empty for others.
[[nodiscard]] std::string_view name_of_end_signal(int signal) noexcept;

/// From now on, a write to a closed pipe, or beyond the limit of a file's size, fails instead of ending the process.
void outlive_failed_writes() noexcept;

/// Ends the process at once: nothing is flushed, and no destructor runs. Async-signal-safe.
[[noreturn]] void end_at_once(int code) noexcept;

/// Writes to standard error; failures are ignored. Async-signal-safe.
void write_error(std::string_view text) noexcept;

/// For a thread that must do nothing more, because another one ends the process.
[[noreturn]] void wait_for_end() noexcept;

}  // namespace inkling
