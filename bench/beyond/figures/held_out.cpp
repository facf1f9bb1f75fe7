#include "bench/beyond/figures/held_out.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/beyond/rivals.hpp"
#include "bench/studies/synthetic_study.hpp"
#include "bench/studies/trial_measures.hpp"
#include "bench/studies/figure_parts.hpp"
#include "engine/core/portable_math.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kRounds = 1024;
constexpr int kWorlds = 24;
constexpr int kQuickWorlds = 8;
constexpr double kShareOfTrials = 0.4;
constexpr double kShareOfTuningTrials = 0.3;
/// The worlds are drawn, and so are their trials, from seeds that nothing else uses.
constexpr std::uint64_t kOtherSeeds = 7'000'000;

int worlds_in(const PaperSettings& settings) {
  return settings.effort == PaperEffort::full ? kWorlds : kQuickWorlds;
}

/// Evenly on a logarithmic scale.
double log_uniform(RandomStream& random, double low, double high) {
  return low * exponential(random.uniform() * natural_log(high / low));
}

std::int32_t whole(RandomStream& random, double low, double high) {
  return static_cast<std::int32_t>(std::lround(log_uniform(random, low, high)));
}

/// Words so rare that no document may hold them cannot matter to anybody.
std::int32_t words_surely_held(const SyntheticPoolOptions& pool) {
  std::vector<double> weights;
  double sum = 0.0;
  for (std::int32_t j = 1; j <= pool.features; ++j) {
    weights.push_back(exponential(-pool.zipf * natural_log(static_cast<double>(j))));
    sum += weights.back();
  }
  const double draws = static_cast<double>(pool.documents) * pool.words;
  double held = 0.0;
  for (const double weight : weights) held += 1.0 - exponential(-draws * weight / sum);
  constexpr double surely = 0.7;
  return std::max(1, static_cast<std::int32_t>(surely * held));
}

/// Rounded where a reader sees the number, so that the table says what was run.
double two_digits(double number) { return std::round(number * 100.0) / 100.0; }

