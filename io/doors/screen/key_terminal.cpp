#include "io/doors/screen/key_terminal.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <poll.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/base/file/interruption.hpp"
#include "io/doors/cli/terminal.hpp"

namespace inkling {
namespace {

// The second screen, letters that were pasted in brackets, no cursor; and all that back.
constexpr std::string_view kEnterScreen = "\x1b[?1049h\x1b[?2004h\x1b[?25l\x1b[H\x1b[2J";
constexpr std::string_view kLeaveScreen = "\x1b[0m\x1b[?25h\x1b[?2004l\x1b[?1049l";

// What a signal handler needs lives as long as the process.
termios terminal_before = {};
termios terminal_for_keys = {};
std::atomic<bool> is_taken = false;
std::atomic<bool> must_stop = false;
std::atomic<bool> must_redraw = false;
std::atomic<int> key_wake = -1;

constexpr std::array kAskingSignals = {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH};
constexpr std::array kFatalSignals = {SIGQUIT, SIGABRT, SIGBUS, SIGSEGV, SIGILL, SIGFPE};
std::array<struct sigaction, kAskingSignals.size()> asking_before = {};
std::array<struct sigaction, kFatalSignals.size()> fatal_before = {};

void send_bytes(std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

// Both only call what a signal handler may call.
void give_terminal_back() noexcept {
  if (!is_taken.exchange(false)) return;
  send_bytes(kLeaveScreen);
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal_before);
}

void take_terminal() noexcept {
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal_for_keys);
  is_taken = true;
  send_bytes(kEnterScreen);
}

void wake_reader() noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t ignored = ::write(key_wake, &one, sizeof one);
}

extern "C" void handle_asking_signal(int signal) {
  const int error_before = errno;
  switch (signal) {
    case SIGWINCH:
      must_redraw = true;
      break;
    case SIGTSTP:
      must_stop = true;
      break;
    case SIGCONT:
      must_redraw = true;
      break;
    default:
      if (interrupted()) {
        give_terminal_back();
        constexpr int ended_by_signal = 128;
        ::_exit(ended_by_signal + signal);
      }
      remember_interruption(signal);
  }
  wake_reader();
  errno = error_before;
}

// Gives the terminal back, and lets the signal do what it would have done.
extern "C" void handle_fatal_signal(int signal) {
  give_terminal_back();
  for (std::size_t n = 0; n < kFatalSignals.size(); ++n)
    if (kFatalSignals[n] == signal) ::sigaction(signal, &fatal_before[n], nullptr);
  // A signal that a fault raised comes again by itself, with the address of the fault.
  if (signal == SIGQUIT || signal == SIGABRT) ::raise(signal);
}

template <std::size_t size>
void install(const std::array<int, size>& signals, std::array<struct sigaction, size>& before,
             void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_ONSTACK;
  for (std::size_t n = 0; n < size; ++n) {
    ::sigaction(signals[n], nullptr, &before[n]);
    if (signals[n] == SIGHUP && before[n].sa_handler == SIG_IGN) continue;  // as `nohup` wants it
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

// Stops as Ctrl-Z asks, and goes on when the shell says so.
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

bool KeyTerminal::is_possible() {
  return isatty(STDIN_FILENO) == 1 && terminal_facts(Stream::output).styling != Styling::none;
}

KeyTerminal::KeyTerminal() {
  if (::tcgetattr(STDIN_FILENO, &terminal_before) != 0)
    throw SystemError("the terminal", errno, "asking how it is set");
  terminal_for_keys = with_single_keys(terminal_before);
  key_wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (key_wake < 0) throw SystemError("the terminal", errno, "making what wakes its reader");
  install(kAskingSignals, asking_before, handle_asking_signal);
  install(kFatalSignals, fatal_before, handle_fatal_signal);
  take_terminal();
}

KeyTerminal::~KeyTerminal() {
  give_terminal_back();
  uninstall(kFatalSignals, fatal_before);
  uninstall(kAskingSignals, asking_before);
  ::close(key_wake.exchange(-1));
}

Key KeyTerminal::read() {
  constexpr int escape_waits_ms = 60;
  while (true) {
    throw_if_interrupted();
    if (must_stop.exchange(false)) {
      stop_here();
      return {Key::Kind::redraw};
    }
    if (must_redraw.exchange(false)) {
      take_terminal();  // another program may have had it
      return {Key::Kind::redraw};
    }
    if (std::optional<Key> key = keys_.take()) return *std::move(key);
    if (at_end_) return {Key::Kind::end_of_input};
    const bool is_unfinished = keys_.is_unfinished();
    if (!read_some(is_unfinished ? escape_waits_ms : -1) && is_unfinished && !must_redraw && !must_stop)
      if (std::optional<Key> key = keys_.take_unfinished()) return *std::move(key);
  }
}

bool KeyTerminal::read_some(int milliseconds) {
  std::array<pollfd, 2> waiting = {{{STDIN_FILENO, POLLIN, 0}, {key_wake, POLLIN, 0}}};
  if (::poll(waiting.data(), waiting.size(), milliseconds) <= 0) return false;
  if (waiting[1].revents != 0) {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t ignored = ::read(key_wake, &count, sizeof count);
  }
  if (waiting[0].revents == 0) return false;
  std::array<char, 4096> bytes = {};
  const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return false;
  if (count <= 0) at_end_ = true;
  if (count > 0) keys_.feed(std::string_view(bytes.data(), static_cast<std::size_t>(count)));
  return count > 0;
}

void KeyTerminal::drop_typed() {
  keys_.drop();
  ::tcflush(STDIN_FILENO, TCIFLUSH);
}

bool KeyTerminal::show(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return false;
    if (count < 0 && interrupted()) return false;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace inkling
