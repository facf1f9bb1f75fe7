#include "io/search/service/report_page.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <iterator>
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
constexpr std::array<std::string_view, std::size(kLanguages)> kReportTexts[] = {
#include "io/search/service/report_texts.inc"
};

// What the page says in the language of who reads it.
class ReportTexts {
 public:
  explicit ReportTexts(Language language) noexcept : language_(language) {}

  // Requires: a text of the table, in English.
  [[nodiscard]] std::string_view operator()(std::string_view english) const {
    const auto* const row = std::ranges::find(kReportTexts, english, [](const auto& texts) { return texts.front(); });
    assert(row != std::end(kReportTexts));
    return row == std::end(kReportTexts) ? english : row->at(static_cast<std::size_t>(language_));
  }
  template <typename Value, typename... Values>
  [[nodiscard]] std::string operator()(std::string_view english, const Value& value, const Values&... values) const {
    return fmt::format(fmt::runtime((*this)(english)), value, values...);
  }

  // "1,048,576", "1.048.576"
  [[nodiscard]] std::string number(std::int64_t count) const {
    std::string digits = digit_groups(count);
    if (language_ != Language::en) std::ranges::replace(digits, ',', '.');
    return digits;
  }
  // "0.25", "0,25"
  [[nodiscard]] std::string hundredths(double value) const {
    std::string digits = fmt::format("{:.2f}", value);
    if (language_ != Language::en) std::ranges::replace(digits, '.', ',');
    return digits;
  }

 private:
  Language language_;
};

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

std::string number(const ReportTexts& say, std::int64_t count) {
  return "<span class=\"number\">" + say.number(count) + "</span>";
}

std::string in_brackets(const ReportTexts& say, std::int64_t count) {
  return "<span class=\"number\">(n = " + say.number(count) + ")</span>";
}

std::string section_head(const ReportTexts& say, std::string_view head) { return fmt::format("<section><h2>{}</h2>", say(head)); }

std::string name_of_source(const ReportSource& source, const ReportTexts& say) {
  return source.name.empty() ? std::string(say("other files")) : own(source.name);
}

// A line of a box; the label is HTML.
struct BoxLine {
  std::string label;
  std::int64_t count = 0;
};

std::string line_in_list(const ReportTexts& say, const BoxLine& line) {
  return fmt::format("<li><span>{}</span> {}</li>", line.label, in_brackets(say, line.count));
}

// Beyond so many lines the rest are one.
std::string list_of(const ReportTexts& say, std::span<const BoxLine> lines) {
  if (lines.empty()) return {};
  std::string text = "<ul>";
  const std::size_t shown = lines.size() <= kLinesInBox ? lines.size() : kLinesInBox - 1;
  for (const BoxLine& line : lines.first(shown)) text += line_in_list(say, line);
  BoxLine rest = {say("{} more, in a table below", lines.size() - shown)};
  for (const BoxLine& line : lines.subspan(shown)) rest.count += line.count;
  if (shown < lines.size()) text += line_in_list(say, rest);
  return text + "</ul>";
}