WorldOptions drawn_world(const PaperSettings& settings, int number) {
  RandomStream random(settings.seed + kOtherSeeds, static_cast<std::uint64_t>(number), RandomRole::target);
  WorldOptions options;
  options.pool.features = whole(random, 20, 300);
  options.pool.documents = whole(random, 200, 10'000);
  options.pool.words = whole(random, 4, 30);
  options.pool.zipf = two_digits(1.5 * random.uniform());
  options.mark_probability = two_digits(log_uniform(random, 0.02, 0.5));
  options.noise = two_digits(log_uniform(random, 0.05, 1.0));
  options.norm_bound = two_digits(log_uniform(random, 0.5, 3.0));
  options.relevant = std::min(whole(random, 1, options.pool.features), words_surely_held(options.pool));
  return options;
}

std::vector<Study> studies(const PaperContext& context) {
  PaperSettings settings = context.settings;
  settings.seed += kOtherSeeds;
  settings.trials = share_of_trials(settings.trials, kShareOfTrials);
  settings.tuning_trials = share_of_trials(settings.tuning_trials, kShareOfTuningTrials);
  std::vector<Study> studies;
  for (int number = 1; number <= worlds_in(settings); ++number) {
    const WorldOptions options = drawn_world(context.settings, number);
    Study study = synthetic_study(settings, fmt::format("world-{}", number), options);
    study.entrants = main_policies(settings, entrants_in(settings, options, settings.horizon(kRounds)),
                                   options.pool.features, TuningEffort::fine);
    studies.push_back(std::move(study));
  }
  return studies;
}

Estimate ratio_to(const StudyResult& result, std::string_view rival) {
  return paired_ratio(result.of("soft-marks"), result.of(rival), final_regret);
}

FigureTable table_of(const PaperContext& context, const std::vector<StudyResult>& results) {
  FigureTable table{
      .line = "Every world that was drawn",
      .head = {"world", "d", "N", "words", "zipf", "k", "p", "noise", "S", "ff-oful", "oful",
               std::string(kNarrowOful), "soft-marks", "over ff-oful", "over oful", "over oful-narrow"},
      .rows = {}};
  for (std::size_t n = 0; n < results.size(); ++n) {
    const StudyResult& result = results[n];
    const WorldOptions options = drawn_world(context.settings, static_cast<int>(n) + 1);
    table.rows.push_back(
        {fmt::format("{}", n + 1), fmt::format("{}", options.pool.features),
         digit_groups(options.pool.documents), fmt::format("{}", options.pool.words),
         fmt::format("{:g}", options.pool.zipf), fmt::format("{}", options.relevant),
         fmt::format("{:g}", options.mark_probability), fmt::format("{:g}", options.noise),
         fmt::format("{:g}", options.norm_bound), estimate_text(result.of("ff-oful").regret()),
         estimate_text(result.of("oful").regret()), estimate_text(result.of(kNarrowOful).regret()),
         estimate_text(result.of("soft-marks").regret()), estimate_text(ratio_to(result, "ff-oful")),
         estimate_text(ratio_to(result, "oful")), estimate_text(ratio_to(result, kNarrowOful))});
  }
  return table;
}

LineChart chart_of(const std::vector<StudyResult>& results) {
  LineChart chart{.title = "Soft marks in worlds that the rule had not seen",
                  .x_label = "world",
                  .y_label = "regret of soft-marks over that of the other",
                  .series = {},
                  .y_scale = AxisScale::logarithmic};
  for (const std::string_view rival : {std::string_view("ff-oful"), std::string_view("oful"), kNarrowOful}) {
    Series series{.name = fmt::format("over {}", rival), .x = {}, .y = {}, .style = SeriesStyle::points};
    for (std::size_t n = 0; n < results.size(); ++n) {
      add_point(series, static_cast<double>(n + 1), ratio_to(results[n], rival));
    }
    chart.series.push_back(std::move(series));
  }
  chart.series.push_back({.name = "as much", .x = {}, .y = {1.0}, .style = SeriesStyle::reference});
  return chart;
}

Claim never_worse_claim(const std::vector<StudyResult>& results, std::string_view rival) {
  Claim claim{
      .id = fmt::format("held-out-never-worse-than-{}", rival),
      .sentence = fmt::format("In none of {} drawn worlds do soft marks have clearly more regret than {}{}.",
                              results.size(), rival == "oful" ? "the best " : "", rival),
      .verdict = Verdict::holds,
      .numbers = {}};
  std::vector<std::string> worse;
  std::vector<double> ratios;
  for (std::size_t n = 0; n < results.size(); ++n) {
    const Estimate ratio = ratio_to(results[n], rival);
    ratios.push_back(ratio.mean);
    if (clearly_above(ratio, 1.0)) worse.push_back(fmt::format("{} ({})", n + 1, estimate_text(ratio)));
  }
  claim.numbers = {{"least ratio", {std::ranges::min(ratios), 0.0}},
                   {"median ratio", {median(ratios), 0.0}},
                   {"largest ratio", {std::ranges::max(ratios), 0.0}}};
  if (!worse.empty()) {
    claim.verdict = Verdict::fails;
    claim.why = fmt::format("They have more in the worlds {}; the table says what those are.",
                            fmt::join(worse, ", "));
  }
  return claim;
}

FigureReport report_of(const PaperContext& context, const std::vector<StudyResult>& results) {
  FigureReport report;
  const auto median_to = [&](std::string_view rival) {
    std::vector<double> ratios;
    ratios.reserve(results.size());
    for (const StudyResult& result : results) ratios.push_back(ratio_to(result, rival).mean);
    return median(ratios);
  };
  report.paragraph = fmt::format(
      "A rule found on some worlds may fit them alone. Here are {} others, drawn at random from wide ranges "
      "with seeds of their own, {} trials of {} rounds each. The median ratio of soft marks' regret is "
      "{:.2f} to FF-OFUL's, {:.2f} to that of OFUL, tuned in each world, and {:.2f} to OFUL's with soft "
      "marks' radius and ridge, which sees no marks. All policies are told the true noise and the true norm.",
      results.size(), results[0].study.trials, digit_groups(results[0].of("oful").entrant.options.rounds),
      median_to("ff-oful"), median_to("oful"), median_to(kNarrowOful));
  report.settings = {{"the ranges",
                      "d 20 to 300, N 200 to 10,000, words 4 to 30, p 0.02 to 0.5, k 1 to d, noise 0.05 to 1 "
                      "and the norm 0.5 to 3, each even in its logarithm; zipf 0 to 1.5"},
                     {"k", "at most 0.7 of the words that some document is expected to hold"},
                     {"seed", fmt::format("{}", context.settings.seed + kOtherSeeds)},
                     {"method", tuning_method(results[0])}};
  report.charts = {
      {"", chart_of(results), "Below 1 soft marks have less regret. Bars are 95 % over trials."}};
  report.tables = {table_of(context, results)};
  report.claims = {never_worse_claim(results, "ff-oful"), never_worse_claim(results, "oful"),
                   never_worse_claim(results, kNarrowOful)};
  return report;
}

}  // namespace

Figure held_out_figure() {
  return {.name = "held-out",
          .title = "Worlds that the rule had not seen",
          .paper_place = "Beyond the paper: drawn worlds",
          .studies = studies,
          .report = report_of};
}

}  // namespace inkling::bench
