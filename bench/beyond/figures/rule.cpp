#include "bench/beyond/figures/rule.hpp"

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
constexpr double kFactors[] = {0.25, 0.5, 1.0, 2.0, 4.0};
constexpr double kMarkProbabilities[] = {0.03, 0.1, 0.3};
/// Silence then says nothing: it would take a billion showings to be a step.
constexpr double kNever = 1e-9;

WorldOptions options_at(const PaperSettings& settings, double noise) {
  WorldOptions options = synthetic_options(settings, kRelevant);
  options.noise = noise;
  return options;
}

/// R^2 / variance of a weight, where so many features share S^2.
double shared_precision(const WorldOptions& options, double features) {
  const double ratio = options.noise / options.norm_bound;
  return ratio * ratio * features;
}

std::string unmarked_name(double factor) { return fmt::format("unmarked times {:g}", factor); }
std::string marked_name(double factor) { return fmt::format("marked times {:g}", factor); }
std::string silence_name(double probability) { return fmt::format("p told: {:g}", probability); }

Entrant named(Entrant entrant, std::string name) {
  entrant.name = std::move(name);
  return entrant;
}

Entrant with_radius(Entrant entrant, RadiusKind radius) {
  entrant.name = fmt::format("{}, {} radius", entrant.contestant.preset.name, radius_name(radius));
  entrant.contestant.radius = radius;
  return entrant;
}

/// FF-OFUL and soft marks, each with the radius of the other.
void add_radii(std::vector<Entrant>& entrants, const EntrantMaker& maker) {
  entrants.push_back(with_radius(maker("ff-oful"), RadiusKind::posterior));
  entrants.push_back(with_radius(maker("soft-marks"), RadiusKind::ellipsoid));
}

/// The rule with one part of it changed.
void add_changes(std::vector<Entrant>& entrants, const EntrantMaker& maker, const WorldOptions& options) {
  const auto soft = [&](std::string name) -> Contestant& {
    entrants.push_back(named(maker("soft-marks"), std::move(name)));
    return entrants.back().contestant;
  };
  for (const double factor : kFactors) {
    soft(unmarked_name(factor)).soft_marks.unmarked_precision =
        factor * shared_precision(options, options.pool.features);
    soft(marked_name(factor)).soft_marks.marked_precision =
        factor * shared_precision(options, options.relevant);
  }
  for (const double probability : kMarkProbabilities) {
    soft(silence_name(probability)).soft_marks.mark_probability = probability;
  }
  soft("silence off").soft_marks.mark_probability = kNever;
  soft("random rounds").forced_exploration = true;
}

std::vector<Study> studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  std::vector<Study> studies;
  for (const double noise : kNoises) {
    const WorldOptions options = options_at(settings, noise);
    const EntrantMaker maker = entrants_in(settings, options, settings.horizon(kRounds));
    Study study = synthetic_study(settings, fmt::format("noise-{}", noise), options);
    study.entrants = main_policies(settings, maker, options.pool.features, TuningEffort::fine);
    add_radii(study.entrants, maker);
    add_changes(study.entrants, maker, options);
    studies.push_back(std::move(study));
  }
  return studies;
}

LineChart chart_of(const StudyResult& result, double noise) {
  LineChart chart{.title = fmt::format("What the precisions decide, noise {}", noise),
                  .x_label = "times the rule's precision",
                  .y_label = "regret",
                  .series = {},
                  .x_scale = AxisScale::logarithmic,
                  .points = PointMarks::dots};
  const std::pair<std::string_view, std::string (*)(double)> lines[] = {
      {"of words not marked", unmarked_name}, {"of marked words, k known", marked_name}};
  for (const auto& [name, name_at] : lines) {
    Series series{.name = std::string(name), .x = {}, .y = {}};
    for (const double factor : kFactors) add_point(series, factor, result.of(name_at(factor)).regret());
    chart.series.push_back(std::move(series));
  }
  Series rule{.name = "the rule", .x = {}, .y = {}, .style = SeriesStyle::reference};
  add_point(rule, 0.0, result.of("soft-marks").regret());
  rule.x.clear();
  chart.series.push_back(std::move(rule));
  return chart;
}

FigureTable table_of(const StudyResult& result, double noise) {
  FigureTable table{.line = fmt::format("Each part of the rule changed alone, noise {}", noise),
                    .head = {"policy", "regret", "over soft-marks", "random rounds"},
                    .rows = {}};
  const EntrantResult& soft = result.of("soft-marks");
  for (const EntrantResult& entrant : result.entrants) {
    const Estimate explored = estimate_over_trials(
        entrant, [](const TrialResult& trial) { return static_cast<double>(trial.explored); });
    table.rows.push_back({entrant.entrant.name, estimate_text(entrant.regret()),
                          estimate_text(paired_ratio(entrant, soft, final_regret)), estimate_text(explored)});
  }
  return table;
}

constexpr std::string_view kPosteriorMarked = "ff-oful, posterior radius";
constexpr std::string_view kEllipsoidSoft = "soft-marks, ellipsoid radius";

