#include "bench/report/child_process.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/base/wording/quotes.hpp"

namespace inkling::bench {
namespace {

std::string printed_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::vector<std::string>& added) {
  const auto name_of = [](std::string_view assignment) { return assignment.substr(0, assignment.find('=')); };
  std::vector<std::string> all = added;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (std::ranges::find(added, name_of(*entry), name_of) == added.end()) all.emplace_back(*entry);
  }
  return all;
}

/// A running child, ended with its object where it has not been waited for.
class Child {
 public:
  Child(std::vector<std::string> arguments, std::vector<std::string> environment, const std::string& out,
        const std::string& err) {
    posix_spawn_file_actions_t streams;
    ::posix_spawn_file_actions_init(&streams);
    ::posix_spawn_file_actions_addopen(&streams, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    constexpr int created = O_WRONLY | O_CREAT;
    ::posix_spawn_file_actions_addopen(&streams, STDOUT_FILENO, out.c_str(), created, S_IRUSR);
    ::posix_spawn_file_actions_addopen(&streams, STDERR_FILENO, err.c_str(), created, S_IRUSR);
    const int error = ::posix_spawnp(&process_, arguments.front().c_str(), &streams, nullptr,
                                     pointers_to(arguments).data(), pointers_to(environment).data());
    ::posix_spawn_file_actions_destroy(&streams);
    if (error != 0) throw SystemError(arguments.front(), error, "cannot run");
  }
  ~Child() {
    if (process_ == 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Its exit code, or nothing while it runs. Requires: it gave none yet.
  [[nodiscard]] std::optional<int> exit_code() {
    int status = 0;
    if (::wait4(process_, &status, WNOHANG, &use_) <= 0) return std::nullopt;
    process_ = 0;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

  /// Requires: it gave an exit code (here and below).
  [[nodiscard]] double cpu_seconds() const { return seconds(use_.ru_utime) + seconds(use_.ru_stime); }
  [[nodiscard]] std::uint64_t most_memory() const {
    constexpr std::uint64_t kibibyte = 1024;
    return kibibyte * static_cast<std::uint64_t>(use_.ru_maxrss);
  }

 private:
  static double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }

  pid_t process_ = 0;
  rusage use_ = {};
};

}  // namespace

WorkFolder::WorkFolder() : path((std::filesystem::temp_directory_path() / "inkling-XXXXXX").string()) {
  if (::mkdtemp(path.data()) == nullptr) throw SystemError(path, errno, "cannot make the folder");
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

std::string_view last_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text.substr(text.rfind('\n') + 1);  // npos + 1 is 0
}

std::string failure_of(std::string_view name, const ChildResult& result) {
  return fmt::format("{} ended with {}: {}", name, result.exit_code, in_quotes(last_line(result.err)));
}

std::vector<std::string> thread_limits(std::int32_t threads) {
  std::vector<std::string> limits;
  for (const std::string_view variable :
       {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"}) {
    limits.push_back(fmt::format("{}={}", variable, threads));
  }
  return limits;
}

ChildResult run_child(std::vector<std::string> arguments, const std::vector<std::string>& environment,
                      const std::function<void()>& check_interruption) {
  constexpr std::chrono::milliseconds between_looks{20};
  const WorkFolder printed;
  const std::string out = printed.path + "/out";
  const std::string err = printed.path + "/err";
  Child child(std::move(arguments), environment_with(environment), out, err);
  for (;;) {
    check_interruption();
    if (const std::optional<int> code = child.exit_code())
      return {*code, printed_text(out), printed_text(err), child.cpu_seconds(), child.most_memory()};
    std::this_thread::sleep_for(between_looks);
  }
}

}  // namespace inkling::bench
