// The program `inkling` as a user meets it.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/cli/run_program.hpp"

namespace inkling::test {
namespace {

TEST_CASE("inkling without arguments, or asked for help, lists its commands") {
  for (const std::vector<std::string>& args : {std::vector<std::string>{}, {"-h"}, {"--help"}}) {
    const ProgramResult result = inkling(args);
    CHECK(result.exit_code == 0);
    CHECK(result.out.find("about") != std::string::npos);
    CHECK(result.out.find("verify") != std::string::npos);
    CHECK(result.err.empty());
  }
}

TEST_CASE("inkling --version is one line with the name and the version") {
  const ProgramResult result = inkling({"--version"});
  CHECK(result.exit_code == 0);
  CHECK(result.out.starts_with("inkling "));
  CHECK(result.out.find('\n') == result.out.size() - 1);
}

TEST_CASE("inkling about --json is one object on one line, and never coloured into a pipe") {
  const ProgramResult result = inkling({"about", "--json"});
  CHECK(result.exit_code == 0);
  CHECK(result.out.starts_with(R"({"program":"inkling","version":")"));
  CHECK(result.out.ends_with("}\n"));
  CHECK(result.out.find(R"("tbb":"2)") != std::string::npos);
  CHECK(result.out.find('\x1b') == std::string::npos);
  CHECK(inkling({"about"}).out.find('\x1b') == std::string::npos);
}

TEST_CASE("inkling about -h shows its options and an example") {
  const ProgramResult result = inkling({"about", "-h"});
  CHECK(result.exit_code == 0);
  CHECK(result.out.starts_with("Usage: inkling about [OPTION]...\n"));
  CHECK(result.out.find("--json") != std::string::npos);
  CHECK(result.out.find("Example:\n  inkling about --json\n") != std::string::npos);
}

TEST_CASE("a usage error is one line on standard error that names the mistake, and exits 2") {
  struct Case {
    std::vector<std::string> args;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{"abuot"}, "inkling: unknown command 'abuot' (did you mean about?); 'inkling -h' lists them\n"},
      {{"--versoin"}, "inkling: unknown option '--versoin' (did you mean --version?)\n"},
      {{""}, "inkling: unknown command ''; 'inkling -h' lists them\n"},
      {{"about", "--jso"}, "inkling about: unknown option '--jso' (did you mean --json?)\n"},
      {{"about", "--json", "--json"}, "inkling about: --json: is given twice\n"},
      {{"about", "--json=yes"}, "inkling about: --json: takes no value\n"},
      {{"about", "now"}, "inkling about: unexpected argument 'now'\n"},
  };
  for (const Case& expected : cases) {
    const ProgramResult result = inkling(expected.args);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err == expected.message);
  }
}

TEST_CASE("a full disk behind standard output is a system error") {
  const ProgramResult result = run_program_into("/dev/full", INKLING_PROGRAM, {"about"});
  CHECK(result.exit_code == 4);
  CHECK(result.err == "inkling about: standard output: No space left on device\n");
}

}  // namespace
}  // namespace inkling::test
