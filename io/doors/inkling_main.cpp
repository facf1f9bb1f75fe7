// The program `inkling`.
#include <string>

#include "io/base/process/build_info.hpp"
#include "io/doors/cli/command_line.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/help/program_help.hpp"

namespace {

inkling::Program make_program() {
  return {
      .name = "inkling",
      .purpose = "Finds what a person wants in a large collection, from ratings and marked words.",
      .version = std::string(inkling::program_version),
      .commands = {inkling::build_command(), inkling::info_command(), inkling::verify_command(),
                   inkling::export_command(),
#ifdef INKLING_PARTS
                   inkling::plan_command(), inkling::count_command(), inkling::merge_counts_command(),
                   inkling::join_command(),
#endif
                   inkling::score_command(),
#ifdef INKLING_PARTS
                   inkling::learn_command(), inkling::merge_scores_command(),
#endif
                   inkling::search_command(), inkling::serve_command(), inkling::show_command(),
                   inkling::sessions_command(), inkling::about_command()},
      .otherwise = inkling::answer_without_command,
  };
}

}  // namespace

int main(int argc, char** argv) { return inkling::run_main("inkling", make_program, argc, argv); }
