#include "bench/paper/figures/pure_exploration.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/studies/synthetic_study.hpp"
#include "bench/studies/trial_measures.hpp"
#include "bench/studies/figure_parts.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kRounds = 1024;
constexpr std::int32_t kRelevant = 5;

WorldOptions sphere_options(const PaperSettings& settings) {
  WorldOptions options = synthetic_options(settings, kRelevant);
  options.pool.rows = SyntheticRows::sphere;
  return options;
}

std::string subset_name(std::int32_t size) { return fmt::format("oful on {} of {}", size, kRelevant); }

std::vector<Study> studies_of(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const std::int64_t rounds = settings.horizon(kRounds);
  Study study = synthetic_study(settings, "main", sphere_options(settings));
  Entrant committed = entrant_of(settings, "explore-then-commit", rounds, settings.noise);
  committed.options.explore_rounds = std::llround(std::sqrt(static_cast<double>(rounds)));
  study.entrants = {entrant_of(settings, "random", rounds, settings.noise), std::move(committed)};
  for (std::int32_t size = 1; size <= kRelevant; ++size) {
    Entrant entrant = entrant_of(settings, "oful-subset", rounds, settings.noise);
    entrant.name = subset_name(size);
    entrant.options.subset_size = size;
    study.entrants.push_back(std::move(entrant));
  }
  return {std::move(study)};
}

/// Regret of the second half, in which what can be learned of few features is learned.
double late_regret(const TrialResult& trial, std::int64_t rounds) {
  return trial.regret - regret_until(trial, rounds, 0.5 * static_cast<double>(rounds));
}

/// Regret a round in the second half, over that of pure exploration.
Estimate slope_against_random(const StudyResult& result, const EntrantResult& entrant) {
  const std::int64_t rounds = entrant.entrant.options.rounds;
  return paired_ratio(entrant, result.of("random"),
                      [rounds](const TrialResult& trial) { return late_regret(trial, rounds); });
}

/// By how much the paper's bound on the slope is smaller where j of k features are used.
double factor_of_paper(std::int32_t size) {
  return std::sqrt(static_cast<double>(kRelevant - size) / kRelevant);
}

/// What the slope would be if the best reward that a policy can reach were in proportion to the length of the
/// part of theta* that it knows: that part has a mean square of j/k.
double factor_by_length(std::int32_t size) { return 1.0 - std::sqrt(static_cast<double>(size) / kRelevant); }

FigureChart slope_chart(const StudyResult& result) {
  Series measured{.name = "measured", .x = {}, .y = {}, .style = SeriesStyle::points};
  Series paper{.name = "√((k − j)/k), the paper's", .x = {}, .y = {}};
  Series length{.name = "1 − √(j/k)", .x = {}, .y = {}};
  for (std::int32_t size = 1; size <= kRelevant; ++size) {
    add_point(measured, size, slope_against_random(result, result.of(subset_name(size))));
  }
  for (std::int32_t size = 0; size <= kRelevant; ++size) {
    for (Series* series : {&paper, &length}) series->x.push_back(size);
    paper.y.push_back(factor_of_paper(size));
    length.y.push_back(factor_by_length(size));
  }
  return {"slopes",
          {.title = "Regret a round on part of what matters",
           .x_label = "relevant features in use (j)",
           .y_label = "times that of pure exploration",
           .series = {std::move(measured), std::move(paper), std::move(length)}},
          "Second half of the rounds. The paper's factor compares two worst cases, so it bounds the slope "
          "from above; the lower line is what it would be if the best reward within reach grew with the "
          "length of the part of θ* that is known."};
}

FigureTable slope_table(const StudyResult& result) {
  FigureTable table{.line = "Regret a round in the second half, relative to pure exploration",
                    .head = {"features in use", "measured", "√((k − j)/k)", "1 − √(j/k)"},
                    .rows = {}};
  for (std::int32_t size = 1; size <= kRelevant; ++size) {
    table.rows.push_back({fmt::format("{} of {}", size, kRelevant),
                          estimate_text(slope_against_random(result, result.of(subset_name(size)))),
                          fmt::format("{:.3f}", factor_of_paper(size)),
                          fmt::format("{:.3f}", factor_by_length(size))});
  }
  return table;
}

