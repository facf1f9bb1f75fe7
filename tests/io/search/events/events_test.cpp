#include "io/search/events/events.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/model/model_options.hpp"
#include "io/search/events/event_line.hpp"
#include "tests/support/io/bad_input_tables.hpp"
#include "tests/support/io/event_texts.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::events_in, test::ReadEvents;

constexpr std::string_view hint = " (--skip-bad leaves bad events out)";

EventRules skipping() { return {.skip_bad = true}; }
EventRules replaying() { return {.replays = Replays::allowed}; }

TEST_CASE("objects become events in their order") {
  struct Case {
    std::string line;
    Event event;
  };
  const std::vector<Case> cases = {
      {R"({"document":3,"reward":0.5})", {3, 0.5, {}}},
      {R"({"document":3,"reward":-1,"features":[]})", {3, -1.0, {}}},
      {R"({"document":0,"reward":1,"features":["soil",0,"apple",3]})", {0, 1.0, {{3}, {0}}}},
      {R"({"document":0,"reward":1,"features":["caf\u00e9","café",1]})", {0, 1.0, {{2}, {1}}}},
      {R"({"document":9,"reward":2e0,"features":null})", {9, 2.0, {}}},
      {R"({"reward":7,"features":[1],"document":1})", {1, 7.0, {{1}}}},
      {R"({"document":"d3","reward":1})", {3, 1.0, {}}},
      {R"({"id":"d3","reward":1})", {3, 1.0, {}}},
      {R"({"document":3,"id":"d3","reward":1})", {3, 1.0, {}}},
      {R"({"document":9,"id":"twin","reward":1})", {9, 1.0, {}}},
      {R"({"id":"d\u0033","reward":1})", {3, 1.0, {}}},
      {R"({"document":1,"reward":1,"note":18446744073709551616})", {1, 1.0, {}}},
      {R"({"document":1,"reward":1,"note":[1e999,-1e-999]})", {1, 1.0, {}}},
      {R"({"d\u006fcument":1,"reward":-0})", {1, 0.0, {}}},
      {R"({"document":-0,"reward":1e100})", {0, 1e100, {}}},
      {R"(  { "note" : [{"reward":"]}","note":"\"{[,"},2] , "document" : 4 , "reward" : 1.5 , "features" : [ 2 , "soil" ] } )",
       {4, 1.5, {{2}, {3}}}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.line);
    for (const std::string end : {"", "\n", "\r\n", "\n\n \t\r\n"}) {
      const ReadEvents read = events_in(one.line + end);
      CHECK(read.problem.empty());
      CHECK(read.log.events == std::vector<Event>{one.event});
    }
  }
}

TEST_CASE("marks may have a confidence") {
  struct Case {
    std::string marks;
    Event event;
  };
  const std::vector<Case> cases = {
      {R"([{"feature":"soil","confidence":0.5}])", {3, 1.0, {{3, {}, 0.5}}}},
      {R"([{"confidence":0.25,"feature":2}, "soil"])", {3, 1.0, {{2, {}, 0.25}, {3}}}},
      {R"(["apple",1,{"feature":"soil","confidence":1e-9},0])", {3, 1.0, {{0}, {1}, {3, {}, 1e-9}}}},
      {R"([{"feature":"soil","confidence":1},{"feature":1,"confidence":1.0},0])", {3, 1.0, {{3}, {1}, {0}}}},
      {R"([{"feature":1,"confidence":1},{"feature":1,"confidence":0.5}])", {3, 1.0, {{1}}}},
      {R"([{"feature":1,"confidence":0.5},{"feature":1,"confidence":0.25},0])", {3, 1.0, {{1, {}, 0.5}, {0}}}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.marks);
    std::string marks = one.marks;
    std::erase(marks, '\n');
    const ReadEvents read = events_in(fmt::format(R"({{"document":3,"reward":1,"features":{}}})", marks));
    CHECK(read.problem.empty());
    CHECK(read.log.events == std::vector<Event>{one.event});
  }
}

