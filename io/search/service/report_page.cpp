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

constexpr std::string_view kStyle =
#include "io/search/service/report_style.inc"
    ;
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
  return fmt::format(R"(<div class="box"><p class="head"><span>{}</span> {}</p>{}</div>)", head, in_brackets(count),
                     list_of(lines));
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
  unread.insert(unread.begin(),
                {report.progress.rule_reached.value_or(false) ? "Reading stopped by the rule" : "Not read", stopped});
  std::vector<BoxLine> reasons;
  reasons.reserve(report.reasons.size() + 1);
  for (const TagCount& reason : report.reasons) reasons.push_back({own(reason.tag), reason.documents});
  if (!reasons.empty()) reasons.push_back({"No reason given", report.without_reason});
  std::vector<BoxLine> screened = {{"By people", report.screened.included + report.screened.excluded + report.awaiting -
                                                     report.imported.included - report.imported.excluded},
                                   {"By labels that came with the records", report.imported.included + report.imported.excluded},
                                   {"Of these, two readers differ, not decided", report.awaiting}};
  for (std::vector<BoxLine>* const lines : {&removed, &unread, &reasons, &screened}) keep_counted(*lines);
  return R"(<section><h2>Flow of records</h2>)" +
         stage("Identification",
               {step(box("Records identified", report.all.identified, sources),
                     box("Removed before screening", report.all.within + report.all.across + report.all.left_out, removed))}) +
         std::string(kArrowBetween) +
         stage("Screening", {step(box("Records to screen", report.records), box("Not screened", report.not_screened, unread)),
                             step(box("Records screened", report.all_screened(), screened),
                                  box("Excluded", report.screened.excluded, reasons))}) +
         std::string(kArrowBetween) + stage("Included", {step(box("Records included", report.screened.included))}) +
         (report.separated > 0
              ? fmt::format(
                    R"(<p class="small quiet after">{} taken apart from a record of the same text, and counted as {}.</p>)",
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
  if (read == 0)
    return "<section><h2>What was found, record by record</h2><p class=\"quiet\">No record has been screened.</p></section>";
  const double share = static_cast<double>(read) / static_cast<double>(std::max<std::int64_t>(report.records, 1));
  return fmt::format(
      R"(<section><h2>What was found, record by record</h2><figure><div class="curve small quiet"><span class="up">included</span>)"
      R"(<div class="plot"><span class="scale"><span>{0}</span><span>0</span></span>)"
      R"(<svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label="Of {1} screened records {0} were included">)"
      R"(<polyline class="random" points="0,1000 1000,{2:.2f}"/><polyline points="{3}"/></svg>)"
      R"(<p class="under"><span>0</span><span>records screened, in their order</span><span>{1}</span></p></div></div>)"
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
  if (left.at_most >= unread)
    return fmt::format("<p>{} drawn at random, {} of them relevant: too few to say how many of the {} without an answer are.</p>",
                       counted(left.draws, "record was", "records were"), digit_groups(report.progress.good_draws),
                       counted(unread, "record", "records"));
  return fmt::format(
      "<p>Of {} without an answer at most {} {} relevant, with {:g} % confidence. This rests on {} drawn at random, {} of them "
      "relevant.</p>",
      counted(unread, "record", "records"), digit_groups(left.at_most), left.at_most == 1 ? "is" : "are", left.confidence * 100.0,
      counted(left.draws, "record", "records"), digit_groups(report.progress.good_draws));
}

// "the last 50 records that were read are not relevant"
std::string condition_text(const RuleCondition& condition) {
  const std::string limit = digit_groups(condition.limit);
  if (condition.name == "without_good") return fmt::format("the last {} records that were read are not relevant", limit);
  if (condition.name == "left_at_most")
    return fmt::format("at most {} relevant records are left unread, with 95 % confidence by random draws", limit);
  if (condition.name == "good") return fmt::format("at least {} relevant records were found", limit);
  return fmt::format("at least {} records were read", limit);
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
std::string table(std::initializer_list<std::string_view> heads, const std::vector<std::vector<std::string>>& rows,
                  bool has_sums) {
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
  rows.reserve(report.sources.size() + 1);
  for (const ReportSource& source : report.sources)
    rows.push_back(
        source_row(own(source.shown_name()) +
                       (source.format.empty() ? "" : fmt::format(" <span class=\"quiet\">({})</span>", escaped(source.format))),
                   source));
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
  rows.reserve(report.reasons.size() + 1);
  for (const TagCount& reason : report.reasons) rows.push_back({own(reason.tag), number(reason.documents)});
  if (report.without_reason > 0) rows.push_back({"no reason given", number(report.without_reason)});
  return "<section><h2>Reasons to exclude</h2>" + table({"Reason", "Records"}, rows, false) + "</section>";
}

std::string pair_row_kappa(const PairOfReaders& pair) {
  const std::optional<Kappa> kappa = pair.compared->kappa();
  return kappa ? fmt::format("<span class=\"number\">{:.2f}</span> <span class=\"number quiet\">({:.2f} to {:.2f})</span>",
                             kappa->kappa, kappa->low, kappa->high)
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
      row.insert(row.end(), 5, "–");
      row.emplace_back("not yet");
    }
    rows.push_back(std::move(row));
  }
  return "<section><h2>Two readers who did not see each other</h2>" +
         table({"Readers", "Read by both", "Both include", "Both exclude", "Differ", "Decided", "Cohen’s κ (95&#160;%)"}, rows,
               false) +
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
  add("Words", fmt::format("{} with records, {} apart from any", counted(report.marked_words, "statement", "statements"),
                           digit_groups(report.rated_words)));
  return text + "</dl></section>";
}

std::string glance_of(const ReviewReport& report) {
  std::string text = "<dl class=\"glance\">";
  for (const auto& [name, count] :
       {std::pair("to screen", report.records), std::pair("screened", report.all_screened()),
        std::pair("included", report.screened.included), std::pair("excluded", report.screened.excluded)})
    text += fmt::format("<div><dt class=\"quiet small\">{}</dt><dd>{}</dd></div>", name, number(count));
  return text + "</dl>";
}

}  // namespace

std::string report_page(const ReviewReport& report) {
  const std::string name = report.facts.name.empty() ? std::string("A review") : report.facts.name;
  std::string text =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">";
  text += fmt::format("<title>{}</title><style>{}</style></head><body><header><h1 dir=\"auto\">{}</h1>", escaped(name), kStyle,
                      escaped(name));
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
