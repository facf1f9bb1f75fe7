#include "bench/speed/timed_run.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include <doctest/doctest.h>

#include "tests/bench/worlds/rated_pools.hpp"

namespace inkling::bench {
namespace {

const RunListener kKeepGoing;

TimedRunOptions of_rounds(std::int64_t rounds) { return {.rounds = rounds, .seed = 5}; }

TEST_CASE("all scorings play the same documents, as a scan from nothing, each once and timed in every round") {
  const test::SmallRatedPool small;
  const TimedRunOptions options = of_rounds(250);
  for (const Discovery discovery : kDiscoveries) {
    CAPTURE(name_of(discovery));
    const TimedRun sublinear = run_timed(small.rated, discovery, Scoring::sublinear, options, kKeepGoing);
    const TimedRun running = run_timed(small.rated, discovery, Scoring::running, options, kKeepGoing);
    const TimedRun rescoring = run_rescoring_along(small.rated, sublinear, options, kKeepGoing);
    CHECK(count_differences(sublinear, running) == 0);
    CHECK(*rescoring.differences == 0);
    CHECK(rescoring.features_found == sublinear.features_found);

    const ChoiceCheck check = check_choices(small.rated, discovery, options, kKeepGoing);
    CHECK(check.differences == 0);
    CHECK(check.compared == std::ranges::count(sublinear.rounds, false, &TimedRound::explored));
    CHECK(check.largest_gap < 1e-9);
  }

  const TimedRun run = run_timed(small.rated, Discovery::marked, Scoring::running, of_rounds(400), kKeepGoing);
  std::set<DocumentId> shown;
  for (const TimedRound& round : run.rounds) {
    shown.insert(round.document);
    CHECK(round.seconds >= 0.0);
  }
  CHECK(shown.size() == 400);
  CHECK(run.features_found == 12);
  CHECK(run.documents_scored == 400 * 400);
  CHECK(times_of(run).count == 400);
}

TEST_CASE("given features are in use at once, rescoring is timed as seconds allow, and a listener may end a run") {
  const test::SmallRatedPool small;
  const TimedRun run = run_timed(small.rated, Discovery::given, Scoring::sublinear, of_rounds(50), kKeepGoing);
  CHECK(run.features_found == 12);
  CHECK(std::ranges::none_of(run.rounds, &TimedRound::explored));

  TimedRunOptions options = of_rounds(100);
  const TimedRun led = run_timed(small.rated, Discovery::given, Scoring::sublinear, options, kKeepGoing);
  options.rescoring_seconds = 1e-9;
  CHECK(times_of(run_rescoring_along(small.rated, led, options, kKeepGoing)).count == 3);
  options.rescoring_seconds = 1e9;
  CHECK(times_of(run_rescoring_along(small.rated, led, options, kKeepGoing)).count == 100);

  const RunListener stop{[] { throw std::runtime_error("stop"); }};
  CHECK_THROWS_WITH(static_cast<void>(run_timed(small.rated, Discovery::given, Scoring::running, of_rounds(10), stop)), "stop");
}

TEST_CASE("rounds that were not timed do not count") {
  TimedRun run;
  CHECK(times_of(run).count == 0);
  run.rounds = {{0, false, 2.0}, {1, false, -1.0}, {2, false, 4.0}, {3, false, 9.0}};
  const RoundTimes times = times_of(run);
  CHECK(times.count == 3);
  CHECK(times.median == 4.0);
  CHECK(times.mean == 5.0);
}

}  // namespace
}  // namespace inkling::bench
