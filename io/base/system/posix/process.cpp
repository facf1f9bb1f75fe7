#include "io/base/system/process.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <pwd.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/base/system/posix/parts.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): headers of macOS do not declare it

namespace inkling {
namespace {

std::vector<std::string> environment_with(const std::vector<std::string>& added) {
  const auto name_of = [](std::string_view assignment) { return assignment.substr(0, assignment.find('=')); };
  std::vector<std::string> all = added;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::ranges::find(added, name_of(*entry), name_of) == added.end()) all.emplace_back(*entry);
  return all;
}

double seconds_of(const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); }

}  // namespace

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::int64_t process_number() noexcept { return ::getpid(); }

std::string name_of_user() {
  std::array<char, 4096> texts{};
  passwd entry{};
  passwd* user = nullptr;
  const int error = ::getpwuid_r(::geteuid(), &entry, texts.data(), texts.size(), &user);
  return error != 0 || user == nullptr ? std::to_string(::geteuid()) : std::string(user->pw_name);
}

std::optional<std::string> folder_of_user_cache() {
  const auto absolute = [](const char* variable) {
    std::optional<std::string> value = trusted_environment(variable);
    return value && value->starts_with('/') ? std::move(value) : std::nullopt;
  };
  if (std::optional<std::string> cache = absolute("XDG_CACHE_HOME")) return cache;
  const std::optional<std::string> home = absolute("HOME");
  return home ? std::optional(*home + "/.cache") : std::nullopt;
}

std::vector<std::string> program_arguments(int argc, const char* const* argv) { return {argv + (argc > 0 ? 1 : 0), argv + argc}; }

// Every user of the machine can read what a program was started with.
void show_in_browser(const std::string& /*address*/) noexcept {}

void in_forked_child(void (*handle)()) noexcept { ::pthread_atfork(nullptr, nullptr, handle); }

std::string name_of_system() {
  utsname name = {};
  if (::uname(&name) != 0) return "unknown";
  return fmt::format("{} {} {}", static_cast<const char*>(name.sysname), static_cast<const char*>(name.release),
                     static_cast<const char*>(name.machine));
}

ChildProcess::ChildProcess(std::vector<std::string> arguments, const std::vector<std::string>& environment,
                           const std::string& out, const std::string& err, const std::optional<ChildLimits>& limits) {
  std::vector<std::string> variables = environment_with(environment);
  posix_spawn_file_actions_t streams;
  ::posix_spawn_file_actions_init(&streams);
  ::posix_spawn_file_actions_addopen(&streams, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  constexpr int created = O_WRONLY | O_CREAT;
  ::posix_spawn_file_actions_addopen(&streams, STDOUT_FILENO, out.c_str(), created, S_IRUSR);
  ::posix_spawn_file_actions_addopen(&streams, STDERR_FILENO, err.c_str(), created, S_IRUSR);
  pid_t process = 0;
  const int error = start_child(process, arguments, variables, streams, limits);
  ::posix_spawn_file_actions_destroy(&streams);
  if (error != 0) throw SystemError(arguments.front(), error, "cannot run");
  process_ = process;
}

ChildProcess::~ChildProcess() {
  if (process_ == 0) return;
  ::kill(static_cast<pid_t>(process_), SIGKILL);
  ::waitpid(static_cast<pid_t>(process_), nullptr, 0);
}

std::optional<int> ChildProcess::exit_code() {
  int status = 0;
  rusage use = {};
  if (::wait4(static_cast<pid_t>(process_), &status, WNOHANG, &use) <= 0) return std::nullopt;
  process_ = 0;
  cpu_seconds_ = seconds_of(use.ru_utime) + seconds_of(use.ru_stime);
  most_memory_ = most_memory_of(use);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace inkling
