#include "io/base/system/terminal.hpp"

#include <atomic>
#include <cerrno>
#include <string>

#include <io.h>

#include "engine/core/errors.hpp"
#include "io/base/system/interruption.hpp"
#include "io/base/system/windows/handles.hpp"

namespace inkling {
namespace {

// What the console was before, and what it shows when it is given back.
DWORD input_before = 0;
DWORD output_before = 0;
UINT encoding_before = 0;
std::string_view text_to_leave;
std::atomic<bool> is_taken = false;
TerminalSize size_shown;

HANDLE console(StandardStream stream) noexcept { return handle_of(File::standard(stream)); }

bool send_bytes(std::string_view bytes) noexcept {
  return File::standard(StandardStream::output).write_all(std::as_bytes(std::span(bytes))) == 0;
}

bool is_other(const TerminalSize& one, const TerminalSize& other) noexcept {
  return one.columns != other.columns || one.rows != other.rows;
}

void give_terminal_back() noexcept {
  if (!is_taken.exchange(false)) return;
  static_cast<void>(send_bytes(text_to_leave));
  ::SetConsoleMode(console(StandardStream::input), input_before);
  ::SetConsoleMode(console(StandardStream::output), output_before);
  ::SetConsoleOutputCP(encoding_before);
}

// A thread of the system calls this when the window is closed.
BOOL WINAPI give_back_on(DWORD event) {
  if (interrupted() || event == CTRL_CLOSE_EVENT) give_terminal_back();
  return FALSE;  // what else has to be done is done by others
}

}  // namespace

bool is_terminal(StandardStream stream) noexcept {
  DWORD mode = 0;
  return ::GetConsoleMode(console(stream), &mode) != 0;
}

bool may_read_terminal() noexcept { return true; }

TerminalSize terminal_size(StandardStream stream) noexcept {
  CONSOLE_SCREEN_BUFFER_INFO info = {};
  if (::GetConsoleScreenBufferInfo(console(stream), &info) == 0) return {};
  return {.columns = info.srWindow.Right - info.srWindow.Left + 1, .rows = info.srWindow.Bottom - info.srWindow.Top + 1};
}

void drop_unwritten_output() noexcept {}

RawTerminal::RawTerminal(std::string_view enter, std::string_view leave) {
  const HANDLE input = console(StandardStream::input);
  const HANDLE output = console(StandardStream::output);
  if (::GetConsoleMode(input, &input_before) == 0 || ::GetConsoleMode(output, &output_before) == 0)
    throw SystemError("the terminal", errno_of(::GetLastError()), "asking how it is set");
  encoding_before = ::GetConsoleOutputCP();
  text_to_leave = leave;
  ::SetConsoleMode(input, ENABLE_PROCESSED_INPUT | ENABLE_VIRTUAL_TERMINAL_INPUT);
  ::SetConsoleMode(output, output_before | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  ::SetConsoleOutputCP(CP_UTF8);
  ::SetConsoleCtrlHandler(give_back_on, TRUE);
  is_taken = true;
  size_shown = terminal_size(StandardStream::output);
  static_cast<void>(send_bytes(enter));
}

RawTerminal::~RawTerminal() {
  give_terminal_back();
  ::SetConsoleCtrlHandler(give_back_on, FALSE);
}

bool RawTerminal::must_redraw() {
  const bool must = is_disturbed();
  size_shown = terminal_size(StandardStream::output);
  return must;
}

bool RawTerminal::is_disturbed() const noexcept { return is_other(terminal_size(StandardStream::output), size_shown); }

std::optional<std::size_t> RawTerminal::read(std::span<char> keys, int milliseconds) noexcept {
  const Waited waited = wait_for_input(File::standard(StandardStream::input), &waker_, milliseconds);
  if (waited.was_woken) waker_.clear();
  if (!waited.has_input) return 0;
  const std::ptrdiff_t count = File::standard(StandardStream::input).read(std::as_writable_bytes(keys));
  return count > 0 ? std::optional(static_cast<std::size_t>(count)) : std::nullopt;
}

void RawTerminal::drop_typed() noexcept { ::FlushConsoleInputBuffer(console(StandardStream::input)); }

bool RawTerminal::show(std::string_view bytes) noexcept { return send_bytes(bytes); }

}  // namespace inkling
