// The program `inkling`.
#include <string>

#include "io/base/process/build_info.hpp"
#include "io/doors/cli/command_line.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/commands/search/brought_files.hpp"
#include "io/doors/help/program_help.hpp"
#ifdef INKLING_PARTS
#  include "io/doors/steps/parts.hpp"
#endif

namespace {

inkling::Program make_program() {
  return {
      .name = "inkling",
      .purpose = "Finds what a person wants in a large collection, from ratings and marked words.",
      .version = std::string(inkling::program_version),
      .groups = {{.task = "Make a pool of your documents",
                  .commands = {inkling::build_command(), inkling::add_command(), inkling::info_command(), inkling::show_command(),
                               inkling::verify_command(), inkling::export_command()}},
                 {.task = "Find what you want in it",
                  .commands = {inkling::search_command(), inkling::serve_command(), inkling::score_command(),
                               inkling::sessions_command(), inkling::evaluate_command()}},
#ifdef INKLING_PARTS
                 inkling::parts_of_work(),
#endif
                 {.task = "More", .commands = {inkling::about_command()}}},
      .inner = {inkling::read_upload_command()},
      .example = "inkling serve reviews.csv",
      .otherwise = inkling::answer_without_command,
  };
}

}  // namespace

int main(int argc, char** argv) { return inkling::run_main("inkling", make_program, argc, argv); }
