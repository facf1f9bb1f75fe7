#include "bench/paper/figures/octave_growth.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

#include "bench/studies/trial_measures.hpp"
#include "bench/studies/figure_parts.hpp"

namespace inkling::bench {

Octaves octaves_of(std::string name, const EntrantResult& result, int count) {
  Octaves octaves{.name = std::move(name), .start = {}, .by_trial = {}, .exponent = {}};
  const std::int64_t rounds = result.entrant.options.rounds;
  for (int n = count; n >= 1; --n) {
    octaves.start.push_back(std::ldexp(static_cast<double>(rounds), -n));
  }
  for (const TrialResult& trial : result.trials) {
    if (!trial.all_found_at || static_cast<double>(*trial.all_found_at) > octaves.start.front()) continue;
    std::vector<double>& regrets = octaves.by_trial.emplace_back();
    for (const double start : octaves.start) {
      regrets.push_back(regret_until(trial, rounds, 2.0 * start) - regret_until(trial, rounds, start));
    }
  }
  octaves.exponent = growth_exponent(octaves.start, octaves.by_trial);
  return octaves;
}

FigureChart octave_chart(const std::vector<Octaves>& studies) {
  LineChart chart{.title = "Regret of an octave, once every word is marked",
                  .x_label = "round in which the octave begins",
                  .y_label = "regret of the octave",
                  .series = {},
                  .x_scale = AxisScale::logarithmic,
                  .y_scale = AxisScale::logarithmic,
                  .points = PointMarks::dots};
  for (const Octaves& octaves : studies) {
    Series series{.name = octaves.name, .x = {}, .y = {}};
    for (std::size_t n = 0; n < octaves.start.size() && !octaves.by_trial.empty(); ++n) {
      std::vector<double> regrets;
      regrets.reserve(octaves.by_trial.size());
      for (const std::vector<double>& trial : octaves.by_trial) regrets.push_back(trial[n]);
      add_point(series, octaves.start[n], estimate_of(regrets));
    }
    chart.series.push_back(std::move(series));
  }
  return {"octaves", std::move(chart),
          "A square root would rise by a factor of √2 from one octave to the next."};
}

}  // namespace inkling::bench
