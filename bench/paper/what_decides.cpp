#include "bench/paper/figures.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/paper/duel.hpp"
#include "bench/studies/synthetic_study.hpp"
#include "bench/studies/trial_measures.hpp"
#include "bench/studies/figure_parts.hpp"
#include "engine/core/portable_math.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kRounds = 4096;
constexpr std::int32_t kRelevant = 5;

/// Whether a setting changes anything for a policy that sees no marks.
enum class OfulPlays { itself, as_in_the_centre };

/// One setting that varies while the others stay as in `sparse`, the centre of all axes.
struct VariedSetting {
  std::string name;  ///< of its chart and studies
  std::string title;
  std::string label;
  std::string symbol;
  std::vector<double> values;  ///< ascending
  OfulPlays oful;
  double (*centre)(const WorldOptions&);
  void (*set)(WorldOptions&, double);
};

std::vector<VariedSetting> varied_settings() {
  return {{"noise",
           "Noise of the rewards",
           "noise (R)",
           "R",
           {0.05, 0.1, 0.2, 0.5, 1.0, 2.0},
           OfulPlays::itself,
           [](const WorldOptions& options) { return options.noise; },
           [](WorldOptions& options, double value) { options.noise = value; }},
          {"marks",
           "How readily words are marked",
           "probability of a mark (p)",
           "p",
           {0.02, 0.05, 0.1, 0.2, 0.5, 1.0},
           OfulPlays::as_in_the_centre,
           [](const WorldOptions& options) { return options.mark_probability; },
           [](WorldOptions& options, double value) { options.mark_probability = value; }},
          {"documents",
           "Size of the pool",
           "documents (N)",
           "N",
           {100.0, 300.0, 1000.0, 3000.0, 10000.0},
           OfulPlays::itself,
           [](const WorldOptions& options) { return static_cast<double>(options.pool.documents); },
           [](WorldOptions& options, double value) {
             options.pool.documents = static_cast<std::int32_t>(value);
           }},
          {"relevant",
           "Words that matter",
           "relevant words (k) of 40",
           "k",
           {1.0, 2.0, 5.0, 10.0, 20.0, 40.0},
           OfulPlays::itself,
           [](const WorldOptions& options) { return static_cast<double>(options.relevant); },
           [](WorldOptions& options, double value) { options.relevant = static_cast<std::int32_t>(value); }}};
}

/// A point of an axis and the studies that hold its results; study 0 is the centre.
struct VariedPoint {
  double x;
  std::size_t marked;
  std::size_t oful;
};

struct Plan {
  std::vector<Study> studies;
  std::vector<std::vector<VariedPoint>> points;  // by varied setting
};

Plan plan_of(const PaperSettings& settings) {
  const std::int64_t rounds = settings.horizon(kRounds);
  const WorldOptions centre = synthetic_options(settings, kRelevant);
  Plan plan{{duel_study(settings, "centre", centre, rounds)}, {}};
  for (const VariedSetting& varied : varied_settings()) {
    std::vector<VariedPoint>& points = plan.points.emplace_back();
    points.push_back({varied.centre(centre), 0, 0});
    for (const double value : varied.values) {
      if (value == varied.centre(centre)) continue;
      WorldOptions options = centre;
      varied.set(options, value);
      const std::size_t number = plan.studies.size();
      Study study = duel_study(settings, fmt::format("{}-{}", varied.name, value), options, rounds);
      if (varied.oful == OfulPlays::as_in_the_centre) study.entrants.pop_back();
      plan.studies.push_back(std::move(study));
      points.push_back({value, number, varied.oful == OfulPlays::itself ? number : 0});
    }
    std::ranges::sort(points, {}, &VariedPoint::x);
  }
  return plan;
}

/// One varied setting with its outcome.
struct Outcome {
  std::vector<double> x;
  std::vector<Estimate> ratio;
  std::vector<std::vector<std::string>> cells;
};

Outcome outcome_of(const std::vector<VariedPoint>& points, const std::vector<StudyResult>& results) {
  Outcome outcome;
  for (const VariedPoint& point : points) {
    const EntrantResult& marked = results[point.marked].of("ff-oful");
    const EntrantResult& oful = results[point.oful].of("oful");
    outcome.x.push_back(point.x);
    outcome.ratio.push_back(duel_ratio(marked, oful));
    outcome.cells.push_back(duel_cells(marked, oful));
  }
  return outcome;
}

/// " at R = 0.1, 0.2" of the points that are so, "" where none is.
std::string where(const VariedSetting& varied, const Outcome& outcome,
                  bool (*is_so)(const Estimate&, double)) {
  std::vector<double> x;
  for (std::size_t n = 0; n < outcome.x.size(); ++n) {
    if (is_so(outcome.ratio[n], 1.0)) x.push_back(outcome.x[n]);
  }
  return x.empty() ? "" : fmt::format(" at {} = {}", varied.symbol, fmt::join(x, ", "));
}

std::string outcome_text(const VariedSetting& varied, const Outcome& outcome) {
  const std::string less = where(varied, outcome, clearly_below);
  const std::string more = where(varied, outcome, clearly_above);
  std::string text =
      less.empty() ? "clearly less regret than OFUL nowhere" : "clearly less regret than OFUL" + less;
  if (!more.empty()) text += ", clearly more" + more;
  std::vector<double> means;
  means.reserve(outcome.ratio.size());
  for (const Estimate& ratio : outcome.ratio) means.push_back(ratio.mean);
  if (const std::optional<double> x = crossing_of_one(outcome.x, means)) {
    text += fmt::format("; the line crosses 1 at about {} = {:.2g}", varied.symbol, *x);
  }
  return text;
}

