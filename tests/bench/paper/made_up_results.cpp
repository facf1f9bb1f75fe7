#include "tests/bench/paper/made_up_results.hpp"

#include <algorithm>
#include <stdexcept>

#include "bench/studies/study.hpp"
#include "tests/support/engine/with_threads.hpp"

namespace inkling::bench::test {

PaperContext tiny_context(std::int64_t rounds) {
  PaperContext context;
  context.settings.effort = PaperEffort::quick;
  context.settings.trials = 3;
  context.settings.tuning_trials = 2;
  context.settings.rounds = rounds;
  return context;
}

TrialResult even_trial(const Entrant& entrant, double regret) {
  TrialResult trial;
  trial.regret = regret;
  trial.explored = 10;
  trial.features_found = 5;
  trial.all_found_at = 1;
  const std::int64_t rounds = entrant.rounds;
  for (const std::int64_t round : checkpoints(rounds))
    trial.curve.push_back(regret * static_cast<double>(round) / static_cast<double>(rounds));
  return trial;
}

std::vector<Study> studies_of(const Figure& figure, const PaperContext& context) {
  return figure.studies ? figure.studies(context) : std::vector<Study>();
}

std::vector<StudyResult> made_up_results(const Figure& figure, const PaperContext& context, const RegretOf& regret_of) {
  std::vector<StudyResult> results;
  for (const Study& study : studies_of(figure, context)) {
    StudyResult& result = results.emplace_back();
    result.study = study;
    for (const Entrant& entrant : study.entrants) {
      EntrantResult& played = result.entrants.emplace_back();
      played.entrant = entrant;
      if (const std::vector<Candidate>& candidates = entrant.candidates; !candidates.empty()) {
        played.tuning = {candidates, std::vector<Estimate>(candidates.size(), Estimate{1.0, 0.1}), 1};
        played.entrant.play_as(candidates[1]);
      }
      for (std::int64_t trial = 0; trial < study.trials; ++trial)
        played.trials.push_back(even_trial(entrant, regret_of(study, entrant, trial)));
    }
  }
  return results;
}

FigureReport made_up_report(const Figure& figure, const PaperContext& context, const RegretOf& regret_of) {
  const std::vector<StudyResult> results = made_up_results(figure, context, regret_of);
  return report_of(figure, Results(context, results));
}

const Claim& claim_of(const FigureReport& report, std::string_view id) {
  const auto found = std::ranges::find(report.claims, id, &Claim::id);
  if (found == report.claims.end()) throw std::out_of_range(std::string(id));
  return *found;
}

const Estimate& number_of(const Claim& claim, std::string_view name) {
  const auto found = std::ranges::find(claim.numbers, name, &Measurement::name);
  if (found == claim.numbers.end()) throw std::out_of_range(std::string(name));
  return found->value;
}

FigureReport run_report(const Figure& figure, const PaperContext& context, int threads) {
  return inkling::test::with_threads(threads, [&] {
    std::vector<StudyResult> results;
    for (const Study& study : studies_of(figure, context)) results.push_back(run_study(study));
    return report_of(figure, Results(context, results));
  });
}

}  // namespace inkling::bench::test
