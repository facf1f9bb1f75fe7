#include "io/base/system/process.hpp"

#include <array>
#include <cerrno>
#include <cwchar>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/system/windows/handles.hpp"

namespace inkling {
namespace {

HANDLE handle_from(std::int64_t number) noexcept {
  return reinterpret_cast<HANDLE>(number);
}  // NOLINT(performance-no-int-to-ptr)

// As the C library of the other program takes it apart: quotes are escaped, and backslashes before them doubled.
std::wstring quoted(const std::wstring& argument) {
  if (!argument.empty() && argument.find_first_of(L" \t\n\v\"") == std::wstring::npos) return argument;
  std::wstring text = L"\"";
  std::size_t backslashes = 0;
  for (const wchar_t letter : argument) {
    if (letter == L'\\') {
      ++backslashes;
      continue;
    }
    text.append(letter == L'"' ? 2 * backslashes + 1 : backslashes, L'\\');
    backslashes = 0;
    text += letter;
  }
  text.append(2 * backslashes, L'\\');
  return text + L'"';
}

std::wstring environment_with(const std::vector<std::string>& added) {
  const auto name_of = [](const std::wstring& one) { return one.substr(0, one.find(L'=', 1)); };
  std::wstring all;
  const auto append = [&all](const std::wstring& one) { (all += one) += L'\0'; };
  for (const std::string& one : added) append(wide(one));
  wchar_t* const present = ::GetEnvironmentStringsW();
  for (const wchar_t* entry = present; *entry != L'\0'; entry += std::wcslen(entry) + 1) {
    bool is_replaced = false;
    for (const std::string& one : added)
      is_replaced = is_replaced || ::_wcsicmp(name_of(wide(one)).c_str(), name_of(entry).c_str()) == 0;
    if (!is_replaced) append(entry);
  }
  ::FreeEnvironmentStringsW(present);
  return all + L'\0';
}

OwnedHandle inheritable(const std::string& path, DWORD access, DWORD disposition) {
  SECURITY_ATTRIBUTES attributes = {sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
  const HANDLE handle =
      ::CreateFileW(wide_path(path).c_str(), access, kShared, &attributes, disposition, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (handle == INVALID_HANDLE_VALUE) throw SystemError(path, errno_of(::GetLastError()), "cannot open");
  return OwnedHandle(handle);
}

void limit_child(HANDLE process, const ChildLimits& limits) noexcept {
  const OwnedHandle job(::CreateJobObjectW(nullptr, nullptr));
  if (!job) return;
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION info = {};
  if (limits.memory != UINT64_MAX) {
    info.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY;
    info.ProcessMemoryLimit = limits.memory;
  }
  if (limits.cpu_seconds != UINT64_MAX) {
    constexpr std::uint64_t ticks = 10'000'000;
    info.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_TIME;
    info.BasicLimitInformation.PerProcessUserTimeLimit.QuadPart = static_cast<LONGLONG>(limits.cpu_seconds * ticks);
  }
  info.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
  ::SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &info, sizeof info);
  ::AssignProcessToJobObject(job.get(), process);
}

double seconds_of(const FILETIME& time) noexcept {
  return 1e-7 * static_cast<double>((std::uint64_t{time.dwHighDateTime} << 32U) | time.dwLowDateTime);
}

}  // namespace

std::int64_t process_number() noexcept { return ::GetCurrentProcessId(); }

std::optional<std::string> trusted_environment(const char* variable) {
  const wchar_t* const value = ::_wgetenv(wide(variable).c_str());  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? std::nullopt : std::optional(utf8(value));
}

std::string name_of_user() {
  std::array<wchar_t, 257> name{};  // UNLEN and its end
  DWORD size = static_cast<DWORD>(name.size());
  return ::GetUserNameW(name.data(), &size) != 0 ? utf8(name.data()) : "unknown";
}

std::string folder_of_user_data() { return with_slashes(trusted_environment("LOCALAPPDATA").value_or(".")); }

// Of one person alone, as the system makes it.
std::optional<std::string> folder_of_user_cache() {
  std::optional<std::string> folder = trusted_environment("LOCALAPPDATA");
  if (!folder || !std::filesystem::path(wide(*folder)).is_absolute()) return std::nullopt;
  return with_slashes(std::move(*folder));
}

// Those of main are in the encoding of the console, which has not all letters.
std::vector<std::string> program_arguments(int argc, const char* const* argv) {
  if (argv != __argv) return {argv + (argc > 0 ? 1 : 0), argv + argc};  // written in this program, as UTF-8
  int count = 0;
  wchar_t** const all = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  if (all == nullptr) throw SystemError("the command line", errno_of(::GetLastError()), "cannot read");
  std::vector<std::string> arguments;
  for (int n = 1; n < count; ++n) arguments.push_back(utf8(all[n]));
  ::LocalFree(all);
  return arguments;
}

void show_in_browser(const std::string& address) noexcept {
  ::ShellExecuteW(nullptr, L"open", wide(address).c_str(), nullptr, nullptr, SW_SHOWNORMAL);
}

// No process is forked here.
void in_forked_child(void (* /*handle*/)()) noexcept {}

std::string name_of_system() {
  OSVERSIONINFOW version = {};
  version.dwOSVersionInfoSize = sizeof version;
  using GetVersion = LONG(WINAPI*)(OSVERSIONINFOW*);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as the system's loader gives it
  const auto get =
      reinterpret_cast<GetVersion>(reinterpret_cast<void*>(::GetProcAddress(::GetModuleHandleW(L"ntdll.dll"), "RtlGetVersion")));
  if (get == nullptr || get(&version) != 0) return "Windows x86_64";
  return fmt::format("Windows {}.{}.{} x86_64", version.dwMajorVersion, version.dwMinorVersion, version.dwBuildNumber);
}

std::string path_of_own_program() {
  std::array<wchar_t, 32'768> path{};
  return utf8({path.data(), ::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()))});
}

