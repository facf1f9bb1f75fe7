// This process, and those that it starts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inkling {

/// The id of this process, which no other running process of this machine has.
[[nodiscard]] std::int64_t process_number() noexcept;

/// The value of an environment variable; nothing if the process has more rights than whoever started it.
[[nodiscard]] std::optional<std::string> trusted_environment(const char* variable);

/// The name that the user of this process has on this machine: owner of new searches, and actor of their events.
[[nodiscard]] std::string name_of_user();
/// The folder in which this user's programs keep what they must not lose.
[[nodiscard]] std::string folder_of_user_data();
/// The folder in which this user's programs keep what they can make again; nothing if the environment names none.
[[nodiscard]] std::optional<std::string> folder_of_user_cache();

/// What this program was started with, after its own name, as UTF-8. Requires: the arguments of main, or texts in UTF-8.
[[nodiscard]] std::vector<std::string> program_arguments(int argc, const char* const* argv);

/// Shows an address in the browser of the person, where the system does that without showing it to other users.
void show_in_browser(const std::string& address) noexcept;

/// From now on, calls `handle` in each process that this one forks: there no other thread runs.
void in_forked_child(void (*handle)()) noexcept;

/// The name and version of the system, and the kind of processor; "unknown" where it does not say.
[[nodiscard]] std::string name_of_system();

/// A path by which this process can start its own program again, also where the file was replaced meanwhile.
[[nodiscard]] std::string path_of_own_program();

/// What a child process may take; beyond, its requests for memory fail, or it is ended.
struct ChildLimits {
  std::uint64_t memory = UINT64_MAX;       ///< bytes that are its own: no mapped files
  std::uint64_t cpu_seconds = UINT64_MAX;  ///< of all its threads together
};

/// A running child process, ended with its object where it still runs.
class ChildProcess {
 public:
  /// Starts a program, the first of the arguments, which is looked for in PATH. Standard input is empty; standard output and
  /// error go to new files; it gets no other file of this process. `environment` ("NAME=VALUE") is added to this process's. With
  /// limits, a crash leaves no image of its memory. Throws SystemError.
  ChildProcess(std::vector<std::string> arguments, const std::vector<std::string>& environment, const std::string& out,
               const std::string& err, const std::optional<ChildLimits>& limits = std::nullopt);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Its exit code, or 128 + the signal that ended it; nothing while it runs. Requires: no exit code was returned before.
  [[nodiscard]] std::optional<int> exit_code();

  /// The CPU time of all its threads, user and system. Requires (here and below): exit_code() returned a code.
  [[nodiscard]] double cpu_seconds() const noexcept { return cpu_seconds_; }
  /// Its peak resident memory, in bytes.
  [[nodiscard]] std::uint64_t most_memory() const noexcept { return most_memory_; }

 private:
  std::int64_t process_ = 0;
  double cpu_seconds_ = 0.0;
  std::uint64_t most_memory_ = 0;
};

}  // namespace inkling
