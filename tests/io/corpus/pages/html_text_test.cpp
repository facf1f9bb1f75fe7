#include "io/corpus/pages/html_text.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/corpus/text/decoding.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

TEST_CASE("the text of a page is what a browser shows") {
  struct Page {
    std::string html, title, text;
  };
  const std::vector<Page> pages = {
      {"", "", ""},
      {"plain & simple", "", "plain & simple"},
      {"<!DOCTYPE html><html><head><title>A  title\n</title><style>p{}</style></head><body><p>One</p><p>Two</p></body>",
       "A title", "One\nTwo"},
      {"<p>a<b>b</b> c<br>d</p>", "", "ab c\nd"},
      {"<script>if (a < b) \"</p>\"</script>x<SCRIPT type='a>b'>y</Script >z", "", "xz"},
      {"<!-- <p>no</p> -->yes<!-->--> still", "", "yes still"},
      {"a&lt;b &amp; &eacute;&#233;&#xE9;&Eacute; &nbsp; &unknown; &amp &#x110000; &hellip;", "",
       "a<b & éééÉ &unknown; & \xEF\xBF\xBD …"},
      {"<ul><li>one<li>two</ul><table><tr><td>a<td>b</table>", "", "one\ntwo\na\nb"},
      {"<a href=\"x>y\" title='>'>link</a>", "", "link"},
      {"<svg><title>not it</title></svg><title>it</title>x", "it", "x"},
      {"1 < 2 and 3 <4 <>", "", "1 < 2 and 3 <4 <>"},
      {"<p", "", ""},
      {"<script>never ends", "", ""},
      {"<title>never ends", "never ends", ""},
      {"<template><p>no</p></template><noscript>no</noscript><p>yes", "", "yes"},
      {"<pre>a\n  b</pre>", "", "a b"},
      {"<?xml version='1.0'?><html xmlns='x'><body><script/>shown</body></html>", "", "shown"},
      {"<h1>Heading</h1>text <i>in</i>line<hr/>after", "", "Heading\ntext inline\nafter"},
      {"&#0;&#xD800;&#55;", "",
       "\xEF\xBF\xBD\xEF\xBF\xBD"
       "7"},
  };
  for (const Page& page : pages) {
    CAPTURE(page.html);
    ReadingBudget budget;
    const HtmlText found = html_text(page.html, budget);
    CHECK(found.title == page.title);
    CHECK(found.text == page.text);
  }
}

TEST_CASE("a page is known by its first tag and names its encoding in its head") {
  CHECK(encoding_of_html("<head><meta charset=\"ISO-8859-1\">") == "ISO-8859-1");
  CHECK(encoding_of_html("<META CHARSET=utf-8/>") == "utf-8");
  CHECK(encoding_of_html("<meta name=a><meta http-equiv='Content-Type' content='text/html; charset=koi8-r'>") == "koi8-r");
  CHECK(encoding_of_html("<p>charset=x</p>").empty());
  CHECK(encoding_of_html("").empty());

  for (const std::string html :
       {"<!doctype HTML>", "\n <html lang=a>", "<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC>", "<!-- saved -->\n<html>"})
    CHECK(begins_as_html(html));
  for (const std::string html : {"", "<p>", "html", "<?xml", "<!-- open", "<?xml?><rss>"}) CHECK_FALSE(begins_as_html(html));
}

TEST_CASE("the text of any page is valid and not longer than the page") {
  RandomStream random = test::stream_for(41, 0);
  const std::vector<std::string> pieces = {"<", ">",   "</", "script", "title", "p", " ",   "\n",  "&", "#", "x41",
                                           ";", "amp", "é",  "\"",     "'",     "=", "!--", "-->", "/", "a"};
  for (int trial = 0; trial < 2000; ++trial) {
    std::string html;
    for (std::int32_t left = test::between(0, 40, random); left > 0; --left) html += pieces[random.below(pieces.size())];
    CAPTURE(html);
    ReadingBudget budget;
    const HtmlText found = html_text(html, budget);
    CHECK(valid_utf8_prefix(found.text) == found.text.size());
    CHECK(found.text.size() + found.title.size() <= html.size() + 3);
  }
}

}  // namespace
}  // namespace inkling
