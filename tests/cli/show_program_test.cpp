// `inkling show` and `inkling info` as a user meets them.
#include <chrono>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

// Three documents with ids, labels and texts whose characters would act on a terminal.
struct KeptTexts {
  explicit KeptTexts(const Args& more = {"--keep-text"}) {
    write(folder.file("text.jsonl"),
          "{\"id\":\"a1\",\"label\":\"tea\",\"text\":\"Green tea,\\r\\n\\tblack tea\\u001b[31m.\"}\n"
          "{\"id\":\"17\",\"label\":\"to\\u202ep\",\"text\":\"milk \\u009bwith sugar\"}\n"
          "{\"id\":\"b\\u0007\",\"text\":\"\"}\n");
    succeeded(inkling(Args{"build", folder.file("text.jsonl"), "--out", pool} + more));
  }
  [[nodiscard]] ProgramResult show(const Args& args) const { return inkling(Args{"show", pool} + args); }

  TemporaryFolder folder;
  std::string pool = folder.file("pool");
};

bool acts_on_a_terminal(const std::string& text) {
  for (const std::string bad : {"\x1b", "\x07", "\xC2\x9B", "\xE2\x80\xAE"})
    if (holds(text, bad)) return true;
  return false;
}

TEST_CASE("a document is shown by row or id with its text and words or as JSON, and cannot act on a terminal") {
  const KeptTexts kept;
  const ProgramResult one = succeeded(kept.show({"0"}));
  CHECK(one.out.starts_with("document 0: a1 (tea)\nGreen tea,\n    black tea\\x1B[31m.\n     0."));
  CHECK(holds(one.out, "  tea\n"));
  CHECK(one.out.find("  tea\n") < one.out.find("  green\n"));  // because it occurs twice
  CHECK(kept.show({"a1"}).out == one.out);
  const ProgramResult all = kept.show({"0", "1", "2"});
  CHECK(holds(all.out, "\n\ndocument 1: 17 (to\\u{202E}p)\nmilk \\u{009B}with sugar\n"));
  CHECK(all.out.ends_with("\n\ndocument 2: b\\x07\n"));
  CHECK_FALSE(acts_on_a_terminal(all.out));
  CHECK(kept.show({"0", "--words", "1"}).out.ends_with("  tea\n  and 3 more words\n"));

  CHECK(kept.show({"--ids", "17"}).out.starts_with("document 1: 17 "));
  CHECK(kept.show({"17"}).out.starts_with("document 1: 17 "));  // an id, because there is no such row
  CHECK(kept.show({"1"}).out.starts_with("document 1: 17 "));
  for (const Args& wrong : {Args{"9"}, Args{"nothing"}, Args{"-1"}, Args{"--ids", "1"}}) {
    const ProgramResult result = kept.show(wrong);
    CHECK(result.exit_code == 2);
    CAPTURE(result.err);
    if (wrong.back() != "-1") CHECK(holds(result.err, "from 0 to 2, or one of its ids"));
  }
  CHECK(holds(kept.show({"a11"}).err, " (did you mean a1?)\n"));

  const ProgramResult result = kept.show({"--json", "2", "0"});
  CHECK(result.out.starts_with("{\"document\":2,\"id\":\"b\\u0007\",\"text\":\"\",\"words\":[]}\n{\"document\":0,"));
  CHECK(holds(result.out, "\"label\":\"tea\",\"text\":\"Green tea,\\r\\n\\tblack tea\\u001b[31m.\",\"words\":[{\"feature\":"));
  CHECK(holds(result.out, "\"word\":\"tea\",\"weight\":0."));
}

TEST_CASE("a pool without texts shows words and says how to keep texts") {
  const KeptTexts kept(Args{});
  const ProgramResult result = succeeded(kept.show({"0"}));
  CHECK(holds(result.out, "  tea\n"));
  CHECK(holds(result.err, "inkling build --keep-text"));
}

TEST_CASE("info shows labels and words of a pool that cannot act on a terminal") {
  const KeptTexts kept;
  for (const Args& args : {Args{"info", kept.pool}, Args{"info", kept.pool, "--json"}})
    CHECK_FALSE(acts_on_a_terminal(succeeded(inkling(args)).out));
  CHECK(holds(inkling({"info", kept.pool}).out, "to\\u{202E}p"));
}

TEST_CASE_FIXTURE(InFolder, "the time of info does not grow with the square of the labels") {
  std::string text;
  for (int row = 0; row < 20'000; ++row)
    text += fmt::format("{{\"label\":\"l{:05}\",\"text\":\"word{} two{} too{} all\"}}\n", row, row, row, row);
  const std::string pool = folder.file("pool");
  REQUIRE(inkling({"build", write(folder.file("text.jsonl"), text), "--out", pool}).exit_code == 0);
  const auto begin = std::chrono::steady_clock::now();
  const ProgramResult info = inkling({"info", pool, "--json"});
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));  // quadratic time would be half a minute
  CHECK(info.exit_code == 0);
  CHECK(holds(info.out, "{\"label\":\"l19999\",\"documents\":1,\"words\":[\"too19999\""));
}

}  // namespace
}  // namespace inkling::test
