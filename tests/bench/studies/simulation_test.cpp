#include "bench/studies/simulation.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "bench/commands/simulate_options.hpp"
#include "tests/bench/worlds/worlds.hpp"

namespace inkling::bench {
namespace {

using test::short_entrant, test::small_world;

Study study_with(std::vector<Entrant> entrants, std::int64_t trials) {
  return {.world = [](std::uint64_t trial) { return make_synthetic_world(small_world(), 7, trial); },
          .entrants = std::move(entrants),
          .trials = trials};
}

/// Every round of every trial, as in a trace file.
std::string trace_of(const Study& study) {
  std::string trace;
  StudyRunOptions options;
  options.trace_line = [](std::int64_t trial, const Entrant& who, const RoundRecord& record) {
    return trace_line(trial, {.policy = who.preset.name}, record);
  };
  options.write_trace = [&trace](const std::string& lines) { trace += lines; };
  static_cast<void>(run_study(study, options));
  return trace;
}

TEST_CASE("a given pool is searched in every trial") {
  const PoolMatrix pool(CsrMatrix(3, {0, 1, 2, 3}, {0, 1, 2}, {1.0F, 1.0F, 1.0F}));
  Study study = study_with({short_entrant("ff-oful", 20)}, 4);
  study.world = [&pool](std::uint64_t trial) { return make_world(pool.view(), small_world(), 7, trial); };
  study.entrants[0].words_told = 1;
  StudyRunOptions options;
  options.trace_line = [](std::int64_t, const Entrant&, const RoundRecord& record) {
    return std::to_string(record.play.document) + "\n";
  };
  std::string trace;
  options.write_trace = [&](const std::string& lines) { trace += lines; };
  const std::vector<EntrantResult> results = run_study(study, options);
  CHECK(std::ranges::count(trace, '\n') == 80);
  CHECK(trace.find_first_not_of("012\n") == std::string::npos);
  CHECK(results[0].trials[0].words.size() == 1);
}

TEST_CASE("rescoring chooses as running scores do where rounding alone tells documents apart") {
  // Rows of length 1: at first, nearly all documents are equally unknown.
  WorldOptions options;
  options.pool.documents = 1000;
  options.pool.features = 40;
  options.noise = 0.5;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 6U, 7U, 8U}) {
    CAPTURE(seed);
    const auto trace_by = [&](Scoring scoring, int factor) {
      Entrant entrant = short_entrant("oful", 24);
      entrant.options.scoring = scoring;
      entrant.options.ridge = 8.0;
      entrant.seed = seed;
      Study study = study_with({entrant}, 4);
      study.world = [&, factor](std::uint64_t trial) {
        WorldOptions wide = options;
        wide.pool.features *= factor;
        return make_synthetic_world(wide, seed, trial);
      };
      return trace_of(study);
    };
    for (const int factor : {1, 10})  // by the primal model, and by the dual one
      CHECK(trace_by(Scoring::rescoring, factor) == trace_by(Scoring::running, factor));
  }
}

EntrantResult result_with(const std::string& preset, double ridge, double regret) {
  EntrantResult result{short_entrant(preset, 1), {}};
  result.entrant.options.ridge = ridge;
  result.trials.emplace_back().regret = regret;
  return result;
}

TEST_CASE("of the ridges of a policy the best is kept") {
  const std::vector<EntrantResult> best =
      best_ridges({result_with("oful", 1.0, 5.0), result_with("oful", 8.0, 4.0), result_with("random", 1.0, 0.0)});
  REQUIRE(best.size() == 2);
  CHECK(best[0].entrant.options.ridge == 8.0);
  CHECK(best[1].entrant.preset.name == "random");
}

}  // namespace
}  // namespace inkling::bench
