#include "io/base/system/signals.hpp"

#include <atomic>
#include <csignal>

#include "io/base/system/windows/handles.hpp"

namespace inkling {
namespace {

std::atomic<void (*)(int signal)> end_handler = nullptr;
std::atomic<unsigned> handled = 0;  // a bit for each kind of event

// Called by a thread of the system.
BOOL WINAPI handle_event(DWORD event) {
  const unsigned bit = 1U << event;
  if ((handled.fetch_or(bit) & bit) != 0) return FALSE;  // a second one ends the process
  end_handler.load()(event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT ? SIGINT : SIGTERM);
  // The process ends when this returns, if its window was closed or the person leaves.
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) ::Sleep(INFINITE);
  return TRUE;
}

}  // namespace

void on_end_signals(void (*handle)(int signal)) noexcept {
  end_handler = handle;
  ::SetConsoleCtrlHandler(handle_event, TRUE);
}

std::string_view name_of_end_signal(int signal) noexcept { return signal == SIGTERM ? "SIGTERM" : ""; }

void outlive_failed_writes() noexcept {}

void end_at_once(int code) noexcept {
  ::TerminateProcess(::GetCurrentProcess(), static_cast<UINT>(code));
  wait_for_end();
}

void write_error(std::string_view text) noexcept {
  DWORD written = 0;
  ::WriteFile(::GetStdHandle(STD_ERROR_HANDLE), text.data(), static_cast<DWORD>(text.size()), &written, nullptr);
}

void wait_for_end() noexcept {
  for (;;) ::Sleep(INFINITE);
}

}  // namespace inkling