Claim slope_claim(const StudyResult& result, std::string id, std::string sentence,
                  const std::vector<std::pair<std::int32_t, double>>& bounds) {
  Claim claim{.id = std::move(id), .sentence = std::move(sentence), .verdict = Verdict::holds, .numbers = {}};
  std::string above;
  for (const auto& [size, bound] : bounds) {
    const Estimate slope = slope_against_random(result, result.of(subset_name(size)));
    claim.numbers.push_back(
        {fmt::format("slope with {} of {}, to be below {:.3f}", size, kRelevant, bound), slope});
    if (!clearly_below(slope, bound)) above += fmt::format("{}{}", above.empty() ? "" : ", ", size);
  }
  if (above.empty()) return claim;
  claim.verdict = Verdict::fails;
  claim.why = fmt::format(
      "Not clearly below with j = {}. What a policy has not yet learned of its j features adds to the slope, "
      "and with {} rounds and noise {} that is not over by half of them.",
      above, digit_groups(result.entrants.front().entrant.options.rounds),
      result.entrants.front().entrant.options.confidence.noise);
  return claim;
}

FigureReport report_of(const PaperContext& context, const std::vector<StudyResult>& results) {
  const StudyResult& result = results.front();
  const EntrantResult& random = result.of("random");
  const EntrantResult& committed = result.of("explore-then-commit");
  FigureReport report;
  report.paragraph = fmt::format(
      "What is part of the truth worth? {} trials on 1,000 points of the unit sphere in 40 dimensions, 5 of "
      "which matter. In {} rounds pure exploration had a regret of {}, explore-then-commit with T0 = {} "
      "(about √T) {}. OFUL on j random ones of the 5 relevant features has in the second half of the rounds "
      "a regret a round of {} (j = 1) to {} (j = 4) times that of pure exploration, where the paper's bounds "
      "have √((k − j)/k): {:.3f} to {:.3f}.",
      result.study.trials, digit_groups(random.entrant.options.rounds), estimate_text(random.regret()),
      *committed.entrant.options.explore_rounds, estimate_text(committed.regret()),
      estimate_text(slope_against_random(result, result.of(subset_name(1)))),
      estimate_text(slope_against_random(result, result.of(subset_name(kRelevant - 1)))), factor_of_paper(1),
      factor_of_paper(kRelevant - 1));
  report.settings = synthetic_settings(context, result, sphere_options(context.settings));
  report.charts.push_back({"", regret_chart(result, "Early regret on the unit sphere"),
                           "Regret summed up over the rounds, means over trials with 95 % bands."});
  report.charts.push_back(slope_chart(result));
  report.tables = {slope_table(result), outcome_table(result)};
  std::vector<std::pair<std::int32_t, double>> below_random;
  std::vector<std::pair<std::int32_t, double>> below_factor;
  for (std::int32_t size = 1; size <= kRelevant; ++size) {
    below_random.emplace_back(size, 1.0);
    if (size < kRelevant) below_factor.emplace_back(size, factor_of_paper(size));
  }
  report.claims = {
      less_regret_claim("commit-beats-pure-exploration",
                        "Explore-then-commit with T0 about √T has less regret than pure exploration.",
                        committed, random),
      slope_claim(
          result, "subset-slope-below-pure-exploration",
          "OFUL on any number of the relevant features has less regret a round than pure exploration.",
          below_random),
      slope_claim(result, "subset-slope-within-factor",
                  "OFUL on j of the k relevant features has less than √((k − j)/k) times pure exploration's "
                  "regret a round.",
                  below_factor)};
  return report;
}

}  // namespace

Figure pure_exploration_figure() {
  return {.name = "pure-exploration",
          .title = "Early regret: part of what matters",
          .paper_place = "Better early-regret bounds, (a): pure exploration versus explore-then-commit",
          .studies = studies_of,
          .report = report_of};
}

}  // namespace inkling::bench
