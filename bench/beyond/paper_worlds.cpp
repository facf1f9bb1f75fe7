// paper-worlds: the policy `inkling` in the paper's synthetic worlds, where rewards are noisy numbers.
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/studies/figure_parts.hpp"
#include "io/search/events/learning.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kWorldRounds = 4096;
constexpr double kNoises[] = {0.1, 0.5};
constexpr std::int32_t kRelevantWords[] = {5, 15, 40};

std::string world_name(double noise, std::int32_t relevant) { return fmt::format("noise-{}-relevant-{}", noise, relevant); }

/// The policy `inkling` gets no settings; the others get the true noise and norm, and oful also plays with its best ridge.
std::vector<Entrant> world_entrants(const PaperSettings& settings, const WorldOptions& world) {
  const auto informed = [&](std::string_view preset) {
    Entrant entrant = entrant_of(settings, preset, settings.horizon(kWorldRounds), world.noise);
    entrant.options.confidence.norm_bound = world.norm_bound;
    return entrant;
  };
  std::vector<Entrant> entrants = {informed("soft-marks"), informed("ff-oful"), tuned(informed("oful"), settings.ridges(2)),
                                   informed(kDefaultPolicy)};
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
      study.entrants = world_entrants(settings, options);
      studies.push_back(std::move(study));
    }
  }
  return studies;
}

/// The regret of `inkling` over the least regret of the other policies in this world.
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

std::string regret_cell(const EntrantResult& entrant) {
  return estimate_text(entrant.regret()) + (entrant.tuning ? fmt::format(" ({})", setting_text(entrant)) : "");
}

FigureTable worlds_table(const Results& results) {
  FigureTable table{.line = "Regret", .head = {"world"}, .view = TableView::open};
  for (const EntrantResult& entrant : results.all().front().entrants) table.head.push_back(entrant.entrant.name);
  for (const double noise : kNoises) {
    for (const std::int32_t relevant : kRelevantWords) {
      std::vector<std::string>& row = table.rows.emplace_back();
      row.push_back(fmt::format("noise {}, {} of 40 words matter", noise, relevant));
      for (const EntrantResult& entrant : results.study(world_name(noise, relevant)).entrants)
        row.push_back(regret_cell(entrant));
    }
  }
  return table;
}

SettingRows changed_settings(const Results& results) {
  SettingRows rows;
  for (const EntrantResult& entrant : results.all().front().entrants) {
    if (entrant.tuning) {
      rows.emplace_back("settings tried by the tuning",
                        fmt::format("{} {}", entrant.entrant.name, entrant.tuning->candidates.size()));
    }
  }
  rows.emplace_back("noise, in place of the above", fmt::format("{}", fmt::join(kNoises, " and ")));
  return rows;
}

}  // namespace

Figure paper_worlds_figure() {
  Figure figure{.name = "paper-worlds",
                .title = "The policy for searches in the paper's worlds",
                .paper_place = "Beyond the paper: synthetic worlds with noise",
                .studies = world_studies,
                .tables = {{worlds_table}},
                .more_settings = changed_settings};
  for (const double noise : kNoises) {
    for (const std::int32_t relevant : kRelevantWords) {
      const std::string study = world_name(noise, relevant);
      figure.charts.push_back(regret_curves(noise == kNoises[0] && relevant == kRelevantWords[0] ? "" : study,
                                            fmt::format("Noise {}, {} of 40 words matter", noise, relevant), study));
      figure.claims.push_back(
          {fmt::format("paper-worlds-{}", study), ClaimBy::ours,
           fmt::format("At noise {} with {} of 40 words that matter, the regret of inkling, untuned, is at most 1.1 "
                       "times that of the best of soft-marks, ff-oful and tuned oful.",
                       noise, relevant),
           [study](const Results& results) { return close_to_best(results.study(study)); }});
    }
  }
  return figure;
}

}  // namespace inkling::bench
