// The page of a scaling study: what each curve means, in words that need no other document.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/report/html_page.hpp"
#include "bench/speed/scale_report.hpp"
#include "io/cli/byte_size.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr double kMicro = 1e6;

std::string_view meaning_of(ScaleAxis axis) {
  switch (axis) {
    case ScaleAxis::documents:
      return "A full scan looks at every document in every round, so its line has slope 1: ten times the "
             "documents, ten times the time. The sublinear choice keeps a bound on how far any score can "
             "have "
             "moved and looks only at documents that could still win; the lower its slope, the larger the "
             "pool that one can search while somebody waits.";
    case ScaleAxis::features:
      return "The vocabulary grows, the words that matter stay as many. Nothing here holds a matrix of "
             "features by features, so a round should not notice how many words there are.";
    case ScaleAxis::relevant:
      return "The words that matter grow in number. The model is a square matrix of them: learning a reward "
             "costs its square, and so does a triangular solve for each document that the plain way makes.";
    case ScaleAxis::length:
      return "Documents become longer. The relevant words are still held by the same shares of the "
             "documents, so "
             "that a document has about as many of them; all its other words should cost a round nothing.";
    case ScaleAxis::threads:
      return "The same round on more threads. Running scores share a pool's documents out; a sublinear round "
             "mostly has too little work to share. The plain way is written for one thread.";
    case ScaleAxis::rounds:
      break;
  }
  return "The longer a search runs, the more documents are played. The model never grows with them, so a "
         "round "
         "should cost the same at the end as at the beginning; where features are found on the way, early "
         "rounds are cheap because there is little to score yet.";
}

std::string caption_of(const std::vector<GrowthCurve>& curves, ScaleQuantity quantity,
                       std::optional<Discovery> discovery) {
  std::string caption = "Exponents: ";
  bool first = true;
  for (const GrowthCurve& curve : curves) {
    if (curve.quantity != quantity || (discovery && curve.discovery != *discovery)) continue;
    if (!discovery && curve.scoring != Scoring::sublinear) continue;
    caption += fmt::format("{}{} {}", first ? "" : ", ",
                           discovery ? scoring_name(curve.scoring) : name_of(curve.discovery),
                           exponent_text(curve.law));
    first = false;
  }
  return caption + ".";
}

std::vector<HtmlPage::Figure> figures_of(const AxisStudy& study) {
  const std::vector<GrowthCurve> curves = growth_curves(study);
  std::vector<ScaleChart> charts = scale_charts(study);
  return {
      {std::move(charts[0].chart), caption_of(curves, ScaleQuantity::mean_time, Discovery::marked)},
      {std::move(charts[1].chart), caption_of(curves, ScaleQuantity::mean_time, Discovery::given)},
      {std::move(charts[2].chart), caption_of(curves, ScaleQuantity::scored, std::nullopt)},
  };
}

HtmlPage::Table cells_table(const AxisStudy& study) {
  HtmlPage::Table table{.head = {std::string(axis_label(study.axis)), "policy", "scoring", "rounds",
                                 "of them timed", "median µs", "mean µs", "rounds/s", "scored a round",
                                 "features found", "peak memory", "other choices than sublinear"},
                        .rows = {},
                        .first_number = 3};
  for (const MeasuredPoint& measured : study.points) {
    for (const ScaleCell& cell : measured.cells) {
      table.rows.push_back(
          {digit_groups(value_at(measured.point, study.axis)), std::string(name_of(cell.discovery)),
           std::string(scoring_name(cell.scoring)), digit_groups(cell.rounds), digit_groups(cell.times.count),
           fmt::format("{:.1f}", cell.times.median * kMicro), fmt::format("{:.1f}", cell.times.mean * kMicro),
           rate_text(cell.times.mean), digit_groups(static_cast<std::uint64_t>(cell.scored_a_round)),
           fmt::format("{}", cell.features_found), cell.peak_bytes ? byte_size_text(*cell.peak_bytes) : "-",
           cell.differences ? fmt::format("{}", *cell.differences) : ""});
    }
  }
  return table;
}

HtmlPage::Table exponents_table(const std::vector<AxisStudy>& studies) {
  HtmlPage::Table table{
      .head = {"a round against", "policy", "scoring", "mean time", "median time", "documents scored"},
      .rows = {},
      .first_number = 3};
  for (const AxisStudy& study : studies) {
    const std::vector<GrowthCurve> curves = growth_curves(study);
    for (std::size_t n = 0; n + 2 < curves.size(); n += 3) {
      table.rows.push_back({std::string(axis_label(study.axis)), std::string(name_of(curves[n].discovery)),
                            std::string(scoring_name(curves[n].scoring)), exponent_text(curves[n].law),
                            exponent_text(curves[n + 1].law), exponent_text(curves[n + 2].law)});
    }
  }
  return table;
}

