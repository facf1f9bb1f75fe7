#include "io/search/service/report_page.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/build_info.hpp"

namespace inkling {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ground: #f7f5f0; --paper: #fffefb; --line: #d5cfc1; --ink: #23252b; --quiet: #5e5f66; --accent: #34509c; --wash: #e9edf8; }
@media (prefers-color-scheme: dark) { :root { --ground: #15171b; --paper: #1c1f24; --line: #414854; --ink: #e6e3dc; --quiet: #a6a9b1; --accent: #a3b8f5; --wash: #252c42; } }
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0 auto; max-width: 58rem; padding: 3rem 1.5rem 4rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 Inter, 'Segoe UI', Roboto, 'Helvetica Neue', 'Liberation Sans', Arial, sans-serif; overflow-wrap: anywhere; }
h1, h2, h3, p, ul, dl, dd, figure { margin: 0; padding: 0; }
h1, h2 { font-family: Charter, 'Bitstream Charter', 'Iowan Old Style', 'Palatino Linotype', 'Liberation Serif', Georgia, serif; font-weight: 600; letter-spacing: -.01em; }
h1 { font-size: 2rem; line-height: 1.2; }
h2 { font-size: 1.375rem; line-height: 1.3; margin: 3rem 0 .75rem; }
ul { list-style: none; }
header .question { font-size: 1.125rem; margin-top: .5rem; }
.quiet { color: var(--quiet); }
.small { font-size: .875rem; }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.glance { display: grid; grid-template-columns: repeat(4, 1fr); gap: 1px; margin-top: 2rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--line); overflow: hidden; }
.glance div { padding: .875rem 1rem; background: var(--paper); display: flex; flex-direction: column-reverse; }
.glance dd { font-size: 1.75rem; line-height: 1.2; font-weight: 600; }
.stage { display: grid; grid-template-columns: 2rem minmax(0, 1fr); gap: 0 1rem; }
.between { padding-left: 3rem; }
.after { margin-top: .75rem; }
.stage > h3 { writing-mode: vertical-rl; transform: rotate(180deg); text-align: center; padding: .5rem 0; border-radius: .375rem; background: var(--wash); color: var(--accent); font-size: .875rem; line-height: 2rem; }
.step { display: grid; grid-template-columns: minmax(0, 1fr) 2.5rem minmax(0, 1fr); align-items: start; }
.box { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .375rem; background: var(--paper); }
.box > ul { margin-top: .375rem; font-size: .875rem; }
.box li { display: flex; justify-content: space-between; gap: 1rem; }
.box li li { padding-inline-start: 1rem; }
.head { display: flex; justify-content: space-between; gap: 1rem; font-weight: 600; }
.arrow { display: block; stroke: var(--quiet); fill: none; stroke-width: 1.5; }
.step > .arrow { width: 2.5rem; height: 1.5rem; margin-top: .75rem; }
.down { width: 1.5rem; height: 2rem; margin: .125rem 0 .125rem calc((100% - 2.5rem) / 4 - .75rem); }
.curve { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .375rem .625rem; padding: 1.25rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--paper); }
.curve .up { writing-mode: vertical-rl; transform: rotate(180deg); text-align: center; grid-row: 1; align-self: stretch; }
.curve .plot { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 .5rem; }
.curve .scale { display: flex; flex-direction: column; justify-content: space-between; text-align: end; line-height: 1; }
.curve svg { width: 100%; height: 16rem; border: solid var(--line); border-width: 0 0 1px 1px; overflow: visible; }
.curve .under { grid-column: 2; display: flex; justify-content: space-between; gap: 1rem; }
.curve polyline { fill: none; stroke: var(--accent); stroke-width: 2; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.curve .random { stroke: var(--quiet); stroke-width: 1.5; stroke-dasharray: 5 4; }
.key { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin-top: .75rem; }
.key span::before { content: ''; display: inline-block; width: 1.5rem; margin-inline-end: .5rem; border-top: 2px solid var(--accent); vertical-align: .25em; }
.key .random::before { border-top: 2px dashed var(--quiet); }
.rule { margin: .5rem 0; }
.rule li { padding-inline-start: 1.5rem; text-indent: -1.5rem; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; background: var(--paper); }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { padding: .5rem .875rem; text-align: end; vertical-align: top; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th:first-child { text-align: start; font-weight: 400; min-width: 9rem; overflow-wrap: anywhere; }
thead th, thead th:first-child { font-weight: 600; border-bottom: 1px solid var(--line); vertical-align: bottom; }
tbody tr + tr > * { border-top: 1px solid var(--line); }
tfoot th:first-child, tfoot td { font-weight: 600; border-top: 2px solid var(--line); }
.facts { display: grid; grid-template-columns: minmax(7rem, auto) minmax(0, 1fr); gap: .375rem 1.5rem; }
.facts dt { color: var(--quiet); }
p + p { margin-top: .5rem; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
@media (max-width: 40rem) {
  body { padding: 1.5rem 1rem 3rem; }
  h1 { font-size: 1.625rem; }
  .glance { grid-template-columns: 1fr 1fr; }
  .stage { grid-template-columns: minmax(0, 1fr); gap: .5rem; }
  .stage > h3 { writing-mode: initial; transform: none; padding: 0; }
  .step { grid-template-columns: 1.5rem minmax(0, 1fr); row-gap: .5rem; }
  .step > .box:first-child { grid-column: 1 / -1; }
  .step > .arrow { width: 1.5rem; }
  .between { padding: 0; }
  .down { margin-left: 1.5rem; height: 1.5rem; }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .facts dd { margin-bottom: .5rem; }
  .curve { padding: .875rem; }
  .curve svg { height: 12rem; }
}
@media print {
  :root { color-scheme: light; --ground: #fff; --paper: #fff; --line: #999; --ink: #000; --quiet: #444; --accent: #1d3c8f; --wash: #e9edf8; }
  @page { size: A4; margin: 16mm; }
  body { padding: 0; max-width: none; font-size: 10pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  h2 { margin-top: 1.75rem; break-after: avoid; }
  .box, .curve, .step, tr, .glance { break-inside: avoid; }
}
)";
constexpr std::string_view kArrowRight =
    R"(<svg class="arrow" viewBox="0 0 40 24" preserveAspectRatio="xMaxYMid slice" aria-hidden="true"><path d="M0 12H37M31 7l6 5-6 5"/></svg>)";
constexpr std::string_view kArrowDown =
    R"(<svg class="arrow down" viewBox="0 0 24 32" preserveAspectRatio="xMidYMax slice" aria-hidden="true"><path d="M12 0V29M7 23l5 6 5-6"/></svg>)";
// Between two stages, below their boxes and not below their names.
constexpr std::string_view kArrowBetween =
    R"(<div class="between"><svg class="arrow down" viewBox="0 0 24 32" preserveAspectRatio="xMidYMax slice" aria-hidden="true"><path d="M12 0V29M7 23l5 6 5-6"/></svg></div>)";
constexpr std::size_t kLinesInBox = 12;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char letter : visible_text(text)) {
    switch (letter) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += letter;
    }
  }
  return out;
}

// A text that a person wrote, within a sentence of ours.
std::string own(std::string_view text) { return "<bdi>" + escaped(text) + "</bdi>"; }

std::string number(std::int64_t count) { return "<span class=\"number\">" + digit_groups(count) + "</span>"; }

std::string in_brackets(std::int64_t count) { return "<span class=\"number\">(n = " + digit_groups(count) + ")</span>"; }

// A line of a box; the label is HTML.
struct BoxLine {
  std::string label;
  std::int64_t count = 0;
};

std::string line_in_list(const BoxLine& line) {
  return fmt::format("<li><span>{}</span> {}</li>", line.label, in_brackets(line.count));
}

// Beyond so many lines the rest are one.
std::string list_of(std::span<const BoxLine> lines) {
  if (lines.empty()) return {};
  std::string text = "<ul>";
  const std::size_t shown = lines.size() <= kLinesInBox ? lines.size() : kLinesInBox - 1;
  for (const BoxLine& line : lines.first(shown)) text += line_in_list(line);
  BoxLine rest = {fmt::format("{} more, in a table below", lines.size() - shown)};
  for (const BoxLine& line : lines.subspan(shown)) rest.count += line.count;
  if (shown < lines.size()) text += line_in_list(rest);
  return text + "</ul>";
}

std::string box(std::string_view head, std::int64_t count, std::span<const BoxLine> lines = {}) {
  return fmt::format(R"(<div class="box"><p class="head"><span>{}</span> {}</p>{}</div>)", head, in_brackets(count), list_of(lines));
}

std::string step(const std::string& main, const std::string& aside = {}) {
  return fmt::format(R"(<div class="step">{}{}{}</div>)", main, aside.empty() ? "" : kArrowRight, aside);
}

std::string stage(std::string_view name, std::initializer_list<std::string> steps) {
  std::string text = fmt::format("<div class=\"stage\"><h3>{}</h3><div>", name);
  for (const std::string& one : steps) text += (&one == steps.begin() ? std::string() : std::string(kArrowDown)) + one;
  return text + "</div></div>";
}

void keep_counted(std::vector<BoxLine>& lines) {
  std::erase_if(lines, [](const BoxLine& line) { return line.count == 0; });
}

std::string flow_of(const ReviewReport& report) {
  std::vector<BoxLine> sources;
  for (const ReportSource& source : report.sources)
    if (!source.name.empty() || report.sources.size() > 1) sources.push_back({own(source.shown_name()), source.identified});
  std::vector<BoxLine> removed = {{"Duplicates within one source", report.all.within},
                                  {"Duplicates of other sources", report.all.across},
                                  {"Could not be read", report.all.left_out}};
  std::vector<BoxLine> unread = {{"Two readers have them", report.with_readers},
                                 {"Put off for later", report.put_off},
                                 {"Not in the part of this reader", report.outside}};
  const std::int64_t stopped = report.not_screened - report.with_readers - report.put_off - report.outside;
  unread.insert(unread.begin(), {report.progress.rule_reached.value_or(false) ? "Reading stopped by the rule" : "Not read", stopped});
  std::vector<BoxLine> reasons;
  for (const TagCount& reason : report.reasons) reasons.push_back({own(reason.tag), reason.documents});
  if (!reasons.empty()) reasons.push_back({"No reason given", report.without_reason});
  std::vector<BoxLine> screened = {{"By people", report.screened.included + report.screened.excluded + report.awaiting -
                                                     report.imported.included - report.imported.excluded},
                                   {"By labels that came with the records", report.imported.included + report.imported.excluded},
                                   {"Of these, two readers differ, not decided", report.awaiting}};
  for (std::vector<BoxLine>* const lines : {&removed, &unread, &reasons, &screened}) keep_counted(*lines);
  return R"(<section><h2>Flow of records</h2>)" +
         stage("Identification", {step(box("Records identified", report.all.identified, sources),
                                       box("Removed before screening",
                                           report.all.within + report.all.across + report.all.left_out, removed))}) +
         std::string(kArrowBetween) +
         stage("Screening", {step(box("Records to screen", report.records), box("Not screened", report.not_screened, unread)),
                             step(box("Records screened", report.all_screened(), screened),
                                  box("Excluded", report.screened.excluded, reasons))}) +
         std::string(kArrowBetween) + stage("Included", {step(box("Records included", report.screened.included))}) +
         (report.separated > 0 ? fmt::format(R"(<p class="small quiet after">{} taken apart from a record of the same text, and counted as {}.</p>)",
                                             counted(report.separated, "duplicate was", "duplicates were"), report.separated == 1 ? "a record" : "records")
                               : std::string()) +
         (report.several_reasons > 0
              ? fmt::format(R"(<p class="small quiet after">{} more than one reason, and {} with each.</p>)",
                            counted(report.several_reasons, "excluded record has", "excluded records have"),
                            report.several_reasons == 1 ? "is counted" : "are counted")
              : std::string()) +
         "</section>";
}

std::string points_of(const ReviewReport& report) {
  const auto [last_read, last_found] = report.curve.back();
  const double width = static_cast<double>(std::max<std::int64_t>(last_read, 1));
  const double height = static_cast<double>(std::max<std::int64_t>(last_found, 1));
  std::string points;
  for (const auto& [read, found] : report.curve)
    points += fmt::format("{:.2f},{:.2f} ", 1000.0 * static_cast<double>(read) / width,
                          1000.0 - 1000.0 * static_cast<double>(found) / height);
  points.pop_back();
  return points;
}

std::string curve_of(const ReviewReport& report) {
  const auto [read, found] = report.curve.back();
  if (read == 0) return "<section><h2>What was found, record by record</h2><p class=\"quiet\">No record has been screened.</p></section>";
  const double share = static_cast<double>(read) / static_cast<double>(std::max<std::int64_t>(report.records, 1));
  return fmt::format(
      R"(<section><h2>What was found, record by record</h2><figure><div class="curve small quiet"><span class="up">included</span>)"
      R"(<div class="plot"><span class="scale"><span>{0}</span><span>0</span></span>)"
      R"(<svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label="Of {1} screened records {0} were included">)"
      R"(<polyline class="random" points="0,1000 1000,{2:.2f}"/><polyline points="{3}"/></svg></div>)"
      R"(<p class="under"><span>0</span><span>records screened, in their order</span><span>{1}</span></p></div>)"
      R"(<figcaption class="key small"><span>in this order</span><span class="random">in random order, if no other record is relevant</span></figcaption></figure></section>)",
      digit_groups(found), digit_groups(read), 1000.0 - 1000.0 * share, points_of(report));
}

std::string certain_of(const ReviewReport& report) {
  const GoodLeft& left = report.progress.left;
  const std::int64_t unread = report.progress.documents - report.progress.rated;
  if (unread == 0) return "<p>Every record has been screened.</p>";
  if (left.draws == 0)
    return fmt::format("<p>No record was drawn at random, so nothing is certain about the {} without an answer.</p>",
                       counted(unread, "record", "records"));
  return fmt::format("<p>Of {} without an answer at most {} {} relevant, with {:g} % confidence. This rests on {} drawn at random, {} of them "
                     "relevant.</p>",
                     counted(unread, "record", "records"), digit_groups(left.at_most), left.at_most == 1 ? "is" : "are",
                     left.confidence * 100.0, counted(left.draws, "record", "records"), digit_groups(report.progress.good_draws));
}

std::string stopping_of(const ReviewReport& report) {
  std::string text = "<section><h2>When to stop</h2>";
  if (report.rule.empty()) {
    text += "<p>No rule for stopping was set.</p>";
  } else {
    text += fmt::format("<p><strong>The rule for stopping is {}</strong>, which asks for {}:</p><ul class=\"rule\">",
                        *report.progress.rule_reached ? "met" : "not met", report.rule.size() == 1 ? "this" : "all of these");
    for (const RuleCondition& condition : report.rule)
      text += fmt::format("<li>{} {} <span class=\"quiet\">({}; {} now)</span></li>", condition.holds ? "✓" : "○",
                          condition_text(condition), condition.holds ? "holds" : "does not hold", digit_groups(condition.now));
    text += "</ul>";
  }
  return text + certain_of(report) + "</section>";
}

// A table whose first column is a name; heads and names are HTML.
std::string table(std::initializer_list<std::string_view> heads, const std::vector<std::vector<std::string>>& rows, bool has_sums) {
  std::string text = R"(<div class="scroll" tabindex="0"><table><thead><tr>)";
  for (const std::string_view head : heads) text += fmt::format("<th scope=\"col\">{}</th>", head);
  text += "</tr></thead><tbody>";
  for (const std::vector<std::string>& row : rows) {
    if (has_sums && &row == &rows.back()) text += "</tbody><tfoot>";
    text += fmt::format("<tr><th scope=\"row\">{}</th>", row.front());
    for (const std::string& cell : std::span(row).subspan(1)) text += "<td>" + cell + "</td>";
    text += "</tr>";
  }
  return text + (has_sums ? "</tfoot></table></div>" : "</tbody></table></div>");
}

std::vector<std::string> source_row(const std::string& name, const ReportSource& source) {
  return {name,
          number(source.identified),
          number(source.left_out),
          number(source.within),
          number(source.across),
          number(source.identified - source.left_out - source.within - source.across)};
}

std::string sources_of(const ReviewReport& report) {
  std::vector<std::vector<std::string>> rows;
  for (const ReportSource& source : report.sources)
    rows.push_back(source_row(own(source.shown_name()) + (source.format.empty() ? "" : fmt::format(" <span class=\"quiet\">({})</span>", escaped(source.format))), source));
  if (rows.size() > 1) rows.push_back(source_row("All", report.all));
  return "<section><h2>Sources</h2>" +
         table({"Source", "Identified", "Not readable", "Duplicates within", "Duplicates of others", "To screen"}, rows,
               report.sources.size() > 1) +
         "</section>";
}

std::string people_of(const ReviewReport& report) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const std::string& name, const ReportCounts& counts) {
    rows.push_back({name, number(counts.included + counts.excluded), number(counts.included), number(counts.excluded)});
  };
  for (const auto& [name, counts] : report.by) add(own(name), counts);
  if (report.imported.included + report.imported.excluded > 0) add("labels that came with the records", report.imported);
  if (rows.empty()) return {};
  if (rows.size() > 1) add("All", report.screened);
  const bool has_sums = rows.size() > 1;
  return "<section><h2>Who decided</h2>" + table({"Who", "Records", "Included", "Excluded"}, rows, has_sums) + "</section>";
}

