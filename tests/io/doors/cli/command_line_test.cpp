#include "io/doors/cli/command_line.hpp"

#include <cerrno>
#include <cstdint>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/system/interruption.hpp"

namespace inkling {
namespace {

// The exit code of a program whose only command runs this body.
int exit_code_of(const std::function<void()>& body) {
  const Program program = {
      .name = "test-program",
      .purpose = "Ends in all ways.",
      .version = "0",
      .groups = {{.task = "End", .commands = {{.name = "end", .purpose = "Ends.", .run = [body](std::span<const std::string>) {
                                                 body();
                                                 return ExitCode::ok;
                                               }}}}}};
  const char* const argv[] = {"test-program", "end", nullptr};
  return run_program(program, 2, argv);
}

TEST_CASE("each kind of failure has its own exit code") {
  CHECK(exit_code_of([] {}) == 0);
  CHECK(exit_code_of([] { throw std::runtime_error("a mistake"); }) == 1);
  CHECK(exit_code_of([] { throw NumericalError("not positive definite"); }) == 1);
  CHECK(exit_code_of([] { throw UsageError::option("rounds", "expected more"); }) == 2);
  CHECK(exit_code_of([] { throw FormatError("file:1:2", "a number"); }) == 3);
  CHECK(exit_code_of([] { throw SystemError("file", ENOSPC, "cannot write"); }) == 4);
  CHECK(exit_code_of([] { throw std::bad_alloc(); }) == 4);
  CHECK(exit_code_of([] { throw InterruptedError(); }) == 130);
  CHECK(exit_code_of([] { throw std::runtime_error("pthread_create: no more"); }) == 4);
  CHECK(exit_code_of([] { throw std::system_error(EIO, std::generic_category()); }) == 4);
}

TEST_CASE("a program without a command gives its own answer and one that has none reports wrong usage") {
  Program program = {.name = "test-program", .purpose = "Answers.", .version = "0", .groups = {}};
  const char* const argv[] = {"test-program", "--anything", nullptr};
  CHECK(run_program(program, 2, argv) == 2);
  program.otherwise = [](const Program& asked, std::span<const std::string> args) {
    CHECK(asked.name == "test-program");
    REQUIRE(args.size() == 1);
    CHECK(args[0] == "--anything");
    return 7;
  };
  CHECK(run_program(program, 2, argv) == 7);
}

TEST_CASE("a command has the name in its option table and gets the parsed values") {
  std::int64_t seen = 0;
  const Command command =
      command_of(OptionTable({.command = "inkling-bench simulate",
                              .purpose = "Simulates.",
                              .example = "inkling-bench simulate",
                              .groups = {{.heading = "Run", .options = {{.name = "rounds", .kind = Integer{1, 9}}}}}}),
                 [&](const ParsedOptions& options) {
                   seen = options.integer("rounds");
                   return 7;
                 });
  CHECK(command.name == "simulate");
  CHECK(command.purpose == "Simulates.");
  CHECK(command.run(std::vector<std::string>{"--rounds", "3"}) == 7);
  CHECK(seen == 3);
  CHECK_THROWS_AS(command.run(std::vector<std::string>{"--rounds", "10"}), UsageError);
}

}  // namespace
}  // namespace inkling
