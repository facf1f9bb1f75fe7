#include "bench/paper/output/paper_page.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/paper/output/figure_files.hpp"
#include "bench/paper/output/summary_json.hpp"
#include "bench/paper/report_parts.hpp"
#include "bench/report/html_page.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::string_view kLeftOutAnchor = "left-out";

HtmlPage::Tone tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return HtmlPage::Tone::good;
    case Verdict::fails:
      return HtmlPage::Tone::bad;
    case Verdict::not_comparable:
      break;
  }
  return HtmlPage::Tone::neutral;
}

std::string anchor_of(const Figure& figure) { return fmt::format("figure-{}", figure.name); }

std::string counted(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", digit_groups(count), thing, count == 1 ? "" : "s");
}

std::string duration_text(double seconds) {
  constexpr double minute = 60.0;
  constexpr double hour = 3600.0;
  if (seconds < minute) return fmt::format("{:.1f} s", seconds);
  if (seconds < hour) return fmt::format("{:.1f} minutes", seconds / minute);
  return fmt::format("{:.1f} hours", seconds / hour);
}

HtmlPage::Table table_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
  HtmlPage::Table table{.head = {}, .rows = {}, .first_number = 2};
  for (const auto& [name, value] : pairs) table.rows.push_back({name, value});
  return table;
}

std::string summary_of(const PaperRun& run) {
  return fmt::format("{} {} with {} and up to {} each.", run.programme->introduction,
                     counted(run.figures.size(), "figure"), counted(count_verdicts(run).all(), "claim"),
                     counted(static_cast<std::size_t>(run.settings.trials), "trial"));
}

void add_conditions(HtmlPage& page, const PaperRun& run) {
  if (run.settings.effort == PaperEffort::quick) {
    page.paragraph(
        "This was a quick run, with few trials, every other ridge and a quarter of each horizon: it shows "
        "the shapes and not the figures, and a claim may fail here that holds in a full run.");
  }
  if (run.settings.rounds) {
    page.paragraph(fmt::format("Every figure was run over {} rounds in place of its own horizon.",
                               digit_groups(*run.settings.rounds)));
  }
  if (run.left_out.empty()) return;
  page.paragraph(fmt::format("{} {} left out; why, and what to do about it, stands near the end.",
                             counted(run.left_out.size(), "figure"),
                             run.left_out.size() == 1 ? "was" : "were"));
}

void add_claims(HtmlPage& page, const PaperRun& run) {
  const VerdictCounts counts = count_verdicts(run);
  page.tallies({{HtmlPage::Tone::good, counts.holds, counts.holds == 1 ? "claim holds" : "claims hold"},
                {HtmlPage::Tone::bad, counts.fails, counts.fails == 1 ? "does not hold" : "do not hold"},
                {HtmlPage::Tone::neutral, counts.not_comparable, "cannot be compared"}});
  add_conditions(page, run);
  page.heading("All claims", "claims");
  std::vector<HtmlPage::StatementRow> rows;
  for (const FigureOutcome& outcome : run.figures) {
    for (const Claim& claim : outcome.report.claims) {
      rows.push_back({tone_of(claim.verdict),
                      std::string(verdict_text(claim.verdict)),
                      claim.sentence,
                      {std::string(outcome.figure->name), anchor_of(*outcome.figure)}});
    }
  }
  page.statement_table(rows);
  page.note(
      "A mean is followed by ± its standard error over the trials; bands and bars in the charts are 95 %, "
      "1.96 standard errors to each side. All policies of a comparison met the same worlds and the same "
      "draws, "
      "so the error of a difference is that of the differences trial by trial.");
}

std::string tally_of(const FigureReport& report) {
  const VerdictCounts counts = count_verdicts(report);
  if (counts.all() == 0) return "";
  if (counts.holds == counts.all()) return fmt::format("✓ {}", counts.holds);
  std::string text = fmt::format("✓ {} of {}", counts.holds, counts.all());
  if (counts.fails > 0) text += fmt::format(", ✗ {}", counts.fails);
  if (counts.not_comparable > 0) text += fmt::format(", ○ {}", counts.not_comparable);
  return text;
}

void add_contents(HtmlPage& page, const PaperRun& run) {
  page.heading("Figures", "figures");
  std::vector<HtmlPage::Link> links;
  links.reserve(run.figures.size() + 2);
  for (const FigureOutcome& outcome : run.figures) {
    links.push_back(
        {std::string(outcome.figure->title), anchor_of(*outcome.figure), tally_of(outcome.report)});
  }
  if (!run.left_out.empty()) {
    links.push_back({"Left out", std::string(kLeftOutAnchor), counted(run.left_out.size(), "figure")});
  }
  links.push_back({"The machine and the command", "machine"});
  page.contents(links);
}

void add_report_claims(HtmlPage& page, const FigureReport& report) {
  if (report.claims.empty()) return;
  std::vector<HtmlPage::Statement> statements;
  for (const Claim& claim : report.claims) {
    HtmlPage::Statement statement{tone_of(claim.verdict), std::string(verdict_text(claim.verdict)),
                                  claim.sentence};
    for (const Measurement& number : claim.numbers) {
      statement.numbers.emplace_back(number.name, estimate_text(number.value));
    }
    statement.remark = claim.why;
    statements.push_back(std::move(statement));
  }
  page.statements(statements);
}

void add_table(HtmlPage& page, const FigureTable& table) {
  const HtmlPage::Table shown = {table.head, table.rows, table.first_number};
  if (table.view == TableView::folded) {
    page.folded_table(table.line, shown);
    return;
  }
  page.subheading(table.line);
  page.table(shown);
}

void add_figure(HtmlPage& page, const FigureOutcome& outcome) {
  const Figure& figure = *outcome.figure;
  page.heading(figure.title, anchor_of(figure));
  page.note(fmt::format("{} · {} · {}", figure.paper_place, figure.name, duration_text(outcome.seconds)));
  page.paragraph(outcome.report.paragraph);
  std::vector<HtmlPage::Figure> charts;
  charts.reserve(outcome.report.charts.size());
  for (const FigureChart& chart : outcome.report.charts) {
    charts.push_back({printable(chart.chart), chart.caption});
  }
  if (!charts.empty()) page.figures(charts);
  add_report_claims(page, outcome.report);
  for (const FigureTable& table : outcome.report.tables) add_table(page, table);
  if (!outcome.report.settings.empty()) page.folded_table("Settings", table_of(outcome.report.settings));
  if (!charts.empty()) page.note(fmt::format("The points of these charts are in {}.csv.", figure.name));
}

void add_left_out(HtmlPage& page, const PaperRun& run) {
  if (run.left_out.empty()) return;
  page.heading("Left out", kLeftOutAnchor);
  page.paragraph("These figures were asked for and have not been run.");
  for (const LeftOut& left_out : run.left_out) {
    page.subheading(left_out.figure->title);
    page.note(fmt::format("{} · {}", left_out.figure->paper_place, left_out.figure->name));
    page.paragraph(fmt::format("{} {}", left_out.why, left_out.remedy));
  }
}

}  // namespace

std::string paper_page(const PaperRun& run) {
  HtmlPage page(run.programme->title, summary_of(run));
  add_claims(page, run);
  add_contents(page, run);
  for (const FigureOutcome& outcome : run.figures) add_figure(page, outcome);
  add_left_out(page, run);
  page.heading("The machine and the command", "machine");
  page.table(table_of(run.machine));
  page.code(run.command);
  page.note(fmt::format("All of it took {}. The claims are in summary.json too, for programs.",
                        duration_text(run.seconds)));
  return page.text();
}

}  // namespace inkling::bench