TEST_CASE("words may have a rating of their own in the line of a document or in a line without one") {
  struct Case {
    std::string line;
    Event event;
  };
  const std::vector<Case> cases = {
      {R"({"feature":"soil","reward":1})", {.words = {{3, 1.0, 1.0}}}},
      {R"({"reward":-0.5,"feature":2,"confidence":0.25,"note":"n"})", {.words = {{2, -0.5, 0.25}}}},
      {R"({"features":["soil",{"feature":"apple","reward":-1},{"feature":1,"confidence":0.5}]})",
       {.words = {{3, 1.0, 1.0}, {0, -1.0, 1.0}, {1, 1.0, 0.5}}}},
      {R"({"features":["soil",{"feature":"soil","reward":-1}],"note":"the first counts"})", {.words = {{3, 1.0, 1.0}}}},
      {R"({"document":7,"reward":1,"features":["soil",{"feature":"apple","reward":-1}]})",
       {.document = 7, .reward = 1.0, .words = {{3}, {0, -1.0, 1.0}}}},
      {R"({"id":"d3","reward":0,"features":[{"feature":1,"reward":0.5,"confidence":0.5},{"feature":1,"confidence":1}]})",
       {.document = 3, .words = {{1, 0.5, 0.5}}}},
      {R"({"document":3,"reward":1,"features":[{"feature":1,"reward":-1},{"feature":2,"confidence":0.5},0]})",
       {.document = 3, .reward = 1.0, .words = {{1, -1.0, 1.0}, {2, {}, 0.5}, {0}}}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.line);
    const ReadEvents read = events_in(one.line);
    CHECK(read.problem == "");
    CHECK(read.log.events == std::vector<Event>{one.event});
    CHECK(begins_like_events(one.line));
  }
}

TEST_CASE("a word may be rated again and again and does not count as a document") {
  const ReadEvents read =
      events_in("{\"feature\":3,\"reward\":1}\n{\"document\":3,\"reward\":1}\n{\"feature\":3,\"reward\":-1}\n");
  CHECK(read.problem == "");
  CHECK(read.log.events ==
        std::vector<Event>{{.words = {{3, 1.0, 1.0}}}, {.document = 3, .reward = 1.0}, {.words = {{3, -1.0, 1.0}}}});
}

TEST_CASE("a rating of a word is from -1 to 1 and not 0") {
  for (const std::string good : {"1", "-1", "0.25", "-1e-9"})
    CHECK(events_in("{\"feature\":3,\"reward\":" + good + "}").problem.empty());
  for (const std::string bad : {"0", "1.5", "-2", "-0"}) {
    const std::string expected = "expected as the reward of a word a number from -1 to 1 that is not 0, found " + bad;
    CHECK(events_in("{\"feature\":3,\"reward\":" + bad + "}").problem.starts_with("in:1:23: " + expected));
    CHECK(events_in("{\"document\":1,\"reward\":5,\"features\":[{\"feature\":3,\"reward\":" + bad + "}]}")
              .problem.starts_with("in:1:60: " + expected));
  }
}

TEST_CASE("rated words count towards the limit of features in all events") {
  std::int64_t most_marked = 0;
  EventRules rules;
  rules.room = {.most_bytes = 1'000'000, .model_bytes = [&](std::int64_t marked, std::int64_t) {
                  most_marked = std::max(most_marked, marked);
                  return std::uint64_t{0};
                }};
  CHECK(events_in("{\"feature\":3,\"reward\":1}\n{\"document\":1,\"reward\":1,\"features\":[{\"feature\":2,"
                  "\"reward\":-1},3]}\n{\"feature\":2,\"reward\":1}",
                  rules)
            .problem == "");
  CHECK(most_marked == 2);
}

