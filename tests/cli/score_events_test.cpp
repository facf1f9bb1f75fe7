// Which events `inkling score` accepts, and what it does with events that no model can learn from.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/cli/score_pools.hpp"

namespace inkling::test {
namespace {

std::string fingerprint_in(const std::string& info) {
  const std::string name = "\"fingerprint\":\"";
  const std::size_t at = info.find(name);
  REQUIRE(at != std::string::npos);
  return info.substr(at + name.size(), 16);
}

std::string id_of(const TinyPool& tiny, int row) {
  const std::string all = tiny.score({"--all"}).out;
  const std::string before = fmt::format("{{\"document\":{},\"id\":\"", row);
  const std::size_t at = all.find(before) + before.size();
  return all.substr(at, all.find('"', at) - at);
}

TEST_CASE_FIXTURE(InTinyPool, "documents are named by row or by id and score the same") {
  const std::string expected = tiny.score({"--top", "20"}).out;
  write(tiny.events, fmt::format("{{\"id\":\"{}\",\"reward\":1,\"features\":[\"soil\"]}}\n"
                                 "{{\"document\":\"{}\",\"reward\":-0.5}}\n"
                                 "{{\"document\":1,\"id\":\"{}\",\"reward\":0.75,\"features\":[\"the\",\"compost\"]}}\n",
                                 id_of(tiny, 0), id_of(tiny, 5), id_of(tiny, 1)));
  CHECK(tiny.score({"--top", "20"}).out == expected);
  CHECK(tiny.score({"--top", "20", "--io", "read"}).out == expected);
}

TEST_CASE_FIXTURE(InTinyPool, "an id is refused in a pool without ids and with both rows if two documents have it") {
  const std::string rows = write(tiny.folder.file("rows.svm"), "0 1:1\n0 2:1\n");
  const std::string matrix = tiny.folder.file("matrix");
  REQUIRE(inkling({"build", rows, "--out", matrix}).exit_code == 0);
  write(tiny.events, "{\"id\":\"x\",\"reward\":1}\n");
  check_refused(inkling({"score", matrix, "--events", tiny.events}), 3,
                {tiny.events + ":1:7: expected \"document\" as a row from 0 to 1, because this pool has no ids"});
  const std::string twin = write(tiny.folder.file("twin.jsonl"), "{\"id\":\"x\",\"text\":\"one\"}\n");
  for (const char* const name : {"one", "other"})
    REQUIRE(inkling({"build", twin, "--out", tiny.folder.file(name)}).exit_code == 0);
  check_refused(inkling({"score", tiny.folder.file("one"), tiny.folder.file("other"), "--events", tiny.events}), 3,
                {":1:7: expected an id that one document has, found \"x\", which the rows 0 and 1 have"});
}

TEST_CASE_FIXTURE(InTinyPool, "a highlight may be a word with capitals and punctuation or a phrase if the pool has phrases") {
  const auto with = [&](const std::string& mark) {
    write(tiny.events, fmt::format("{{\"document\":0,\"reward\":1,\"features\":[\"{}\"]}}\n", mark));
    return tiny.score({"--top", "5", "--explain"});
  };
  const std::string expected = with("soil").out;
  CHECK(holds(expected, "\"word\":\"soil\""));
  for (const std::string mark : {"Soil", "SOIL", "soil,", " Soil."}) CHECK(with(mark).out == expected);
  const std::string text = write(tiny.folder.file("text.jsonl"),
                                 "{\"text\":\"Cocoa quota talks\"}\n{\"text\":\"the cocoa quota ends\"}\n"
                                 "{\"text\":\"no cocoa quota\"}\n");
  const std::string phrases = tiny.folder.file("phrases");
  REQUIRE(inkling({"build", text, "--ngrams", "1,2", "--out", phrases}).exit_code == 0);
  write(tiny.events, "{\"document\":0,\"reward\":1,\"features\":[\"Cocoa quota\"]}\n");
  const ProgramResult phrase = succeeded(inkling({"score", phrases, "--events", tiny.events, "--explain"}));
  CHECK(holds(phrase.out, "\"word\":\"cocoa quota\""));
  write(tiny.events, "{\"document\":0,\"reward\":1,\"features\":[\"cocoa quota talks\"]}\n");
  CHECK(holds(inkling({"score", phrases, "--events", tiny.events}).err,
              "phrases of 2 words at most (inkling build --ngrams 1,3 makes phrases); \"cocoa\" and \"quota\" and"));
}

TEST_CASE_FIXTURE(InTinyPool, "rated words alone make a ranking and the reasons name them") {
  write(tiny.events, "{\"feature\":\"soil\",\"reward\":1}\n{\"feature\":\"Rope\",\"reward\":-1,\"confidence\":0.5}\n");
  const ProgramResult ranked = succeeded(tiny.score({"--top", "3", "--explain"}));
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = ranked.out.find("\"reason\":\"it holds soil, which you liked", at)) != std::string::npos; ++at)
    ++lines;
  CHECK(lines == 3);
  CHECK(holds(ranked.out, "\"rated\":1}"));
  CHECK(holds(tiny.score({"--top", "1", "--explain", "--format", "table"}).out, "  it holds soil, which you liked"));
  const std::string alone = tiny.score({"--all"}).out;
  write(tiny.events, "{\"features\":[\"soil\",{\"feature\":\"rope\",\"reward\":-1,\"confidence\":0.5}]}\n");
  CHECK(tiny.score({"--all"}).out == alone);
  CHECK(tiny.score({"--all", "--io", "read"}).out == alone);
  write(tiny.events, "{\"feature\":\"composst\",\"reward\":1}\n");
  check_refused(tiny.score({}), 3,
                {tiny.events + ":1:12: expected a word of the pool's vocabulary, found \"composst\"; did you mean"});
}

