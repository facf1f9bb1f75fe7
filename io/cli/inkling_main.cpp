// The program for users' data.
#include <string>

#include "io/cli/about_command.hpp"
#include "io/cli/build_info.hpp"
#include "io/cli/command_line.hpp"

int main(int argc, char** argv) {
  const inkling::Program program = {
      .name = "inkling",
      .purpose = "Finds what a person wants in a large collection, from ratings and marked words.",
      .version = std::string(inkling::program_version),
      .commands = {inkling::about_command()},
      .note = "The commands that work on pools of documents come with the pool format.",
  };
  return inkling::run_program(program, argc, argv);
}