TEST_CASE("blank lines and a byte order mark are skipped and line numbers count all lines") {
  const std::string text = "\xEF\xBB\xBF{\"document\":1,\"reward\":1}\r\n\r\n \t\n{\"document\":2,\"reward\":2}\n[]";
  CHECK(events_in(text).problem == fmt::format("in:5:1: expected a JSON object, found an array{}", hint));
  const ReadEvents read = events_in(text, skipping());
  CHECK(read.log.events == std::vector<Event>{{1, 1.0, {}}, {2, 2.0, {}}});
  CHECK(read.log.skipped == 1);
  for (const std::string nothing : {"", "\n", "\r\n\r\n", "\xEF\xBB\xBF", "   "}) CHECK(events_in(nothing).log.events.empty());
}

TEST_CASE("a bad event is refused with its line and column and what was expected") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"document":10,"reward":1})",
       R"(13: expected as the member "document" a row of the pool from 0 to 9, or an id in double quotes, found 10)"},
      {R"({"document": "x","reward":1})", R"(14: expected an id of the pool, found "x")"},
      {R"({"id":"x","reward":1})", R"(7: expected an id of the pool, found "x")"},
      {R"({"document":"3","reward":1})", R"(13: expected an id of the pool, found "3" (a row is written without quotes))"},
      {R"({"id":"twin","reward":1})", R"(7: expected an id that one document has, found "twin", which the rows 8 and 9 )"},
      {R"({"document":2,"id":"d3","reward":1})", R"(20: expected the id of document 2, found "d3", which is that of document 3)"},
      {R"({"document":"d3","id":"d3","reward":1})", R"(23: expected one of the members "document" and "id" to)"},
      {R"({"id":3,"reward":1})", R"(7: expected as the member "id" an id in double quotes, found 3)"},
      {R"({"document":null,"reward":1})",
       R"(13: expected as the member "document" a row of the pool from 0 to 9, or an id in double quotes, found null)"},
      {R"({"reward":1})", R"(1: expected the member "document", a row of the pool (counted from 0) or an id, found none)"},
      {R"({"document":1,"reward":1,"feature":["soil"]})",
       R"(36: expected "features" beside a document, found "feature" (did you mean features?))"},
      {R"({"document":1,"reward":1,"featurs":["soil"]})",
       R"(26: expected the members document, id, reward, features, feature, confidence, note, pool, separated, found "featurs" (did you mean features?))"},
      {R"({"feature":"soil"})", R"(1: expected the member "reward", a number, found none)"},
      {R"({"feature":"zebra","reward":1})", R"(12: expected a word of the pool's vocabulary, found "zebra")"},
      {R"({"feature":"Soil","reward":1})", R"(12: expected a word of the pool's vocabulary, found "Soil"; "soil" is in it)"},
      {R"({"feature":4,"reward":1})", "12: expected a word or a feature from 0 to 3, found 4"},
      {R"({"feature":"soil","reward":true})",
       R"(28: expected as the member "reward" a finite number of at most 1e+100 in size, found a boolean)"},
      {R"({"feature":"soil","reward":1,"confidence":1.5})",
       R"(43: expected as the member "confidence" a number above 0 and at most 1, found 1.5)"},
      {R"({"feature":"soil","reward":1,"id":"d3"})",
       R"(12: expected "features" beside a document, found "feature" (did you mean features?))"},
      {R"({"feature":"soil","reward":1,"features":[0]})",
       R"(41: expected "feature" or "features" in a line without a document, found both)"},
      {R"({"document":1,"reward":1,"confidence":0.5})",
       R"(39: expected the member "confidence" beside "feature", found it without)"},
      {R"({"features":[]})", R"(13: expected at least one word in "features", or "document", found neither)"},
      {R"({"features":[{"feature":"soil","reward":1e101}]})",
       R"(41: expected as the member "reward" a finite number of at most 1e+100 in size, found 1e101)"},
      {R"({"reward":1,"features":["soil"]})",
       R"(1: expected the member "document", a row of the pool (counted from 0) or an id, found none)"},
      {R"({"document":1,"document":2,"reward":1})", R"(15: expected the member "document" once, found it again)"},
      {R"({"pool":"0123456789abcdef","document":1,"reward":1})",
       R"(9: expected the member "pool" in a line of its own, the first one, found it in an event)"},
      {R"({"document":1,"reward":1,"features":[{"feature":1,"confidance":1}]})",
       R"(51: expected the members feature, reward, confidence, found "confidance" (did you mean confidence?))"},
      {R"({"document":1})", R"(1: expected the member "reward", a number, found none)"},
      {R"({"document":1,"reward":"good"})",
       R"(24: expected as the member "reward" a finite number of at most 1e+100 in size, found "good")"},
      {R"({"document":1,"reward":-1e101})",
       R"(24: expected as the member "reward" a finite number of at most 1e+100 in size, found -1e101)"},
      {R"({"document":1,"reward":NaN})", R"(24: expected JSON (numbers are finite, text stands in double quotes), found "NaN")"},
      {R"({"document":1,"reward":1,"features":"soil"})",
       R"(37: expected as the member "features" an array of words or feature numbers, found "soil")"},
      {R"({"document":1,"reward":1,"features":["soil", "zebra"]})",
       R"(46: expected a word of the pool's vocabulary, found "zebra")"},
      {R"({"document":1,"reward":1,"features":["Soil"]})",
       R"(38: expected a word of the pool's vocabulary, found "Soil"; "soil" is in it)"},
      {R"({"document":1,"reward":1,"features":[3,4]})", "40: expected a word or a feature from 0 to 3, found 4"},
      {R"({"document":1,"reward":1,"features":[[3]]})", "38: expected a word or a feature from 0 to 3, found an array"},
      {R"({"document":1,"reward":1,"features":[0, {"confidence":0.5}]})",
       R"(41: expected the member "feature" of a word, found none)"},
      {R"({"document":1,"reward":1,"features":[{"feature":"soil"}]})",
       R"(38: expected the member "reward" or "confidence" of a word, found none)"},
      {R"({"document":1,"reward":1,"features":[0,{"feature":4,"confidence":0.5}]})",
       "51: expected a word or a feature from 0 to 3, found 4"},
      {R"({"document":1,"reward":1,"features":[{"feature":"zebra","confidence":0.5}]})",
       R"(49: expected a word of the pool's vocabulary, found "zebra")"},
      {R"({"document":1,"reward":1,"features":[{"feature":{"feature":1},"confidence":1}]})",
       "49: expected a word or a feature from 0 to 3, found an object"},
      {R"({"document":1,"reward":1,"features":[{"feature":1,"confidence":0}]})",
       R"(64: expected as the member "confidence" a number above 0 and at most 1, found 0)"},
      {R"({"document":1,"reward":1,"features":[{"feature":1, "confidence":"high"}]})",
       R"(65: expected as the member "confidence" a number above 0 and at most 1, found "high")"},
      {R"({"document":1,"reward":1)", "25: expected a comma or }, found the end of the line"},
      {R"({document:1,"reward":1})", R"(2: expected the name of a member in double quotes, found "document")"},
      {R"({"document":9,718,"reward":1})", R"(15: expected the name of a member in double quotes, found "718")"},
      {R"({"document":1,"reward":1}})", R"(26: expected nothing after the end of the JSON, found "}")"},
      {"\"caf\xE9\"", "5: expected UTF-8, found the byte 0xE9"},
  };
  for (const auto& [line, expectation] : cases) {
    CAPTURE(line);
    const std::string problem = events_in("{\"document\":0,\"reward\":0}\n" + line + "\n").problem;
    CAPTURE(problem);
    CHECK(problem.starts_with("in:2:" + expectation));
    CHECK(problem.ends_with(hint));
    const ReadEvents skipped = events_in(line + "\n{\"document\":0,\"reward\":0}", skipping());
    CHECK(skipped.log.skipped == 1);
    CHECK(skipped.log.events == std::vector<Event>{{0, 0.0, {}}});
  }
}