TEST_CASE_FIXTURE(InTinyPool,
                  "events of another pool are refused unless any pool is allowed, and they may come from standard input") {
  const std::string own = fingerprint_in(inkling({"info", tiny.pool, "--json"}).out);
  const std::string event = "{\"document\":0,\"reward\":1,\"features\":[\"soil\"]}\n";
  write(tiny.events, event);
  const std::string expected = tiny.score({}).out;
  write(tiny.events, "{\"pool\":\"" + own + "\"}\n" + event);
  CHECK(tiny.score({}).out == expected);
  // For events, a pool with the same words and ids and other weights is the same pool; a pool with other documents is not.
  const std::string weighted = tiny.folder.file("weighted");
  REQUIRE(inkling({"build", kTinyCorpus, "--ngrams", "1", "--tf", "binary", "--out", weighted}).exit_code == 0);
  CHECK(inkling({"score", weighted, "--events", tiny.events}).exit_code == 0);
  const std::string other = tiny.folder.file("other");
  REQUIRE(inkling({"build", kTinyCorpus, "--stop-words", "english", "--out", other}).exit_code == 0);
  check_refused(inkling({"score", other, "--events", tiny.events, "--skip-bad"}), 3,
                {tiny.events + ":1:9: expected events of this pool, whose fingerprint is "});
  CHECK(inkling({"score", other, "--events", tiny.events, "--any-pool"}).exit_code == 0);
  CHECK(holds(inkling({"info", tiny.pool}).out, own));

  const auto shell = [&](const std::string& redirect) {
    return run_program("/bin/sh", {"-c", fmt::format("{} score {} --events - {}", kInklingProgram, tiny.pool, redirect)});
  };
  CHECK(shell("< " + tiny.events).out == tiny.score({}).out);
  CHECK(holds(shell("<<E\n[]\nE").err, "inkling score: standard input:1:1: expected a JSON object"));
}

TEST_CASE_FIXTURE(InTinyPool, "precisions beyond the range of numbers are bad input with the option to change") {
  std::string marks = "0";
  for (int feature = 1; feature < 100; ++feature) marks += fmt::format(",{}", feature);
  std::string events;
  for (int row = 0; row < 4; ++row) events += fmt::format("{{\"document\":{},\"reward\":1,\"features\":[{}]}}\n", row, marks);
  write(tiny.events, events);
  for (const std::string ridge : {"1e-18", "1e-30", "1e-60"}) {
    check_refused(tiny.score({"--policy", "ff-oful", "--ridge", ridge}), 3,
                  {tiny.events + ": expected events that can be learned", "raise --ridge"});
  }
  CHECK(tiny.score({"--policy", "ff-oful", "--ridge", "1e-9"}).exit_code == 0);
}

TEST_CASE_FIXTURE(InTinyPool, "extreme allowed settings never give internal errors") {
  int tries = 0;
  const auto check = [&](const Args& args) {
    CAPTURE(fmt::format("{} {} {} {}", args[0], args[1], args[2], args[3]));
    const ProgramResult result = tiny.score(args);
    CAPTURE(result.err);
    CHECK((result.exit_code == 0 || result.exit_code == 3));
    CHECK_FALSE(holds(result.out, "null"));
    ++tries;
  };
  for (const std::string precision : {"1e-60", "1e-12", "1e58"}) {
    for (const std::string noise : {"0", "1e6"}) {
      check({"--policy", "ff-oful", "--ridge", precision, "--noise", noise, "--norm-bound", "1e6"});
      check({"--policy", "oful", "--ridge", precision, "--noise", noise, "--norm-bound", "0"});
      check({"--policy", "soft-marks", "--unmarked-precision", precision, "--noise", noise});
      check({"--policy", "soft-marks", "--marked-precision", precision, "--noise", noise});
    }
  }
  CHECK(tries == 24);
}

