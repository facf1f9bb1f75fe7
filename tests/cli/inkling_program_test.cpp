// The program `inkling` as a user meets it.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "io/base/file/utf8.hpp"
#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

TEST_CASE("inkling without arguments, or asked for help, lists its commands") {
  for (const std::vector<std::string>& args : {std::vector<std::string>{}, {"-h"}, {"--help"}}) {
    const ProgramResult result = succeeded(inkling(args));
    check_holds(result.out, {"about", "verify"});
    CHECK(result.err.empty());
  }
}

TEST_CASE("inkling --version is one line with the name and the version") {
  const ProgramResult result = succeeded(inkling({"--version"}));
  CHECK(result.out.starts_with("inkling "));
  CHECK(result.out.find('\n') == result.out.size() - 1);
}

TEST_CASE("the version is printed for every usual spelling of the request") {
  const std::string version = inkling({"--version"}).out;
  for (const char* option : {"-V", "-v"}) {
    CHECK(inkling({option}).exit_code == 0);
    CHECK(inkling({option}).out == version);
  }
}

TEST_CASE("inkling help explains the program or a command as its -h does") {
  CHECK(inkling({"help"}).out == inkling({"-h"}).out);
  CHECK(inkling({"help", "build"}).out == inkling({"build", "--help"}).out);
  CHECK(inkling({"help", "build"}).out == inkling({"build", "-h"}).out);
  CHECK(inkling({"help", "build", "--all"}).out == inkling({"build", "--help-all"}).out);
  CHECK(holds(inkling({"help", "help"}).out, "Usage: inkling help [COMMAND] [OPTION]...\n"));
  CHECK(inkling({"help", "--help"}).out == inkling({"help", "help"}).out);
  check_refused(inkling({"help", "biuld"}), 2, {"did you mean build?"});
  CHECK(inkling({"help", "build", "info"}).exit_code == 2);
}

TEST_CASE("inkling help fits a screen and has a line for each command") {
  const std::string help = inkling({"help"}).out;
  CHECK(std::ranges::count(help, '\n') <= 24);
  CHECK(std::ranges::count(inkling_bench({"help"}).out, '\n') <= 24);
  for (const std::string command : {"build", "info", "show", "verify", "export", "search", "serve", "score", "sessions",
                                    "evaluate", "parts STEP", "about", "help"})
    CHECK(holds(help, "\n  " + command + " "));
  CHECK(holds(inkling({"help", "--all"}).out, "\n  130                     interrupted\n"));
}

TEST_CASE("the steps of work in parts are commands listed by inkling parts") {
  const std::string steps = inkling({"parts"}).out;
  for (const std::string step : {"plan", "count", "merge", "build", "join", "learn", "score", "merge-scores"}) {
    CHECK(holds(steps, "\n  " + step + " "));
    CHECK(inkling({"help", "parts", step}).out == inkling({"parts", step, "-h"}).out);
    CHECK(holds(inkling({"parts", step, "-h"}).out, "Usage: inkling parts " + step + " "));
  }
  CHECK(inkling({"parts", "--help"}).out == steps);
  CHECK(inkling({"help", "parts"}).out == steps);
  CHECK(inkling({"parts", "cuont"}).err ==
        "inkling: unknown command 'parts cuont' (did you mean parts count?); 'inkling -h' lists them\n");
  CHECK(inkling({"parts", "count"}).err == "inkling parts count: missing argument PLAN\n");
  CHECK(inkling({"help", "parts", "cuont"}).exit_code == 2);
}

/// All help texts of a program.
std::vector<std::string> all_help_of(const std::string& program, const Args& commands) {
  std::vector<std::string> texts = {run_program(program, {"help"}).out, run_program(program, {"help", "help"}).out};
  for (const std::string& command : commands) {
    texts.push_back(run_program(program, {"help", command}).out);
    texts.push_back(run_program(program, {"help", command, "--all"}).out);
  }
  return texts;
}

TEST_CASE("no line of help is wider than 80 columns and the usual help fits on two screens") {
  const Args commands = {"build", "info", "verify", "export", "score", "search", "serve", "sessions", "show", "about", "parts"};
  const Args bench = {"demo", "simulate", "corpus", "ingest", "scale", "race"};
  std::vector<std::string> texts = all_help_of(kInklingProgram, commands);
  for (std::string& text : all_help_of(kInklingBenchProgram, bench)) texts.push_back(std::move(text));
  for (const std::string& text : texts) {
    CHECK_FALSE(text.empty());
    for (const std::string& line : lines_in(text)) {
      CAPTURE(line);
      CHECK(utf8_count(line) <= 80);
    }
  }
  const auto lines_of = [](const std::string& text) { return std::ranges::count(text, '\n'); };
  CHECK(lines_of(inkling_bench({"simulate", "-h"}).out) <= 70);
  CHECK(lines_of(inkling({"build", "-h"}).out) <= 50);
  CHECK(holds(inkling_bench({"simulate", "--help-all"}).out, "--epoch-constant"));
}

