#include "io/base/system/signals.hpp"

#include <csignal>

#include <unistd.h>

namespace inkling {

void on_end_signals(void (*handle)(int signal)) noexcept {
  struct sigaction action = {};
  action.sa_handler = handle;
  sigemptyset(&action.sa_mask);
  // SA_RESETHAND: only the first signal of a kind is handled, so that a second one ends a process that does not check the flag.
  // No SA_RESTART: waiting calls return.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    ::sigaction(signal, nullptr, &before);
    if (signal != SIGHUP || before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
}

std::string_view name_of_end_signal(int signal) noexcept {
  if (signal == SIGTERM) return "SIGTERM";
  return signal == SIGHUP ? "SIGHUP" : "";
}

void outlive_failed_writes() noexcept {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void end_at_once(int code) noexcept { ::_exit(code); }

void write_error(std::string_view text) noexcept {
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

void wait_for_end() noexcept {
  for (;;) ::pause();
}

}  // namespace inkling