std::string reasons_of(const ReviewReport& report) {
  if (report.reasons.size() < kLinesInBox) return {};
  std::vector<std::vector<std::string>> rows;
  for (const TagCount& reason : report.reasons) rows.push_back({own(reason.tag), number(reason.documents)});
  if (report.without_reason > 0) rows.push_back({"no reason given", number(report.without_reason)});
  return "<section><h2>Reasons to exclude</h2>" + table({"Reason", "Records"}, rows, false) + "</section>";
}

std::string pair_row_kappa(const PairOfReaders& pair) {
  const std::optional<Kappa> kappa = pair.compared->kappa();
  return kappa ? fmt::format("<span class=\"number\">{:.2f}</span> <span class=\"number quiet\">({:.2f} to {:.2f})</span>", kappa->kappa, kappa->low, kappa->high)
               : std::string("not defined");
}

std::string pairs_of_report(const ReviewReport& report) {
  if (report.pairs.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  for (const PairOfReaders& pair : report.pairs) {
    std::vector<std::string> row = {own(pair.set.readers[0]) + " and " + own(pair.set.readers[1])};
    if (pair.compared) {
      const auto [neither, second, first, both] = pair.compared->counts();
      const std::string decider = pair.set.decider.empty() || pair.decided() == 0 ? "" : " by " + own(pair.set.decider);
      row.insert(row.end(), {number(both + neither + first + second), number(both), number(neither), number(first + second),
                             number(pair.decided()) + decider, pair_row_kappa(pair)});
    } else {
      row.insert(row.end(), 6, "not yet");
    }
    rows.push_back(std::move(row));
  }
  return "<section><h2>Two readers who did not see each other</h2>" +
         table({"Readers", "Read by both", "Both include", "Both exclude", "Differ", "Decided", "Cohen’s κ (95 %)"}, rows, false) +
         "</section>";
}

std::string facts_of_report(const ReviewReport& report) {
  std::string text = "<section><h2>How it was done</h2><dl class=\"facts\">";
  const auto add = [&text](std::string_view name, const std::string& value) {
    text += fmt::format("<dt>{}</dt><dd>{}</dd>", name, value);
  };
  const SessionFacts& facts = report.facts;
  const auto time = [](std::int64_t at_ms) {
    const std::string whole = time_text(at_ms);
    return fmt::format("{} {} UTC", whole.substr(0, 10), whole.substr(11, 5));
  };
  add("Program", fmt::format("Inkling {}", program_version));
  add("Collection", own(facts.fingerprint));
  add("Method", fmt::format("{}, seed {}", own(facts.policy), facts.seed));
  add("Settings", facts.options == "{}" ? "the defaults of this version" : own(facts.options));
  add("Owner", own(facts.owner));
  add("Begun", time(facts.created_ms));
  if (report.last_ms) add("Last event", time(*report.last_ms));
  add("Log", fmt::format("{}, {} taken back", counted(report.events, "event", "events"),
                         counted(report.taken_back, "answer", "answers")));
  add("Words", fmt::format("{} with records, {} apart from any", counted(report.marked_words, "statement", "statements"), digit_groups(report.rated_words)));
  return text + "</dl></section>";
}

std::string glance_of(const ReviewReport& report) {
  std::string text = "<dl class=\"glance\">";
  for (const auto& [name, count] : {std::pair("to screen", report.records), std::pair("screened", report.all_screened()),
                                    std::pair("included", report.screened.included), std::pair("excluded", report.screened.excluded)})
    text += fmt::format("<div><dt class=\"quiet small\">{}</dt><dd>{}</dd></div>", name, number(count));
  return text + "</dl>";
}

}  // namespace

std::string report_page(const ReviewReport& report) {
  const std::string name = report.facts.name.empty() ? std::string("A review") : report.facts.name;
  std::string text = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">";
  text += fmt::format("<title>{}</title><style>{}</style></head><body><header><h1 dir=\"auto\">{}</h1>", escaped(name), kStyle, escaped(name));
  if (!report.question.empty()) text += fmt::format("<p class=\"question\" dir=\"auto\">{}</p>", escaped(report.question));
  text += glance_of(report) + "</header><main>";
  text += flow_of(report) + curve_of(report) + stopping_of(report) + sources_of(report) + reasons_of(report) + people_of(report) +
          pairs_of_report(report) + facts_of_report(report);
  return text +
         "</main><footer class=\"small quiet\"><p>Counted as PRISMA 2020 counts (Page et al., BMJ 2021;372:n71), by titles and "
         "abstracts: what comes after, full texts and studies, is not part of it. All numbers are counted from the log of the "
         "search.</p></footer></body></html>\n";
}

}  // namespace inkling