TEST_CASE_FIXTURE(InFolder,
                  "inkling help --man writes pages for the program and each command and man reads them without a warning") {
  CHECK(inkling({"help", "--man", "--out", folder.file("man1")}).exit_code == 0);
  CHECK(inkling({"help", "--man"}).exit_code == 2);
  CHECK(inkling_bench({"help", "--man", "--out", folder.file("man1")}).exit_code == 0);
  for (const char* name : {"inkling.1", "inkling-build.1", "inkling-parts-plan.1", "inkling-bench-simulate.1"})
    CHECK(text_of(folder.file("man1/") + name).starts_with(".TH \"INKLING"));
  if (std::system("command -v groff >/dev/null 2>&1") != 0) return;
  for (const auto& page : std::filesystem::directory_iterator(folder.file("man1"))) {
    const ProgramResult shown = run_program("/usr/bin/env", {"groff", "-ww", "-man", "-Tutf8", "-rLL=78n", page.path().string()});
    CAPTURE(page.path());
    CHECK(shown.exit_code == 0);
    CHECK(shown.err.empty());
  }
}

TEST_CASE_FIXTURE(InFolder, "the completion of bash offers commands and options and the names that an option takes") {
  write(folder.file("inkling.bash"), succeeded(inkling({"help", "--completion", "bash"})).out);
  const auto offered = [&](const std::string& words) {
    const std::string count = std::to_string(std::ranges::count(words, ' '));
    return run_program("/usr/bin/env", {"bash", "-c",
                                        ". \"$0\"; COMP_WORDS=(" + words + "); COMP_CWORD=" + count +
                                            "; _inkling; printf '%s ' \"${COMPREPLY[@]}\"",
                                        folder.file("inkling.bash")});
  };
  CHECK(offered("inkling sco").out == "score ");
  CHECK(offered("inkling build --stop").out == "--stop-words ");
  CHECK(offered("inkling export --to n").out == "npz ");
  CHECK(offered("inkling export --to = n").out == "npz ");
  CHECK(offered("inkling help ver").out == "verify ");
  CHECK(offered("inkling par").out == "parts ");
  CHECK(offered("inkling parts pl").out == "plan ");
  CHECK(offered("inkling parts count --keep").out == "--keep-rows ");
  CHECK(offered("inkling parts build --force").out == " ");
  CHECK(offered("inkling parts merge-scores --format np").out == "npy ");
  CHECK(offered("inkling help parts jo").out == "join ");
  CHECK(offered("inkling sco").err.empty());
  for (const char* shell : {"zsh", "fish"}) CHECK(inkling({"help", "--completion", shell}).exit_code == 0);
  CHECK(inkling({"help", "--completion", "sh"}).exit_code == 2);
}

TEST_CASE("a required option that is missing is called required") {
  const ProgramResult result = inkling({"export", "pool", "--out", "file"});
  CHECK(result.exit_code == 2);
  CHECK(result.err == "inkling export: --to: is required: expected svmlight, mtx, npz, words or vectors\n");
}

TEST_CASE("inkling about --json is one object on one line, and never coloured into a pipe") {
  const ProgramResult result = succeeded(inkling({"about", "--json"}));
  CHECK(result.out.starts_with(R"({"program":"inkling","version":")"));
  CHECK(result.out.ends_with("}\n"));
  CHECK(holds(result.out, R"("tbb":"2)"));
  CHECK(result.out.find('\x1b') == std::string::npos);
  CHECK(inkling({"about"}).out.find('\x1b') == std::string::npos);
}

TEST_CASE("inkling about -h shows its options and an example") {
  const ProgramResult result = succeeded(inkling({"about", "-h"}));
  CHECK(result.out.starts_with("Usage: inkling about [OPTION]...\n"));
  check_holds(result.out, {"--json", "Example:\n  inkling about --json\n"});
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
  const ProgramResult result = run_program_into("/dev/full", kInklingProgram, {"about"});
  CHECK(result.exit_code == 4);
  CHECK(result.err == "inkling about: standard output: No space left on device\n");
}

}  // namespace
}  // namespace inkling::test