std::string box(const ReportTexts& say, std::string_view head, std::int64_t count, std::span<const BoxLine> lines = {}) {
  return fmt::format(R"(<div class="box"><p class="head"><span>{}</span> {}</p>{}</div>)", say(head), in_brackets(say, count),
                     list_of(say, lines));
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

std::string flow_of(const ReviewReport& report, const ReportTexts& say) {
  const auto line = [&](std::string_view label, std::int64_t count) { return BoxLine{std::string(say(label)), count}; };
  std::vector<BoxLine> sources;
  for (const ReportSource& source : report.sources)
    if (!source.name.empty() || report.sources.size() > 1) sources.push_back({name_of_source(source, say), source.identified});
  std::vector<BoxLine> removed = {line("Duplicates within one source", report.all.within),
                                  line("Duplicates of other sources", report.all.across),
                                  line("Could not be read", report.all.left_out)};
  const std::int64_t stopped = report.not_screened - report.with_readers - report.put_off - report.outside;
  std::vector<BoxLine> unread = {
      line(report.progress.rule_reached.value_or(false) ? "Reading stopped by the rule" : "Not read", stopped),
      line("Two readers have them", report.with_readers), line("Put off for later", report.put_off),
      line("Not in the part of this reader", report.outside)};
  std::vector<BoxLine> reasons;
  reasons.reserve(report.reasons.size() + 1);
  for (const TagCount& reason : report.reasons) reasons.push_back({own(reason.tag), reason.documents});
  if (!reasons.empty()) reasons.push_back(line("No reason given", report.without_reason));
  std::vector<BoxLine> screened = {
      line("By people", report.screened.included + report.screened.excluded + report.awaiting - report.imported.included -
                            report.imported.excluded),
      line("By labels that came with the records", report.imported.included + report.imported.excluded),
      line("Of these, two readers differ, not decided", report.awaiting)};
  for (std::vector<BoxLine>* const lines : {&removed, &unread, &reasons, &screened}) keep_counted(*lines);
  const auto remark = [&](std::int64_t count, std::string_view one, std::string_view many) {
    if (count == 0) return std::string();
    return fmt::format(R"(<p class="small quiet after">{}</p>)", say(count == 1 ? one : many, say.number(count)));
  };
  return section_head(say, "Flow of records") +
         stage(
             say("Identification"),
             {step(box(say, "Records identified", report.all.identified, sources),
                   box(say, "Removed before screening", report.all.within + report.all.across + report.all.left_out, removed))}) +
         std::string(kArrowBetween) +
         stage(say("Screening"),
               {step(box(say, "Records to screen", report.records), box(say, "Not screened", report.not_screened, unread)),
                step(box(say, "Records screened", report.all_screened(), screened),
                     box(say, "Excluded", report.screened.excluded, reasons))}) +
         std::string(kArrowBetween) + stage(say("Included"), {step(box(say, "Records included", report.screened.included))}) +
         remark(report.separated, "{} duplicate was taken apart from a record of the same text, and counted as a record.",
                "{} duplicates were taken apart from a record of the same text, and counted as records.") +
         remark(report.several_reasons, "{} excluded record has more than one reason, and is counted with each.",
                "{} excluded records have more than one reason, and are counted with each.") +
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

std::string curve_of(const ReviewReport& report, const ReportTexts& say) {
  const std::string head = section_head(say, "What was found, record by record");
  if (report.progress.rated == 0)
    return head + fmt::format("<p class=\"quiet\">{}</p></section>", say("No record has been screened."));
  const double at_random = found_at_random(report.progress);
  const std::string read = say.number(report.curve.back().first);
  const std::string found = say.number(report.curve.back().second);
  const double height = static_cast<double>(std::max<std::int64_t>(report.curve.back().second, 1));
  return head +
         fmt::format(
             R"(<figure><div class="curve small quiet"><span class="up">{}</span>)"
             R"(<div class="plot"><span class="scale"><span>{}</span><span>0</span></span>)"
             R"(<svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label="{}">)"
             R"(<polyline class="random" points="0,1000 1000,{:.2f}"/><polyline points="{}"/></svg>)"
             R"(<p class="under"><span>0</span><span>{}</span><span>{}</span></p></div></div>)"
             R"(<figcaption class="key small"><span>{}</span><span class="random">{}</span></figcaption></figure></section>)",
             say("included"), found, say("Of {1} screened records {0} were included", found, read),
             1000.0 - 1000.0 * at_random / height, points_of(report), say("records screened, in their order"), read,
             say("in this order"), say("in random order ({1} of these {0})", found, say.number(std::llround(at_random))));
}

std::string certain_of(const ReviewReport& report, const ReportTexts& say) {
  const GoodLeft& left = report.progress.left;
  const std::int64_t unread = report.progress.documents - report.progress.rated;
  if (unread == 0) return std::string(say("Every record has been screened."));
  if (left.draws == 0)
    return say("No record was drawn at random, so nothing is certain about the {} without an answer.", say.number(unread));
  const std::string draws = say.number(left.draws);
  const std::string good = say.number(report.progress.good_draws);
  if (left.at_most >= unread)
    return say("Drawn at random: {}, of them relevant: {}. That is too few to say how many of the {} without an answer are.",
               draws, good, say.number(unread));
  return say(
      "Of {} without an answer at most {} are relevant, with {} % confidence. Drawn at random for this: {}, of them relevant: "
      "{}.",
      say.number(unread), say.number(left.at_most), left.confidence * 100.0, draws, good);
}

// "the last 50 records that were read are not relevant"
std::string condition_text(const RuleCondition& condition, const ReportTexts& say) {
  const std::string limit = say.number(condition.limit);
  if (condition.name == "without_good") return say("the last {} records that were read are not relevant", limit);
  if (condition.name == "left_at_most")
    return say("at most {} relevant records are left unread, with 95 % confidence by random draws", limit);
  if (condition.name == "good") return say("at least {} relevant records were found", limit);
  return say("at least {} records were read", limit);
}

std::string stopping_of(const ReviewReport& report, const ReportTexts& say) {
  std::string text = section_head(say, "When to stop");
  if (report.rule.empty()) {
    text += fmt::format("<p>{}</p>", say("No rule for stopping was set."));
  } else {
    text += fmt::format("<p><strong>{}</strong></p><ul class=\"rule\">",
                        say(*report.progress.rule_reached ? "The rule for stopping is met; it asks for this:"
                                                          : "The rule for stopping is not met; it asks for this:"));
    for (const RuleCondition& condition : report.rule)
      text += fmt::format("<li>{} {} <span class=\"quiet\">({})</span></li>", condition.holds ? "✓" : "○",
                          condition_text(condition, say),
                          say(condition.holds ? "holds; {} now" : "does not hold; {} now", say.number(condition.now)));
    text += "</ul>";
  }
  return fmt::format("{}<p>{}</p></section>", text, certain_of(report, say));
}

// A table whose first column is a name, which is HTML.
std::string table(const ReportTexts& say, std::initializer_list<std::string_view> heads,
                  const std::vector<std::vector<std::string>>& rows, bool has_sums) {
  std::string text = R"(<div class="scroll" tabindex="0"><table><thead><tr>)";
  for (const std::string_view head : heads) text += fmt::format("<th scope=\"col\">{}</th>", say(head));
  text += "</tr></thead><tbody>";
  for (const std::vector<std::string>& row : rows) {
    if (has_sums && &row == &rows.back()) text += "</tbody><tfoot>";
    text += fmt::format("<tr><th scope=\"row\">{}</th>", row.front());
    for (const std::string& cell : std::span(row).subspan(1)) text += "<td>" + cell + "</td>";
    text += "</tr>";
  }
  return text + (has_sums ? "</tfoot></table></div>" : "</tbody></table></div>");
}

std::vector<std::string> source_row(const ReportTexts& say, const std::string& name, const ReportSource& source) {
  return {name,
          number(say, source.identified),
          number(say, source.left_out),
          number(say, source.within),
          number(say, source.across),
          number(say, source.identified - source.left_out - source.within - source.across)};
}

std::string sources_of(const ReviewReport& report, const ReportTexts& say) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(report.sources.size() + 1);
  for (const ReportSource& source : report.sources)
    rows.push_back(
        source_row(say,
                   name_of_source(source, say) +
                       (source.format.empty() ? "" : fmt::format(" <span class=\"quiet\">({})</span>", escaped(source.format))),
                   source));
  if (rows.size() > 1) rows.push_back(source_row(say, std::string(say("All")), report.all));
  return section_head(say, "Sources") +
         table(say, {"Source", "Identified", "Not readable", "Duplicates within", "Duplicates of others", "To screen"}, rows,
               report.sources.size() > 1) +
         "</section>";
}

std::string people_of(const ReviewReport& report, const ReportTexts& say) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const std::string& name, const ReportCounts& counts) {
    rows.push_back(
        {name, number(say, counts.included + counts.excluded), number(say, counts.included), number(say, counts.excluded)});
  };
  for (const auto& [name, counts] : report.by) add(own(name), counts);
  if (report.imported.included + report.imported.excluded > 0)
    add(std::string(say("labels that came with the records")), report.imported);
  if (rows.empty()) return {};
  if (rows.size() > 1) add(std::string(say("All")), report.screened);
  const bool has_sums = rows.size() > 1;
  return section_head(say, "Who decided") + table(say, {"Who", "Records", "Included", "Excluded"}, rows, has_sums) + "</section>";
}