#if !defined(__SANITIZE_ADDRESS__)  // the sanitizer takes memory for itself
TEST_CASE_FIXTURE(InFolder, "twenty thousand marks of one document are learned in little memory") {
  std::string words = "{\"text\":\"";
  std::string marks;
  for (int n = 0; n < 20'000; ++n) {
    words += fmt::format("w{} ", n);
    marks += fmt::format("{}\"w{}\"", n == 0 ? "" : ",", n);
  }
  const std::string text = write(folder.file("text.jsonl"), words + "\"}\n{\"text\":\"w1 w2 w3\"}\n");
  const std::string pool = folder.file("pool");
  REQUIRE(inkling({"build", text, "--out", pool}).exit_code == 0);
  const std::string events =
      write(folder.file("e.jsonl"), fmt::format("{{\"document\":0,\"reward\":1,\"features\":[{}]}}\n", marks));
  for (const std::string how : {"map", "read"}) {
    const ProgramResult result =
        succeeded(inkling({"score", pool, "--events", events, "--io", how, "--memory", "64M", "--policy", "ff-oful"}));
    CHECK(holds(result.out, "{\"document\":1,"));
  }
}
#endif

TEST_CASE_FIXTURE(InFolder, "events that would take more than the given memory are refused with their line") {
  std::string rows;
  std::string lines;
  for (int row = 0; row < 2000; ++row) {
    rows += fmt::format("0 {}:1 {}:1\n", row + 1, 2000 + row + 1);
    lines += fmt::format("{{\"document\":{},\"reward\":1,\"features\":[{}]}}\n", row, row);
  }
  const std::string pool = folder.file("pool");
  REQUIRE(inkling({"build", write(folder.file("rows.svm"), rows), "--features", "4001", "--out", pool}).exit_code == 0);
  // 64 MB hold two matrices of about 2,030 words.
  for (int row = 0; row < 46; ++row)
    lines += fmt::format("{{\"document\":{},\"reward\":1,\"features\":[{}]}}\n", row, 2000 + row);
  const std::string events = write(folder.file("e.jsonl"), lines);
  check_refused(inkling({"score", pool, "--events", events, "--with-replacement", "--memory", "64M", "--policy", "ff-oful"}), 3,
                {events + ":20", "at most 64 MiB (--memory)"});
}

#if !defined(__SANITIZE_ADDRESS__)  // the sanitizer takes memory for itself
TEST_CASE_FIXTURE(InFolder, "rows are read if memory is too small for the postings of many words") {
  std::string rows;
  std::string lines;
  for (int row = 0; row < 2000; ++row) {
    rows += fmt::format("0 {}:1 2001:1 2002:1 2003:1 2004:1 2005:1 2006:1\n", row + 1);
    lines += fmt::format("{{\"document\":{},\"reward\":1,\"features\":[{}]}}\n", row, row);
  }
  const std::string pool = folder.file("pool");
  REQUIRE(inkling({"build", write(folder.file("rows.svm"), rows), "--out", pool}).exit_code == 0);
  const Args score = {"score", pool,       "--events", write(folder.file("e.jsonl"), lines), "--all", "--io", "read", "--memory",
                      "120M",  "--policy", "ff-oful"};
  CHECK(succeeded(inkling(score)).out == inkling(score + Args{"--layout", "rows"}).out);
  CHECK(inkling(score + Args{"--layout", "postings"}).exit_code == 3);
}
#endif

TEST_CASE_FIXTURE(InFolder, "asking for the best hundred million of four documents takes little memory") {
  const std::string rows = write(folder.file("rows.svm"), "0 1:1\n0 2:1\n0 1:2\n0 2:2\n");
  const std::string pool = folder.file("pool");
  REQUIRE(inkling({"build", rows, "--out", pool}).exit_code == 0);
  const std::string events = write(folder.file("e.jsonl"), "{\"document\":0,\"reward\":1,\"features\":[0]}\n");
  succeeded(inkling({"score", pool, "--events", events, "--io", "read", "--top", "100000000"}));
}

TEST_CASE_FIXTURE(InFolder, "rows in a table can be read back") {
  std::string rows;
  for (int row = 0; row < 1200; ++row) rows += row == 1100 ? "0 1:1\n" : "0 2:1\n";
  const std::string pool = folder.file("pool");
  REQUIRE(inkling({"build", write(folder.file("rows.svm"), rows), "--out", pool}).exit_code == 0);
  const std::string events = write(folder.file("e.jsonl"), "{\"document\":0,\"reward\":1,\"features\":[0]}\n");
  CHECK(holds(inkling({"score", pool, "--events", events, "--top", "1", "--format", "table"}).out, " 1100 "));
}

}  // namespace
}  // namespace inkling::test
