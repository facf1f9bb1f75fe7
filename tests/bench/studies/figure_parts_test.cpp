#include "bench/studies/figure_parts.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <doctest/doctest.h>

#include "tests/bench/studies/small_study.hpp"

namespace inkling::bench {
namespace {

TEST_CASE("an estimate shows two digits of its error, and as many decimals of itself") {
  CHECK(estimate_text({467.38, 106.6}) == "467 ± 107");
  CHECK(estimate_text({0.3612, 0.0311}) == "0.361 ± 0.031");
  CHECK(estimate_text({12'345.6, 321.0}) == "12,346 ± 321");
  CHECK(estimate_text({-12'345.6, 321.0}) == "-12,346 ± 321");
  CHECK(estimate_text({5.0, 0.0}) == "5.00");
  CHECK(estimate_text({0.0, 0.0}) == "0");
  CHECK(estimate_text({NAN, 1.0}) == "-");
}

TEST_CASE("a ridge is written as a power of two where it is one") {
  CHECK(ridge_text(1.0) == "1");
  CHECK(ridge_text(0.0078125) == "2⁻⁷");
  CHECK(ridge_text(1024.0) == "2¹⁰");
  CHECK(ridge_text(3.0) == "3");
}

/// The results of one study, "main", of these entrants.
struct MadeUp {
  explicit MadeUp(std::vector<EntrantResult> entrants) { studies.push_back({{.name = "main"}, std::move(entrants)}); }

  [[nodiscard]] Results results() const { return {context, studies}; }
  [[nodiscard]] Verdict verdict(const ClaimRule& rule) const { return rule.decide(results()).verdict; }

  PaperContext context;
  std::vector<StudyResult> studies;
};

Place in_main(const std::string& entrant) { return {"main", entrant}; }

ClaimRule less(const std::string& one, const std::string& other) {
  return less_regret("a", ClaimBy::paper, "s", in_main(one), in_main(other));
}

TEST_CASE("less regret is claimed only if chance does not explain it") {
  const MadeUp made({test::played_with("low", {10.0, 12.0, 11.0, 13.0}), test::played_with("high", {20.0, 23.0, 21.0, 22.0}),
                     test::played_with("wild", {0.0, 60.0, 1.0, 2.0})});
  CHECK(made.verdict(less("low", "high")) == Verdict::holds);
  CHECK(made.verdict(less("high", "low")) == Verdict::fails);
  CHECK(made.verdict(less("low", "low")) == Verdict::fails);
  CHECK(made.verdict(less("low", "wild")) == Verdict::fails);
  const Decision decision = less("low", "high").decide(made.results());
  REQUIRE(decision.numbers.size() == 4);
  CHECK(decision.numbers[2].value.mean == doctest::Approx(-10.0));
  CHECK(decision.numbers[3].value.mean == doctest::Approx(46.0 / 86.0));
}

TEST_CASE("a claim about a factor is decided by the means") {
  const MadeUp made({test::played_with("one", {124.0, 126.0}), test::played_with("other", {100.0, 100.0})});
  const auto rule = [](double factor) {
    return within_factor("a", ClaimBy::paper, "s", in_main("one"), in_main("other"), factor);
  };
  CHECK(made.verdict(rule(1.25)) == Verdict::holds);
  CHECK(made.verdict(rule(1.24)) == Verdict::fails);
}

TEST_CASE("a number is above or below a bound only if chance does not explain it") {
  const MadeUp made({test::played_with("one", {9.0, 11.0})});  // 10 ± 1
  const auto below = [](double bound) {
    return all_below("a", ClaimBy::paper, "s", {{"regret", regret_of(in_main("one")), bound}});
  };
  CHECK(made.verdict(below(12.0)) == Verdict::holds);
  CHECK(made.verdict(below(11.0)) == Verdict::fails);
}

TEST_CASE("a ridge at the end of its grid is not inside it") {
  EntrantResult tuned = test::played_with("oful", {1.0});
  const std::vector<double> ridges = {0.5, 1.0, 2.0};
  tuned.tuning = Tuning{bench::tuned(tuned.entrant, ridges).candidates, {{3.0, 0.1}, {2.0, 0.1}, {4.0, 0.1}}, 1};
  MadeUp made({tuned});
  const ClaimRule rule = ridge_inside("a", in_main("oful"));
  CHECK(rule.whose == ClaimBy::ours);
  CHECK(made.verdict(rule) == Verdict::holds);
  made.studies[0].entrants[0].tuning->chosen = 2;
  CHECK(made.verdict(rule) == Verdict::fails);
}

TEST_CASE("a chart of regret begins at 0 and ends at the mean of all trials") {
  const MadeUp made({test::played_with("one", {4.0, 8.0})});
  const LineChart chart = regret_curves("", "title", "main").draw(made.results());
  REQUIRE(chart.series.size() == 1);
  CHECK(chart.series[0].x == std::vector<double>{0, 1, 2, 3, 4});
  CHECK(chart.series[0].y == std::vector<double>{0, 1.5, 3, 4.5, 6});
  CHECK(chart.series[0].high.back() == doctest::Approx(6.0 + kBand * 2.0));
}

TEST_CASE("a number chart has a point for each number and a level for a reference; what was not run is left out") {
  const MadeUp made({test::played_with("one", {4.0, 8.0})});
  const LineChart chart =
      number_chart("", {.title = "t", .x_label = "x", .y_label = "y", .series = {}},
                   {{"measured", {{2.0, regret_of(in_main("one"))}}}, {"level", {{0.0, constant(1.0)}}, SeriesStyle::reference}})
          .draw(made.results());
  REQUIRE(chart.series.size() == 2);
  CHECK(chart.series[0].x == std::vector<double>{2.0});
  CHECK(chart.series[0].y == std::vector<double>{6.0});
  CHECK(chart.series[1].x.empty());
  CHECK(chart.series[1].y == std::vector<double>{1.0});

  Figure figure{.name = "f", .title = "t", .paper_place = "p"};
  figure.charts = {regret_curves("", "title", "main"), regret_curves("other", "title", "other")};
  figure.charts[1].only_with = "other";
  figure.claims = {less("one", "one"), less("one", "one")};
  figure.claims[1].only_with = "other";
  const FigureReport report = report_of(figure, made.results());
  CHECK(report.charts.size() == 1);
  CHECK(report.claims.size() == 1);
}

TEST_CASE("synthetic worlds are those of the settings") {
  PaperSettings settings = {.noise = 0.25, .words = 3, .mark_probability = 0.4};
  const Study study = synthetic_study(settings, "main", synthetic_options(settings, 7));
  const World world = study.world(4);
  CHECK(world.pool.documents() == 1000);
  CHECK(world.pool.features() == 40);
  CHECK(study.features == 40);
  CHECK(world.relevant.size() == 7);
  CHECK(world.marks.probability() == 0.4);
  for (DocumentId i = 0; i < 1000; ++i) CHECK(world.pool.by_document.row(i).size() <= 3);
  CHECK(study.world(4).rewards.expected() == world.rewards.expected());
  CHECK(study.world(5).rewards.expected() != world.rewards.expected());
}

TEST_CASE("everything that shapes a world is in the settings that identify saved trials") {
  const PaperSettings settings;
  std::set<std::string> texts;
  const auto add = [&](const PaperSettings& with, void (*change)(WorldOptions&)) {
    WorldOptions options = synthetic_options(with, 5);
    change(options);
    texts.insert(synthetic_study(with, "main", options).world_settings);
  };
  add(settings, [](WorldOptions&) {});
  add(settings, [](WorldOptions& options) { options.relevant = 6; });
  add(settings, [](WorldOptions& options) { options.noise = 0.75; });
  add(settings, [](WorldOptions& options) { options.norm_bound = 2.0; });
  add(settings, [](WorldOptions& options) { options.mark_probability = 0.2; });
  add(settings, [](WorldOptions& options) { options.feedback = FeedbackKind::noisy; });
  add(settings, [](WorldOptions& options) { options.irrelevant_marks = 3; });
  add(settings, [](WorldOptions& options) { options.pool.documents = 999; });
  add(settings, [](WorldOptions& options) { options.pool.features = 41; });
  add(settings, [](WorldOptions& options) { options.pool.words = 9; });
  add(settings, [](WorldOptions& options) { options.pool.zipf = 1.0; });
  add(settings, [](WorldOptions& options) { options.pool.rows = SyntheticRows::sphere; });
  PaperSettings other = settings;
  other.seed = 2;
  add(other, [](WorldOptions&) {});
  CHECK(texts.size() == 13);
}

TEST_CASE("a share of the trials is never too small to show a spread") {
  CHECK(share_of_trials(100, 0.4) == 40);
  CHECK(share_of_trials(3, 0.4) == 2);
  CHECK(share_of_trials(1, 0.4) == 1);
}

TEST_CASE("the least likely discovery is that of the rarest relevant word of all trials") {
  PaperSettings settings = {.trials = 4};
  const Study study = synthetic_study(settings, "main", synthetic_options(settings, 5));
  std::vector<double> chances;
  for (std::uint64_t trial = 0; trial < 4; ++trial) {
    const World world = study.world(trial);
    for (const FeatureId feature : world.relevant) {
      int holders = 0;
      for (DocumentId i = 0; i < world.pool.documents(); ++i)
        holders += static_cast<int>(std::ranges::count(world.pool.by_document.row(i).features, feature));
      chances.push_back(0.1 * holders / 1000.0);
    }
  }
  CHECK(least_discovery(study) == doctest::Approx(std::ranges::min(chances)));
}

}  // namespace
}  // namespace inkling::bench
