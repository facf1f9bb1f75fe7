#include "bench/report/html_page.hpp"

#include <cassert>
#include <cstddef>

#include <fmt/format.h>

#include "io/plot/svg_chart.hpp"
#include "io/plot/xml_text.hpp"

namespace inkling::bench {
namespace {

/// So wide that the letters of a chart stay readable where a phone shows it on its whole width.
constexpr SvgSize kChartSize = {.width = 480, .height = 340};

constexpr std::string_view kLayout = R"(
body { margin: 0 auto; max-width: 1240px; padding: 2rem 1rem 4rem; color: var(--ink); background: var(--paper);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .6rem; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.6rem 0 .4rem; }
p { margin: .6rem 0; max-width: 44rem; }
p.summary { font-size: 1.15rem; }
p.note, figcaption, summary { color: var(--muted); font-size: .9rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 380px), 1fr)); gap: 1rem; margin: 1rem 0; }
figure { margin: 0; break-inside: avoid; }
figure svg { display: block; width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
figcaption { margin: .4rem .2rem 0; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .8rem .3rem 0; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--muted); }
table.words td { white-space: normal; vertical-align: top; }
table.words td:first-child { white-space: nowrap; }
.number { text-align: right; }
summary { cursor: pointer; }
@media print {
  body { padding: 0; font-size: 11pt; }
  .figures { grid-template-columns: 1fr 1fr; }
  .wide { overflow: visible; }
  table { font-size: 8pt; }
  th, td { padding-right: .5rem; }
}
)";

/// Paper is white, whatever the screen was.
std::string colours() {
  return fmt::format(
      ":root {{ color-scheme: light dark; --paper: #ffffff; --ink: #1c2126; --muted: #5b6470; "
      "--line: #dfe3e8; }}\n"
      "@media screen and (prefers-color-scheme: dark) {{ :root {{ --paper: #14171a; --ink: #e8ebee; "
      "--muted: #a3adb8; --line: #2b3137; {}}} }}\n",
      svg_colours_on_black());
}

std::string cell(std::string_view tag, std::string_view text, bool is_number) {
  return fmt::format("<{0}{1}>{2}</{0}>", tag, is_number ? R"( class="number")" : "", xml_escaped(text));
}

std::string row(std::string_view tag, const std::vector<std::string>& cells, std::size_t first_number) {
  std::string html = "<tr>";
  for (std::size_t n = 0; n < cells.size(); ++n) html += cell(tag, cells[n], n >= first_number);
  return html + "</tr>\n";
}

std::string table_html(const HtmlPage::Table& table) {
  const std::size_t columns = table.rows.empty() ? 0 : table.rows.front().size();
  const bool holds_numbers = table.first_number < columns;
  std::string html = fmt::format("<div class=\"wide\"><table{}>\n", holds_numbers ? "" : R"( class="words")");
  if (!table.head.empty()) html += "<thead>" + row("th", table.head, table.first_number) + "</thead>\n";
  html += "<tbody>\n";
  for (const std::vector<std::string>& cells : table.rows) {
    assert(table.head.empty() || cells.size() == table.head.size());
    html += row("td", cells, table.first_number);
  }
  return html + "</tbody>\n</table></div>\n";
}

}  // namespace

HtmlPage::HtmlPage(std::string_view title, std::string_view summary)
    : title_(title),
      body_(fmt::format("<h1>{}</h1>\n<p class=\"summary\">{}</p>\n", xml_escaped(title),
                        xml_escaped(summary))) {}

void HtmlPage::heading(std::string_view text) { body_ += fmt::format("<h2>{}</h2>\n", xml_escaped(text)); }

void HtmlPage::paragraph(std::string_view text) { body_ += fmt::format("<p>{}</p>\n", xml_escaped(text)); }

void HtmlPage::note(std::string_view text) {
  body_ += fmt::format("<p class=\"note\">{}</p>\n", xml_escaped(text));
}

void HtmlPage::figures(const std::vector<Figure>& figures) {
  body_ += "<div class=\"figures\">\n";
  for (const Figure& figure : figures) {
    body_ += fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n",
                         svg_chart(figure.chart, kChartSize, SvgUse::page), xml_escaped(figure.caption));
  }
  body_ += "</div>\n";
}

void HtmlPage::table(const Table& table) { body_ += table_html(table); }

void HtmlPage::folded_table(std::string_view line, const Table& table) {
  body_ +=
      fmt::format("<details><summary>{}</summary>\n{}</details>\n", xml_escaped(line), table_html(table));
}

std::string HtmlPage::text() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n"
      "<style>\n{}{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      xml_escaped(title_), colours(), kLayout, body_);
}

}  // namespace inkling::bench
