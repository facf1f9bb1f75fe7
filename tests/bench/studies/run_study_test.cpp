#include <atomic>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "bench/studies/study.hpp"
#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "tests/bench/studies/small_study.hpp"
#include "tests/support/engine/with_threads.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::bench {
namespace {

using inkling::test::InFolder, inkling::test::TemporaryFolder, test::small_study;

/// All numbers of a result except times.
std::vector<double> numbers_of(const StudyResult& result) {
  std::vector<double> numbers;
  for (const EntrantResult& entrant : result.entrants) {
    numbers.push_back(entrant.entrant.options.ridge);
    for (const TrialResult& trial : entrant.trials) {
      numbers.insert(numbers.end(), trial.curve.begin(), trial.curve.end());
      numbers.push_back(trial.reward);
      numbers.push_back(static_cast<double>(trial.all_found_at.value_or(-1)));
      numbers.push_back(static_cast<double>(trial.features_found));
    }
  }
  return numbers;
}

/// A result, how many trials were run, counted by their worlds, and what was reported about the logs.
struct CountedRun {
  StudyResult result;
  int trials_run = 0;
  std::vector<std::string> notes = {};
};

CountedRun run_counted(const TemporaryFolder& folder, Study study, const std::string& build = "a") {
  CountedRun run;
  study.world = [&run, world = study.world](std::uint64_t trial) {
    ++run.trials_run;
    return world(trial);
  };
  inkling::test::with_threads(1, [&] {
    run.result = run_study(study, {.log = folder.file("figure-"), .build = build, .note = [&run](const std::string& text) {
                                     run.notes.push_back(text);
                                   }});
  });
  return run;
}

TEST_CASE("a study has the same result at 1 and 2 and 8 threads") {
  std::vector<double> expected;
  for (const int threads : {1, 2, 8}) {
    inkling::test::with_threads(threads, [&] {
      const std::vector<double> numbers = numbers_of(run_study(small_study()));
      if (expected.empty()) expected = numbers;
      CHECK(numbers == expected);
    });
  }
}

TEST_CASE_FIXTURE(InFolder, "a tuned entrant plays with the ridge of least regret in trials of their own") {
  const StudyResult result = run_counted(folder, small_study()).result;
  const EntrantResult& oful = result.of("oful");
  REQUIRE(oful.tuning);
  REQUIRE(oful.tuning->regret.size() == 3);
  for (const Estimate& regret : oful.tuning->regret) CHECK(oful.tuning->regret[oful.tuning->chosen].mean <= regret.mean);
  CHECK(oful.entrant.options.ridge == oful.tuning->best().value);
  CHECK(oful.tuning->strictly_inside() == (oful.tuning->best().label == "2"));
  CHECK_FALSE(result.of("ff-oful").tuning);
  CHECK(oful.trials.size() == 5);
}

Preset svm_of_cost(double cost) {
  return classifier_rival("greedy-svm", "", {.loss = ClassifierLoss::squared_hinge, .cost = cost});
}

TEST_CASE_FIXTURE(InFolder, "an entrant may be tuned over any setting and plays with the candidate of least regret") {
  Study study = small_study();
  Entrant& svm = study.entrants.emplace_back(entrant_of({}, "greedy-svm", 40, 0.5));
  for (const double cost : {0.01, 0.1}) svm.candidates.push_back({fmt::format("cost {}", cost), cost, svm_of_cost(cost), 1.0});
  const StudyResult result = run_counted(folder, study).result;
  const EntrantResult& tuned = result.of("greedy-svm");
  REQUIRE(tuned.tuning);
  CHECK(tuned.entrant.preset.settings.front().value == tuned.tuning->best().value);
  CHECK_FALSE(tuned.tuning->strictly_inside());
  CHECK(result.of("oful").entrant.options.ridge == result.of("oful").tuning->best().value);

  study.entrants.back().candidates[0].preset = svm_of_cost(0.02);
  CHECK(run_counted(folder, study).trials_run >= 3);  // its tuning trials are others now
}

TEST_CASE_FIXTURE(InFolder, "trials that were run are not run again and further ones go on after them") {
  const CountedRun first = run_counted(folder, small_study(3));
  CHECK(first.trials_run == 3 + 3);
  const CountedRun again = run_counted(folder, small_study(3));
  CHECK(again.trials_run == 0);
  CHECK(numbers_of(again.result) == numbers_of(first.result));
  const CountedRun more = run_counted(folder, small_study(5));
  CHECK(more.trials_run == 2);
  const TemporaryFolder other;
  CHECK(numbers_of(more.result) == numbers_of(run_counted(other, small_study(5)).result));
  CHECK(numbers_of(run_counted(folder, small_study(3)).result) == numbers_of(first.result));
}

TEST_CASE_FIXTURE(InFolder, "a log that was cut anywhere gives the same result") {
  const CountedRun whole = run_counted(folder, small_study());
  const std::string log = folder.file("figure-main.jsonl");
  const std::string text = inkling::test::text_of(log);
  for (std::size_t length = 0; length < text.size(); length += text.size() / 23 + 1) {
    CAPTURE(length);
    write_file(log, text.substr(0, length));
    CHECK(numbers_of(run_counted(folder, small_study()).result) == numbers_of(whole.result));
  }
  write_file(log, text.substr(0, text.size() / 2) + "\n[not a trial\n" + text.substr(text.size() / 2));
  CHECK(numbers_of(run_counted(folder, small_study()).result) == numbers_of(whole.result));
}

/// The lines of the log of the final trials, with line ends: the settings, and then a trial each.
std::vector<std::string> log_lines(const TemporaryFolder& folder) {
  std::vector<std::string> lines;
  std::istringstream text(inkling::test::text_of(folder.file("figure-main.jsonl")));
  for (std::string line; std::getline(text, line);) lines.push_back(line + "\n");
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

TEST_CASE_FIXTURE(InFolder, "a log with repeated or swapped or missing trials or those of another study gives the same result") {
  const CountedRun whole = run_counted(folder, small_study());
  const std::vector<std::string> lines = log_lines(folder);
  REQUIRE(lines.size() == 6);

  struct Case {
    const char* what;
    std::vector<std::string> log;
    int trials_run;
    std::size_t notes;
  };
  const std::vector<Case> cases = {
      {"twice", {lines[0], lines[1], lines[1], lines[2], lines[3], lines[4], lines[5], lines[2]}, 0, 1},
      {"swapped", {lines[0], lines[5], lines[1], lines[4], lines[2], lines[3]}, 0, 0},
      {"missing", {lines[0], lines[1], lines[3], lines[5]}, 2, 0},
      {"the first line twice", {lines[0], lines[0], lines[1], lines[2], lines[3], lines[4], lines[5]}, 0, 1},
      {"no first line", {lines[1], lines[2], lines[3], lines[4], lines[5]}, 5, 1},
  };
  for (const Case& one : cases) {
    CAPTURE(one.what);
    write_file(folder.file("figure-main.jsonl"), joined(one.log));
    const CountedRun run = run_counted(folder, small_study());
    CHECK(numbers_of(run.result) == numbers_of(whole.result));
    CHECK(run.trials_run == one.trials_run);
    CHECK(run.notes.size() == one.notes);
    CHECK(run_counted(folder, small_study()).trials_run == 0);
  }

  Study other = small_study();
  other.world_settings = "other worlds";
  CHECK(run_counted(folder, other).trials_run == 5 + 3);
  const std::vector<std::string> of_other = log_lines(folder);
  write_file(folder.file("figure-main.jsonl"), joined({lines[0], of_other[1], lines[2], lines[3]}));
  CHECK(numbers_of(run_counted(folder, small_study()).result) == numbers_of(whole.result));
}

TEST_CASE_FIXTURE(InFolder, "a changed character anywhere in a log is reported and the result stays the same") {
  Study study = small_study(2);
  for (Entrant& entrant : study.entrants) entrant.candidates.clear();
  const CountedRun whole = run_counted(folder, study);
  const std::string log = folder.file("figure-main.jsonl");
  const std::string text = inkling::test::text_of(log);
  for (std::size_t at = 0; at + 1 < text.size(); at += 97) {
    CAPTURE(at);
    std::string changed = text;
    changed[at] = changed[at] == '7' ? '8' : '7';
    write_file(log, changed);
    const CountedRun run = run_counted(folder, study);
    CHECK(numbers_of(run.result) == numbers_of(whole.result));
    CHECK(run.trials_run > 0);
    REQUIRE(run.notes.size() == 1);
    CHECK(run.notes[0].starts_with(log + ": "));
  }
}

TEST_CASE_FIXTURE(InFolder, "an unreadable file or folder at the path of a log is an error and is not replaced") {
  std::filesystem::create_directory(folder.file("figure-main.jsonl"));
  Study study = small_study();
  for (Entrant& entrant : study.entrants) entrant.candidates.clear();
  CHECK_THROWS_AS(static_cast<void>(run_counted(folder, study)), SystemError);
  std::filesystem::remove(folder.file("figure-main.jsonl"));
  REQUIRE(::mkfifo(folder.file("figure-main.jsonl").c_str(), 0600) == 0);
  CHECK_THROWS_AS(static_cast<void>(run_counted(folder, study)), SystemError);
  CHECK(std::filesystem::is_fifo(folder.file("figure-main.jsonl")));
}

TEST_CASE_FIXTURE(InFolder, "trials of other settings or of another build of the program are run again") {
  static_cast<void>(run_counted(folder, small_study()));
  CHECK(run_counted(folder, small_study(), "b").trials_run == 5 + 3);
  Study longer = small_study();
  for (Entrant& entrant : longer.entrants) entrant.rounds = 41;
  CHECK(run_counted(folder, longer, "b").trials_run == 5 + 3);
  Study elsewhere = longer;
  elsewhere.world_settings = "other worlds";
  CHECK(run_counted(folder, elsewhere, "b").trials_run == 5 + 3);
}

TEST_CASE_FIXTURE(InFolder, "an interruption ends a study and keeps its finished trials") {
  struct Stop {};
  Study study = small_study();
  for (Entrant& entrant : study.entrants) entrant.candidates.clear();
  study.world = [world = study.world](std::uint64_t trial) {
    if (trial == 3) throw Stop();
    return world(trial);
  };
  inkling::test::with_threads(
      1, [&] { CHECK_THROWS_AS(static_cast<void>(run_study(study, {.log = folder.file("figure-"), .build = "a"})), Stop); });
  Study whole = small_study();
  for (Entrant& entrant : whole.entrants) entrant.candidates.clear();
  CHECK(run_counted(folder, whole).trials_run < 5);
}

TEST_CASE_FIXTURE(InFolder, "progress counts every round once even those of an earlier run") {
  const Study study = small_study();
  CHECK(rounds_of(study) == 40 * (5 * 3 + 3 * 3));
  for (int run = 0; run < 2; ++run) {
    std::atomic<std::int64_t> advanced = 0;
    std::atomic<std::int64_t> skipped = 0;
    static_cast<void>(run_study(study, {.log = folder.file("figure-"),
                                        .advance = [&](std::int64_t rounds) { advanced += rounds; },
                                        .skip = [&](std::int64_t rounds) { skipped += rounds; }}));
    CHECK(advanced + skipped == rounds_of(study));
    CHECK((run == 0 ? skipped : advanced) == 0);
  }
}

TEST_CASE("a check that throws ends the study with its exception") {
  struct Stop {};
  Study study = small_study();
  for (Entrant& entrant : study.entrants) entrant.rounds = 700;
  CHECK_THROWS_AS(static_cast<void>(run_study(study, {.check_interruption = [] { throw Stop(); }})), Stop);
}

TEST_CASE("the mean and its standard error are those of the trials") {
  Study study = small_study(3);
  study.entrants = {entrant_of({.seed = 7}, "ff-oful", 50, 0.5)};
  std::vector<double> regrets;
  for (std::uint64_t trial = 0; trial < 3; ++trial)
    regrets.push_back(run_trial(study.world(trial), study.entrants[0], trial).regret);
  const double mean = (regrets[0] + regrets[1] + regrets[2]) / 3.0;
  double squares = 0.0;
  for (const double regret : regrets) squares += (regret - mean) * (regret - mean);
  const StudyResult result = run_study(study);
  const Estimate regret = result.entrants[0].regret();
  CHECK(regret.mean == doctest::Approx(mean).epsilon(1e-14));
  CHECK(regret.standard_error == doctest::Approx(std::sqrt(squares / 2.0 / 3.0)).epsilon(1e-12));
  CHECK(result.entrants[0].curve().back().mean == regret.mean);
}

}  // namespace
}  // namespace inkling::bench