std::string reasons_of(const ReviewReport& report, const ReportTexts& say) {
  if (report.reasons.size() < kLinesInBox) return {};
  std::vector<std::vector<std::string>> rows;
  rows.reserve(report.reasons.size() + 1);
  for (const TagCount& reason : report.reasons) rows.push_back({own(reason.tag), number(say, reason.documents)});
  if (report.without_reason > 0) rows.push_back({std::string(say("No reason given")), number(say, report.without_reason)});
  return section_head(say, "Reasons to exclude") + table(say, {"Reason", "Records"}, rows, false) + "</section>";
}

std::string pair_row_kappa(const PairOfReaders& pair, const ReportTexts& say) {
  const std::optional<Kappa> kappa = pair.compared->kappa();
  if (!kappa) return std::string(say("not defined"));
  return fmt::format("<span class=\"number\">{}</span> <span class=\"number quiet\">({})</span>", say.hundredths(kappa->kappa),
                     say("{} to {}", say.hundredths(kappa->low), say.hundredths(kappa->high)));
}

std::string pairs_of_report(const ReviewReport& report, const ReportTexts& say) {
  if (report.pairs.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  for (const PairOfReaders& pair : report.pairs) {
    std::vector<std::string> row = {say("{} and {}", own(pair.set.readers[0]), own(pair.set.readers[1]))};
    if (pair.compared) {
      const auto [neither, second, first, both] = pair.compared->counts();
      const std::string decided = number(say, pair.decided());
      row.insert(
          row.end(),
          {number(say, both + neither + first + second), number(say, both), number(say, neither), number(say, first + second),
           pair.set.decider.empty() || pair.decided() == 0 ? decided : say("{} by {}", decided, own(pair.set.decider)),
           pair_row_kappa(pair, say)});
    } else {
      row.insert(row.end(), 5, "–");
      row.emplace_back(say("not yet"));
    }
    rows.push_back(std::move(row));
  }
  return section_head(say, "Two readers who did not see each other") +
         table(say, {"Readers", "Read by both", "Both include", "Both exclude", "Differ", "Decided", "Cohen’s κ (95&#160;%)"},
               rows, false) +
         "</section>";
}

std::string facts_of_report(const ReviewReport& report, const ReportTexts& say) {
  std::string text = section_head(say, "How it was done") + "<dl class=\"facts\">";
  const auto add = [&](std::string_view name, const std::string& value) {
    text += fmt::format("<dt>{}</dt><dd>{}</dd>", say(name), value);
  };
  const SessionFacts& facts = report.facts;
  const auto time = [](std::int64_t at_ms) {
    const std::string whole = time_text(at_ms);
    return fmt::format("{} {} UTC", whole.substr(0, 10), whole.substr(11, 5));
  };
  add("Program", fmt::format("Inkling {}", program_version));
  add("Collection", own(facts.fingerprint));
  add("Method", say("{}, seed {}", own(facts.policy), facts.seed));
  add("Settings", facts.options == "{}" ? std::string(say("the defaults of this version")) : own(facts.options));
  add("Owner", own(facts.owner));
  add("Begun", time(facts.created_ms));
  if (report.last_ms) add("Last event", time(*report.last_ms));
  add("Log", say("Events: {}, answers taken back: {}", say.number(report.events), say.number(report.taken_back)));
  add("Words",
      say("Statements with records: {}, apart from any: {}", say.number(report.marked_words), say.number(report.rated_words)));
  return text + "</dl></section>";
}

std::string glance_of(const ReviewReport& report, const ReportTexts& say) {
  std::string text = "<dl class=\"glance\">";
  for (const auto& [name, count] :
       {std::pair("to screen", report.records), std::pair("screened", report.all_screened()),
        std::pair("included", report.screened.included), std::pair("excluded", report.screened.excluded)})
    text += fmt::format("<div><dt class=\"quiet small\">{}</dt><dd>{}</dd></div>", say(name), number(say, count));
  return text + "</dl>";
}

}  // namespace

std::string report_page(const ReviewReport& report, Language language) {
  const ReportTexts say(language);
  const std::string name = report.facts.name.empty() ? std::string(say("A review")) : report.facts.name;
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
      name_of(language, kLanguages));
  text += fmt::format("<title>{}</title><style>{}</style></head><body><header><h1 dir=\"auto\">{}</h1>", escaped(name), kStyle,
                      escaped(name));
  if (!report.question.empty() && report.question != name)
    text += fmt::format("<p class=\"question\" dir=\"auto\">{}</p>", escaped(report.question));
  text += glance_of(report, say) + "</header><main>";
  for (const auto part : {flow_of, curve_of, stopping_of, sources_of, reasons_of, people_of, pairs_of_report, facts_of_report})
    text += part(report, say);
  return text +
         fmt::format("</main><footer class=\"small quiet\"><p>{}</p></footer></body></html>\n",
                     say("Counted as PRISMA 2020 counts (Page et al., BMJ 2021;372:n71), by titles and abstracts: what comes "
                         "after, full texts and studies, is not part of it. All numbers are counted from the log of the "
                         "search."));
}

}  // namespace inkling
