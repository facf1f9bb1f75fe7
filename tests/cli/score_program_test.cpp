// `inkling score` as a user meets it.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/cli/score_pools.hpp"

namespace inkling::test {
namespace {

TEST_CASE_FIXTURE(InTinyPool, "the best documents come first and played ones are left out") {
  const ProgramResult top = succeeded(tiny.score({"--top", "3", "--policy", "ff-oful"}));
  CHECK(std::ranges::count(top.out, '\n') == 3);
  CHECK(top.out.starts_with("{\"document\":"));
  CHECK(holds(top.out, "\"id\":\""));
  check_holds(top.err, {"inkling score: 20 documents by 3 features in ", "documents/s", "GB/s",
                        " resident at most, mapped files included\n"});
  const ProgramResult everything = tiny.score({"--top", "100"});
  CHECK(std::ranges::count(everything.out, '\n') == 17);
  for (const std::string played : {"{\"document\":0,", "{\"document\":5,", "{\"document\":1,"})
    CHECK_FALSE(holds(everything.out, played));
  const ProgramResult replaying = tiny.score({"--top", "100", "--with-replacement"});
  CHECK(std::ranges::count(replaying.out, '\n') == 20);
  CHECK(holds(replaying.out, "\"played\":1}"));
}

TEST_CASE_FIXTURE(InTinyPool,
                  "all documents come in order of row with their plays, and words explain a score in JSON and in a table") {
  const std::vector<std::string> lines = lines_in(succeeded(tiny.score({"--all", "--format", "csv"})).out);
  REQUIRE(lines.size() == 21);
  CHECK(lines.front() == "document,id,mean,width,ucb,played");
  for (int row = 0; row < 20; ++row) {
    const std::string& line = lines[static_cast<std::size_t>(row) + 1];
    CHECK(line.starts_with(std::to_string(row) + ","));
    CHECK(line.ends_with(row == 0 || row == 1 || row == 5 ? ",1" : ",0"));
  }
  CHECK(tiny.score({"--all", "--format", "npy"}).out.size() == 256 + 20 * 40);

  const ProgramResult json = tiny.score({"--top", "1", "--explain"});
  check_holds(json.out, {"\"words\":[{\"feature\":", "\"word\":\"soil\"", "\"width_share\":"});
  check_holds(tiny.score({"--top", "1", "--explain", "--format", "table"}).out, {"ucb", "soil\n"});
}

TEST_CASE("scores have the same bytes mapped or read, by rows or postings, on any number of threads") {
  RandomPools pools;
  const std::string pool = pools.pool(0, RandomPools::rows);
  const std::string events = pools.events(0);
  for (const Args& output :
       {Args{"--top", "50"}, Args{"--top", "20", "--explain"}, Args{"--all", "--format", "npy"}, Args{"--all"}}) {
    const Args score = Args{"score", pool, "--events", events} + output;
    const ProgramResult expected = succeeded(inkling(score + Args{"--threads", "1", "--layout", "rows"}));
    CHECK_FALSE(expected.out.empty());
    for (const Args& way :
         {Args{"--threads", "2", "--layout", "rows"}, Args{"--threads", "8", "--layout", "rows"},
          Args{"--threads", "1", "--layout", "postings"}, Args{"--threads", "8", "--layout", "postings"},
          Args{"--threads", "1", "--io", "read"}, Args{"--threads", "8", "--io", "read"},
          Args{"--threads", "2", "--io", "read", "--layout", "rows"}, Args{"--trust"}, Args{"--io", "read", "--trust"}}) {
      CAPTURE(fmt::format("{} {}", output.front(), way[1 % way.size()]));
      CHECK(succeeded(inkling(score + way)).out == expected.out);
    }
  }
}

TEST_CASE("shards are scored like the one pool that they form") {
  RandomPools pools;
  const std::string events = pools.events(0);
  const Args whole = {pools.pool(0, RandomPools::rows)};
  const Args shards = {pools.pool(0, 1), pools.pool(1, 1700), pools.pool(1700, RandomPools::rows)};
  for (const Args& output : {Args{"--top", "50"}, Args{"--all"}, Args{"--all", "--io", "read"}}) {
    const Args rest = Args{"--events", events} + output;
    CHECK(inkling(Args{"score"} + shards + rest).out == inkling(Args{"score"} + whole + rest).out);
  }
  const std::string other = pools.file("other");
  REQUIRE(inkling({"build", kTinyCorpus, "--ngrams", "1", "--out", other}).exit_code == 0);
  check_refused(inkling({"score", whole.front(), other, "--events", events}), 3, {other});
}

TEST_CASE("eight users in one pass get the scores that each gets alone") {
  RandomPools pools;
  const std::string pool = pools.pool(0, RandomPools::rows);
  Args together = {"score", pool, "--split", "--out", pools.file("scores"), "--top", "25"};
  Args shared = {"score", pool, "--top", "25"};
  std::string expected;
  for (int user = 0; user < 8; ++user) {
    together = together + Args{"--events", pools.events(user)};
    shared = shared + Args{"--events", pools.events(user)};
  }
  REQUIRE(inkling(together).exit_code == 0);
  for (int user = 0; user < 8; ++user) {
    const std::string events = pools.events(user);
    const std::string alone = inkling({"score", pool, "--top", "25", "--events", events}).out;
    CHECK(text_of(pools.file(fmt::format("scores/user{}.jsonl", user))) == alone);
    for (const std::string& line : lines_in(alone)) expected += fmt::format("{{\"events\":\"{}\",{}\n", events, line.substr(1));
  }
  CHECK(inkling(shared).out == expected);
}

TEST_CASE_FIXTURE(InTinyPool, "all documents of several users come row by row in one file and user by user in a folder") {
  const std::string other = write(tiny.folder.file("other.jsonl"), "{\"document\":2,\"reward\":1}\n");
  const ProgramResult both = succeeded(tiny.score({"--events", other, "--all", "--format", "csv"}));
  CHECK(std::ranges::count(both.out, '\n') == 41);
  CHECK(both.out.starts_with(fmt::format("events,document,id,mean,width,ucb,played\n{},0,", tiny.events)));
  const std::string scores = tiny.folder.file("a/scores");
  REQUIRE(tiny.score({"--events", other, "--all", "--format", "npy", "--split", "--out", scores}).exit_code == 0);
  CHECK(text_of(scores + "/me.npy") == tiny.score({"--all", "--format", "npy"}).out);
  CHECK(text_of(scores + "/other.npy").size() == 256 + 20 * 40);
}

TEST_CASE_FIXTURE(InTinyPool, "bad events are refused with file and line and column or skipped and counted") {
  struct Case {
    std::string line, place, what;
  };
  const std::vector<Case> cases = {
      {R"({"document":1,"reward":1,"features":["zebra"]})", ":2:38: ", "expected a word"},
      {R"({"document":20,"reward":1})", ":2:13: ", "from 0 to 19, or an id in double quotes, found 20"},
      {R"({"document":-1,"reward":1})", ":2:13: ", "from 0 to 19, or an id in double quotes, found -1"},
      {R"({"document":0,"reward":1})", ":2:13: ", "--with-replacement"},
      {R"({"document":1,"reward":NaN})", ":2:24: ", "finite"},
      {R"({"document":1,"reward":1)", ":2:25: ", "expected a comma or }, found the end of the line"},
      {R"({"document":1,"reward":1,"features":[320]})", ":2:38: ", "from 0 to 319, found 320"},
      {R"({"document":1,"reward":1,"features":[{"feature":"soil","confidence":2}]})", ":2:69: ", "at most 1"},
      {R"({"document":1,"reward":1,"features":[{"feature":"soil"}]})", ":2:38: ", "\"reward\" or \"confidence\""},
      {R"({"id":"x","reward":1})", ":2:7: ", "expected an id of the pool, found \"x\""},
      {R"({"document":1,"reward":1,"feature":["soil"]})", ":2:36: ", "did you mean features?"},
      {R"({"feature":"soil"})", ":2:1: ", "expected the member \"reward\""},
      {R"({"feature":"soli","reward":1})", ":2:12: ", "did you mean \"soil\"?"},
      {R"({"document":1,"reward":1,"features":["soli"]})", ":2:38: ", "did you mean \"soil\"?"},
      {R"({"document":1,"reward":1,"features":["garden soil"]})", ":2:38: ", "the pool holds single words only"},
  };
  for (const Case& bad : cases) {
    CAPTURE(bad.line);
    const std::string events =
        write(tiny.folder.file("bad.jsonl"), "{\"document\":0,\"reward\":1,\"features\":[\"soil\"]}\n" + bad.line + "\n");
    const std::string out = tiny.folder.file("scores");
    check_refused(inkling({"score", tiny.pool, "--events", events, "--out", out}), 3,
                  {events + bad.place, bad.what, "--skip-bad"});
    CHECK_FALSE(std::filesystem::exists(out));
    const ProgramResult skipped = succeeded(inkling({"score", tiny.pool, "--events", events, "--skip-bad"}));
    check_holds(skipped.err, {"; 1 bad event skipped, first " + events + bad.place, bad.what});
  }
}

TEST_CASE_FIXTURE(InTinyPool,
                  "without events or marks the documents stay in order of row, and the bandwidth is measured on request") {
  CHECK(holds(succeeded(tiny.score({"--measure-bandwidth"})).err, "GB/s at which this machine reads them"));
  write(tiny.events, "");
  const ProgramResult top = succeeded(tiny.score({"--top", "2", "--policy", "ff-oful"}));
  CHECK(top.out.starts_with("{\"document\":0,"));
  check_holds(top.out, {"\"mean\":0,\"width\":0,\"ucb\":0}", "{\"document\":1,"});
  CHECK(holds(top.err, "inkling score: no events yet: every score is 0\n"));
  write(tiny.events, "{\"document\":0,\"reward\":1}\n");
  CHECK(holds(tiny.score({"--policy", "ff-oful"}).err, "inkling score: no word is marked yet: every score is 0\n"));
  CHECK_FALSE(holds(TinyPool().score({}).err, " yet: every"));
}

TEST_CASE("contradictory options of score are refused in one line") {
  struct Case {
    Args args;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{}, "POOL"},
      {{"p"}, "--events"},
      {{"p", "--events", "e", "--top", "0"}, "--top"},
      {{"p", "--events", "e", "--top", "1", "--all"}, "--all"},
      {{"p", "--events", "e", "--delta", "1"}, "--delta"},
      {{"p", "--events", "e", "--ridge", "0"}, "--ridge"},
      {{"p", "--events", "e", "--ridge", "nan"}, "--ridge"},
      {{"p", "--events", "e", "--policy", "random"}, "--policy"},
      {{"p", "--events", "e", "--policy", "soft-marks", "--ridge", "1"}, "--ridge"},
      {{"p", "--events", "e", "--policy", "oful", "--marked-precision", "1"}, "--marked-precision"},
      {{"p", "--events", "e", "--mark-probability", "0.5"}, "--mark-probability"},
      {{"p", "--events", "e", "--policy", "soft-marks", "--mark-probability", "0"}, "--mark-probability"},
      {{"p", "--events", "e", "--explain", "--all"}, "--explain"},
      {{"p", "--events", "e", "--explain", "--format", "csv"}, "--explain"},
      {{"p", "--events", "e", "--split"}, "--split"},
      {{"p", "--events", "e", "--events", "f", "--format", "npy"}, "--split"},
      {{"p", "--events", "e", "--io", "read", "--measure-bandwidth"}, "--measure-bandwidth"},
      {{"p", "--events", "e", "--memory", "1"}, "--memory"},
      {{"p", "--events", "-", "--events", "-"}, "--events"},
      {{"p", "--events", "e", "--policy", "soft-marks", "--unmarked-precision", "1e60"}, "--unmarked-precision"},
  };
  for (const Case& wrong : cases) {
    CAPTURE(wrong.message);
    check_refused(inkling(Args{"score"} + wrong.args), 2, {wrong.message});
  }
}

TEST_CASE_FIXTURE(InTinyPool, "users whose scores would share a file are refused with their names") {
  const std::string twin = tiny.folder.file("me.json");
  std::filesystem::copy_file(tiny.events, twin);
  check_refused(tiny.score({"--events", twin, "--split", "--out", tiny.folder.file("scores")}), 2, {twin});
}

TEST_CASE_FIXTURE(InTinyPool, "files and pools that cannot be read are named") {
  check_refused(inkling({"score", tiny.pool, "--events", tiny.folder.file("none")}), 4, {"none"});
  CHECK(inkling({"score", tiny.folder.file("none"), "--events", tiny.events}).exit_code == 4);
  std::string values = text_of(tiny.pool + "/data.npy");
  values[values.size() / 2] = static_cast<char>(values[values.size() / 2] ^ 1);
  write(tiny.pool + "/data.npy", values);
  for (const std::string how : {"map", "read"})
    check_refused(tiny.score({"--io", how, "--all", "--layout", "rows"}), 5, {"data.npy"});
}

}  // namespace
}  // namespace inkling::test
