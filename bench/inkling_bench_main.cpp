// The program for science and speed.
#include <string>

#include "bench/scaling/drift_command.hpp"
#include "bench/scaling/factor_command.hpp"
#include "bench/simulation/demo_command.hpp"
#include "bench/simulation/simulate_command.hpp"
#include "io/cli/build_info.hpp"
#include "io/cli/command_line.hpp"

int main(int argc, char** argv) {
  const inkling::Program program = {
      .name = "inkling-bench",
      .purpose = "Experiments with linear bandits with feature feedback, and measurements of the engine.",
      .version = std::string(inkling::program_version),
      .commands = {inkling::bench::demo_command(), inkling::bench::simulate_command(),
                   inkling::bench::drift_command(), inkling::bench::factor_command()},
  };
  return inkling::run_program(program, argc, argv);
}
