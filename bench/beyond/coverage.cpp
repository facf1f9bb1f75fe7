// coverage: whether ellipsoids hold the true weights, and whether optimism holds for the best document.
#include <fmt/format.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/studies/figure_parts.hpp"

namespace inkling::bench {
namespace {

constexpr std::string_view kWatchedPresets[] = {"oful", "ff-oful", "soft-marks"};
constexpr RadiusKind kWatchedRadii[] = {RadiusKind::ellipsoid, RadiusKind::posterior};

std::string watched_name(std::string_view preset, RadiusKind radius) {
  return fmt::format("{}, {}", preset, radius_name(radius));
}

/// The policies in each world, with each radius; their own settings need no tuning.
std::vector<Entrant> watched_policies(const PaperSettings&, const EntrantMaker& maker, std::int32_t,
                                      TuningEffort) {
  std::vector<Entrant> entrants;
  for (const std::string_view preset : kWatchedPresets) {
    for (const RadiusKind radius : kWatchedRadii) {
      entrants.push_back(maker(preset));
      entrants.back().name = watched_name(preset, radius);
      entrants.back().options.radius = radius;
      entrants.back().coverage = CoverageWatch::every_round;
    }
  }
  return entrants;
}

/// A number of a watched trial: 0 to 1.
using CoverageShare = double (*)(const Coverage&);

double part_of(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

double ever_outside(const Coverage& seen) { return seen.missed > 0 ? 1.0 : 0.0; }
double rounds_outside(const Coverage& seen) { return part_of(seen.missed, seen.rounds); }
double rounds_undervalued(const Coverage& seen) { return part_of(seen.undervalued, seen.rounds); }

/// The mean share over the trials at this noise.
Number share_of(double noise, std::string_view preset, RadiusKind radius, CoverageShare share) {
  return mean_of({noise_name(noise), watched_name(preset, radius)},
                 [share](const TrialResult& trial) { return share(*trial.coverage); });
}

Estimate nominal_share(const Results& results) { return {results.settings().delta, 0.0}; }

TableRule coverage_table(double noise) {
  std::vector<NumberRow> rows;
  for (const std::string_view preset : kWatchedPresets) {
    for (const RadiusKind radius : kWatchedRadii) {
      const std::string name = watched_name(preset, radius);
      rows.push_back(
          {name,
           {share_of(noise, preset, radius, ever_outside), share_of(noise, preset, radius, rounds_outside),
            share_of(noise, preset, radius, rounds_undervalued), regret_of({noise_name(noise), name})}});
    }
  }
  return number_table(
      fmt::format("Noise {}: shares, to compare with the nominal δ", noise),
      {"policy, radius", "trials in which the truth ever left the ellipsoid",
       "rounds in which it was outside", "rounds in which the best was undervalued", "regret"},
      std::move(rows));
}

/// The share at both noises, a line for each policy, beside the nominal δ.
ChartRule share_chart(std::string suffix, std::string_view title, RadiusKind radius, CoverageShare share) {
  std::vector<PlottedNumbers> lines;
  for (const std::string_view preset : kWatchedPresets) {
    PlottedNumbers& line = lines.emplace_back(PlottedNumbers{std::string(preset), {}});
    for (const double noise : kNoises)
      line.points.emplace_back(noise, share_of(noise, preset, radius, share));
  }
  lines.push_back({"nominal δ", {{0.0, nominal_share}}, SeriesStyle::reference});
  return number_chart(std::move(suffix),
                      {.title = fmt::format("{}: {} radius", title, radius_name(radius)),
                       .x_label = "noise",
                       .y_label = "share",
                       .points = PointMarks::dots},
                      std::move(lines));
}

/// Holds where the share is not clearly above δ at any noise.
ClaimRule kept(std::string id, std::string sentence, std::string_view preset, RadiusKind radius,
               CoverageShare share) {
  return {std::move(id), ClaimBy::ours, std::move(sentence), [=](const Results& results) {
            Decision decision{Verdict::holds, {}};
            for (const double noise : kNoises) {
              const Estimate value = share_of(noise, preset, radius, share)(results);
              decision.numbers.push_back({fmt::format("share at noise {}", noise), value});
              if (clearly_above(value, results.settings().delta)) decision.verdict = Verdict::fails;
            }
            return decision;
          }};
}

}  // namespace

Figure coverage_figure() {
  constexpr std::int64_t rounds = 2048;
  constexpr std::string_view left = "Trials in which the true weights ever left the ellipsoid";
  constexpr std::string_view undervalued = "Rounds in which the best document was undervalued";
  return {
      .name = "coverage",
      .title = "Whether confidence sets keep their promise",
      .paper_place = "Beyond the paper: Theorem 2 of Abbasi-Yadkori et al., measured",
      .studies =
          [](const PaperContext& context) {
            return studies_at_noises(context.settings, rounds, watched_policies);
          },
      .charts = {share_chart("", left, RadiusKind::ellipsoid, ever_outside),
                 share_chart("posterior", left, RadiusKind::posterior, ever_outside),
                 share_chart("optimism", undervalued, RadiusKind::ellipsoid, rounds_undervalued),
                 share_chart("optimism-posterior", undervalued, RadiusKind::posterior, rounds_undervalued)},
      .tables = {coverage_table(kNoises[0]), coverage_table(kNoises[1])},
      .claims =
          {kept("coverage-oful",
                "OFUL's ellipsoid holds the true weights in every round, except in a share δ of the trials.",
                "oful", RadiusKind::ellipsoid, ever_outside),
           kept("coverage-ff-oful",
                "FF-OFUL's ellipsoid, on the words in use, holds the true weights in every round, except in "
                "a share δ of the trials: words that it has not found do not push the truth out.",
                "ff-oful", RadiusKind::ellipsoid, ever_outside),
           kept("coverage-soft-marks",
                "The narrower radius of soft marks keeps the true weights inside in every round, except in "
                "a share δ of the trials.",
                "soft-marks", RadiusKind::posterior, ever_outside),
           kept("optimism-soft-marks",
                "Soft marks undervalue the best document in at most a share δ of the rounds, which is what "
                "optimism needs.",
                "soft-marks", RadiusKind::posterior, rounds_undervalued),
           kept("optimism-ff-oful",
                "FF-OFUL undervalues the best document in at most a share δ of the rounds.", "ff-oful",
                RadiusKind::ellipsoid, rounds_undervalued)},
      .more_settings = noise_rows};
}

}  // namespace inkling::bench
