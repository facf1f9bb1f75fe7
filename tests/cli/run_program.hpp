// Starts a program as a user would, and returns its output and exit code; for tests of the programs from outside.
#pragma once

#include <fstream>
#include <string>
#include <vector>

namespace inkling::test {

using Args = std::vector<std::string>;

inline Args operator+(Args args, const Args& more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

/// A corpus of twenty documents.
inline const std::string kTinyCorpus = INKLING_TESTS_DIR "/../datasets/tiny/documents.jsonl";

struct ProgramResult {
  int exit_code = 0;  // 128 + the signal if a signal ended the program, as in a shell
  std::string out;
  std::string err;
};

/// Runs the program without a shell, so that the arguments arrive as they are. Standard input is empty, and `environment`
/// ("NAME=VALUE") is added to that of this process. Throws std::runtime_error if the program cannot be started.
[[nodiscard]] ProgramResult run_program(const std::string& program, const Args& args,
                                        const std::vector<std::string>& environment = {});

/// The same with standard output going to an existing file or device, as in `PROGRAM ARGS > OUTPUT`.
[[nodiscard]] ProgramResult run_program_into(const std::string& output, const std::string& program,
                                             const Args& args);

/// The program `inkling` with these arguments.
[[nodiscard]] inline ProgramResult inkling(const Args& args) { return run_program(INKLING_PROGRAM, args); }

[[nodiscard]] inline bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Writes the text to a file and returns the path.
inline std::string write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

}  // namespace inkling::test
