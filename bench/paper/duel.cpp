#include "bench/paper/duel.hpp"

#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "bench/studies/synthetic_study.hpp"
#include "bench/studies/figure_parts.hpp"

namespace inkling::bench {
namespace {

constexpr double kShareOfTuningTrials = 0.4;

}  // namespace

Study duel_study(const PaperSettings& settings, std::string name, const WorldOptions& options,
                 std::int64_t rounds) {
  Study study = synthetic_study(settings, std::move(name), options);
  study.tuning_trials = share_of_trials(settings.tuning_trials, kShareOfTuningTrials);
  study.entrants = {entrant_of(settings, "ff-oful", rounds, options.noise),
                    tuned(entrant_of(settings, "oful", rounds, options.noise), some_ridges(settings, 2))};
  return study;
}

std::string duel_method(const Study& study) {
  const std::vector<Candidate>& ridges = study.entrants[1].candidates;
  return fmt::format(
      "{} trials a setting; oful tuned over {} ridges from {} to {}, {} trials each; where the ridge is one "
      "of these two, a better one may lie beyond",
      study.trials, ridges.size(), ridges.front().label, ridges.back().label, study.tuning_trials);
}

Estimate duel_ratio(const EntrantResult& marked, const EntrantResult& oful) {
  return paired_ratio(marked, oful, final_regret);
}

LineChart duel_chart(std::string title, std::string x_label, std::vector<Series> ratios) {
  ratios.push_back({.name = "as much as oful", .x = {}, .y = {1.0}, .style = SeriesStyle::reference});
  return {.title = std::move(title),
          .x_label = std::move(x_label),
          .y_label = "regret of ff-oful over that of tuned oful",
          .series = std::move(ratios),
          .x_scale = AxisScale::logarithmic,
          .points = PointMarks::dots};
}

std::vector<std::string> duel_head() {
  return {"ridge of oful", "regret of oful", "regret of ff-oful", "ratio"};
}

std::vector<std::string> duel_cells(const EntrantResult& marked, const EntrantResult& oful) {
  return {ridge_text(oful.entrant.contestant.ridge), estimate_text(oful.regret()),
          estimate_text(marked.regret()), estimate_text(duel_ratio(marked, oful))};
}

}  // namespace inkling::bench