TEST_CASE("events are the same wherever chunks of the file are cut") {
  std::string text;
  for (int n = 0; n < 10; ++n)
    text += fmt::format("{{\"document\":{},\"reward\":{},\"features\":[\"soil\",{}]}}\r\n\n", n, n * 0.5, n % 4);
  text += "{\"document\":3,\"reward\":1}\n[]\n{\"document\":4";
  EventRules rules = skipping();
  const ReadEvents expected = events_in(text, rules);
  CHECK(expected.log.events.size() == 10);
  for (std::uint64_t chunk_bytes = 1; chunk_bytes < 100; ++chunk_bytes) {
    rules.chunk_bytes = chunk_bytes;
    const ReadEvents read = events_in(text, rules);
    CHECK(read.log.events == expected.log.events);
    CHECK(read.log.skipped == 3);
    EventRules strict = {.chunk_bytes = chunk_bytes};
    CHECK(events_in(text, strict).problem == events_in(text).problem);
  }
}

// Documents 2 and 3 are one with 1, and 5 with 4.
TEST_CASE("a copy that is taken apart is rated by itself from there on") {
  const std::vector<std::int64_t> rows = {2, 3, 5};
  const std::vector<std::int64_t> originals = {1, 1, 4};
  EventScope scope = test::small_scope();
  scope.copies = {rows, originals};
  const auto read = [&](std::string_view text) { return events_in(text, {}, scope); };
  const Event apart_2 = {.separated = 2};
  const Event apart_5 = {.separated = 5};
  const std::string separate_2 = R"({"document":2,"separated":true,"note":"another year"})"
                                 "\n";
  const std::string rated_2 = R"({"id":"d2","reward":1})"
                              "\n";
  const std::string rated_3 = R"({"document":3,"reward":0.5})"
                              "\n";
  CHECK(read(rated_2 + rated_3).log.events == std::vector<Event>{{1, 0.5, {}}});
  CHECK(read(separate_2 + rated_2 + rated_3).log.events == std::vector<Event>{apart_2, {2, 1.0, {}}, {1, 0.5, {}}});
  CHECK(read(rated_2 + separate_2 + separate_2 + rated_3).log.events == std::vector<Event>{apart_2, {1, 0.5, {}}});
  CHECK(read(R"({"id":"d2","separated":true,"rating":1,"words_for":["soil"]})").log.events ==
        std::vector<Event>{apart_2, {2, 1.0, {{3}}}});
  CHECK(read("id,separated,rating\nd2,1,\nd0,,0\nd4,1,1\n").log.events ==
        std::vector<Event>{apart_2, {0, 0.0, {}}, apart_5, {4, 1.0, {}}});
  CHECK(read(R"({"document":0,"separated":true})").log.events.empty());  // it is one with no other
  CHECK(read(R"({"document":4,"separated":true})").log.events == std::vector<Event>{apart_5});
  CHECK(read(R"({"document":1,"separated":true})").problem ==
        "in:1:13: expected a copy, to take it apart, found document 1, which is the original of 2 copies" + std::string(hint));
  for (const std::string wrong : {R"({"document":2,"separated":false})", R"({"document":2,"separated":true,"reward":1})",
                                  R"({"document":2,"separated":1})", R"({"separated":true,"feature":"soil"})"}) {
    CAPTURE(wrong);
    CHECK(read(wrong).problem.find("expected the member \"separated\", true, beside a document alone, found ") !=
          std::string::npos);
  }
  CHECK(read(R"({"separated":true})").problem.find("expected the member \"document\"") != std::string::npos);
}

