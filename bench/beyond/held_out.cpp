// held-out: worlds drawn at random that nobody looked at when the rule was found.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/studies/study.hpp"
#include "engine/core/portable_math.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr int kDrawnWorlds = 24;
constexpr int kQuickDrawnWorlds = 8;
/// The worlds and their trials are drawn from seeds that nothing else uses.
constexpr std::uint64_t kDrawnSeeds = 7'000'000;
constexpr std::string_view kHeldOutRivals[] = {"ff-oful", "oful", kNarrowOful};

/// Uniform on a logarithmic scale.
double log_uniform(RandomStream& random, double low, double high) {
  return low * exponential(random.uniform() * natural_log(high / low));
}

std::int32_t whole_log_uniform(RandomStream& random, double low, double high) {
  return static_cast<std::int32_t>(std::lround(log_uniform(random, low, high)));
}

/// A word that may be in no document cannot matter: about this many words are in some document.
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

/// Rounded as a reader sees the number, so that the table says what was run.
double two_decimals(double number) { return std::round(number * 100.0) / 100.0; }

WorldOptions drawn_world(const PaperSettings& settings, int number) {
  RandomStream random(settings.seed + kDrawnSeeds, static_cast<std::uint64_t>(number), RandomRole::target);
  WorldOptions options;
  options.pool.features = whole_log_uniform(random, 20, 300);
  options.pool.documents = whole_log_uniform(random, 200, 10'000);
  options.pool.words = whole_log_uniform(random, 4, 30);
  options.pool.zipf = two_decimals(1.5 * random.uniform());
  options.mark_probability = two_decimals(log_uniform(random, 0.02, 0.5));
  options.noise = two_decimals(log_uniform(random, 0.05, 1.0));
  options.norm_bound = two_decimals(log_uniform(random, 0.5, 3.0));
  options.relevant =
      std::min(whole_log_uniform(random, 1, options.pool.features), words_surely_held(options.pool));
  return options;
}

std::vector<Study> held_out_studies(const PaperContext& context) {
  constexpr std::int64_t rounds = 1024;
  constexpr double tuning_share = 0.3;
  PaperSettings settings = fewer_trials(context.settings, tuning_share);
  settings.seed += kDrawnSeeds;
  const int worlds = settings.effort == PaperEffort::full ? kDrawnWorlds : kQuickDrawnWorlds;
  std::vector<Study> studies;
  for (int number = 1; number <= worlds; ++number) {
    studies.push_back(rivals_study(settings, fmt::format("world-{}", number),
                                   drawn_world(context.settings, number), rounds, main_policies));
  }
  return studies;
}

FigureTable drawn_worlds_table(const Results& results) {
  std::vector<std::string> labels;
  for (std::size_t n = 1; n <= results.all().size(); ++n) {
    const WorldOptions world = drawn_world(results.settings(), static_cast<int>(n));
    labels.push_back(fmt::format("{}: d {}, N {}, {} words, zipf {:g}, k {}, p {:g}, noise {:g}, S {:g}", n,
                                 world.pool.features, digit_groups(world.pool.documents), world.pool.words,
                                 world.pool.zipf, world.relevant, world.mark_probability, world.noise,
                                 world.norm_bound));
  }
  return table_by_study(results, "Regret in every world that was drawn", "world", labels);
}

LineChart drawn_worlds_chart(const Results& results) {
  LineChart chart{.title = "Soft marks in worlds that the rule had not seen",
                  .x_label = "world",
                  .y_label = "regret of soft-marks over that of the other",
                  .y_scale = AxisScale::logarithmic};
  for (const std::string_view rival : kHeldOutRivals) {
    Series series{.name = fmt::format("over {}", rival), .style = SeriesStyle::points};
    double number = 0.0;
    for (const StudyResult& result : results.all()) add_point(series, ++number, soft_ratio(result, rival));
    chart.series.push_back(std::move(series));
  }
  chart.series.push_back({.name = "the same regret", .x = {}, .y = {1.0}, .style = SeriesStyle::reference});
  return chart;
}

/// The numbers end with each world in which soft marks have clearly more regret.
ClaimRule never_worse(std::string_view rival) {
  return {fmt::format("held-out-never-worse-than-{}", rival), ClaimBy::ours,
          fmt::format("In none of the drawn worlds were soft marks found to have clearly more "
                      "regret than {}{}.",
                      rival == "oful" ? "the best " : "", rival),
          [rival](const Results& results) {
            std::vector<double> ratios;
            Decision worse{Verdict::holds, {}};
            for (const StudyResult& result : results.all()) {
              const Estimate ratio = soft_ratio(result, rival);
              ratios.push_back(ratio.mean);
              if (clearly_above(ratio, 1.0))
                worse.numbers.push_back({"ratio in " + result.study.name, ratio});
            }
            if (!worse.numbers.empty()) worse.verdict = Verdict::fails;
            worse.numbers.insert(worse.numbers.begin(), {{"least ratio", {std::ranges::min(ratios), 0.0}},
                                                         {"median ratio", {median(ratios), 0.0}},
                                                         {"largest ratio", {std::ranges::max(ratios), 0.0}}});
            return worse;
          }};
}

SettingRows drawn_ranges(const Results& results) {
  SettingRows rows = tuning_rows(results);
  rows.insert(
      rows.end(),
      {{"the ranges of the drawn worlds",
        "d 20 to 300, N 200 to 10,000, words 4 to 30, p 0.02 to 0.5, k 1 to d, noise 0.05 to 1 and the "
        "norm 0.5 to 3, all uniform in the logarithm; zipf 0 to 1.5, uniform"},
       {"k", "at most 0.7 of the words that some document is expected to hold"},
       {"seed of the worlds", fmt::format("{}", results.settings().seed + kDrawnSeeds)}});
  return rows;
}

}  // namespace

Figure held_out_figure() {
  Figure figure{.name = "held-out",
                .title = "Worlds that the rule had not seen",
                .paper_place = "Beyond the paper: drawn worlds",
                .studies = held_out_studies,
                .charts = {{"", drawn_worlds_chart}},
                .tables = {{drawn_worlds_table}},
                .more_settings = drawn_ranges};
  for (const std::string_view rival : kHeldOutRivals) figure.claims.push_back(never_worse(rival));
  return figure;
}

}  // namespace inkling::bench
