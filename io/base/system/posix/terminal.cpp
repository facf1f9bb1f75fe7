#include "io/base/system/terminal.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/base/system/interruption.hpp"
#include "io/base/system/signals.hpp"

namespace inkling {
namespace {

// Data of signal handlers, so it lives as long as the process.
termios terminal_before = {};
termios terminal_for_keys = {};
std::string_view text_to_enter;
std::string_view text_to_leave;
std::atomic<bool> is_taken = false;
std::atomic<bool> is_to_stop = false;
std::atomic<bool> is_to_redraw = false;
std::atomic<const Waker*> key_waker = nullptr;

constexpr std::array kAskingSignals = {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH};
constexpr std::array kFatalSignals = {SIGQUIT, SIGABRT, SIGBUS, SIGSEGV, SIGILL, SIGFPE};
std::array<struct sigaction, kAskingSignals.size()> asking_before = {};
std::array<struct sigaction, kFatalSignals.size()> fatal_before = {};

// Signal handlers call the functions from here to handle_fatal_signal, so these make async-signal-safe calls only.
void send_bytes(std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void give_terminal_back() noexcept {
  if (!is_taken.exchange(false)) return;
  send_bytes(text_to_leave);
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal_before);
}

void take_terminal() noexcept {
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal_for_keys);
  is_taken = true;
  send_bytes(text_to_enter);
}

extern "C" void handle_asking_signal(int signal) {
  const int error_before = errno;
  if (signal == SIGTSTP) {
    is_to_stop = true;
  } else if (signal == SIGWINCH || signal == SIGCONT) {
    is_to_redraw = true;
  } else {
    if (interrupted()) {
      give_terminal_back();
      constexpr int ended_by_signal = 128;
      end_at_once(ended_by_signal + signal);
    }
    remember_interruption(signal);
  }
  if (const Waker* const waker = key_waker.load(); waker != nullptr) waker->wake();
  errno = error_before;
}

// Gives the terminal back, then lets the signal have its earlier effect.
extern "C" void handle_fatal_signal(int signal) {
  give_terminal_back();
  for (std::size_t n = 0; n < kFatalSignals.size(); ++n)
    if (kFatalSignals[n] == signal) ::sigaction(signal, &fatal_before[n], nullptr);
  // A signal that a fault raised is raised again by the fault itself, with its address.
  if (signal == SIGQUIT || signal == SIGABRT) ::raise(signal);
}

template <std::size_t size>
void install(const std::array<int, size>& signals, std::array<struct sigaction, size>& before, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_ONSTACK;
  for (std::size_t n = 0; n < size; ++n) {
    ::sigaction(signals[n], nullptr, &before[n]);
    if (signals[n] == SIGHUP && before[n].sa_handler == SIG_IGN) continue;  // `nohup` set it to be ignored
    ::sigaction(signals[n], &action, nullptr);
  }
}

template <std::size_t size>
void uninstall(const std::array<int, size>& signals, const std::array<struct sigaction, size>& before) {
  for (std::size_t n = 0; n < size; ++n) ::sigaction(signals[n], &before[n], nullptr);
}

termios with_single_keys(termios settings) {
  settings.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | IEXTEN);
  settings.c_iflag &= ~static_cast<tcflag_t>(IXON);
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  return settings;
}

// Stops the process as Ctrl-Z does, until the shell continues it.
void stop_here() {
  give_terminal_back();
  struct sigaction stops = {};
  struct sigaction asks = {};
  stops.sa_handler = SIG_DFL;
  sigemptyset(&stops.sa_mask);
  ::sigaction(SIGTSTP, &stops, &asks);
  ::raise(SIGTSTP);
  ::sigaction(SIGTSTP, &asks, nullptr);
  take_terminal();
}

}  // namespace

bool is_terminal(StandardStream stream) noexcept { return ::isatty(File::standard(stream).number()) == 1; }

bool may_read_terminal() noexcept { return ::isatty(STDIN_FILENO) != 1 || ::tcgetpgrp(STDIN_FILENO) == ::getpgrp(); }

TerminalSize terminal_size(StandardStream stream) noexcept {
  winsize size = {};
  if (::ioctl(File::standard(stream).number(), TIOCGWINSZ, &size) != 0) return {};
  return {.columns = size.ws_col, .rows = size.ws_row};
}

RawTerminal::RawTerminal(std::string_view enter, std::string_view leave) {
  if (::tcgetattr(STDIN_FILENO, &terminal_before) != 0) throw SystemError("the terminal", errno, "asking how it is set");
  if (!waker_.is_open()) throw SystemError("the terminal", errno, "making what wakes its reader");
  terminal_for_keys = with_single_keys(terminal_before);
  text_to_enter = enter;
  text_to_leave = leave;
  key_waker = &waker_;
  install(kAskingSignals, asking_before, handle_asking_signal);
  install(kFatalSignals, fatal_before, handle_fatal_signal);
  take_terminal();
}

RawTerminal::~RawTerminal() {
  give_terminal_back();
  uninstall(kFatalSignals, fatal_before);
  uninstall(kAskingSignals, asking_before);
  key_waker = nullptr;
}

bool RawTerminal::must_redraw() {
  if (is_to_stop.exchange(false)) {
    stop_here();
    return true;
  }
  if (!is_to_redraw.exchange(false)) return false;
  take_terminal();  // a program that ran meanwhile may have changed it
  return true;
}

bool RawTerminal::is_disturbed() const noexcept { return is_to_redraw || is_to_stop; }

std::optional<std::size_t> RawTerminal::read(std::span<char> keys, int milliseconds) noexcept {
  const Waited waited = wait_for_input(File::standard(StandardStream::input), &waker_, milliseconds);
  if (waited.was_woken) waker_.clear();
  if (!waited.has_input) return 0;
  const ssize_t count = ::read(STDIN_FILENO, keys.data(), keys.size());
  if (count > 0) return static_cast<std::size_t>(count);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return 0;
  return std::nullopt;
}

void RawTerminal::drop_typed() noexcept { ::tcflush(STDIN_FILENO, TCIFLUSH); }

bool RawTerminal::show(std::string_view bytes) noexcept {
  return File::standard(StandardStream::output).write_all(std::as_bytes(std::span(bytes))) == 0;
}

}  // namespace inkling
