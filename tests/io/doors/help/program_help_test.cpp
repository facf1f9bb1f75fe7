#include "io/doors/help/program_help.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/support/engine/messages.hpp"

namespace inkling {
namespace {

Command told(OptionTable::Description description) {
  return command_of(OptionTable(std::move(description)), [](const ParsedOptions&) { return ExitCode::ok; });
}

Program program_of_three() {
  return {
      .name = "ink-well",
      .purpose = "Holds ink.",
      .version = "1.2",
      .groups = {{.task = "Use ink",
                  .commands = {told({.command = "ink-well fill",
                                     .purpose = "Fills the well. It may spill.",
                                     .example = "ink-well fill --out well",
                                     .groups = {{.heading = "Ink",
                                                 .options = {{.name = "colour",
                                                              .kind = Choice{{"black", "blue"}},
                                                              .value_name = "NAME",
                                                              .help = "what it's like: 10^-3 \\ dark"},
                                                             {.name = "out",
                                                              .kind = Path{},
                                                              .value_name = "FILE",
                                                              .help = "where it goes"}}}}}),
                               told({.command = "ink-well dry",
                                     .purpose = "Dries it.",
                                     .example = "ink-well dry",
                                     .groups = {{.heading = "How",
                                                 .options = {{.name = "ways",
                                                              .kind = ChoiceList{{"sun", "air"}},
                                                              .value_name = "NAME[,NAME]",
                                                              .help = "R² ways"}}}}})}},
                 {.task = "Write",
                  .commands = {told(
                      {.command = "ink-well letter dip", .purpose = "Dips the pen. Once.", .example = "ink-well letter dip"})},
                  .word = "letter",
                  .purpose = "Writes a letter. Step by step."}},
      .example = "ink-well fill"};
}

TEST_CASE("the help of a program has a line for each task and command and says how to ask for more") {
  CHECK(program_help(program_of_three()) ==
        "Usage: ink-well COMMAND [OPTION]...\nHolds ink.\n\n"
        "Use ink:\n  fill        Fills the well\n  dry         Dries it\n\n"
        "Write:\n  letter STEP  Writes a letter\n"
        "  help        Explains a command: 'ink-well help fill'\n\n"
        "Begin with 'ink-well fill'; 'ink-well help --all' says more.\n");
  const std::string all = program_help(program_of_three(), HelpExtent::all);
  test::check_holds(all, {"-V, --version", "  130                     interrupted\n"});
}

TEST_CASE("a command of two words is found by both and not by one of them") {
  const Program program = program_of_three();
  const auto name = [&](const std::vector<std::string>& args) {
    const Command* const command = find_command(program, args);
    return command == nullptr ? std::string("none") : command->name;
  };
  CHECK(name({"letter", "dip", "--deep"}) == "letter dip");
  CHECK(name({"fill", "dip"}) == "fill");
  CHECK(name({"letter"}) == "none");
  CHECK(name({"dip"}) == "none");
  CHECK(name({"letter dip"}) == "none");
  CHECK(name({}) == "none");
}

TEST_CASE("a program has a man page, and each of its commands has one") {
  const std::vector<ManualPage> pages = manual_pages(program_of_three());
  REQUIRE(pages.size() == 4);
  CHECK(pages[3].file == "ink-well-letter-dip.1");
  CHECK(test::holds(pages[3].text, "\\fBink\\-well letter dip\\fR"));
  CHECK(pages[0].file == "ink-well.1");
  CHECK(test::holds(pages[0].text, "\\fBink\\-well\\-fill\\fR(1)"));
  CHECK(pages[1].file == "ink-well-fill.1");
  const std::string& fill = pages[1].text;
  CHECK(fill.starts_with(".TH \"INK-WELL-FILL\" \"1\" \"20"));
  test::check_holds(fill, {".SH NAME\nink\\-well\\-fill \\- Fills the well\n",
                           ".TP\n\\fB\\-o\\fR, \\fB\\-\\-out\\fR \\fIFILE\\fR\nwhere it goes\n",
                           "what it\\(aqs like: 10\\(ha\\-3 \\e dark (black or blue)\n", "\n.SH \"EXIT STATUS\"\n"});
  CHECK(test::holds(pages[2].text, "R\\[u00B2] ways"));
  for (const ManualPage& page : pages)
    CHECK(std::ranges::all_of(page.text, [](char letter) { return static_cast<unsigned char>(letter) < 0x80; }));
}

TEST_CASE("completions know the commands, the options and the names that an option takes") {
  const std::string bash = completion_script(program_of_three(), Shell::bash);
  test::check_holds(bash, {"offer 'fill dry letter help --help --version'", "letter-dip) offer '--help --help-all' ;;",
                           "fill:--colour) offer 'black blue'; return ;;", "fill:--out|fill:-o) offer_files; return ;;",
                           "dry:--ways) offer_list 'sun air'; return ;;", "complete -o filenames -F _ink_well ink-well\n"});
  const std::string zsh = completion_script(program_of_three(), Shell::zsh);
  CHECK(zsh.starts_with("#compdef ink-well\n"));
  CHECK(test::holds(zsh, "'--colour=[what its like]:NAME:(black blue)'"));
  const std::string fish = completion_script(program_of_three(), Shell::fish);
  CHECK(test::holds(fish,
                    "complete -c ink-well -n '__fish_seen_subcommand_from fill; and not __fish_seen_subcommand_from "
                    "letter' -l out -s o -r -F -d 'where it goes'\n"));
}

}  // namespace
}  // namespace inkling
