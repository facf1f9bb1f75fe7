#include "bench/report/html_page.hpp"

#include <string_view>
#include <vector>

#include <doctest/doctest.h>

namespace inkling::bench {
namespace {

/// Every tag that is opened is closed, in order; the declaration and `meta` need no end.
bool is_balanced(std::string_view html) {
  std::vector<std::string_view> open;
  const std::size_t style_end = html.find("</style>");
  for (std::size_t at = html.find('<'); at != std::string_view::npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find('>', at);
    if (end == std::string_view::npos) return false;
    const std::string_view tag = html.substr(at + 1, end - at - 1);
    if (tag.starts_with("!") || tag.starts_with("meta") || tag.ends_with("/")) continue;
    if (tag.starts_with("/")) {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
      continue;
    }
    open.push_back(tag.substr(0, tag.find(' ')));
    if (tag == "style") at = style_end - 1;
  }
  return open.empty();
}

HtmlPage full_page() {
  HtmlPage page("Speed & <size>", "What \"grows\"");
  page.heading("A");
  page.paragraph("b < c");
  page.note("d");
  page.figures(
      {{{.title = "e", .x_label = "x", .y_label = "y", .series = {{.name = "f", .x = {1, 2}, .y = {3, 4}}}},
        "a caption"}});
  page.table({.head = {"name", "value"}, .rows = {{"g", "1"}, {"h", "2"}}});
  page.folded_table("more", {.head = {}, .rows = {{"i", "3"}}});
  page.heading("Claims <1>", "claims");
  page.subheading("k < l");
  page.code("program --flag <file>");
  page.contents({{"to the <claims>", "claims", "all & more"}});
  page.tallies({{HtmlPage::Tone::good, 2, "hold"}, {HtmlPage::Tone::neutral, 1, "are open"}});
  page.statements({{HtmlPage::Tone::bad, "fails", "m < n", {{"m & n", "1 ± 2"}}, "because <o>"},
                   {HtmlPage::Tone::good, "holds", "p", {}, ""}});
  page.statement_table({{HtmlPage::Tone::neutral, "open", "q < r", {"figure", "claims"}}});
  return page;
}

TEST_CASE("A page is one balanced document that refers to nothing outside it") {
  const std::string html = full_page().text();
  CHECK(html.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
  CHECK(html.ends_with("</html>\n"));
  CHECK(is_balanced(html));
  for (const char* part : {"<script", "href=\"h", "href=\"/", "src=", "@import", "url("}) {
    CAPTURE(part);
    CHECK(html.find(part) == std::string::npos);
  }
  CHECK(html.find("prefers-color-scheme: dark") != std::string::npos);
  CHECK(html.find("@media print") != std::string::npos);
  CHECK(html.find("width=device-width") != std::string::npos);
}

TEST_CASE("Text on a page cannot leave its place") {
  const std::string html = full_page().text();
  CHECK(html.find("<title>Speed &amp; &lt;size&gt;</title>") != std::string::npos);
  CHECK(html.find("What &quot;grows&quot;") != std::string::npos);
  CHECK(html.find("b &lt; c") != std::string::npos);
}

TEST_CASE("Numbers of a table stand right and names left") {
  const std::string html = full_page().text();
  CHECK(html.find("<tr><td>g</td><td class=\"number\">1</td></tr>") != std::string::npos);
  CHECK(html.find("<th>name</th><th class=\"number\">value</th>") != std::string::npos);
  CHECK(html.find("<details><summary>more</summary>") != std::string::npos);
}

TEST_CASE("Links lead to headings on the same page") {
  const std::string html = full_page().text();
  CHECK(html.find("<h2 id=\"claims\">Claims &lt;1&gt;</h2>") != std::string::npos);
  CHECK(html.find("<li><a href=\"#claims\">to the &lt;claims&gt;</a> <small>all &amp; more</small></li>") !=
        std::string::npos);
  CHECK(html.find("<td>q &lt; r</td><td><a href=\"#claims\">figure</a></td>") != std::string::npos);
}

TEST_CASE("A verdict has words, a sign and a colour, and its numbers and reason stand with it") {
  const std::string html = full_page().text();
  CHECK(html.find("<span class=\"verdict bad\">✗ fails</span> m &lt; n") != std::string::npos);
  CHECK(html.find("<dt>m &amp; n</dt> <dd>1 ± 2</dd>") != std::string::npos);
  CHECK(html.find("because &lt;o&gt;") != std::string::npos);
  CHECK(html.find("<li class=\"good\"><b>✓ 2</b>hold</li>") != std::string::npos);
  CHECK(html.find("<span class=\"verdict neutral\">○ open</span>") != std::string::npos);
}

}  // namespace
}  // namespace inkling::bench
