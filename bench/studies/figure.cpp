#include "bench/studies/figure.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

/// Whether the study that a rule asks for was run; a rule that asks for none always applies.
template <typename Rule>
bool applies(const Rule& rule, const Results& results) {
  return rule.only_with.empty() || results.has(rule.only_with);
}

/// The settings that every study has: trials, rounds, seed, delta, S and R.
SettingRows common_settings(const PaperSettings& settings, const StudyResult& result) {
  const Entrant& entrant = result.entrants.front().entrant;
  SettingRows rows = {{"trials", digit_groups(result.study.trials)},
                      {"rounds", digit_groups(entrant.rounds)},
                      {"seed", fmt::format("{}", settings.seed)},
                      {"delta, the failure probability of a confidence set", fmt::format("{}", settings.delta)},
                      {"S, the bound on the norm of theta* given to policies", fmt::format("{}", settings.norm_bound)},
                      {"R, the noise given to policies", fmt::format("{}", entrant.options.confidence.noise)}};
  if (result.study.tuning_trials > 0)
    rows.emplace_back("trials for each ridge of the tuning, other than those above", digit_groups(result.study.tuning_trials));
  return rows;
}

/// The settings that every study has, those of the first study's worlds, and the figure's own.
SettingRows settings_of(const Figure& figure, const Results& results) {
  SettingRows rows;
  if (!results.all().empty()) {
    const StudyResult& first = results.all().front();
    rows = common_settings(results.settings(), first);
    rows.insert(rows.end(), first.study.settings.begin(), first.study.settings.end());
  }
  if (figure.more_settings) {
    const SettingRows more = figure.more_settings(results);
    rows.insert(rows.end(), more.begin(), more.end());
  }
  return rows;
}

}  // namespace

std::int64_t PaperSettings::horizon(std::int64_t usual) const {
  if (rounds) return *rounds;
  constexpr std::int64_t quick_share = 4;
  return effort == PaperEffort::full ? usual : std::max<std::int64_t>(1, usual / quick_share);
}

std::vector<double> PaperSettings::ridges(std::size_t step) const {
  if (effort == PaperEffort::quick) step *= 2;
  const std::vector<double> grid = tuning_grid();
  std::vector<double> some;
  for (std::size_t n = 0; n < grid.size(); n += step) some.push_back(grid[n]);
  return some;
}

std::vector<double> tuning_grid() {
  std::vector<double> grid;
  for (int power = -7; power <= 10; ++power) grid.push_back(std::ldexp(1.0, power));
  return grid;
}

std::string_view verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "holds";
    case Verdict::fails: return "does not hold";
    case Verdict::not_comparable: break;
  }
  return "not comparable";
}

bool Results::has(std::string_view study) const {
  return std::ranges::any_of(studies_, [&](const StudyResult& result) { return result.study.name == study; });
}

const StudyResult& Results::study(std::string_view name) const {
  const auto found = std::ranges::find_if(studies_, [&](const StudyResult& result) { return result.study.name == name; });
  assert(found != studies_.end());
  return *found;
}

const EntrantResult& Results::at(const Place& place) const { return study(place.study).of(place.entrant); }

FigureReport report_of(const Figure& figure, const Results& results) {
  FigureReport report;
  report.settings = settings_of(figure, results);
  for (const ChartRule& rule : figure.charts) {
    if (!applies(rule, results)) continue;
    LineChart chart = rule.draw(results);
    // Short runs may leave a line without a point: too few trials came far enough.
    std::erase_if(chart.series, [](const Series& series) { return series.y.empty(); });
    if (!chart.series.empty()) report.charts.push_back({rule.suffix, std::move(chart)});
  }
  for (const TableRule& rule : figure.tables)
    if (applies(rule, results)) report.tables.push_back(rule.fill(results));
  for (const ClaimRule& rule : figure.claims) {
    if (!applies(rule, results)) continue;
    Decision decision = rule.decide(results);
    report.claims.push_back({rule.id, rule.whose, rule.sentence, decision.verdict, std::move(decision.numbers)});
  }
  for (const NamedNumber& fact : figure.facts) report.facts.push_back({fact.name, fact.number(results)});
  return report;
}

}  // namespace inkling::bench
