// Runs another program and collects what it prints; a folder for what it reads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace inkling::bench {

/// An empty folder that is removed with its object, with everything in it. Throws SystemError.
struct WorkFolder {
  WorkFolder();
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  std::string path;
};

struct ChildResult {
  int exit_code = 0;  ///< 128 + the signal if one ended it
  std::string out;
  std::string err;
  double cpu_seconds = 0.0;       ///< of all its threads, user and system
  std::uint64_t most_memory = 0;  ///< peak resident memory, in bytes
};

/// The last line of a text, newlines at its end left out.
[[nodiscard]] std::string_view last_line(std::string_view text);

/// "NAME ended with 3: 'the last line that it wrote to standard error'".
[[nodiscard]] std::string failure_of(std::string_view name, const ChildResult& result);

/// Variables of the environment that limit the threads of libraries for linear algebra.
[[nodiscard]] std::vector<std::string> thread_limits(std::int32_t threads);

/// Runs the first argument, a program found in PATH, without a shell: it gets the arguments unchanged. Standard input is empty;
/// `environment` ("NAME=VALUE") is added to this process's. `check_interruption` is called many times a second; if it throws, the
/// child is ended first. Throws SystemError if the program cannot be started.
[[nodiscard]] ChildResult run_child(std::vector<std::string> arguments, const std::vector<std::string>& environment,
                                    const std::function<void()>& check_interruption);

}  // namespace inkling::bench
