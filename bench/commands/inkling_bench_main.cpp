// The program for science and speed.
#include <string>

#include "bench/commands/commands.hpp"
#include "io/base/process/build_info.hpp"
#include "io/doors/cli/command_line.hpp"
#include "io/doors/help/program_help.hpp"

namespace {

inkling::Program make_program() {
  return {
      .name = "inkling-bench",
      .purpose = "Experiments with linear bandits with feature feedback, and measurements of the engine.",
      .version = std::string(inkling::program_version),
      .groups = {{.task = "See how well policies search",
                  .commands = {inkling::bench::demo_command(), inkling::bench::simulate_command()}},
                 {.task = "Measure how fast they are",
                  .commands = {inkling::bench::corpus_command(), inkling::bench::ingest_command(),
                               inkling::bench::scale_command(), inkling::bench::race_command()}}},
      .example = "inkling-bench demo",
      .otherwise = inkling::answer_without_command,
  };
}

}  // namespace

int main(int argc, char** argv) { return inkling::run_main("inkling-bench", make_program, argc, argv); }