TEST_CASE("a document is played once unless replays are allowed") {
  const std::string text = "{\"document\":1,\"reward\":1}\n\n{\"document\":2,\"reward\":1}\n{\"document\":1,\"reward\":2}\n";
  CHECK(events_in(text).problem.starts_with(
      "in:4:13: expected each document once (--with-replacement allows more), found document 1 again, after line 1"));
  CHECK(events_in(text, skipping()).log.events.size() == 2);
  CHECK(events_in(text, replaying()).log.events.size() == 3);
}

TEST_CASE("an event that is left out neither rates its document nor marks its words") {
  const std::string text = "{\"document\":1,\"reward\":\"bad\",\"features\":[0]}\n{\"document\":1,\"reward\":1}\n";
  const ReadEvents read = events_in(text, skipping());
  CHECK(read.log.skipped == 1);
  CHECK(read.log.events == std::vector<Event>{{1, 1.0, {}}});
}

// Whether a double can hold the number and a float cannot.
bool only_too_fine_for_float(std::string_view value) {
  return value == "1e-60" || value == "1e-40" || value == "-1e-45" || value == "3.5e38";
}

TEST_CASE("rewards that are not finite numbers are refused with file and line and column") {
  for (const std::string_view value : test::bad_values) {
    CAPTURE(value);
    const std::string line = fmt::format(R"({{"document":1,"reward":{}}})", value);
    if (only_too_fine_for_float(value)) {
      CHECK(events_in(line).problem.empty());
      continue;
    }
    CHECK(events_in(line).problem.starts_with("in:1:"));
    CHECK(events_in(line, skipping()).log.skipped == 1);
  }
  for (const std::string_view value : test::zero_values) {
    CAPTURE(value);
    const ReadEvents read = events_in(fmt::format(R"({{"document":1,"reward":{}}})", value));
    if (value == "00")  // not JSON
      CHECK(read.problem.starts_with("in:1:"));
    else
      CHECK(read.log.events == std::vector<Event>{{1, 0.0, {}}});
  }
}

