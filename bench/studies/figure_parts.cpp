#include "bench/studies/figure_parts.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <optional>

#include <fmt/format.h>

#include "bench/rivals/rival_presets.hpp"
#include "io/base/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

/// The decimals with which the standard error shows two digits; of an exact number, three digits.
int decimals_for(const Estimate& estimate) {
  const double size = estimate.standard_error > 0.0 ? estimate.standard_error : std::fabs(estimate.mean) / 10.0;
  if (!(size > 0.0) || !std::isfinite(size)) return 0;
  constexpr int most = 6;
  return std::clamp(1 - static_cast<int>(std::floor(std::log10(size))), 0, most);
}

std::string whole_or_text(double number, int decimals) {
  constexpr double grouped = 10'000.0;
  if (decimals == 0 && std::fabs(number) >= grouped)
    return (number < 0.0 ? "-" : "") + digit_groups(std::llround(std::fabs(number)));
  return fmt::format("{:.{}f}", number, decimals);
}

/// A whole number in raised digits: "⁻¹⁰".
std::string superscript(int number) {
  constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char character : fmt::format("{}", number))
    text += character == '-' ? std::string_view("⁻") : digits[character - '0'];
  return text;
}

Series plotted(const PlottedNumbers& line, const Results& results) {
  Series series{.name = line.name, .style = line.style};
  for (const auto& [x, number] : line.points) add_point(series, x, number(results));
  if (line.style == SeriesStyle::reference) series.x.clear();
  if (std::ranges::equal(series.low, series.high)) series.low = series.high = {};
  return series;
}

/// Both regrets, their difference and their ratio.
std::vector<Measurement> comparison_of(const EntrantResult& one, const EntrantResult& other) {
  return {{"regret of " + one.entrant.name, one.regret()},
          {"regret of " + other.entrant.name, other.regret()},
          {"difference", paired_difference(one, other, final_regret)},
          {"ratio", paired_ratio(one, other, final_regret)}};
}

/// A comparison of two entrants as a claim; `is_so` compares both.
ClaimRule comparison(std::string id, ClaimBy whose, std::string sentence, Place one, Place other,
                     std::function<bool(const EntrantResult&, const EntrantResult&)> is_so) {
  return {std::move(id), whose, std::move(sentence),
          [one = std::move(one), other = std::move(other), is_so = std::move(is_so)](const Results& results) {
            const EntrantResult& left = results.at(one);
            const EntrantResult& right = results.at(other);
            return Decision{is_so(left, right) ? Verdict::holds : Verdict::fails, comparison_of(left, right)};
          }};
}

}  // namespace

Entrant entrant_of(const PaperSettings& settings, std::string_view preset, std::int64_t rounds, double assumed_noise) {
  const std::optional<Preset> found = find_any_preset(preset);
  assert(found);
  Entrant entrant{.name = std::string(preset), .preset = *found, .rounds = rounds, .seed = settings.seed};
  entrant.options.confidence = settings.confidence(assumed_noise);
  // A factor of all features has no zeros: then the dense form takes two thirds of the time.
  if (found->scope == FeatureScope::Kind::all) entrant.options.factor = FactorKind::dense;
  return entrant;
}

Entrant tuned(Entrant entrant, std::span<const double> ridges) {
  for (const double ridge : ridges) entrant.candidates.push_back({ridge_text(ridge), ridge, entrant.preset, ridge});
  return entrant;
}

bool clearly_below(const Estimate& number, double bound) { return number.mean + kBand * number.standard_error < bound; }

bool clearly_above(const Estimate& number, double bound) { return number.mean - kBand * number.standard_error > bound; }

Number constant(double value) {
  return [value](const Results& /*results*/) { return Estimate{value, 0.0}; };
}

Number regret_of(Place place) { return mean_of(std::move(place), final_regret); }

Number features_found_of(Place place) {
  return [place = std::move(place)](const Results& results) { return results.at(place).features_found(); };
}

