// paper-worlds: the policy for searches in the paper's synthetic worlds, where rewards are noisy numbers.
#include <utility>

#include <fmt/format.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/studies/figure_parts.hpp"
#include "io/events/learning.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kWorldRounds = 4096;
constexpr std::int32_t kRelevantWords[] = {5, 15, 40};

std::string world_name(double noise, std::int32_t relevant) {
  return fmt::format("noise-{}-relevant-{}", noise, relevant);
}

/// It is told nothing; the others are told the true noise and norm, and oful also plays with its best ridge.
std::vector<Entrant> world_entrants(const PaperSettings& settings, const EntrantMaker& maker) {
  std::vector<Entrant> entrants = {maker("soft-marks"), maker("ff-oful"),
                                   tuned(maker("oful"), settings.ridges(2)), maker(kDefaultPolicy)};
  entrants.back().options.confidence = {};
  return entrants;
}

std::vector<Study> world_studies(const PaperContext& context) {
  PaperSettings settings = context.settings;
  constexpr double share = 2.0;  // regret has a long tail: a mean of few trials says little
  settings.trials = share_of_trials(settings.trials, share);
  std::vector<Study> studies;
  for (const double noise : kNoises) {
    for (const std::int32_t relevant : kRelevantWords) {
      WorldOptions options = synthetic_options(settings, relevant);
      options.noise = noise;
      Study study = synthetic_study(settings, world_name(noise, relevant), options);
      study.entrants =
          world_entrants(settings, entrants_in(settings, options, settings.horizon(kWorldRounds)));
      studies.push_back(std::move(study));
    }
  }
  return studies;
}

/// Its regret over that of the best of the others in this world.
Decision close_to_best(const StudyResult& study) {
  constexpr double most = 1.1;
  const EntrantResult& ours = study.of(kDefaultPolicy);
  const EntrantResult* best = nullptr;
  Decision decision{Verdict::holds, {{fmt::format("regret of {}", kDefaultPolicy), ours.regret()}}};
  for (const EntrantResult& other : study.entrants) {
    if (other.entrant.name == kDefaultPolicy) continue;
    decision.numbers.push_back({fmt::format("regret of {}", other.entrant.name), other.regret()});
    if (best == nullptr || other.regret().mean < best->regret().mean) best = &other;
  }
  const Estimate ratio = paired_ratio(ours, *best, final_regret);
  decision.numbers.push_back({fmt::format("ratio to {}", best->entrant.name), ratio});
  if (ratio.mean > most) decision.verdict = Verdict::fails;
  return decision;
}

FigureTable worlds_table(const Results& results) {
  std::vector<std::string> labels;
  for (const double noise : kNoises) {
    for (const std::int32_t relevant : kRelevantWords)
      labels.push_back(fmt::format("noise {}, {} of 40 words matter", noise, relevant));
  }
  FigureTable table = table_by_study(results, "Regret", "world", labels);
  table.view = TableView::open;
  return table;
}

}  // namespace

Figure paper_worlds_figure() {
  Figure figure{.name = "paper-worlds",
                .title = "The policy for searches in the paper's worlds",
                .paper_place = "Beyond the paper: synthetic worlds with noise",
                .studies = world_studies,
                .tables = {{worlds_table}},
                .more_settings = noise_rows};
  for (const double noise : kNoises) {
    for (const std::int32_t relevant : kRelevantWords) {
      const std::string study = world_name(noise, relevant);
      figure.charts.push_back(regret_curves(noise == kNoises[0] && relevant == kRelevantWords[0] ? "" : study,
                                            fmt::format("Noise {}, {} of 40 words matter", noise, relevant),
                                            study));
      figure.claims.push_back(
          {fmt::format("paper-worlds-{}", study), ClaimBy::ours,
           fmt::format(
               "At noise {} with {} of 40 words that matter, the regret of inkling, untuned, is at most 1.1 "
               "times that of the best of soft-marks, ff-oful and tuned oful.",
               noise, relevant),
           [study](const Results& results) { return close_to_best(results.study(study)); }});
    }
  }
  return figure;
}

}  // namespace inkling::bench
