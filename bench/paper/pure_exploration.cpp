// Early regret on the unit sphere: what it is worth to know part of the truth.
#include <cmath>

#include <fmt/format.h>

#include "bench/paper/figures.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/studies/synthetic_study.hpp"
#include "bench/studies/trial_measures.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kSphereRounds = 1024;
constexpr std::int32_t kSphereRelevant = 5;
constexpr std::int32_t kSubsetsOfRelevant[] = {1, 2, 3, 4, 5};

Place on_subset(std::int32_t size) {
  return {"main", fmt::format("oful on {} of {}", size, kSphereRelevant)};
}

std::vector<Study> sphere_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const std::int64_t rounds = settings.horizon(kSphereRounds);
  WorldOptions options = synthetic_options(settings, kSphereRelevant);
  options.pool.rows = SyntheticRows::sphere;
  Study study = synthetic_study(settings, "main", options);
  Entrant committed = entrant_of(settings, "explore-then-commit", rounds, settings.noise);
  committed.options.explore_rounds = std::llround(std::sqrt(static_cast<double>(rounds)));
  study.entrants = {entrant_of(settings, "random", rounds, settings.noise), std::move(committed)};
  for (const std::int32_t size : kSubsetsOfRelevant) {
    Entrant entrant = entrant_of(settings, "oful-subset", rounds, settings.noise);
    entrant.name = on_subset(size).entrant;
    entrant.options.subset_size = size;
    study.entrants.push_back(std::move(entrant));
  }
  return {std::move(study)};
}

/// Regret a round in the second half, in which what can be learned of few features is learned, over that of
/// pure exploration.
Number slope_against_random(std::int32_t size) {
  return [size](const Results& results) {
    const EntrantResult& entrant = results.at(on_subset(size));
    const std::int64_t rounds = entrant.entrant.options.rounds;
    return paired_ratio(entrant, results.at({"main", "random"}), [rounds](const TrialResult& trial) {
      return trial.regret - regret_until(trial, rounds, 0.5 * static_cast<double>(rounds));
    });
  };
}

/// By how much the paper's bound on the slope is smaller where j of k features are used.
double factor_of_paper(std::int32_t size) {
  return std::sqrt(static_cast<double>(kSphereRelevant - size) / kSphereRelevant);
}

/// What the slope would be if the best reward that a policy can reach were in proportion to the length of the
/// part of theta* that it knows: that part has a mean square of j/k.
double factor_by_length(std::int32_t size) {
  return 1.0 - std::sqrt(static_cast<double>(size) / kSphereRelevant);
}

ChartRule slope_chart() {
  PlottedNumbers measured{"measured", {}, SeriesStyle::points};
  Series paper{.name = "√((k − j)/k), the paper's", .x = {}, .y = {}};
  Series length{.name = "1 − √(j/k)", .x = {}, .y = {}};
  for (const std::int32_t size : kSubsetsOfRelevant)
    measured.points.emplace_back(size, slope_against_random(size));
  for (std::int32_t size = 0; size <= kSphereRelevant; ++size) {
    for (Series* series : {&paper, &length}) series->x.push_back(size);
    paper.y.push_back(factor_of_paper(size));
    length.y.push_back(factor_by_length(size));
  }
  return number_chart("slopes",
                      {.title = "Regret a round on part of what matters",
                       .x_label = "relevant features in use (j)",
                       .y_label = "times that of pure exploration",
                       .series = {std::move(paper), std::move(length)}},
                      {std::move(measured)});
}

TableRule slope_table() {
  std::vector<NumberRow> rows;
  for (const std::int32_t size : kSubsetsOfRelevant) {
    rows.push_back(
        {fmt::format("{} of {}", size, kSphereRelevant),
         {slope_against_random(size), constant(factor_of_paper(size)), constant(factor_by_length(size))}});
  }
  return number_table("Regret a round in the second half, relative to pure exploration",
                      {"features in use", "measured", "√((k − j)/k)", "1 − √(j/k)"}, std::move(rows));
}

std::vector<BoundedNumber> slopes_below(double (*bound)(std::int32_t), std::int32_t largest) {
  std::vector<BoundedNumber> slopes;
  for (std::int32_t size = 1; size <= largest; ++size) {
    slopes.push_back(
        {fmt::format("slope with {} of {}, to be below {:.3f}", size, kSphereRelevant, bound(size)),
         slope_against_random(size), bound(size)});
  }
  return slopes;
}

}  // namespace

Figure pure_exploration_figure() {
  return {
      .name = "pure-exploration",
      .title = "Early regret: part of what matters",
      .paper_place = "Better early-regret bounds, (a): pure exploration versus explore-then-commit",
      .studies = sphere_studies,
      .charts = {regret_curves("", "Early regret on the unit sphere", "main"), slope_chart()},
      .tables = {slope_table(), outcomes("main")},
      .claims = {less_regret("commit-beats-pure-exploration", ClaimBy::paper,
                             "Explore-then-commit with T0 about √T has less regret than pure exploration.",
                             {"main", "explore-then-commit"}, {"main", "random"}),
                 all_below("subset-slope-below-pure-exploration", ClaimBy::paper,
                           "OFUL on any number of the relevant features has less regret a round than pure "
                           "exploration.",
                           slopes_below([](std::int32_t) { return 1.0; }, kSphereRelevant)),
                 all_below("subset-slope-within-factor", ClaimBy::paper,
                           "OFUL on j of the k relevant features has less than √((k − j)/k) times pure "
                           "exploration's regret a round.",
                           slopes_below(factor_of_paper, kSphereRelevant - 1))},
      .facts = {{"T0", [](const Results& results) {
                   const EntrantResult& committed = results.at({"main", "explore-then-commit"});
                   return Estimate{static_cast<double>(*committed.entrant.options.explore_rounds), 0.0};
                 }}}};
}

}  // namespace inkling::bench
