#include "bench/beyond/beyond_programme.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "bench/rivals/rival_presets.hpp"
#include "bench/studies/figure_parts.hpp"

namespace inkling::bench {
namespace {

std::vector<Figure> make_beyond_figures() {
  std::vector<Figure> figures = {searches_figure(), reviews_figure(), paper_worlds_figure(),
                                 soft_marks_figure(), horizon_figure()};
  std::ranges::move(one_parameter_figures(), std::back_inserter(figures));
  for (Figure (*figure)() : {text_newsgroups_figure, text_reviews_figure, which_to_use_figure})
    figures.push_back(figure());
  return figures;
}

std::span<const Figure> beyond_figures() {
  static const std::vector<Figure> figures = make_beyond_figures();
  return figures;
}

constexpr std::int32_t kFewFeatures = 100;
constexpr double kLassoScales[] = {0.002, 0.005, 0.01, 0.03, 0.1};

/// Directions of a sketch, dimensions of a projection.
std::vector<std::int32_t> sizes_for(std::int32_t features, TuningEffort effort) {
  std::vector<std::int32_t> sizes =
      features <= kFewFeatures ? std::vector<std::int32_t>{10, 20} : std::vector<std::int32_t>{50, 100};
  if (effort == TuningEffort::coarse) sizes.pop_back();
  std::erase_if(sizes, [features](std::int32_t size) { return size >= features; });
  if (sizes.empty()) sizes.push_back(std::max(1, features / 2));
  return sizes;
}

Entrant tuned_by_size(Entrant entrant, const std::vector<double>& ridges,
                      const std::vector<std::int32_t>& sizes, Preset (*of_size)(std::int32_t)) {
  for (const double ridge : ridges) {
    for (const std::int32_t size : sizes) {
      entrant.candidates.push_back(
          {fmt::format("{}, size {}", ridge_text(ridge), size), ridge, of_size(size), ridge});
    }
  }
  return entrant;
}

Entrant tuned_by_scale(Entrant entrant) {
  for (const double scale : kLassoScales) {
    entrant.candidates.push_back(
        {fmt::format("λ0 = {}", scale), scale, lasso_bandit({scale}), entrant.options.ridge});
  }
  return entrant;
}

Entrant narrow(Entrant entrant, std::int32_t features) {
  const double ratio = entrant.options.confidence.noise / entrant.options.confidence.norm_bound;
  entrant.name = kNarrowOful;
  entrant.options.ridge = ratio * ratio * features;
  entrant.options.radius = RadiusKind::posterior;
  return entrant;
}

std::string regret_cell(const EntrantResult& entrant) {
  return estimate_text(entrant.regret()) +
         (entrant.tuning ? fmt::format(" ({})", setting_text(entrant)) : "");
}

}  // namespace

const Programme& beyond_programme() {
  static const Programme programme = {
      .name = "beyond",
      .purpose = "Goes beyond the paper: soft marks, other policies beside them, and what each costs.",
      .example = "inkling-bench beyond soft-marks horizon --quick --out beyond",
      .title = "Beyond the paper",
      .trials = 50,
      .quick_trials = 10,
      .tuning_trials = 10,
      .quick_tuning_trials = 3,
      .figures = beyond_figures,
      .compares_searches = true};
  return programme;
}

EntrantMaker entrants_in(const PaperSettings& settings, const WorldOptions& world, std::int64_t rounds) {
  return [settings, noise = world.noise, norm = world.norm_bound, rounds](std::string_view preset) {
    Entrant entrant = entrant_of(settings, preset, rounds, noise);
    entrant.options.confidence.norm_bound = norm;
    return entrant;
  };
}

std::vector<Entrant> main_policies(const PaperSettings& settings, const EntrantMaker& maker,
                                   std::int32_t features, TuningEffort effort) {
  const std::size_t step = effort == TuningEffort::fine ? 2 : 4;
  return {maker("soft-marks"), maker("ff-oful"), tuned(maker("oful"), settings.ridges(step)),
          narrow(maker("oful"), features)};
}

std::vector<Entrant> all_policies(const PaperSettings& settings, const EntrantMaker& maker,
                                  std::int32_t features, TuningEffort effort) {
  const std::vector<double> ridges = settings.ridges(effort == TuningEffort::fine ? 4 : 8);
  const std::vector<std::int32_t> sizes = sizes_for(features, effort);
  std::vector<Entrant> entrants = main_policies(settings, maker, features, effort);
  entrants.push_back(tuned(maker("ff-thompson"), ridges));
  entrants.push_back(tuned(maker("thompson"), ridges));
  entrants.push_back(tuned_by_size(maker("oful-sketched"), ridges, sizes,
                                   [](std::int32_t size) { return sketched_oful({size}); }));
  entrants.push_back(tuned_by_size(maker("oful-projected"), ridges, sizes,
                                   [](std::int32_t size) { return projected_oful({.dimensions = size}); }));
  entrants.push_back(tuned_by_scale(maker("lasso-bandit")));
  return entrants;
}

Study rivals_study(const PaperSettings& settings, std::string name, const WorldOptions& options,
                   std::int64_t rounds, PolicyList policies) {
  Study study = synthetic_study(settings, std::move(name), options);
  study.entrants = policies(settings, entrants_in(settings, options, settings.horizon(rounds)),
                            options.pool.features, TuningEffort::fine);
  return study;
}

std::string noise_name(double noise) { return fmt::format("noise-{}", noise); }

WorldOptions worlds_at_noise(const PaperSettings& settings, double noise) {
  constexpr std::int32_t relevant = 5;
  WorldOptions options = synthetic_options(settings, relevant);
  options.noise = noise;
  return options;
}

std::vector<Study> studies_at_noises(const PaperSettings& settings, std::int64_t rounds,
                                     PolicyList policies) {
  std::vector<Study> studies;
  for (const double noise : kNoises) {
    studies.push_back(
        rivals_study(settings, noise_name(noise), worlds_at_noise(settings, noise), rounds, policies));
  }
  return studies;
}

PaperSettings fewer_trials(PaperSettings settings, double tuning_share) {
  constexpr double share = 0.4;
  settings.trials = share_of_trials(settings.trials, share);
  settings.tuning_trials = share_of_trials(settings.tuning_trials, tuning_share);
  return settings;
}

SettingRows tuning_rows(const Results& results) {
  std::vector<std::string> counts;
  for (const EntrantResult& entrant : results.all().front().entrants) {
    if (entrant.tuning)
      counts.push_back(fmt::format("{} {}", entrant.entrant.name, entrant.tuning->candidates.size()));
  }
  if (counts.empty()) return {};
  return {{"settings tried by the tuning", fmt::format("{}", fmt::join(counts, ", "))}};
}

SettingRows noise_rows(const Results& results) {
  SettingRows rows = tuning_rows(results);
  rows.emplace_back("noise, in place of the above", fmt::format("{}", fmt::join(kNoises, " and ")));
  return rows;
}

FigureTable table_by_study(const Results& results, std::string line, std::string head,
                           const std::vector<std::string>& labels) {
  FigureTable table{.line = std::move(line), .head = {std::move(head)}};
  for (const EntrantResult& entrant : results.all().front().entrants)
    table.head.push_back(entrant.entrant.name);
  for (std::size_t n = 0; n < labels.size(); ++n) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back(labels[n]);
    for (const EntrantResult& entrant : results.all()[n].entrants) row.push_back(regret_cell(entrant));
  }
  return table;
}

Estimate soft_ratio(const StudyResult& result, std::string_view other) {
  return paired_ratio(result.of("soft-marks"), result.of(other), final_regret);
}

void fail_where_beaten(Decision& decision, const StudyResult& result, std::string_view where) {
  for (const EntrantResult& other : result.entrants) {
    const Estimate difference = paired_difference(other, result.of("soft-marks"), final_regret);
    if (!clearly_below(difference, 0.0)) continue;
    decision.verdict = Verdict::fails;
    decision.numbers.push_back(
        {fmt::format("{} minus soft-marks{}{}", other.entrant.name, where.empty() ? "" : ", ", where),
         difference});
  }
}

ClaimRule unbeaten(std::string id, std::string sentence, std::string study) {
  return {std::move(id), ClaimBy::ours, std::move(sentence),
          [study = std::move(study)](const Results& results) {
            const StudyResult& result = results.study(study);
            Decision decision{Verdict::holds, {}};
            for (const EntrantResult& entrant : result.entrants)
              decision.numbers.push_back({"regret of " + entrant.entrant.name, entrant.regret()});
            fail_where_beaten(decision, result);
            return decision;
          }};
}

}  // namespace inkling::bench
