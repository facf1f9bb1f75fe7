#include "io/base/system/waiting.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <span>
#include <utility>

#include <fcntl.h>

#include "io/base/system/interruption.hpp"
#include "io/base/system/windows/handles.hpp"

namespace inkling {
namespace {

// Whether keys were pressed; other events of the console are dropped.
bool has_keys(HANDLE console) noexcept {
  std::array<INPUT_RECORD, 64> events{};
  DWORD count = 0;
  while (::PeekConsoleInputW(console, events.data(), static_cast<DWORD>(events.size()), &count) != 0 && count > 0) {
    const auto is_key = [](const INPUT_RECORD& event) {
      return event.EventType == KEY_EVENT && event.Event.KeyEvent.bKeyDown != 0;
    };
    const auto first = std::find_if(events.begin(), events.begin() + count, is_key);
    if (first == events.begin()) return true;
    ::ReadConsoleInputW(console, events.data(), static_cast<DWORD>(first - events.begin()), &count);
  }
  return false;
}

Waited look_at(const File& file) noexcept {
  const HANDLE handle = handle_of(file);
  DWORD bytes = 0;
  DWORD mode = 0;
  switch (::GetFileType(handle)) {
    case FILE_TYPE_DISK: return {.has_input = true};
    case FILE_TYPE_CHAR: return {.has_input = ::GetConsoleMode(handle, &mode) == 0 || has_keys(handle)};
    case FILE_TYPE_PIPE:
      if (::PeekNamedPipe(handle, nullptr, 0, nullptr, &bytes, nullptr) != 0) return {.has_input = bytes > 0};
      return {.has_input = true, .is_at_end = ::GetLastError() == ERROR_BROKEN_PIPE};
    default: return {.is_impossible = true};
  }
}

}  // namespace

Waker::Waker() noexcept {
  HANDLE out = nullptr;
  HANDLE in = nullptr;
  if (::CreatePipe(&out, &in, nullptr, 0) == 0) return;
  end_ = file_of(out, _O_RDONLY);
  other_end_ = file_of(in, _O_WRONLY);
}

void Waker::wake() const noexcept {
  constexpr std::byte one{1};
  if (!look_at(end_).has_input) static_cast<void>(other_end_.write_all(std::span(&one, 1)));
}

void Waker::clear() const noexcept {
  std::array<std::byte, 16> bytes{};
  if (look_at(end_).has_input) static_cast<void>(end_.read(bytes));
}

// A pipe cannot be waited for together with anything else, so it is looked at again and again.
Waited wait_for_input(const File& file, const Waker* waker, int milliseconds) noexcept {
  constexpr int short_waits = 50;
  constexpr DWORD longest_wait = 10;
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  for (int turn = 0;; ++turn) {
    Waited waited = look_at(file);
    waited.was_woken = waker != nullptr && look_at(waker->end()).has_input;
    if (waited.has_input || waited.was_woken || waited.is_impossible || interrupted()) return waited;
    if (milliseconds >= 0 && std::chrono::steady_clock::now() >= until) return waited;
    ::Sleep(turn < short_waits ? 1 : longest_wait);
  }
}

}  // namespace inkling
