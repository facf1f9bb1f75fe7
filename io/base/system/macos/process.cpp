#include "io/base/system/process.hpp"

#include <array>
#include <cstdlib>

#include <fmt/format.h>
#include <mach-o/dyld.h>
#include <sys/param.h>
#include <unistd.h>

#include "io/base/system/posix/parts.hpp"

namespace inkling {
namespace {

// A shell that sets the limits of itself, and then becomes the program: nobody else can set them. Nothing here limits memory.
std::vector<std::string> limited(const std::vector<std::string>& arguments, const ChildLimits& limits) {
  std::string script = "ulimit -c 0; ";
  if (limits.cpu_seconds != UINT64_MAX) script += fmt::format("ulimit -t {}; ", limits.cpu_seconds);
  std::vector<std::string> all = {"/bin/sh", "-c", script + "exec \"$0\" \"$@\""};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return all;
}

}  // namespace

std::optional<std::string> trusted_environment(const char* variable) {
  const char* const value =
      ::issetugid() != 0 ? nullptr : std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets them
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::string folder_of_user_data() {
  const char* const home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return std::string(home == nullptr ? "" : home) + "/Library/Application Support";
}

std::string path_of_own_program() {
  std::array<char, MAXPATHLEN> path{};
  std::uint32_t size = path.size();
  return ::_NSGetExecutablePath(path.data(), &size) == 0 ? path.data() : "";
}

int start_child(pid_t& process, std::vector<std::string>& arguments, std::vector<std::string>& variables,
                posix_spawn_file_actions_t& streams, const std::optional<ChildLimits>& limits) {
  std::vector<std::string> all = limits ? limited(arguments, *limits) : arguments;
  posix_spawnattr_t attributes = nullptr;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_CLOEXEC_DEFAULT);  // it gets the streams alone
  const int error = ::posix_spawnp(&process, all.front().c_str(), &streams, &attributes, pointers_to(all).data(),
                                   pointers_to(variables).data());
  ::posix_spawnattr_destroy(&attributes);
  return error;
}

std::uint64_t most_memory_of(const rusage& use) noexcept { return static_cast<std::uint64_t>(use.ru_maxrss); }

}  // namespace inkling