TEST_CASE("confidences that are not above 0 and at most 1 are refused with file and line and column") {
  const auto line_of = [](std::string_view confidence) {
    return fmt::format(R"({{"document":1,"reward":1,"features":[{{"feature":1,"confidence":{}}}]}})", confidence);
  };
  const auto check_refused = [&](std::string_view value) {
    CAPTURE(value);
    CHECK(events_in(line_of(value)).problem.starts_with("in:1:"));
    CHECK(events_in(line_of(value), skipping()).log.skipped == 1);
  };
  for (const std::string_view value : test::bad_values)
    if (value == "1e-60" || value == "1e-40")
      CHECK(events_in(line_of(value)).problem.empty());
    else
      check_refused(value);
  for (const std::string_view value : test::zero_values) check_refused(value);
  for (const std::string_view value : {"1.0000000000000002", "2", "-0.5", "null", "true", "[0.5]", "\"0.5\""})
    check_refused(value);
}

TEST_CASE("rows and features out of range are refused with file and line and column") {
  for (const std::string_view index : test::bad_indices) {
    CAPTURE(index);
    const std::string row = fmt::format(R"({{"document":{},"reward":1}})", index);
    const std::string feature = fmt::format(R"({{"document":1,"reward":1,"features":[0,{}]}})", index);
    const std::string unsure =
        fmt::format(R"({{"document":1,"reward":1,"features":[{{"feature":{},"confidence":0.5}}]}})", index);
    for (const std::string& line : {row, feature, unsure}) CHECK(events_in(line).problem.starts_with("in:1:"));
    CHECK(events_in(fmt::format("{}\n{}\n{}", row, feature, unsure), skipping()).log.skipped == 3);
  }
}

