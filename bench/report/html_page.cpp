#include "bench/report/html_page.hpp"

#include <cassert>
#include <cstddef>

#include <fmt/format.h>

#include "bench/report/page_style.hpp"
#include "bench/report/svg_chart.hpp"
#include "bench/report/xml_text.hpp"

namespace inkling::bench {
namespace {

/// So wide that the letters of a chart stay readable where a phone shows it on its whole width.
constexpr SvgSize kChartSize = {.width = 480, .height = 340};

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

std::string_view class_of(HtmlPage::Tone tone) {
  switch (tone) {
    case HtmlPage::Tone::good:
      return "good";
    case HtmlPage::Tone::bad:
      return "bad";
    case HtmlPage::Tone::neutral:
      break;
  }
  return "neutral";
}

std::string_view sign_of(HtmlPage::Tone tone) {
  switch (tone) {
    case HtmlPage::Tone::good:
      return "✓";
    case HtmlPage::Tone::bad:
      return "✗";
    case HtmlPage::Tone::neutral:
      break;
  }
  return "○";
}

std::string verdict_html(HtmlPage::Tone tone, std::string_view verdict) {
  return fmt::format(R"(<span class="verdict {}">{} {}</span>)", class_of(tone), sign_of(tone),
                     xml_escaped(verdict));
}

std::string link_html(const HtmlPage::Link& link) {
  return fmt::format(R"(<a href="#{}">{}</a>)", xml_escaped(link.anchor), xml_escaped(link.text));
}

}  // namespace

HtmlPage::HtmlPage(std::string_view title, std::string_view summary)
    : title_(title),
      body_(fmt::format("<h1>{}</h1>\n<p class=\"summary\">{}</p>\n", xml_escaped(title),
                        xml_escaped(summary))) {}

void HtmlPage::heading(std::string_view text) { body_ += fmt::format("<h2>{}</h2>\n", xml_escaped(text)); }

void HtmlPage::heading(std::string_view text, std::string_view anchor) {
  body_ += fmt::format("<h2 id=\"{}\">{}</h2>\n", xml_escaped(anchor), xml_escaped(text));
}

void HtmlPage::subheading(std::string_view text) { body_ += fmt::format("<h3>{}</h3>\n", xml_escaped(text)); }

void HtmlPage::paragraph(std::string_view text) { body_ += fmt::format("<p>{}</p>\n", xml_escaped(text)); }

void HtmlPage::note(std::string_view text) {
  body_ += fmt::format("<p class=\"note\">{}</p>\n", xml_escaped(text));
}

void HtmlPage::code(std::string_view text) { body_ += fmt::format("<pre>{}</pre>\n", xml_escaped(text)); }

void HtmlPage::contents(const std::vector<Link>& links) {
  body_ += "<ul class=\"contents\">\n";
  for (const Link& link : links) {
    const std::string remark =
        link.remark.empty() ? "" : fmt::format(" <small>{}</small>", xml_escaped(link.remark));
    body_ += fmt::format("<li>{}{}</li>\n", link_html(link), remark);
  }
  body_ += "</ul>\n";
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

void HtmlPage::tallies(const std::vector<Tally>& tallies) {
  body_ += "<ul class=\"tallies\">\n";
  for (const Tally& tally : tallies) {
    body_ += fmt::format("<li class=\"{}\"><b>{} {}</b>{}</li>\n", class_of(tally.tone), sign_of(tally.tone),
                         tally.count, xml_escaped(tally.words));
  }
  body_ += "</ul>\n";
}

void HtmlPage::statements(const std::vector<Statement>& statements) {
  body_ += "<ul class=\"statements\">\n";
  for (const Statement& statement : statements) {
    body_ += fmt::format("<li><p>{} {}</p>\n", verdict_html(statement.tone, statement.verdict),
                         xml_escaped(statement.sentence));
    if (!statement.numbers.empty()) body_ += "<dl>";
    for (const auto& [name, value] : statement.numbers) {
      body_ += fmt::format("<div><dt>{}</dt> <dd>{}</dd></div>", xml_escaped(name), xml_escaped(value));
    }
    if (!statement.numbers.empty()) body_ += "</dl>\n";
    if (!statement.remark.empty()) note(statement.remark);
    body_ += "</li>\n";
  }
  body_ += "</ul>\n";
}

void HtmlPage::statement_table(const std::vector<StatementRow>& rows) {
  body_ += "<table class=\"statements\">\n<tbody>\n";
  for (const StatementRow& row : rows) {
    body_ += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", verdict_html(row.tone, row.verdict),
                         xml_escaped(row.sentence), link_html(row.place));
  }
  body_ += "</tbody>\n</table>\n";
}

std::string HtmlPage::text() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n"
      "<style>\n{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      xml_escaped(title_), page_style(), body_);
}

}  // namespace inkling::bench