Number mean_of(Place place, std::function<double(const TrialResult&)> number) {
  return [place = std::move(place), number = std::move(number)](const Results& results) {
    return estimate_over_trials(results.at(place), number);
  };
}

Number regret_difference(Place one, Place other) {
  return [one = std::move(one), other = std::move(other)](const Results& results) {
    return paired_difference(results.at(one), results.at(other), final_regret);
  };
}

Number regret_ratio(Place one, Place other) {
  return [one = std::move(one), other = std::move(other)](const Results& results) {
    return paired_ratio(results.at(one), results.at(other), final_regret);
  };
}

std::string estimate_text(const Estimate& estimate) {
  if (!std::isfinite(estimate.mean)) return "-";
  const int decimals = decimals_for(estimate);
  std::string mean = whole_or_text(estimate.mean, decimals);
  if (!(estimate.standard_error > 0.0)) return mean;  // of an exact number, and of a single trial
  return fmt::format("{} ± {}", mean, whole_or_text(estimate.standard_error, decimals));
}

std::string ridge_text(double ridge) {
  const double power = std::log2(ridge);
  if (power != 0.0 && power != 1.0 && power == std::round(power)) return "2" + superscript(static_cast<int>(power));
  return fmt::format("{:.4g}", ridge);
}

std::string setting_text(const EntrantResult& result) {
  const Entrant& entrant = result.entrant;
  if (result.tuning) return result.tuning->best().label;
  if (!entrant.preset.learner) return "-";
  return entrant.preset.uses.soft_marks ? "by its rule" : ridge_text(entrant.options.ridge);
}

void add_point(Series& series, double x, const Estimate& estimate) {
  series.x.push_back(x);
  series.y.push_back(estimate.mean);
  series.low.push_back(estimate.mean - kBand * estimate.standard_error);
  series.high.push_back(estimate.mean + kBand * estimate.standard_error);
}

Series regret_curve(std::string name, const EntrantResult& entrant) {
  Series series{.name = std::move(name), .x = {0.0}, .y = {0.0}, .low = {0.0}, .high = {0.0}};
  const std::vector<std::int64_t> rounds = checkpoints(entrant.entrant.rounds);
  const std::vector<Estimate> curve = entrant.curve();
  for (std::size_t n = 0; n < rounds.size(); ++n) add_point(series, static_cast<double>(rounds[n]), curve[n]);
  return series;
}

LineChart regret_chart(std::span<const EntrantResult> results, std::string title) {
  LineChart chart{.title = std::move(title), .x_label = "rounds", .y_label = "regret"};
  for (const EntrantResult& result : results) chart.series.push_back(regret_curve(result.entrant.name, result));
  return chart;
}

ChartRule regret_curves(std::string suffix, std::string title, std::string study) {
  return {std::move(suffix), [title = std::move(title), study = std::move(study)](const Results& results) {
            return regret_chart(results.study(study).entrants, title);
          }};
}

ChartRule regret_curves(std::string suffix, std::string title, std::vector<NamedPlace> lines) {
  return {std::move(suffix), [title = std::move(title), lines = std::move(lines)](const Results& results) {
            LineChart chart = regret_chart({}, title);
            for (const auto& [name, place] : lines) chart.series.push_back(regret_curve(name, results.at(place)));
            return chart;
          }};
}

ChartRule tuning_curves(std::string suffix, std::string title, std::string study) {
  return {std::move(suffix), [title = std::move(title), study = std::move(study)](const Results& results) {
            LineChart chart{.title = title,
                            .x_label = "ridge (lambda)",
                            .y_label = "regret in the tuning trials",
                            .x_scale = AxisScale::logarithmic,
                            .points = PointMarks::dots};
            for (const EntrantResult& entrant : results.study(study).entrants) {
              if (!entrant.tuning) continue;
              Series series{.name = entrant.entrant.name};
              for (std::size_t n = 0; n < entrant.tuning->candidates.size(); ++n)
                add_point(series, entrant.tuning->candidates[n].value, entrant.tuning->regret[n]);
              chart.series.push_back(std::move(series));
            }
            return chart;
          }};
}

