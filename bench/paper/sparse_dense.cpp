// The paper's first experiment: 5 of 40 words matter, or all of them do.
#include <fmt/format.h>

#include "bench/paper/figures.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/studies/synthetic_study.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kSparseDenseRounds = 4096;
constexpr double kNotHurtMuch = 1.25;

std::vector<Study> sparse_dense_studies(const PaperContext& context, std::int32_t relevant) {
  const PaperSettings& settings = context.settings;
  const std::int64_t rounds = settings.horizon(kSparseDenseRounds);
  Study study = synthetic_study(settings, "main", synthetic_options(settings, relevant));
  study.entrants = {entrant_of(settings, "ff-oful", rounds, settings.noise),
                    tuned(entrant_of(settings, "oful", rounds, settings.noise), settings),
                    entrant_of(settings, "explore-then-commit", rounds, settings.noise),
                    entrant_of(settings, "soft-marks", rounds, settings.noise)};
  return {std::move(study)};
}

/// The chosen ridge, beside the one that the paper chose.
ClaimRule oful_ridge_inside(std::string id) {
  ClaimRule rule = ridge_inside(std::move(id), {"main", "oful"});
  rule.decide = [decide = rule.decide](const Results& results) {
    Decision decision = decide(results);
    decision.numbers.push_back({"the paper's choice", {1.0 / 32.0, 0.0}});
    return decision;
  };
  return rule;
}

/// All but the claim that tells the two figures apart.
Figure sparse_dense_figure(const std::string& name, std::int32_t relevant) {
  return {
      .name = name,
      .studies = [relevant](const PaperContext& context) { return sparse_dense_studies(context, relevant); },
      .charts = {regret_curves("", fmt::format("{} of 40 words matter", relevant), "main"),
                 tuning_curves("tuning", "How OFUL's ridge was chosen", "main")},
      .tables = {outcomes("main")},
      .claims = {oful_ridge_inside(name + "-ridge-inside")},
      .more_settings = [](const Results& /*results*/) -> SettingRows {
        return {{"T0 of explore-then-commit",
                 "the fewest random rounds that mark every relevant word with probability 0.95"},
                {"the paper's ridge for OFUL", ridge_text(1.0 / 32.0)}};
      }};
}

}  // namespace

Figure sparse_figure() {
  Figure figure = sparse_dense_figure("sparse", 5);
  figure.title = "Few words matter";
  figure.paper_place = "Experiments, synthetic data, (a): sparse theta*";
  figure.claims.insert(figure.claims.begin(),
                       less_regret("sparse-beats-oful", ClaimBy::paper,
                                   "FF-OFUL has less regret than tuned OFUL where 5 of 40 words matter.",
                                   {"main", "ff-oful"}, {"main", "oful"}));
  return figure;
}

Figure dense_figure() {
  Figure figure = sparse_dense_figure("dense", 40);
  figure.title = "Every word matters";
  figure.paper_place = "Experiments, synthetic data, (b): dense theta*";
  figure.claims.insert(
      figure.claims.begin(),
      within_factor("dense-within-25-percent", ClaimBy::paper,
                    "Where all 40 words matter, FF-OFUL's regret is at most 25 % above tuned "
                    "OFUL's: marks do not hurt much.",
                    {"main", "ff-oful"}, {"main", "oful"}, kNotHurtMuch));
  return figure;
}

}  // namespace inkling::bench
