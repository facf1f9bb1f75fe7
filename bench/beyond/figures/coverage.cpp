#include "bench/beyond/figures/coverage.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/beyond/rivals.hpp"
#include "bench/studies/synthetic_study.hpp"
#include "bench/studies/trial_measures.hpp"
#include "bench/studies/figure_parts.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kRounds = 2048;
constexpr std::int32_t kRelevant = 5;
constexpr double kNoises[] = {0.1, 0.5};

Entrant with_radius(Entrant entrant, RadiusKind radius) {
  entrant.name += fmt::format(", {}", radius_name(radius));
  entrant.contestant.radius = radius;
  return entrant;
}

std::vector<Study> studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  std::vector<Study> studies;
  for (const double noise : kNoises) {
    WorldOptions options = synthetic_options(settings, kRelevant);
    options.noise = noise;
    Study study = synthetic_study(settings, fmt::format("noise-{}", noise), options);
    const EntrantMaker maker = entrants_in(settings, options, settings.horizon(kRounds));
    for (const std::string_view preset : {"oful", "ff-oful", "soft-marks"}) {
      for (const RadiusKind radius : {RadiusKind::ellipsoid, RadiusKind::posterior}) {
        study.entrants.push_back(with_radius(maker(preset), radius));
        study.entrants.back().options.coverage = CoverageWatch::every_round;
      }
    }
    studies.push_back(std::move(study));
  }
  return studies;
}

double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

Estimate trials_with_a_miss(const EntrantResult& result) {
  return estimate_over_trials(
      result, [](const TrialResult& trial) { return trial.coverage->missed > 0 ? 1.0 : 0.0; });
}

Estimate rounds_outside(const EntrantResult& result) {
  return estimate_over_trials(
      result, [](const TrialResult& trial) { return share(trial.coverage->missed, trial.coverage->rounds); });
}

Estimate rounds_undervalued(const EntrantResult& result) {
  return estimate_over_trials(result, [](const TrialResult& trial) {
    return share(trial.coverage->undervalued, trial.coverage->rounds);
  });
}

FigureTable table_of(const StudyResult& result, double noise, double delta) {
  FigureTable table{
      .line = fmt::format("Noise {}: shares, beside a nominal δ of {}", noise, delta),
      .head = {"policy, radius", "trials in which the truth ever left the ellipsoid",
               "rounds in which it was outside", "rounds in which the best was undervalued", "regret"},
      .rows = {}};
  for (const EntrantResult& entrant : result.entrants) {
    table.rows.push_back({entrant.entrant.name, estimate_text(trials_with_a_miss(entrant)),
                          estimate_text(rounds_outside(entrant)), estimate_text(rounds_undervalued(entrant)),
                          estimate_text(entrant.regret())});
  }
  return table;
}

using Share = Estimate (*)(const EntrantResult&);

/// The share at both noises, one line a policy, beside the nominal δ.
LineChart chart_of(const std::vector<StudyResult>& results, std::string title, double delta, Share measured) {
  LineChart chart{.title = std::move(title),
                  .x_label = "noise",
                  .y_label = "share",
                  .series = {},
                  .points = PointMarks::dots};
  for (const EntrantResult& entrant : results[0].entrants) {
    Series series{.name = entrant.entrant.name, .x = {}, .y = {}};
    for (std::size_t n = 0; n < results.size(); ++n) {
      add_point(series, kNoises[n], measured(results[n].of(entrant.entrant.name)));
    }
    chart.series.push_back(std::move(series));
  }
  chart.series.push_back({.name = "nominal δ", .x = {}, .y = {delta}, .style = SeriesStyle::reference});
  return chart;
}

/// holds where the share is not clearly above δ at any noise.
Claim kept_claim(std::string id, std::string sentence, const std::vector<StudyResult>& results,
                 std::string_view entrant, double delta, Share measured) {
  Claim claim{.id = std::move(id), .sentence = std::move(sentence), .verdict = Verdict::holds, .numbers = {}};
  for (std::size_t n = 0; n < results.size(); ++n) {
    const Estimate value = measured(results[n].of(entrant));
    claim.numbers.push_back({fmt::format("share at noise {}", kNoises[n]), value});
    if (clearly_above(value, delta)) claim.verdict = Verdict::fails;
  }
  return claim;
}

