// Starts a program as a user would and returns all that came of it; for tests of the programs from outside.
#pragma once

#include <string>
#include <vector>

namespace inkling::test {

struct ProgramResult {
  int exit_code = 0;  // 128 + the signal where one ended the program, as a shell counts
  std::string out;
  std::string err;
};

/// No shell: the arguments arrive as they are. Standard input is empty, `environment` ("NAME=VALUE") is added
/// to this process's. Throws std::runtime_error where the program cannot be started.
[[nodiscard]] ProgramResult run_program(const std::string& program, const std::vector<std::string>& args,
                                        const std::vector<std::string>& environment = {});

/// The same with standard output going to an existing file or device, as in `PROGRAM ARGS > OUTPUT`.
[[nodiscard]] ProgramResult run_program_into(const std::string& output, const std::string& program,
                                             const std::vector<std::string>& args);

}  // namespace inkling::test