TEST_CASE("broken UTF-8 is refused anywhere, as are words of a pool without words and rows of an empty pool") {
  for (const test::BrokenText& broken : test::broken_texts) {
    const std::string line = fmt::format(R"({{"document":1,"reward":1,"note":"{}"}})", broken.bytes);
    CHECK(events_in(line).problem.find("expected UTF-8, found the byte 0x") != std::string::npos);
  }

  EventScope scope = test::small_scope();
  scope.feature_of = {};
  CHECK(events_in(R"({"document":1,"reward":1,"features":["soil"]})", {}, scope)
            .problem.starts_with("in:1:38: expected a feature from 0 to 3 (this pool has no words), found \"soil\""));
  CHECK(events_in(R"({"document":1,"reward":1,"features":[3]})", {}, scope).log.events.size() == 1);

  const std::string problem = events_in(R"({"document":0,"reward":1})", {}, {}).problem;
  CHECK(problem.starts_with("in:1:13: expected as the member \"document\" a row of the pool (there is none)"));
}

TEST_CASE("a line that is too long is refused with the limit and the lines after it are read") {
  EventRules rules = skipping();
  rules.most_line_bytes = 40;
  const std::string longer = R"({"document":1,"reward":1,"note":")" + std::string(3'000'000, 'x') + "\"}";
  const std::string text = longer + "\n{\"document\":2,\"reward\":1}\n" + longer + "\n[]\n";
  const ReadEvents read = events_in(text, rules);
  CHECK(read.log.skipped == 3);
  CHECK(read.log.events == std::vector<Event>{{2, 1.0, {}}});
  rules.skip_bad = false;
  CHECK(events_in(text, rules).problem.starts_with("in:1:1: expected an event of at most 40 bytes"));
}