/// The largest pool in which the choices were compared, and how often they differed anywhere.
std::string choices_sentence(const std::vector<AxisStudy>& studies) {
  std::int64_t differences = 0;
  std::int64_t compared = 0;
  std::int64_t scans = 0;
  for (const AxisStudy& study : studies) {
    for (const MeasuredPoint& measured : study.points) {
      for (const ScaleCell& cell : measured.cells) {
        differences += cell.differences.value_or(0);
        if (cell.differences) compared += cell.scoring == Scoring::running ? cell.rounds : cell.times.count;
        if (!cell.check) continue;
        differences += cell.check->differences;
        scans += cell.check->compared;
      }
    }
  }
  std::string text = fmt::format(
      "All three ways are exact and choose the same document. Here {} rounds of running scores and of "
      "rescoring were compared with the sublinear choice",
      digit_groups(compared));
  if (scans > 0)
    text += fmt::format(", and {} rounds with a scan of every document from nothing", digit_groups(scans));
  return text +
         fmt::format("; {} chose another document.", differences == 0 ? "none" : digit_groups(differences));
}

std::string point_sentence(const AxisStudy& study) {
  const ScalePoint& point = study.points.front().point;
  std::string text = "The rest stays: ";
  const auto add = [&](ScaleAxis axis, const std::string& part) {
    if (study.axis != axis) text += (text.ends_with(' ') ? "" : ", ") + part;
  };
  add(ScaleAxis::documents, fmt::format("{} documents", digit_groups(point.documents)));
  add(ScaleAxis::features, fmt::format("{} features", digit_groups(point.features)));
  add(ScaleAxis::relevant, fmt::format("{} relevant ones", point.relevant));
  add(ScaleAxis::length, fmt::format("{} words a document", point.tokens));
  add(ScaleAxis::rounds, fmt::format("up to {} rounds", digit_groups(study.points.back().point.rounds)));
  add(ScaleAxis::threads, fmt::format("{} thread{}", point.threads, point.threads == 1 ? "" : "s"));
  return text + ".";
}

void add_reading(HtmlPage& page, const std::vector<AxisStudy>& studies, const StudyFacts& facts) {
  page.heading("How to read the curves");
  page.paragraph(
      "Both axes of every chart are logarithmic, so a power law is a straight line, and its slope is the "
      "exponent that was fitted (least squares in the logarithms, with its standard error). With exponent 1 "
      "a "
      "cost doubles when what grows doubles; with 0 it stays. Lower lines are faster.");
  HtmlPage::Table ways{.head = {"curve", "how the best document is found"}, .rows = {}, .first_number = 2};
  ways.rows = {{"sublinear", "only documents that could win are scored; the others are bounded"},
               {"running", "every document's score is kept exact by one sparse product a reward"},
               {"rescoring", "the plain way: a triangular solve for every document in every round"}};
  page.table(ways);
  page.paragraph(choices_sentence(studies));
  page.note(fmt::format(
      "Pools are text-like: Zipf words with exponent 1.07, lognormal lengths, TF-IDF rows of unit length. "
      "Relevant features are drawn among those that {:g} % to {:g} % of the documents hold; each document "
      "has "
      "one reward, 10 x·θ* plus noise of 0.1, and is shown once. Means count everything, births of features "
      "and new snapshots too. Rescoring is timed in rounds spread evenly over the run, for about {:g} s, "
      "three rounds at least; the table says how many. Memory is the process's peak, the pool included.",
      facts.options.frequency.low * 100, facts.options.frequency.high * 100,
      facts.options.rescoring_seconds));
}

}  // namespace

std::string scale_page(const std::vector<AxisStudy>& studies, const StudyFacts& facts) {
  HtmlPage page("How a round of Inkling scales",
                "A round is one choice among all documents that remain, and one reward learned. Each chart "
                "makes one thing larger and keeps the rest.");
  if (!facts.complete) page.note("The study was interrupted; this is what it had measured until then.");
  add_reading(page, studies, facts);
  for (const AxisStudy& study : studies) {
    if (study.points.empty()) continue;
    page.heading(fmt::format("Against {}", axis_label(study.axis)));
    page.paragraph(meaning_of(study.axis));
    page.note(point_sentence(study));
    page.figures(figures_of(study));
    page.folded_table("The numbers", cells_table(study));
  }
  page.heading("All exponents");
  page.table(exponents_table(studies));
  page.heading("The machine");
  HtmlPage::Table machine;
  for (const auto& [name, value] : rows_of(facts.machine)) machine.rows.push_back({name, value});
  machine.first_number = 2;
  page.table(machine);
  page.note(fmt::format("Made by: {}", facts.command));
  return page.text();
}

}  // namespace inkling::bench
