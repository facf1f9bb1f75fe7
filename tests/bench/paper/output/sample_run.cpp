#include "tests/bench/paper/output/sample_run.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

namespace inkling::bench {
namespace {

// In the paper's order; the two that need movie reviews are left out.
constexpr std::array<Figure, 16> kFigures = {{
    {"two-stage", "Marks first, rewards later: two stages against one loop",
     "synthetic, two-stage baselines"},
    {"pure-exploration", "Exploration alone finds the words but earns nothing",
     "synthetic, pure exploration"},
    {"subsets-synthetic", "How much a subset of the right features is worth", "early regret, synthetic"},
    {"subsets-text", "The same on text", "early regret, 20 Newsgroups", PaperData::newsgroups},
    {"sparse", "Five of forty features matter", "synthetic, sparse theta*"},
    {"dense", "All forty features matter", "synthetic, dense theta*"},
    {"newsgroups-replacement", "Text, documents shown again", "20 Newsgroups with replacement",
     PaperData::newsgroups},
    {"newsgroups-no-replacement", "Text, each document shown once", "20 Newsgroups without replacement",
     PaperData::newsgroups},
    {"human", "Words that people marked", "movie reviews with human rationales", PaperData::movies},
    {"ridge-sensitivity", "How much the ridge decides", "tuning of lambda"},
    {"full-dimension", "OFUL on all 47,757 words", "20 Newsgroups, d = 47,781", PaperData::newsgroups},
    {"exploration-probability", "Exploring with 1/sqrt(t) or less", "appendix, exploration probability"},
    {"epoch", "The variant that the proof is about", "appendix, FF-OFUL by epochs"},
    {"bound", "Regret against the bound of the theorem", "Theorem 1"},
    {"noisy-marks", "Readers who mark wrong words too", "appendix, noisy feedback", PaperData::movies},
    {"what-decides", "What the paper leaves open, one setting at a time", "beyond the paper"},
}};

/// Numbers between -1 and 1 that look like noise and are the same everywhere.
double wobble(std::size_t n) { return std::sin(static_cast<double>(n) * 12.9898) * 0.7; }

Series regret_line(const std::string& name, double last, double exponent, double rounds) {
  Series series{.name = name, .x = {0}, .y = {0}, .low = {0}, .high = {0}};
  constexpr std::size_t points = 64;
  for (std::size_t n = 1; n <= points; ++n) {
    const double share = static_cast<double>(n) / points;
    const double mean = last * std::pow(share, exponent) * (1 + 0.004 * wobble(n));
    series.x.push_back(rounds * share);
    series.y.push_back(mean);
    series.low.push_back(mean * 0.95);
    series.high.push_back(mean * 1.05);
  }
  return series;
}

struct Player {
  std::string name;
  double regret;
  double exponent;
};

LineChart regret_chart_of(const std::string& title, const std::vector<Player>& players, double rounds) {
  LineChart chart{.title = title, .x_label = "rounds", .y_label = "regret, summed over rounds", .series = {}};
  for (const Player& player : players) {
    chart.series.push_back(regret_line(player.name, player.regret, player.exponent, rounds));
  }
  return chart;
}

LineChart tuning_chart_of(const std::vector<std::string>& names) {
  LineChart chart{.title = "Regret by ridge",
                  .x_label = "ridge (lambda)",
                  .y_label = "regret in the tuning trials",
                  .series = {},
                  .x_scale = AxisScale::logarithmic,
                  .points = PointMarks::dots};
  for (std::size_t who = 0; who < names.size(); ++who) {
    Series series{.name = names[who], .x = {}, .y = {}};
    for (int power = -7; power <= 10; ++power) {
      const double away = power - 2.0 * static_cast<double>(who);
      series.x.push_back(std::exp2(power));
      series.y.push_back(180 + 40 * static_cast<double>(who) + 3.5 * away * away);
      series.low.push_back(series.y.back() - 18);
      series.high.push_back(series.y.back() + 18);
    }
    chart.series.push_back(series);
  }
  return chart;
}

LineChart subsets_chart() {
  Series subsets{.name = "subset", .x = {}, .y = {}, .style = SeriesStyle::points};
  for (std::size_t n = 1; n <= 10; ++n) {
    subsets.x.push_back(4.0 * static_cast<double>(n));
    subsets.y.push_back(120 + 9 * static_cast<double>(n) + 8 * wobble(n));
    subsets.low.push_back(subsets.y.back() - 14);
    subsets.high.push_back(subsets.y.back() + 14);
  }
  const Series reference{
      .name = "ff-oful", .x = {}, .y = {152}, .low = {147}, .high = {157}, .style = SeriesStyle::reference};
  return {.title = "Regret of OFUL that is given a subset of the features, after 512 rounds",
          .x_label = "features given, the five that matter among them",
          .y_label = "regret after 512 rounds",
          .series = {subsets, reference}};
}

std::vector<Claim> claims_of(const std::string& name) {
  return {
      {.id = name + "-beats-oful",
       .sentence = "FF-OFUL has less regret than tuned OFUL where 5 of 40 features matter.",
       .verdict = Verdict::holds,
       .numbers = {{"regret of ff-oful", {191.4, 3.2}},
                   {"regret of oful", {480.1, 7.9}},
                   {"difference", {-288.7, 6.1}},
                   {"ratio", {0.399, 0.009}}}},
      {.id = name + "-near-oracle",
       .sentence = "Its regret is within twice that of OFUL on the features that matter.",
       .verdict = Verdict::holds,
       .numbers = {{"regret of ff-oful", {191.4, 3.2}},
                   {"regret of oful-subset", {101.8, 1.7}},
                   {"ratio", {1.88, 0.04}}}},
  };
}

FigureReport usual_report(const std::string& name, std::vector<FigureChart> charts) {
  FigureReport report;
  report.paragraph =
      "The pool holds 1,000 documents of 8 words drawn from 40; the reader's theta* has norm 1, and the "
      "noise "
      "is 0.5. Each policy plays 2,048 rounds in 100 worlds. FF-OFUL ends at a regret of 191.4 ± 3.2, tuned "
      "OFUL at 480.1 ± 7.9, and OFUL on the features that matter at 101.8 ± 1.7.";
  report.settings = {{"trials", "100"},
                     {"rounds", "2,048"},
                     {"seed", "1"},
                     {"delta, the failure probability of a confidence set", "0.1"},
                     {"S, the bound on the norm of theta* that policies are told", "1"}};
  report.charts = std::move(charts);
  report.tables = {
      {.line = "All that was measured, means over 100 trials",
       .head = {"policy", "ridge", "regret", "reward", "words marked", "random rounds", "ms of decisions"},
       .rows = {{"ff-oful", "2^0", "191.4 ± 3.2", "1,302 ± 21", "5.0", "88.2 ± 0.9", "12.4"},
                {"oful", "2^-5", "480.1 ± 7.9", "1,014 ± 18", "-", "0", "31.9"}}}};
  report.claims = claims_of(name);
  return report;
}

std::vector<FigureChart> charts_of(const Figure& figure) {
  const std::string title(figure.title);
  if (figure.name == "two-stage") {
    std::vector<Player> players = {{"ff-oful", 191, 0.7}, {"oful", 480, 0.9}};
    for (const int stage : {16, 32, 64, 128, 256, 512}) {
      players.push_back({"T0 = " + std::to_string(stage), 230.0 + 0.6 * stage, 0.6});
    }
    return {{"", regret_chart_of("Regret of two stages, by the length of the first", players, 2048),
             "The lines are means over 100 trials; T0 is how many rounds the first stage takes."}};
  }
  if (figure.name == "subsets-synthetic" || figure.name == "subsets-text") {
    return {{"", subsets_chart(), "Each point is OFUL on a subset of that size; the level is FF-OFUL."}};
  }
  if (figure.name == "ridge-sensitivity") {
    return {{"", tuning_chart_of({"oful", "ff-oful"}), "Means of 10 tuning trials a ridge."}};
  }
  const std::vector<Player> players = {{"random", 910, 1.0},
                                       {"oful", 480, 0.9},
                                       {"explore-then-commit", 260, 0.8},
                                       {"ff-oful", 191, 0.7},
                                       {"oful-subset", 102, 0.6}};
  return {{"", regret_chart_of(title, players, 2048), "Mean regret with 95 % bands over 100 trials."},
          {"tuning", tuning_chart_of({"oful"}), "The ridge that OFUL plays with is the lowest point."}};
}

FigureReport report_of(const Figure& figure) {
  FigureReport report = usual_report(std::string(figure.name), charts_of(figure));
  if (figure.name == "dense") {
    report.claims[0].verdict = Verdict::fails;
    report.claims[0].why =
        "Where all features matter, FF-OFUL spends its first 300 rounds on finding them. With p = 0.3 "
        "instead "
        "of 0.1 the claim holds.";
  }
  if (figure.name == "full-dimension") {
    report.claims[1].verdict = Verdict::not_comparable;
    report.claims[1].why = "The paper's pool of 47,781 words is not public; the closest holds 47,757.";
    report.claims[1].numbers.push_back({"ratio in the paper", {std::numeric_limits<double>::quiet_NaN(), 0}});
  }
  if (figure.name == "sparse")
    report.charts[0].chart.series[0].y[20] = std::numeric_limits<double>::quiet_NaN();
  if (figure.name == "exploration-probability") {
    report.charts[0].chart.series[2].name = "ff-oful, c = 0.25, and \"half\" of it";
  }
  return report;
}

}  // namespace

PaperRun sample_run() {
  PaperRun run;
  double seconds = 0.8;
  for (const Figure& figure : kFigures) {
    if (figure.needs == PaperData::movies) {
      run.left_out.push_back({&figure, "The movie reviews with rationales are not in datasets/movies.",
                              "Fetch them as datasets/README.md says, and run inkling-bench paper again."});
      continue;
    }
    run.figures.push_back({&figure, report_of(figure), seconds});
    run.seconds += seconds;
    seconds *= 1.6;
  }
  run.machine = {{"processor", "Some Processor 9000"},
                 {"cores", "8, of them 8 used"},
                 {"memory", "32 GiB"},
                 {"compiler", "GCC 12.2.0, Release"},
                 {"version", "0.1.0"}};
  run.command = "inkling-bench paper --out paper --newsgroups pools/newsgroups --trials 100";
  return run;
}

}  // namespace inkling::bench
