#include "io/base/system/limits.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <thread>

#include "io/base/system/windows/handles.hpp"

namespace inkling {

int available_threads() {
  DWORD_PTR own = 0;
  DWORD_PTR all = 0;
  if (::GetProcessAffinityMask(::GetCurrentProcess(), &own, &all) != 0 && own != 0) return std::popcount(own);
  return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

int present_threads() {
  const HANDLE snapshot = ::CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
  if (snapshot == INVALID_HANDLE_VALUE) return 1;
  const OwnedHandle owned(snapshot);
  int threads = 0;
  THREADENTRY32 entry = {};
  entry.dwSize = sizeof entry;
  for (BOOL more = ::Thread32First(snapshot, &entry); more != 0; more = ::Thread32Next(snapshot, &entry))
    threads += entry.th32OwnerProcessID == ::GetCurrentProcessId() ? 1 : 0;
  return std::max(threads, 1);
}

bool raise_limit_of_open_files() noexcept {
  constexpr int most = 8192;  // of the C library
  return ::_setmaxstdio(most) == most;
}

void yield_to_other_threads() noexcept { ::SetThreadPriority(::GetCurrentThread(), THREAD_PRIORITY_LOWEST); }

}  // namespace inkling
