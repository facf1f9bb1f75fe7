// how-the-rule-was-found: each part of the rule of soft marks changed alone, and what the radius does alone.
#include <functional>

#include <fmt/format.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/studies/figure_parts.hpp"

namespace inkling::bench {
namespace {

constexpr double kPrecisionFactors[] = {0.25, 0.5, 1.0, 2.0, 4.0};
constexpr double kToldMarkProbabilities[] = {0.03, 0.1, 0.3};
/// With so small a probability of a mark, silence says nothing.
constexpr double kNeverMarked = 1e-9;
constexpr std::string_view kPosteriorMarked = "ff-oful, posterior radius";
constexpr std::string_view kEllipsoidSoft = "soft-marks, ellipsoid radius";

/// R^2 / variance of a weight, where this many features share S^2.
double shared_precision(const WorldOptions& options, double features) {
  const double ratio = options.noise / options.norm_bound;
  return ratio * ratio * features;
}

std::string unmarked_name(double factor) { return fmt::format("unmarked times {:g}", factor); }
std::string marked_name(double factor) { return fmt::format("marked times {:g}", factor); }

Entrant with_other_radius(Entrant entrant, std::string_view name, RadiusKind radius) {
  entrant.name = name;
  entrant.options.radius = radius;
  return entrant;
}

/// The rule with one part of it changed.
void add_changes(std::vector<Entrant>& entrants, const EntrantMaker& maker, const WorldOptions& options) {
  const auto soft = [&](std::string name) -> PolicyOptions& {
    entrants.push_back(maker("soft-marks"));
    entrants.back().name = std::move(name);
    return entrants.back().options;
  };
  for (const double factor : kPrecisionFactors) {
    soft(unmarked_name(factor)).soft_marks.unmarked_precision =
        factor * shared_precision(options, options.pool.features);
    soft(marked_name(factor)).soft_marks.marked_precision =
        factor * shared_precision(options, options.relevant);
  }
  for (const double probability : kToldMarkProbabilities)
    soft(fmt::format("p told: {:g}", probability)).soft_marks.mark_probability = probability;
  soft("silence off").soft_marks.mark_probability = kNeverMarked;
  soft("random rounds").forced_exploration = true;
}

std::vector<Study> rule_studies(const PaperContext& context) {
  constexpr std::int64_t rounds = 2048;
  const PaperSettings& settings = context.settings;
  std::vector<Study> studies = studies_at_noises(settings, rounds, main_policies);
  for (std::size_t n = 0; n < studies.size(); ++n) {
    const WorldOptions options = worlds_at_noise(settings, kNoises[n]);
    const EntrantMaker maker = entrants_in(settings, options, settings.horizon(rounds));
    std::vector<Entrant>& entrants = studies[n].entrants;
    entrants.push_back(with_other_radius(maker("ff-oful"), kPosteriorMarked, RadiusKind::posterior));
    entrants.push_back(with_other_radius(maker("soft-marks"), kEllipsoidSoft, RadiusKind::ellipsoid));
    add_changes(entrants, maker, options);
  }
  return studies;
}

LineChart precision_chart(double noise, const Results& results) {
  const StudyResult& result = results.study(noise_name(noise));
  LineChart chart{.title = fmt::format("What the precisions decide, noise {}", noise),
                  .x_label = "times the rule's precision",
                  .y_label = "regret",
                  .series = {{.name = "of words not marked"},
                             {.name = "of marked words, k known"},
                             {.name = "the rule", .style = SeriesStyle::reference}},
                  .x_scale = AxisScale::logarithmic,
                  .points = PointMarks::dots};
  for (const double factor : kPrecisionFactors) {
    add_point(chart.series[0], factor, result.of(unmarked_name(factor)).regret());
    add_point(chart.series[1], factor, result.of(marked_name(factor)).regret());
  }
  add_point(chart.series[2], 0.0, result.of("soft-marks").regret());
  chart.series[2].x.clear();
  return chart;
}

FigureTable parts_table(double noise, const Results& results) {
  const StudyResult& result = results.study(noise_name(noise));
  FigureTable table{.line = fmt::format("Each part of the rule changed alone, noise {}", noise),
                    .head = {"policy", "regret", "over soft-marks", "random rounds"}};
  for (const EntrantResult& entrant : result.entrants) {
    table.rows.push_back({entrant.entrant.name, estimate_text(entrant.regret()),
                          estimate_text(paired_ratio(entrant, result.of("soft-marks"), final_regret)),
                          estimate_text(entrant.explored())});
  }
  return table;
}

/// There is nothing to tune where regret stays near the least within a factor of four to both sides.
Decision flat_in_precision(const StudyResult& result, double most) {
  Decision decision{Verdict::holds, {}};
  for (const double factor : kPrecisionFactors) {
    for (const std::string& name : {unmarked_name(factor), marked_name(factor)}) {
      const Estimate ratio = paired_ratio(result.of(name), result.of("soft-marks"), final_regret);
      decision.numbers.push_back({name, ratio});
      if (ratio.mean > most) decision.verdict = Verdict::fails;
    }
  }
  return decision;
}

struct RadiusClaim {
  std::string_view id;
  std::string_view sentence;
  std::string_view less;
  std::string_view more;
};

constexpr RadiusClaim kRadiusClaims[] = {
    {"radius-alone",
     "OFUL without marks, but with the posterior radius and the rule's ridge, has less regret than the best "
     "OFUL.",
     kNarrowOful, "oful"},
    {"marks-alone", "with the same radius and ridge, soft marks have less regret than OFUL without marks.",
     "soft-marks", kNarrowOful},
    {"ff-oful-radius", "FF-OFUL has less regret with the posterior radius than with its own.",
     kPosteriorMarked, "ff-oful"},
    {"same-radius", "soft marks have less regret than FF-OFUL where both have the posterior radius.",
     "soft-marks", kPosteriorMarked},
    {"ellipsoid", "soft marks with the ellipsoid's radius have less regret than the best OFUL.",
     kEllipsoidSoft, "oful"}};

}  // namespace

Figure rule_figure() {
  constexpr double flat = 1.5;
  Figure figure{.name = "how-the-rule-was-found",
                .title = "What each part of the rule does, and what the radius does alone",
                .paper_place = "Beyond the paper: its synthetic worlds",
                .studies = rule_studies,
                .more_settings = [](const Results& results) {
                  SettingRows rows = noise_rows(results);
                  rows.emplace_back("silence", "p is told in place of learned, or silence is off");
                  return rows;
                }};
  for (const double noise : kNoises) {
    const std::string study = noise_name(noise);
    const std::string at = fmt::format("At noise {} ", noise);
    figure.charts.push_back({noise == kNoises[0] ? "" : "noisy", std::bind_front(precision_chart, noise)});
    figure.tables.push_back({std::bind_front(parts_table, noise)});
    for (const RadiusClaim& claim : kRadiusClaims) {
      figure.claims.push_back(less_regret(fmt::format("rule-{}-{}", claim.id, study), ClaimBy::ours,
                                          at + std::string(claim.sentence), {study, std::string(claim.less)},
                                          {study, std::string(claim.more)}));
    }
    figure.claims.push_back(
        {"rule-flat-" + study, ClaimBy::ours,
         fmt::format("{}no precision from a quarter to four times the rule's has more than {} times "
                     "its regret.",
                     at, flat),
         [=](const Results& results) { return flat_in_precision(results.study(study), flat); }});
  }
  return figure;
}

}  // namespace inkling::bench