ChartRule number_chart(std::string suffix, LineChart frame, std::vector<PlottedNumbers> lines) {
  return {std::move(suffix), [frame = std::move(frame), lines = std::move(lines)](const Results& results) {
            LineChart chart = frame;
            std::vector<Series> measured;
            for (const PlottedNumbers& line : lines) measured.push_back(plotted(line, results));
            chart.series.insert(chart.series.begin(), measured.begin(), measured.end());
            return chart;
          }};
}

TableRule outcomes(std::string study, std::string line) {
  return {[study = std::move(study), line = std::move(line)](const Results& results) {
    const StudyResult& result = results.study(study);
    FigureTable table{
        .line = fmt::format("{}: means over {} trials", line.empty() ? "All that was measured" : line, result.study.trials),
        .head = {"policy", "ridge", "regret", "reward", "words marked", "random rounds", "ms of decisions"}};
    for (const EntrantResult& entrant : result.entrants) {
      table.rows.push_back({entrant.entrant.name, setting_text(entrant), estimate_text(entrant.regret()),
                            estimate_text(entrant.reward()), estimate_text(entrant.features_found()),
                            estimate_text(entrant.explored()), fmt::format("{:.1f}", 1e3 * entrant.decision_seconds().mean)});
    }
    return table;
  }};
}

TableRule number_table(std::string line, std::vector<std::string> head, std::vector<NumberRow> rows, TableView view) {
  FigureTable frame{.line = std::move(line), .head = std::move(head), .view = view};
  return {[frame = std::move(frame), rows = std::move(rows)](const Results& results) {
    FigureTable table = frame;
    for (const NumberRow& row : rows) {
      std::vector<std::string>& cells = table.rows.emplace_back();
      cells.push_back(row.name);
      for (const Number& number : row.numbers) cells.push_back(estimate_text(number(results)));
    }
    return table;
  }};
}

ClaimRule less_regret(std::string id, ClaimBy whose, std::string sentence, Place less, Place more) {
  return comparison(std::move(id), whose, std::move(sentence), std::move(less), std::move(more),
                    [](const EntrantResult& one, const EntrantResult& other) {
                      return clearly_below(paired_difference(one, other, final_regret), 0.0);
                    });
}

ClaimRule within_factor(std::string id, ClaimBy whose, std::string sentence, Place one, Place other, double factor) {
  return comparison(std::move(id), whose, std::move(sentence), std::move(one), std::move(other),
                    [factor](const EntrantResult& left, const EntrantResult& right) {
                      return left.regret().mean <= factor * right.regret().mean;
                    });
}

ClaimRule ridge_inside(std::string id, Place tuned) {
  std::string sentence = fmt::format("The ridge chosen for {} lies strictly inside the range of ridges tried.", tuned.entrant);
  return {std::move(id), ClaimBy::ours, std::move(sentence), [tuned = std::move(tuned)](const Results& results) {
            const EntrantResult& entrant = results.at(tuned);
            assert(entrant.tuning);
            const Tuning& tuning = *entrant.tuning;
            return Decision{tuning.strictly_inside() ? Verdict::holds : Verdict::fails,
                            {{"ridge", {tuning.best().value, 0.0}},
                             {"least ridge tried", {tuning.candidates.front().value, 0.0}},
                             {"largest ridge tried", {tuning.candidates.back().value, 0.0}}}};
          }};
}

ClaimRule all_below(std::string id, ClaimBy whose, std::string sentence, std::vector<BoundedNumber> numbers) {
  return {std::move(id), whose, std::move(sentence), [numbers = std::move(numbers)](const Results& results) {
            Decision decision{Verdict::holds, {}};
            for (const auto& [name, number, bound] : numbers) {
              const Estimate value = number(results);
              decision.numbers.push_back({name, value});
              if (!clearly_below(value, bound)) decision.verdict = Verdict::fails;
            }
            return decision;
          }};
}

}  // namespace inkling::bench