TEST_CASE("JSON that is nested too deep is refused with the limit") {
  const std::string deep = R"({"document":1,"reward":1,"note":)" + std::string(100'000, '[') + "}";
  CHECK(events_in(deep).problem.starts_with("in:1:288: expected JSON at most 256 levels deep"));
  const std::string closed = R"({"document":1,"reward":1,"note":)" + std::string(255, '[') + std::string(255, ']') + "}";
  CHECK(events_in(closed).problem.empty());
}

TEST_CASE("more features than a matrix can hold are refused with their number") {
  EventScope scope = {.documents = 3, .features = kLargestGram + 2};
  const auto marks = [](std::int32_t first, std::int32_t count) {
    std::string text = "[" + std::to_string(first);
    for (std::int32_t n = 1; n < count; ++n) text += "," + std::to_string(first + n);
    return text + "]";
  };
  const std::string text = fmt::format("{{\"document\":0,\"reward\":1,\"features\":{}}}\n", marks(0, kLargestGram)) +
                           "{\"document\":1,\"reward\":1,\"features\":[7,7]}\n{\"document\":2,\"reward\":1,\"features\":[" +
                           std::to_string(kLargestGram) + "]}\n";
  CHECK(events_in(text, {}, scope)
            .problem.starts_with(fmt::format("in:3:37: expected at most {} different features in all events, found {}",
                                             kLargestGram, kLargestGram + 1)));
}

TEST_CASE("a document without an id in the pool can only be named by its row") {
  EventScope scope = test::small_scope();
  scope.rows_of_ids = {};
  CHECK(events_in(R"({"id":"d3","reward":1})", {}, scope)
            .problem.starts_with(R"(in:1:7: expected "document" as a row from 0 to 9, because this pool has no ids, )"));
  CHECK(events_in(R"({"document":12,"reward":1})", {}, scope)
            .problem.starts_with(R"(in:1:13: expected as the member "document" a row of the pool from 0 to 9, found 12)"));
}

TEST_CASE("the first bad line is reported whether it is malformed or has an unknown id") {
  CHECK(events_in("{\"document\":1,\"reward\":1}\n{\"id\":\"x\",\"reward\":1}\n[]\n").problem.starts_with("in:2:7: "));
  CHECK(events_in("{\"id\":\"d1\",\"reward\":1}\n[]\n{\"id\":\"x\",\"reward\":1}\n").problem.starts_with("in:2:1: "));
}

TEST_CASE("a document named by row and by id is rated twice") {
  CHECK(events_in("{\"document\":1,\"reward\":1}\n{\"id\":\"d1\",\"reward\":1}\n")
            .problem.starts_with("in:2:7: expected each document once"));
}

TEST_CASE("the first event that was left out is reported with its place and reason") {
  const ReadEvents read =
      events_in("{\"document\":1,\"reward\":1}\n{\"id\":\"x\",\"reward\":1}\n[]\n{\"document\":1,\"reward\":1}\n", skipping());
  CHECK(read.log.skipped == 3);
  CHECK(read.log.first_skipped == "in:2:7: expected an id of the pool, found \"x\"");
  CHECK(events_in("{\"document\":1,\"reward\":1}", skipping()).log.first_skipped.empty());
}

TEST_CASE("events of another pool are refused unless any pool is allowed") {
  const std::string event = "{\"document\":1,\"reward\":1}\n";
  const std::string same = "\n{\"pool\":\"0123456789abcdef\",\"note\":\"mine\"}\n" + event;
  const std::string other = "{\"pool\":\"fedcba9876543210\"}\n" + event;
  CHECK(events_in(same).log.events.size() == 1);
  for (const bool skip : {false, true}) {
    const std::string problem = events_in(other, {.skip_bad = skip}).problem;
    CHECK(problem.starts_with(
        "in:1:9: expected events of this pool, whose fingerprint is 0123456789abcdef, found those of \"fedcba9876543210\""));
    CHECK(problem.find("--any-pool") != std::string::npos);
  }
  CHECK(events_in(other, {.other_pools = OtherPools::allowed}).log.events.size() == 1);
  CHECK(events_in(event + same).problem.starts_with("in:3:9: expected the fingerprint of the pool in the first line"));
  CHECK(events_in("{\"pool\":7}").problem.starts_with("in:1:9: expected as the member \"pool\" the fingerprint"));
}

TEST_CASE("events that need too much memory to learn are refused with the line that passes the limit") {
  EventRules rules;
  rules.room = {.most_bytes = 2'000'000, .model_bytes = [](std::int64_t marked, std::int64_t documents) {
                  return static_cast<std::uint64_t>(1'000'000 * std::min(marked, documents));
                }};
  const std::string text =
      "{\"document\":0,\"reward\":1,\"features\":[0,1]}\n{\"document\":1,\"reward\":1}\n"
      "{\"document\":2,\"reward\":1,\"features\":[2]}\n{\"document\":3,\"reward\":1,\"features\":[3]}\n";
  CHECK(events_in(text, rules).problem ==
        "in:3:1: expected events that are learned in at most 1 MiB (--memory); from this line on they take more, and "
        "4 MiB with all 4 marked words and 4 documents");
  rules.room.most_bytes = 4'000'000;
  CHECK(events_in(text, rules).log.events.size() == 4);
  rules.room.most_bytes = 100;
  CHECK(events_in(text, rules).problem.starts_with("in:1:1: expected events that take at most 100 bytes of memory"));
}

TEST_CASE("a million marks of few words in one event are read quickly") {
  std::string line = R"({"document":1,"reward":1,"features":[0)";
  for (int n = 0; n < 1'000'000; ++n) line += n % 2 == 0 ? ",3" : ",1";
  CHECK(events_in(line + "]}").log.events == std::vector<Event>{{1, 1.0, {{0}, {3}, {1}}}});
}

TEST_CASE_FIXTURE(test::InFolder, "files that cannot be read are a system error") {
  CHECK_THROWS_AS((void)read_events(folder.file("missing"), test::small_scope(), {}), SystemError);
  CHECK_THROWS_AS((void)read_events(folder.path().generic_string(), test::small_scope(), {}), SystemError);
}

}  // namespace
}  // namespace inkling
