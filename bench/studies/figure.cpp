#include "bench/studies/figure.hpp"

#include <algorithm>
#include <cassert>

#include "bench/studies/figure_parts.hpp"

namespace inkling::bench {
namespace {

/// Whether the study that a rule asks for was run; a rule that asks for none always applies.
template <typename Rule>
bool applies(const Rule& rule, const Results& results) {
  return rule.only_with.empty() || results.has(rule.only_with);
}

/// Those that every study has, those of the first study's worlds, and the figure's own.
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

std::string_view verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::fails:
      return "does not hold";
    case Verdict::not_comparable:
      break;
  }
  return "not comparable";
}

bool Results::has(std::string_view study) const {
  return std::ranges::any_of(studies_, [&](const StudyResult& result) { return result.study.name == study; });
}

const StudyResult& Results::study(std::string_view name) const {
  const auto found =
      std::ranges::find_if(studies_, [&](const StudyResult& result) { return result.study.name == name; });
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
  for (const TableRule& rule : figure.tables) {
    if (applies(rule, results)) report.tables.push_back(rule.fill(results));
  }
  for (const ClaimRule& rule : figure.claims) {
    if (!applies(rule, results)) continue;
    Decision decision = rule.decide(results);
    report.claims.push_back(
        {rule.id, rule.whose, rule.sentence, decision.verdict, std::move(decision.numbers)});
  }
  for (const NamedNumber& fact : figure.facts) report.facts.push_back({fact.name, fact.number(results)});
  return report;
}

}  // namespace inkling::bench
