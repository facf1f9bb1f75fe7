#include "io/doors/cli/help_text.hpp"

#include <sstream>

#include <doctest/doctest.h>

#include "io/base/file/utf8.hpp"
#include "tests/support/engine/messages.hpp"

namespace inkling {
namespace {

OptionTable::Description described(std::vector<std::string> common) {
  return {.command = "inkling-bench simulate",
          .purpose = "Simulates readers, and says in a sentence that is longer than one line of a terminal what they liked.",
          .example = "inkling-bench simulate --rounds 100 --policy random,oful --documents 100 --trace FILE",
          .groups = {{.heading = "Pool",
                      .options = {{.name = "documents",
                                   .kind = Integer{1, 1000},
                                   .value_name = "N",
                                   .otherwise = "10",
                                   .help = "documents in the pool, with R² words each, of which nobody knows more "
                                           "than that they are there"},
                                  {.name = "a-name-that-is-rather-long", .help = "has a line of its own"}}},
                     {.heading = "Run",
                      .options = {{.name = "rounds", .kind = Integer{1, 9}, .value_name = "T", .otherwise = "3"},
                                  {.name = "out",
                                   .kind = Path{},
                                   .value_name = "FILE",
                                   .help = "where to write",
                                   .need = Option::Need::required}}}},
          .common = std::move(common)};
}

void check_80_columns(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    CHECK(utf8_count(line) <= 80);
  }
}

TEST_CASE("help names every option, its range and default, within 80 columns") {
  const std::string help = help_text(described({}), HelpExtent::common);
  CHECK(help == help_text(described({}), HelpExtent::all));
  CHECK(help.starts_with("Usage: inkling-bench simulate [OPTION]...\n"));
  test::check_holds(help, {"\nPool:\n  --documents N           documents in the pool", "number from 1 to 1000; default 10)\n",
                           "\n  --a-name-that-is-rather-long\n                          has a line of its own\n",
                           "-o, --out FILE", "(required)", "Example:\n  inkling-bench simulate --rounds 100"});
  check_80_columns(help);
}

TEST_CASE("help names the values and the default of an option once") {
  Option option = {.name = "format",
                   .kind = Choice{{"csv", "npz", "mtx"}},
                   .value_name = "FORMAT",
                   .otherwise = "csv",
                   .help = "csv: fields between commas; npz, mtx: a matrix"};
  CHECK(sentence_of(option) == option.help + " (default csv)");
  option.help = "csv: fields between commas; an npz file";
  CHECK(sentence_of(option) == option.help + " (csv, npz or mtx; default csv)");
  option = {.name = "field", .kind = Text{}, .otherwise = "text", .help = "the field (default: text, or else title)"};
  CHECK(sentence_of(option) == option.help);
}

TEST_CASE("help shows common and required options and the others on request") {
  const std::string brief = help_text(described({"rounds"}), HelpExtent::common);
  test::check_holds(brief, {"Most used options:\n  -o, --out FILE", "--rounds T"});
  CHECK_FALSE(test::holds(brief, "--documents N"));
  CHECK(test::holds(brief, "--help-all              show all 4 options\n"));
  const std::string whole = help_text(described({"rounds"}), HelpExtent::all);
  CHECK(test::holds(whole, "\nPool:\n  --documents N"));
  CHECK(whole.find("--rounds T") < whole.find("--documents N"));
  CHECK(whole.find("--rounds T") == whole.rfind("--rounds T"));
  CHECK_FALSE(test::holds(whole, "\nRun:\n"));
  check_80_columns(brief);
  check_80_columns(whole);
}

}  // namespace
}  // namespace inkling
