#include "bench/paper/figures/bound_points.hpp"

#include <cmath>
#include <utility>

#include "bench/studies/figure_parts.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {

BoundPoint bound_point(double x, const EntrantResult& result, std::int32_t relevant, double discovery) {
  const Entrant& entrant = result.entrant;
  BoundPoint point{.x = x,
                   .regret = result.regret(),
                   .share_below = 0.0,
                   .setting = {.rounds = static_cast<double>(entrant.options.rounds),
                               .relevant = static_cast<double>(relevant),
                               .discovery = discovery,
                               .confidence = entrant.options.confidence,
                               .ridge = entrant.contestant.ridge},
                   .bound = {}};
  point.bound = regret_bound(point.setting);
  point.share_below = estimate_over_trials(result, [&](const TrialResult& trial) {
                        return trial.regret <= point.bound.total() ? 1.0 : 0.0;
                      }).mean;
  return point;
}

FigureChart bound_chart(const std::vector<BoundPoint>& points, std::string suffix, std::string title,
                        std::string x_label, std::string caption) {
  Series measured{.name = "ff-oful, measured", .x = {}, .y = {}};
  Series total{.name = "Theorem 2", .x = {}, .y = {}};
  Series finding{.name = "1: finding every word", .x = {}, .y = {}};
  Series exploring{.name = "2: random rounds", .x = {}, .y = {}};
  Series optimism{.name = "3: OFUL on k words", .x = {}, .y = {}};
  Series worst{.name = "2 S L T", .x = {}, .y = {}};
  for (const BoundPoint& point : points) {
    add_point(measured, point.x, point.regret);
    const std::pair<Series*, double> computed[] = {{&total, point.bound.total()},
                                                   {&finding, point.bound.finding},
                                                   {&exploring, point.bound.exploring},
                                                   {&optimism, point.bound.optimism},
                                                   {&worst, worst_regret(point.setting)}};
    for (const auto& [series, y] : computed) {
      series->x.push_back(point.x);
      series->y.push_back(y);
    }
  }
  return {std::move(suffix),
          {.title = std::move(title),
           .x_label = std::move(x_label),
           .y_label = "regret",
           .series = {std::move(measured), std::move(total), std::move(finding), std::move(exploring),
                      std::move(optimism), std::move(worst)},
           .x_scale = AxisScale::logarithmic,
           .y_scale = AxisScale::logarithmic,
           .points = PointMarks::dots},
          std::move(caption)};
}

FigureTable bound_table(const std::vector<BoundPoint>& points, std::string line, std::string name) {
  FigureTable table{
      .line = std::move(line),
      .head = {std::move(name), "regret", "Theorem 2", "finding", "random rounds", "OFUL", "2 S L T"},
      .rows = {}};
  const auto whole = [](double number) {
    return digit_groups(static_cast<std::int64_t>(std::llround(number)));
  };
  for (const BoundPoint& point : points) {
    table.rows.push_back({whole(point.x), estimate_text(point.regret), whole(point.bound.total()),
                          whole(point.bound.finding), whole(point.bound.exploring),
                          whole(point.bound.optimism), whole(worst_regret(point.setting))});
  }
  return table;
}

}  // namespace inkling::bench
