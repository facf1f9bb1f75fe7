// Starts a program as a user would, and returns its output and exit code; for tests of the programs from outside.
#pragma once

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/engine/messages.hpp"
#include "tests/support/io/tests_path.hpp"

namespace inkling::test {

using Args = std::vector<std::string>;

inline Args operator+(Args args, const Args& more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

/// Where the programs are.
extern const char* const kInklingProgram;
extern const char* const kInklingBenchProgram;

/// A corpus of twenty documents.
inline const std::string kTinyCorpus = tests_path("../datasets/tiny/documents.jsonl");

struct ProgramResult {
  int exit_code = 0;  // 128 + the signal if a signal ended the program, as in a shell
  std::string out, err;
};

/// Runs the program without a shell, so that the arguments arrive as they are. Standard input is empty, and `environment`
/// ("NAME=VALUE") is added to that of this process. Throws std::runtime_error if the program cannot be started.
[[nodiscard]] ProgramResult run_program(const std::string& program, const Args& args,
                                        const std::vector<std::string>& environment = {});

/// The same with standard output going to an existing file or device, as in `PROGRAM ARGS > OUTPUT`.
[[nodiscard]] ProgramResult run_program_into(const std::string& output, const std::string& program, const Args& args);

/// The program `inkling` with these arguments.
[[nodiscard]] inline ProgramResult inkling(const Args& args) { return run_program(kInklingProgram, args); }
[[nodiscard]] inline ProgramResult inkling_bench(const Args& args) { return run_program(kInklingBenchProgram, args); }

/// Checks that the program ended with this exit code after one line on standard error, which has all these words.
inline void check_refused(const ProgramResult& result, int exit_code, const std::vector<std::string>& words) {
  CAPTURE(result.err);
  CHECK(result.exit_code == exit_code);
  CHECK(std::ranges::count(result.err, '\n') == 1);
  for (const std::string& word : words) {
    CAPTURE(word);
    CHECK(holds(result.err, word));
  }
}

/// Requires that the program ended with exit code 0, and returns what it printed.
inline ProgramResult succeeded(ProgramResult result) {
  CAPTURE(result.err);
  REQUIRE(result.exit_code == 0);
  return result;
}

/// The lines of a text, without their ends.
[[nodiscard]] inline std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Writes the text to a file and returns the path.
inline std::string write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

}  // namespace inkling::test