ChildProcess::ChildProcess(std::vector<std::string> arguments, const std::vector<std::string>& environment,
                           const std::string& out, const std::string& err, const std::optional<ChildLimits>& limits) {
  std::wstring command;
  for (const std::string& argument : arguments) command += (command.empty() ? L"" : L" ") + quoted(wide(argument));
  std::wstring variables = environment_with(environment);
  const std::array<OwnedHandle, 3> streams = {inheritable("/dev/null", GENERIC_READ, OPEN_EXISTING),
                                              inheritable(out, FILE_APPEND_DATA | SYNCHRONIZE, OPEN_ALWAYS),
                                              inheritable(err, FILE_APPEND_DATA | SYNCHRONIZE, OPEN_ALWAYS)};
  std::array<HANDLE, 3> inherited = {streams[0].get(), streams[1].get(), streams[2].get()};
  SIZE_T bytes = 0;
  ::InitializeProcThreadAttributeList(nullptr, 1, 0, &bytes);
  std::vector<std::byte> memory(bytes);
  auto* const list = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory.data());
  ::InitializeProcThreadAttributeList(list, 1, 0, &bytes);
  ::UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, inherited.data(), sizeof inherited, nullptr, nullptr);
  STARTUPINFOEXW start = {};
  start.StartupInfo.cb = sizeof start;
  start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  start.StartupInfo.hStdInput = inherited[0];
  start.StartupInfo.hStdOutput = inherited[1];
  start.StartupInfo.hStdError = inherited[2];
  start.lpAttributeList = list;
  PROCESS_INFORMATION made = {};
  const DWORD flags = CREATE_SUSPENDED | CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT | CREATE_NO_WINDOW;
  const BOOL begun = ::CreateProcessW(nullptr, command.data(), nullptr, nullptr, TRUE, flags, variables.data(), nullptr,
                                      &start.StartupInfo, &made);
  const DWORD error = ::GetLastError();
  ::DeleteProcThreadAttributeList(list);
  if (begun == 0) throw SystemError(arguments.front(), errno_of(error), "cannot run");
  process_ = reinterpret_cast<std::int64_t>(made.hProcess);
  if (limits) limit_child(made.hProcess, *limits);
  ::ResumeThread(made.hThread);
  ::CloseHandle(made.hThread);
}

ChildProcess::~ChildProcess() {
  if (process_ == 0) return;
  ::TerminateProcess(handle_from(process_), 1);
  ::WaitForSingleObject(handle_from(process_), INFINITE);
  ::CloseHandle(handle_from(process_));
}

std::optional<int> ChildProcess::exit_code() {
  const HANDLE process = handle_from(process_);
  if (::WaitForSingleObject(process, 0) != WAIT_OBJECT_0) return std::nullopt;
  DWORD code = 0;
  ::GetExitCodeProcess(process, &code);
  FILETIME made = {};
  FILETIME ended = {};
  FILETIME of_system = {};
  FILETIME of_user = {};
  ::GetProcessTimes(process, &made, &ended, &of_system, &of_user);
  cpu_seconds_ = seconds_of(of_system) + seconds_of(of_user);
  PROCESS_MEMORY_COUNTERS counters = {};
  if (::K32GetProcessMemoryInfo(process, &counters, sizeof counters) != 0) most_memory_ = counters.PeakWorkingSetSize;
  ::CloseHandle(process);
  process_ = 0;
  // A crash ends with the number of its exception; as a signal, it is a fault of memory.
  constexpr DWORD first_exception = 0xC000'0000;
  constexpr int crashed = 128 + 11;
  return code >= first_exception ? crashed : static_cast<int>(code);
}

}  // namespace inkling