std::vector<Claim> claims_of(const std::vector<StudyResult>& results, double delta) {
  std::vector<Claim> claims = {
      kept_claim("coverage-oful",
                 "OFUL's ellipsoid holds the truth in every round but for a share δ of the trials.", results,
                 "oful, ellipsoid", delta, trials_with_a_miss),
      kept_claim("coverage-ff-oful",
                 "FF-OFUL's ellipsoid, on the features in use, does so too: words that it has not found "
                 "do not push the truth out.",
                 results, "ff-oful, ellipsoid", delta, trials_with_a_miss),
      kept_claim("coverage-soft-marks", "So does the narrower radius that soft marks use.", results,
                 "soft-marks, posterior", delta, trials_with_a_miss),
      kept_claim("optimism-soft-marks",
                 "Soft marks undervalue the best document in at most a share δ of the rounds: what optimism "
                 "needs.",
                 results, "soft-marks, posterior", delta, rounds_undervalued),
      kept_claim("optimism-ff-oful",
                 "FF-OFUL undervalues the best document in at most a share δ of the rounds.", results,
                 "ff-oful, ellipsoid", delta, rounds_undervalued)};
  const std::string_view whys[] = {
      "OFUL was told the true noise and the true norm: this would be a mistake of the program.",
      "A word that matters and is not in use acts as noise that is no noise: it has a mean. The proof of "
      "FF-OFUL counts such rounds as lost, and the table says how many they are.",
      "It is no confidence set and claims none: it does not grow with the dimension. What it gives up in "
      "coverage it gains in regret.",
      "The rule lowers its guard for words on which people keep silent; the table says how often it is "
      "wrong, and its regret what that costs.",
      "Documents that hold no word in use have mean and width 0, whatever they are worth: that is why "
      "FF-OFUL "
      "needs random rounds."};
  for (std::size_t n = 0; n < claims.size(); ++n) {
    if (claims[n].verdict == Verdict::fails) claims[n].why = whys[n];
  }
  return claims;
}

FigureReport report_of(const PaperContext& context, const std::vector<StudyResult>& results) {
  const double delta = context.settings.delta;
  FigureReport report;
  const auto miss = [&](std::string_view entrant) {
    return estimate_text(trials_with_a_miss(results[1].of(entrant)));
  };
  report.paragraph = fmt::format(
      "Before every round, is |θ - θ*|, measured by V, at most the radius; and is the best document's mean "
      "plus radius times width at least what it is worth? The first is what a confidence set promises, the "
      "second is all that optimism needs. At noise 0.5 the truth ever left the ellipsoid in a share {} of "
      "OFUL's trials, {} of FF-OFUL's (on the features in use) and {} of those of soft marks, whose radius "
      "promises nothing of the kind; nominal is {}. All have ridge 1 but soft marks. Policies with another "
      "radius than their own stand beside.",
      miss("oful, ellipsoid"), miss("ff-oful, ellipsoid"), miss("soft-marks, posterior"), delta);
  report.settings = synthetic_settings(context, results[0], synthetic_options(context.settings, kRelevant));
  report.settings.emplace_back("noise, in place of the above", "0.1 and 0.5");
  report.charts = {
      {"", chart_of(results, "Trials in which the truth ever left the ellipsoid", delta, trials_with_a_miss),
       "A guarantee keeps below the level."},
      {"optimism",
       chart_of(results, "Rounds in which the best document was undervalued", delta, rounds_undervalued),
       "Optimism fails in these rounds."}};
  report.tables = {table_of(results[0], kNoises[0], delta), table_of(results[1], kNoises[1], delta)};
  report.claims = claims_of(results, delta);
  return report;
}

}  // namespace

Figure coverage_figure() {
  return {.name = "coverage",
          .title = "Whether confidence is kept",
          .paper_place = "Beyond the paper: Theorem 2 of Abbasi-Yadkori et al., measured",
          .studies = studies,
          .report = report_of};
}

}  // namespace inkling::bench
