#include "io/base/system/process.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include "io/base/system/posix/parts.hpp"

namespace inkling {
namespace {

// After the program was started: it takes longer to begin than this does. A limit that is lower already stays.
void limit_child(pid_t process, int resource, std::uint64_t most) noexcept {
  rlimit limit = {};
  if (most == UINT64_MAX || ::prlimit(process, static_cast<__rlimit_resource>(resource), nullptr, &limit) != 0) return;
  limit.rlim_max = std::min<rlim_t>(limit.rlim_max, most);
  limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
  static_cast<void>(::prlimit(process, static_cast<__rlimit_resource>(resource), &limit, nullptr));
}

void limit_running(pid_t process, const ChildLimits& limits) noexcept {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // their shadow memory would count
  limit_child(process, RLIMIT_DATA, limits.memory);
#endif
  limit_child(process, RLIMIT_CPU, limits.cpu_seconds);
  limit_child(process, RLIMIT_CORE, 0);
}

// Libraries open sockets that a child would keep open, and with them the port of a server that has ended.
void close_all_but_streams(posix_spawn_file_actions_t& streams) {
#if __GLIBC_PREREQ(2, 34)
  ::posix_spawn_file_actions_addclosefrom_np(&streams, STDERR_FILENO + 1);
#else  // those that are open now; what another thread opens until then, and of ours, is closed by itself
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored))
    if (const int file = std::atoi(entry.path().filename().c_str()); file > STDERR_FILENO)
      ::posix_spawn_file_actions_addclose(&streams, file);
#endif
}

}  // namespace

std::optional<std::string> trusted_environment(const char* variable) {
  const char* const value = ::secure_getenv(variable);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::string folder_of_user_data() {
  // NOLINTBEGIN(concurrency-mt-unsafe): no other thread changes the environment
  const char* const data = std::getenv("XDG_DATA_HOME");
  const char* const home = std::getenv("HOME");
  // NOLINTEND(concurrency-mt-unsafe)
  if (data != nullptr && *data == '/') return data;
  return std::string(home == nullptr ? "" : home) + "/.local/share";
}

std::string path_of_own_program() { return "/proc/self/exe"; }

int start_child(pid_t& process, std::vector<std::string>& arguments, std::vector<std::string>& variables,
                posix_spawn_file_actions_t& streams, const std::optional<ChildLimits>& limits) {
  close_all_but_streams(streams);
  const int error = ::posix_spawnp(&process, arguments.front().c_str(), &streams, nullptr, pointers_to(arguments).data(),
                                   pointers_to(variables).data());
  if (error == 0 && limits) limit_running(process, *limits);
  return error;
}

std::uint64_t most_memory_of(const rusage& use) noexcept {
  constexpr std::uint64_t kibibyte = 1024;
  return kibibyte * static_cast<std::uint64_t>(use.ru_maxrss);
}

}  // namespace inkling