/// How the way from the best oful to soft marks is divided, in words.
std::string division_text(const StudyResult& result, double noise) {
  const double oful = result.of("oful").regret().mean;
  const double narrow = result.of(kNarrowOful).regret().mean;
  const double soft = result.of("soft-marks").regret().mean;
  const std::string share =
      oful > soft ? fmt::format(
                        " So the radius and the ridge alone go {:.0f} % of the way from the best OFUL to "
                        "soft marks, and marks and silence the rest.",
                        100.0 * (oful - narrow) / (oful - soft))
                  : "";
  return fmt::format(
      " At noise {}: the best OFUL has a regret of {}; OFUL without any marks, but with the posterior radius "
      "and the rule's ridge (“oful-narrow”), {}; soft marks {}.{} FF-OFUL has {}, with the posterior radius "
      "{}; soft marks with the ellipsoid's radius {}.",
      noise, estimate_text(result.of("oful").regret()), estimate_text(result.of(kNarrowOful).regret()),
      estimate_text(result.of("soft-marks").regret()), share, estimate_text(result.of("ff-oful").regret()),
      estimate_text(result.of(kPosteriorMarked).regret()), estimate_text(result.of(kEllipsoidSoft).regret()));
}

Claim compared(const StudyResult& result, std::string id, std::string sentence, std::string_view less,
               std::string_view more) {
  Claim claim = less_regret_claim(std::move(id), std::move(sentence), result.of(less), result.of(more));
  if (claim.verdict != Verdict::holds) {
    claim.why = fmt::format("{} has {}, {} has {}.", less, estimate_text(result.of(less).regret()), more,
                            estimate_text(result.of(more).regret()));
  }
  return claim;
}

/// Nothing to tune: within a factor of four to both sides regret stays near the least.
Claim flat_claim(const StudyResult& result, double noise) {
  constexpr double most = 1.5;
  Claim claim{
      .id = fmt::format("rule-flat-noise-{}", noise),
      .sentence = fmt::format("At noise {} no precision of a quarter to four times the rule's has more "
                              "than {} times its regret.",
                              noise, most),
      .verdict = Verdict::holds,
      .numbers = {}};
  std::vector<std::string> beyond;
  for (const double factor : kFactors) {
    for (const std::string& name : {unmarked_name(factor), marked_name(factor)}) {
      const Estimate ratio = paired_ratio(result.of(name), result.of("soft-marks"), final_regret);
      claim.numbers.push_back({name, ratio});
      if (ratio.mean > most) beyond.push_back(fmt::format("{} ({})", name, estimate_text(ratio)));
    }
  }
  if (!beyond.empty()) {
    claim.verdict = Verdict::fails;
    claim.why = fmt::format("More have {}.", fmt::join(beyond, ", "));
  }
  return claim;
}

std::vector<Claim> claims_at(const StudyResult& result, double noise) {
  const auto id = [noise](std::string_view what) { return fmt::format("rule-{}-noise-{}", what, noise); };
  const std::string at = fmt::format("At noise {} ", noise);
  return {compared(result, id("radius-alone"),
                   at + "the posterior radius and the rule's ridge alone, without marks, beat the best OFUL.",
                   kNarrowOful, "oful"),
          compared(result, id("marks-alone"),
                   at + "marks do the rest: with the same radius, soft marks beat OFUL without marks.",
                   "soft-marks", kNarrowOful),
          compared(result, id("ff-oful-radius"), at + "FF-OFUL, too, gains by the posterior radius.",
                   kPosteriorMarked, "ff-oful"),
          compared(result, id("same-radius"),
                   at + "soft marks beat FF-OFUL where both have the posterior radius.", "soft-marks",
                   kPosteriorMarked),
          compared(result, id("ellipsoid"),
                   at + "soft marks beat the best OFUL with the ellipsoid's radius as well.", kEllipsoidSoft,
                   "oful"),
          flat_claim(result, noise)};
}

FigureReport report_of(const PaperContext& context, const std::vector<StudyResult>& results) {
  FigureReport report;
  report.paragraph = fmt::format(
      "The rule has four parts: a precision for words of which nothing is known, one for marked words, "
      "growth with silence, and a width factor that is narrower than the ellipsoid's radius. Here each is "
      "changed alone, over {} rounds. The radius is no part of what marks do, and much of the gain over "
      "OFUL is due to it.",
      digit_groups(results[0].of("oful").entrant.options.rounds));
  for (std::size_t n = 0; n < results.size(); ++n) report.paragraph += division_text(results[n], kNoises[n]);
  report.settings = synthetic_settings(context, results[0], options_at(context.settings, kNoises[0]));
  report.settings.emplace_back("silence",
                               "told p in place of a learned one, or off; its steps and their cap are "
                               "fixed in the rule");
  report.charts = {{"", chart_of(results[0], kNoises[0]),
                    "Flat lines mean that there is nothing to tune. Bands are 95 % over trials."},
                   {"noisy", chart_of(results[1], kNoises[1]), "The same, noisier."}};
  for (std::size_t n = 0; n < results.size(); ++n) {
    report.tables.push_back(table_of(results[n], kNoises[n]));
    for (Claim& claim : claims_at(results[n], kNoises[n])) report.claims.push_back(std::move(claim));
  }
  return report;
}

}  // namespace

Figure rule_figure() {
  return {.name = "how-the-rule-was-found",
          .title = "What each part of the rule does, and what the radius alone",
          .paper_place = "Beyond the paper: its synthetic worlds",
          .studies = studies,
          .report = report_of};
}

}  // namespace inkling::bench
