// The command `inkling-bench simulate` as a user meets it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "bench/rivals/rival_presets.hpp"
#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"
#include "tests/support/io/tests_path.hpp"

namespace inkling::test {
namespace {

const std::string kTiny = tests_path("../datasets/tiny/");

ProgramResult simulate(const Args& args) { return inkling_bench(Args{"simulate"} + args); }

std::string every_policy() {
  std::string names;
  for (const Preset& preset : bench::all_presets()) names += (names.empty() ? "" : ",") + std::string(preset.name);
  return names;
}

/// The trace of a short run of every policy.
std::string trace_of(const Args& more) {
  const TemporaryFolder folder;
  const std::string path = folder.file("trace.jsonl");
  const Args args = {
      "--documents", "50", "--features", "12",           "--relevant",         "4",   "--words", "5",   "--rounds", "20",
      "--trials",    "2",  "--policy",   every_policy(), "--mark-probability", "0.4", "--noise", "0.3", "--trace",  path};
  CHECK(succeeded(simulate(args + more)).err.empty());
  return text_of(path);
}

/// The first line in which two texts differ, as a message; empty where they are the same.
std::string first_difference(const std::string& left, const std::string& right) {
  const std::vector<std::string> ours = lines_in(left);
  const std::vector<std::string> theirs = lines_in(right);
  const auto [one, other] = std::ranges::mismatch(ours, theirs);
  if (one == ours.end() && other == theirs.end()) return "";
  return (one == ours.end() ? "nothing" : *one) + "\nagainst\n" + (other == theirs.end() ? "nothing" : *other);
}

TEST_CASE_FIXTURE(InFolder, "A trace holds one object for each round of each trial with the documented members") {
  const std::string path = folder.file("trace.jsonl");
  succeeded(simulate({"--rounds", "5", "--trials", "2", "--policy", "ff-oful", "--trace", path, "--documents", "20"}));
  int count = 0;
  for (const std::string& line : lines_in(text_of(path))) {
    const std::string start =
        "{\"trial\":" + std::to_string(count / 5) + ",\"round\":" + std::to_string(count % 5 + 1) + ",\"document\":";
    CHECK(line.starts_with(start));
    std::size_t at = 0;
    for (const char* member : {"\"explored\":", "\"reward\":", "\"regret\":", "\"new_features\":[", "\"radius\":"}) {
      at = line.find(member, at);
      CHECK(at != std::string::npos);
    }
    CHECK(line.ends_with("}"));
    ++count;
  }
  CHECK(count == 10);
}

TEST_CASE_FIXTURE(InFolder, "A trace of one policy with several scorings says of which scoring a line is") {
  const std::string path = folder.file("trace.jsonl");
  succeeded(simulate({"--rounds", "3", "--trials", "1", "--policy", "random,ff-oful", "--scoring", "running,rescoring", "--trace",
                      path, "--documents", "20"}));
  const std::vector<std::string> lines = lines_in(text_of(path));
  const auto lines_with = [&lines](std::string_view start) {
    return std::ranges::count_if(lines, [&](const std::string& line) { return line.starts_with(start); });
  };
  CHECK(lines_with(R"({"policy":"random","trial":0,)") == 3);
  CHECK(lines_with(R"({"policy":"ff-oful","scoring":"running","trial":0,)") == 3);
  CHECK(lines_with(R"({"policy":"ff-oful","scoring":"rescoring","trial":0,)") == 3);
}

TEST_CASE("Traces of every policy have the same bytes at 1 and 2 and 8 threads with and without replacement") {
  for (const Args& replacement : {Args{}, Args{"--without-replacement"}}) {
    const std::string trace = trace_of(replacement + Args{"--threads", "1"});
    CHECK(std::ranges::count(trace, '\n') == std::int64_t{20} * 2 * static_cast<std::int64_t>(bench::all_presets().size()));
    for (const char* threads : {"2", "8"})
      CHECK(first_difference(trace_of(replacement + Args{"--threads", threads}), trace).empty());
  }
}

/// The lines of a trace whose policies and trials are in the record, because a new policy may be missing there.
std::string recorded_part(const std::string& trace, const std::string& record) {
  std::string part;
  for (const std::string& line : lines_in(trace))
    if (holds(record, line.substr(0, line.find(",\"round\"")))) part += line + "\n";
  return part;
}

// If results are meant to change, check the trace that the message names, and copy it over the record.
TEST_CASE("The trace of every policy is the one on record whatever the compiler and the machine") {
  // With the dense factor all arithmetic is this project's own; CHOLMOD's may change in the last bits with its version.
  const std::string trace = trace_of({"--factor", "dense", "--seed", "20"});
  const std::string record = text_of(tests_path("cli/golden/simulate_trace.jsonl"));
  const std::string difference = first_difference(recorded_part(trace, record), record);
  if (difference.empty()) return;
  const std::string kept = (std::filesystem::temp_directory_path() / "inkling_simulate_trace.jsonl").string();
  std::ofstream(kept, std::ios::binary) << trace;
  FAIL_CHECK("the trace is not the one on record; it is kept as " << kept << "\n" << difference);
}

TEST_CASE("Both factors choose the same documents") {
  // Thompson's draws depend on the order of rows in the factor, which CHOLMOD chooses.
  const auto choices_with = [](const std::string& factor) {
    std::string choices;
    for (const std::string& line : lines_in(trace_of({"--factor", factor})))
      if (!holds(line, "thompson")) choices += line.substr(0, line.find(",\"reward\"")) + "\n";
    return choices;
  };
  CHECK(first_difference(choices_with("dense"), choices_with("cholmod")).empty());
}

TEST_CASE("Policies on all features search a pool with more features than a matrix holds") {
  const ProgramResult result =
      succeeded(simulate({"--documents", "60", "--features", "47757", "--words", "20", "--rounds", "30", "--without-replacement",
                          "--trials", "2", "--policy", "oful,soft-marks,thompson,autotar,rocchio", "--json"}));
  CHECK(result.err.empty());
  CHECK(std::ranges::count(result.out, '\n') == 5);
  CHECK(result.out.find(R"("scoring":"automatic","radius":"automatic"})") != std::string::npos);
}

TEST_CASE("--json prints one object a policy with the documented members") {
  const ProgramResult result = succeeded(simulate({"--rounds", "20", "--trials", "2", "--policy", "random,ff-oful", "--json"}));
  CHECK(std::ranges::count(result.out, '\n') == 2);
  CHECK(result.out.starts_with(R"({"policy":"random","rounds":20,"trials":2,"regret":{"mean":)"));
  for (const char* member : {R"("stderr":)", R"("reward":{"mean":)", R"("features_found":{"mean":)", R"("explored":{"mean":20,)",
                             R"("decision_seconds":)", R"("decisions_per_second":)", R"("slowest_decision_seconds":)"}) {
    CHECK(result.out.find(member) != std::string::npos);
  }
}

/// The pool of datasets/tiny as `inkling build` makes it.
std::string tiny_pool(const TemporaryFolder& folder) {
  succeeded(run_program(kInklingProgram, {"build", kTiny + "documents.jsonl", "--out", folder.file("tiny")}));
  return folder.file("tiny");
}

TEST_CASE_FIXTURE(InFolder, "A pool of inkling build is searched for a topic and the words found are printed") {
  const std::string pool = tiny_pool(folder);
  const Args args = Args{"--pool", pool, "--reward", "label", "--topic", "gardening", "--rounds", "60"} +
                    Args{"--policy", "random,oful,ff-oful", "--mark-probability", "0.5", "--show-words", "3"} +
                    Args{"--relevant-words", kTiny + "gardening_words.txt"};
  const ProgramResult result = succeeded(simulate(args));
  CHECK(result.err.empty());
  CHECK(result.out.starts_with(pool + ": 20 documents over "));
  check_holds(result.out, {"\nWords of largest weight, first trial\n", "soil +"});

  Args as_json = args;
  as_json.emplace_back("--json");
  const ProgramResult json = succeeded(simulate(as_json));
  CHECK(std::ranges::count(json.out, '\n') == 3);
  CHECK(
      json.out.starts_with(R"({"policy":"random","rounds":60,"trials":10,"pool":")" + pool + R"(","documents":20,"features":)"));
  check_holds(json.out, {R"("words":[{"feature":)", R"("word":"soil","weight":)"});
}

TEST_CASE_FIXTURE(InFolder, "One trial has no standard error in the table and in JSON and in CSV") {
  const Args args = {"--rounds", "20", "--trials", "1", "--policy", "random,ff-oful", "--csv", folder.file("curves.csv")};
  const ProgramResult table = succeeded(simulate(args));
  CHECK_FALSE(holds(table.out, "±"));
  CHECK_FALSE(holds(table.out, "nan"));
  const ProgramResult json = simulate(args + Args{"--json"});
  CHECK(holds(json.out, R"("stderr":null)"));
  CHECK_FALSE(holds(json.out, R"("stderr":0)"));
  for (const std::string& line : lines_in(text_of(folder.file("curves.csv"))))
    CHECK((line.ends_with(",") || line.starts_with("policy,")));
  CHECK(holds(simulate({"--rounds", "20", "--trials", "2"}).out, " ± "));
}

TEST_CASE_FIXTURE(InFolder, "If a label is wanted simulate prints how many wanted documents each policy showed") {
  const std::string pool = tiny_pool(folder);
  const Args args = Args{"--pool", pool, "--reward", "label", "--topic", "gardening", "--rounds", "20"} +
                    Args{"--trials", "3", "--without-replacement", "--policy", "random", "--show-words", "1"};
  const ProgramResult table = simulate(args);  // all 20 documents are shown, so all of the topic
  CHECK(table.exit_code == 0);
  check_holds(table.out,
              {"\nWanted documents in 20 rounds; the pool holds 10\n", "10.0    50 % of those shown; 10 to 10 in a trial\n"});
  CHECK(holds(simulate(args + Args{"--json"}).out, R"("wanted_shown":{"mean":10,"stderr":0,"least":10,"most":10})"));
  CHECK_FALSE(holds(simulate({"--rounds", "5"}).out, "Wanted documents"));
}

TEST_CASE_FIXTURE(InFolder, "A picture is of the kind that its name says, and another ending is refused before the run") {
  const ProgramResult refused = simulate({"--rounds", "5", "--svg", folder.file("curve.jpg")});
  CHECK(refused.exit_code == 2);
  CHECK(holds(refused.err, "--svg: expected a name that ends in .svg, .png or .pdf, got '"));
  const ProgramResult into_folder = simulate({"--rounds", "5", "--svg", folder.path().string()});
  CHECK(into_folder.exit_code == 2);
  CHECK(holds(into_folder.err, "--svg: expected the name of a picture, found the folder"));
  const ProgramResult drawn = succeeded(simulate({"--rounds", "5", "--seed", "7", "--svg", folder.file("curve.png")}));
  if (!std::filesystem::exists(folder.file("curve.png"))) {  // matplotlib or Jinja2 is missing
    CHECK(holds(drawn.err, "install"));
    return;
  }
  CHECK(text_of(folder.file("curve.png")).starts_with("\x89PNG"));
  CHECK(simulate({"--rounds", "5", "--seed", "7", "--svg", folder.file("curve.svg")}).exit_code == 0);
  check_holds(text_of(folder.file("curve.svg")), {"seed 7", "10 trials"});
}

TEST_CASE_FIXTURE(InFolder, "No output of a simulation or a race replaces what it reads") {
  const std::string pool = folder.file("pool");
  write(folder.file("rows.svm"), "1 1:1\n2 2:1\n1 1:1 2:0.5\n");
  CHECK(run_program(kInklingProgram, {"build", folder.file("rows.svm"), "--out", pool}).exit_code == 0);
  const std::string words = folder.file("words.txt");
  write(words, "0\n");
  const Args searched = {"--pool", pool, "--rounds", "3", "--relevant-words", words};
  const std::string manifest = text_of(pool + "/manifest.json");
  for (const char* const option : {"--csv", "--svg", "--trace"}) {
    CAPTURE(std::string(option));
    const ProgramResult over_words = simulate(searched + Args{option, words});
    CHECK(over_words.exit_code == 2);
    CHECK(holds(over_words.err, std::string(option)));
    CHECK(simulate(searched + Args{option, pool + "/manifest.json"}).exit_code == 2);
  }
  const ProgramResult raced =
      inkling_bench({"race", "--pool", pool, "--relevant-words", words, "--rounds", "2", "--peers", "none", "--choices", words});
  CHECK(raced.exit_code == 2);
  CHECK(holds(raced.err, "--choices"));
  CHECK(text_of(words) == "0\n");
  CHECK(text_of(pool + "/manifest.json") == manifest);
}

TEST_CASE_FIXTURE(InFolder, "A word that would act on a terminal is shown by its number") {
  write(folder.file("words.txt"), "so\xC2\x9Bil\nple\xE2\x80\xAEnty\n");
  write(folder.file("rows.svm"), "1 1:1\n2 2:1\n1 1:1 2:0.5\n");
  succeeded(run_program(kInklingProgram, {"build", folder.file("rows.svm"), "--vocabulary", folder.file("words.txt"), "--out",
                                          folder.file("pool")}));
  const ProgramResult result = succeeded(simulate({"--pool", folder.file("pool"), "--relevant", "1", "--mark-probability", "1",
                                                   "--policy", "oful", "--rounds", "10", "--show-words", "2"}));
  CHECK_FALSE(holds(result.out, "\xC2\x9B"));
  CHECK_FALSE(holds(result.out, "\xE2\x80\xAE"));
  CHECK(holds(result.out, "so\\u{009B}il"));
}

TEST_CASE_FIXTURE(InFolder,
                  "Words missing in a pool are reported on standard error and a list without any known word is bad input") {
  const std::string pool = tiny_pool(folder);
  const std::string list = folder.file("words.txt");
  std::ofstream(list) << "# two words\nsoil\nzebra\n";
  const ProgramResult some = succeeded(simulate({"--pool", pool, "--relevant-words", list, "--rounds", "5"}));
  CHECK(some.err == "inkling-bench simulate: " + list + ": 1 found in the vocabulary of " + pool + ", 1 not: zebra\n");
  std::ofstream(list) << "zebra\n";
  const ProgramResult none = simulate({"--pool", pool, "--relevant-words", list, "--rounds", "5"});
  CHECK(none.exit_code == 3);
  CHECK(none.err ==
        "inkling-bench simulate: " + list + ": expected words of the vocabulary of " + pool + ", found none among 1\n");
}

TEST_CASE_FIXTURE(InFolder, "A damaged pool and a path that is no pool are named and have their exit codes") {
  const std::string pool = tiny_pool(folder);
  CHECK(simulate({"--pool", folder.file("nothing")}).exit_code != 0);
  std::ofstream(folder.file("tiny/data.npy"), std::ios::app) << "more";
  const ProgramResult damaged = simulate({"--pool", pool});
  CHECK(damaged.exit_code == 5);
  CHECK(damaged.err.find("tiny/data.npy") != std::string::npos);
}

TEST_CASE("A bad option exits 2 with one line that names the option and its range and the value") {
  struct Case {
    Args args;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{"--rounds", "-1"}, "--rounds: expected a whole number from 1 to 1000000000, got '-1'"},
      {{"--rounds=-1"}, "--rounds: expected a whole number from 1 to 1000000000, got '-1'"},
      {{"--noise", "nan"}, "--noise: expected a number from 0 to 1000000, got 'nan'"},
      {{"--relevant", "50", "--features", "40"}, "--relevant: expected 1 to 40 (the number of --features), got 50"},
      {{"--subset", "3,40"}, "--subset: expected features from 0 to 39, got 40"},
      {{"--rounds", "2000", "--without-replacement"},
       "--rounds: expected 1 to 1000 (the number of --documents, each shown once), got 2000"},
      {{"--irrelevant-marks", "36"}, "--irrelevant-marks: expected 0 to 35 (--features that are not --relevant), got 36"},
      {{"--feedback", "none", "--irrelevant-marks", "3"}, "--feedback: expected noisy with --irrelevant-marks 3, got 'none'"},
      {{"--tune", "--trace", "t.jsonl"}, "--trace: expected without --tune"},
  };
  for (const Case& expected : cases) {
    const ProgramResult result = simulate(expected.args);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err == "inkling-bench simulate: " + expected.message + "\n");
  }
  for (const Args& args : {Args{"--policy", "ff-ofull"}, Args{"--round", "3"},
                           Args{"--scoring", "rescoring", "--policy", "oful", "--features", "47757"}}) {
    const ProgramResult result = simulate(args);
    CHECK(result.exit_code == 2);
    CHECK(std::ranges::count(result.err, '\n') == 1);
    CHECK(result.err.find(args[0]) != std::string::npos);
  }
}

TEST_CASE("Too few words of the asked frequency are bad input and the message says how many there are") {
  const ProgramResult result = simulate({"--relevant-frequency", "0.99,1"});
  CHECK(result.exit_code == 3);
  CHECK(result.err.find("expected at most 0") != std::string::npos);
}

TEST_CASE("A trace that cannot be written is an error of the system and names the path") {
  const ProgramResult result = simulate({"--rounds", "5", "--trace", "no/such/folder/trace.jsonl"});
  CHECK(result.exit_code == 4);
  CHECK(result.err.find("no/such/folder/trace.jsonl") != std::string::npos);
}

}  // namespace
}  // namespace inkling::test
