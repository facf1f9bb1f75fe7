#include "bench/report/xml_text.hpp"

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("Text in XML keeps its letters and loses its markup") {
  CHECK(xml_escaped("") == "");
  CHECK(xml_escaped("R² of naïve") == "R² of naïve");
  CHECK(xml_escaped("<b class=\"x\">&amp;</b>") == "&lt;b class=&quot;x&quot;&gt;&amp;amp;&lt;/b&gt;");
  CHECK(xml_escaped("a\nb\tc") == "a b c");
}

TEST_CASE("What is no character of XML becomes U+FFFD") {
  CHECK(xml_escaped("\x01") == "\xEF\xBF\xBD");
  CHECK(xml_escaped("\xFF") == "\xEF\xBF\xBD");
  CHECK(xml_escaped("\xEF\xBF\xBE") == "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace inkling