/// The paper tells one thing of its noise, if in a roundabout way: which ridge suited OFUL.
std::string paper_ridge_text(const Outcome& noise) {
  const std::string ridge = ridge_text(1.0 / 32.0);
  for (std::size_t n = 0; n < noise.x.size(); ++n) {
    if (noise.cells[n].front() == ridge) {
      return fmt::format(" OFUL's best ridge is {}, as in the paper, at R = {}.", ridge, noise.x[n]);
    }
  }
  return "";
}

FigureChart chart_of(const VariedSetting& varied, const Outcome& outcome, std::string suffix) {
  Series series{.name = "ff-oful over oful", .x = {}, .y = {}};
  for (std::size_t n = 0; n < outcome.x.size(); ++n) add_point(series, outcome.x[n], outcome.ratio[n]);
  return {std::move(suffix), duel_chart(varied.title, varied.label, {std::move(series)}),
          fmt::format("Below 1 marks help. FF-OFUL has {}.", outcome_text(varied, outcome))};
}

FigureTable table_of(const VariedSetting& varied, const Outcome& outcome) {
  FigureTable table{.line = varied.title, .head = duel_head(), .rows = {}};
  table.head.insert(table.head.begin(), varied.label);
  for (std::size_t n = 0; n < outcome.x.size(); ++n) {
    table.rows.push_back(outcome.cells[n]);
    table.rows.back().insert(table.rows.back().begin(), fmt::format("{}", outcome.x[n]));
  }
  return table;
}

/// That the improvement is dramatic where k is much less than d, and gone where it is not.
Claim sparsity_claim(const Outcome& relevant) {
  const Estimate fewest = relevant.ratio.front();
  const Estimate most = relevant.ratio.back();
  const Estimate difference{most.mean - fewest.mean, std::hypot(most.standard_error, fewest.standard_error)};
  Claim claim{
      .id = "advantage-shrinks-with-k",
      .sentence = "FF-OFUL's advantage over tuned OFUL is the greater the fewer of the 40 words matter.",
      .verdict = clearly_above(difference, 0.0) ? Verdict::holds : Verdict::fails,
      .numbers = {}};
  for (std::size_t n = 0; n < relevant.x.size(); ++n) {
    claim.numbers.push_back(
        {fmt::format("ratio of the regrets at k = {}", relevant.x[n]), relevant.ratio[n]});
  }
  if (claim.verdict == Verdict::fails) {
    claim.why = fmt::format("The ratio at k = {} does not differ clearly from that at k = {}.",
                            relevant.x.front(), relevant.x.back());
  }
  return claim;
}

std::vector<Study> studies_of(const PaperContext& context) { return plan_of(context.settings).studies; }

FigureReport report_of(const PaperContext& context, const std::vector<StudyResult>& results) {
  const Plan plan = plan_of(context.settings);
  const std::vector<VariedSetting> settings = varied_settings();
  FigureReport report;
  report.paragraph = fmt::format(
      "On what does it depend whether marks help? One setting of the sparse experiment varies at a time, the "
      "others stay (noise {}, p = {}, 1,000 documents, 5 of 40 words matter, {} rounds; there FF-OFUL's "
      "regret is {} times that of tuned OFUL). FF-OFUL has:",
      context.settings.noise, context.settings.mark_probability,
      digit_groups(results.front().entrants.front().entrant.options.rounds),
      estimate_text(duel_ratio(results.front().of("ff-oful"), results.front().of("oful"))));
  report.settings =
      synthetic_settings(context, results.front(), synthetic_options(context.settings, kRelevant));
  report.settings.emplace_back("method", duel_method(plan.studies.front()));
  for (std::size_t n = 0; n < settings.size(); ++n) {
    const Outcome outcome = outcome_of(plan.points[n], results);
    report.paragraph += fmt::format(" {}: {}.", settings[n].title, outcome_text(settings[n], outcome));
    if (settings[n].name == "noise") report.paragraph += paper_ridge_text(outcome);
    report.charts.push_back(chart_of(settings[n], outcome, n == 0 ? "" : settings[n].name));
    report.tables.push_back(table_of(settings[n], outcome));
    if (settings[n].name == "relevant") report.claims.push_back(sparsity_claim(outcome));
  }
  return report;
}

}  // namespace

std::optional<double> crossing_of_one(std::span<const double> x, std::span<const double> y) {
  for (std::size_t n = 1; n < x.size(); ++n) {
    const double before = y[n - 1] - 1.0;
    const double after = y[n] - 1.0;
    if ((before < 0.0) == (after < 0.0) || !(x[n - 1] > 0.0)) continue;
    const double share = before / (before - after);
    return x[n - 1] * exponential(share * natural_log(x[n] / x[n - 1]));
  }
  return std::nullopt;
}

Figure what_decides_figure() {
  return {.name = "what-decides",
          .title = "What decides whether marks help",
          .paper_place = "Not in the paper: around the synthetic experiment with sparse theta*",
          .studies = studies_of,
          .report = report_of};
}

}  // namespace inkling::bench
