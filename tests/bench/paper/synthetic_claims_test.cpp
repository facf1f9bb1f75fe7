// Which claims of the synthetic figures hold for known numbers, and which do not.
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "bench/paper/figures.hpp"
#include "tests/bench/paper/made_up_results.hpp"

namespace inkling::bench {
namespace {

using test::around, test::claim_of, test::made_up_report, test::number_of, test::tiny_context;

/// ff-oful with this regret, all others with 100.
test::RegretOf marked_with(double regret) {
  return [regret](const Study&, const Entrant& entrant, std::int64_t trial) {
    return around(entrant.preset.name == "ff-oful" ? regret : 100.0, trial);
  };
}

TEST_CASE("ff-oful beats every T0 only where it clearly beats each of them") {
  const PaperContext context = tiny_context(256);
  const FigureReport better = made_up_report(two_stage_figure(), context, marked_with(90.0));
  CHECK(claim_of(better, "two-stage-beats-every-t0").verdict == Verdict::holds);
  CHECK(claim_of(better, "two-stage-beats-every-t0").numbers.size() == 5);  // T0 = 16, 32, 64 and 128, and ff-oful itself

  const FigureReport mixed =
      made_up_report(two_stage_figure(), context, [](const Study& study, const Entrant& entrant, std::int64_t trial) {
        const bool good = study.name == "main" && entrant.name == "T0 = 64";
        return around(good ? 80.0 : entrant.name == "ff-oful" ? 90.0 : 100.0, trial);
      });
  const Claim& claim = claim_of(mixed, "two-stage-beats-every-t0");
  CHECK(claim.verdict == Verdict::fails);
  CHECK(number_of(claim, "ff-oful minus T0 = 64").mean == doctest::Approx(10.0));
  CHECK(number_of(claim, "ff-oful minus T0 = 32").mean == doctest::Approx(-10.0));
  CHECK(claim_of(mixed, "two-stage-beats-every-t0-fresh").verdict == Verdict::holds);
}

TEST_CASE("the sparse and the dense claim are decided by their own margins") {
  const PaperContext context = tiny_context(64);
  CHECK(claim_of(made_up_report(sparse_figure(), context, marked_with(99.0)), "sparse-beats-oful").verdict == Verdict::holds);
  const FigureReport worse = made_up_report(sparse_figure(), context, marked_with(101.0));
  CHECK(claim_of(worse, "sparse-beats-oful").verdict == Verdict::fails);
  CHECK(claim_of(worse, "sparse-ridge-inside").verdict == Verdict::holds);
  CHECK(claim_of(made_up_report(dense_figure(), context, marked_with(124.0)), "dense-within-25-percent").verdict ==
        Verdict::holds);
  CHECK(claim_of(made_up_report(dense_figure(), context, marked_with(127.0)), "dense-within-25-percent").verdict ==
        Verdict::fails);
}

TEST_CASE("the epoch variant counts as the same if its random rounds explain the difference in either direction") {
  const auto verdict_at = [](double regret) {
    const FigureReport report =
        made_up_report(epoch_figure(), tiny_context(64), [regret](const Study&, const Entrant& entrant, std::int64_t) {
          return entrant.name == "epochs, c = 1" ? regret : 100.0;
        });
    return claim_of(report, "epoch-essentially-the-same").verdict;
  };
  CHECK(verdict_at(120.0) == Verdict::holds);
  CHECK(verdict_at(121.0) == Verdict::fails);
  CHECK(verdict_at(83.0) == Verdict::holds);
  CHECK(verdict_at(82.0) == Verdict::fails);
  CHECK(epoch_constant_of_proof(0.1) == doctest::Approx(2.4477468));  // sqrt(2 ln 20)
}

/// FF-OFUL's regret is 50 + slope * k', OFUL's 100.
test::RegretOf noisy_line(double slope) {
  return [slope](const Study& study, const Entrant& entrant, std::int64_t trial) {
    if (entrant.name == "oful") return around(100.0, trial);
    return around(50.0 + slope * std::stod(study.name.substr(study.name.find('-') + 1)), trial);
  };
}

TEST_CASE("the cost of irrelevant marks is the line through the means up to the regret of oful") {
  const PaperContext context = tiny_context(64);
  const FigureReport gentle = made_up_report(noisy_marks_figure(), context, noisy_line(2.0));
  CHECK(claim_of(gentle, "noisy-marks-grow-with-words").verdict == Verdict::holds);
  CHECK(claim_of(gentle, "noisy-marks-grow-with-words").numbers[0].value.mean == doctest::Approx(2.0));
  CHECK(claim_of(gentle, "noisy-marks-grow-with-words").numbers[1].value.mean == doctest::Approx(41.0));
  CHECK(claim_of(gentle, "noisy-marks-below-oful").verdict == Verdict::holds);  // 120 at k' = 35 = d - k

  const FigureReport steep = made_up_report(noisy_marks_figure(), context, noisy_line(3.0));
  CHECK(claim_of(steep, "noisy-marks-below-oful").verdict == Verdict::fails);
  CHECK(number_of(claim_of(steep, "noisy-marks-below-oful"), "ff-oful minus oful at k' = 20").mean == doctest::Approx(10.0));
  CHECK(number_of(claim_of(steep, "noisy-marks-below-oful"), "ff-oful minus oful at k' = 10").mean == doctest::Approx(-20.0));
  const FigureReport level = made_up_report(noisy_marks_figure(), context, noisy_line(0.0));
  CHECK(claim_of(level, "noisy-marks-grow-with-words").verdict == Verdict::fails);
}

TEST_CASE("a subset wins if a part of the relevant words wins and not if all of them do") {
  const auto verdict_at = [](const std::string& winner) {
    const FigureReport report = made_up_report(subsets_synthetic_figure(), tiny_context(64),
                                               [&](const Study&, const Entrant& entrant, std::int64_t trial) {
                                                 return around(entrant.name == winner ? 90.0 : 100.0, trial);
                                               });
    return claim_of(report, "subset-beats-all-features").verdict;
  };
  CHECK(verdict_at("4 of 10") == Verdict::holds);
  CHECK(verdict_at("10 of 10") == Verdict::fails);
  CHECK(verdict_at("none") == Verdict::fails);
}

TEST_CASE("slopes with a part of the relevant words are compared with pure exploration and the paper's factor") {
  const PaperContext context = tiny_context(64);
  const auto report_at = [&](double regret) {
    return made_up_report(pure_exploration_figure(), context, [regret](const Study&, const Entrant& entrant, std::int64_t) {
      return entrant.name == "random" ? 100.0 : regret;
    });
  };
  CHECK(claim_of(report_at(44.0), "subset-slope-within-factor").verdict == Verdict::holds);  // sqrt(1/5) = 0.447
  const FigureReport above = report_at(50.0);
  CHECK(claim_of(above, "subset-slope-within-factor").verdict == Verdict::fails);
  CHECK(claim_of(above, "subset-slope-below-pure-exploration").verdict == Verdict::holds);
  CHECK(claim_of(above, "commit-beats-pure-exploration").verdict == Verdict::holds);
  CHECK(claim_of(report_at(101.0), "commit-beats-pure-exploration").verdict == Verdict::fails);
}

TEST_CASE("the probabilities of a random play are those computed by hand") {
  const Figure figure = exploration_probability_figure();
  const PaperContext context;
  CHECK_FALSE(figure.studies);
  const FigureReport report = report_of(figure, Results(context, {}));
  const std::vector<Series>& series = report.charts.front().chart.series;
  REQUIRE(series.size() == 3);
  REQUIRE(series[0].y.size() == 4096);
  const double plain[] = {1.0, 1.0 / std::sqrt(2.0), 1.0 / std::sqrt(3.0), 0.5};
  const double epochs[] = {1.0, 1.0 / std::sqrt(2.0), 1.0 / std::sqrt(2.0), 0.5};
  for (std::size_t n = 0; n < 4; ++n) {
    CHECK(series[0].x[n] == static_cast<double>(n + 1));
    CHECK(series[0].y[n] == doctest::Approx(plain[n]));
    CHECK(series[1].y[n] == doctest::Approx(epochs[n]));
  }
  CHECK(series[0].y.back() == 1.0 / 64.0);
  CHECK(series[2].y[6] == 1.0);  // sqrt(2 ln 20 / 4) is above 1
  CHECK(series[2].y[7] == doctest::Approx(2.4477468 / std::sqrt(8.0)));
  CHECK(report.claims.front().verdict == Verdict::holds);
}

}  // namespace
}  // namespace inkling::bench
