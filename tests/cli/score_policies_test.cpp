// `inkling score --policy`: models of all words, and confidences of marks.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/cli/score_pools.hpp"

namespace inkling::test {
namespace {

/// With 30 events and 300 words the model is dual.
TEST_CASE("scores with all words in use have the same bytes in every way to scan the pool") {
  RandomPools pools(300);
  const std::string pool = pools.pool(0, RandomPools::rows);
  const std::string events = pools.events(0);
  for (const char* policy : {"oful", "soft-marks"}) {
    for (const Args& output : {Args{"--top", "20", "--explain"}, Args{"--all"}}) {
      const Args score = Args{"score", pool, "--events", events, "--policy", policy} + output;
      const ProgramResult expected = succeeded(inkling(score + Args{"--threads", "1"}));
      CHECK(holds(expected.err, ": 3,000 documents by 300 features in "));
      for (const Args& way :
           {Args{"--threads", "2"}, Args{"--threads", "8", "--layout", "postings"}, Args{"--threads", "1", "--io", "read"},
            Args{"--threads", "8", "--io", "read", "--memory", "256M"}}) {
        CAPTURE(fmt::format("{} {} {}", policy, output.front(), way[1]));
        CHECK(succeeded(inkling(score + way)).out == expected.out);
      }
    }
  }
}

TEST_CASE("several users with all words in use get the scores that each gets alone in either form of the model") {
  RandomPools pools(300);
  const std::string pool = pools.pool(0, RandomPools::rows);
  for (const char* policy : {"oful", "soft-marks"}) {
    Args together = {"score", pool, "--top", "10", "--policy", policy};
    std::string expected;
    for (const int events_of_user : {30, 400, 0, 20}) {
      const std::string events =
          events_of_user == 0 ? write(pools.file("none.jsonl"), "") : pools.events(events_of_user, events_of_user);
      together = together + Args{"--events", events};
      const std::string alone = inkling({"score", pool, "--top", "10", "--policy", policy, "--events", events}).out;
      for (const std::string& line : lines_in(alone)) expected += fmt::format("{{\"events\":\"{}\",{}\n", events, line.substr(1));
    }
    CHECK(inkling(together).out == expected);
  }
}

TEST_CASE("scores without --policy are those of inkling, and the confidence of a mark changes those of soft-marks alone") {
  const TinyPool tiny;
  const std::string plain = tiny.score({"--all"}).out;
  CHECK(tiny.score({"--all", "--policy", "inkling"}).out == plain);
  CHECK(tiny.score({"--all", "--policy", "ff-oful"}).out != plain);
  const std::string oful = tiny.score({"--all", "--policy", "oful"}).out;
  const std::string soft = tiny.score({"--all", "--policy", "soft-marks"}).out;
  CHECK(oful != plain);
  CHECK(soft != oful);
  CHECK(tiny.score({"--all", "--policy", "soft-marks", "--marked-precision", "0.125"}).out != soft);
  CHECK(tiny.score({"--all", "--policy", "soft-marks", "--unmarked-precision", "2"}).out != soft);
  CHECK(tiny.score({"--all", "--policy", "soft-marks", "--mark-probability", "0.9"}).out != soft);
  CHECK(tiny.score({"--all", "--policy", "soft-marks", "--radius", "ellipsoid"}).out != soft);
  CHECK(tiny.score({"--all", "--policy", "soft-marks", "--radius", "posterior"}).out == soft);

  const auto scores = [&](const char* policy, const std::string& mark) {
    write(tiny.events, fmt::format("{{\"document\":0,\"reward\":1,\"features\":[{}]}}\n", mark));
    return tiny.score({"--all", "--policy", policy}).out;
  };
  const std::string unsure = R"({"feature":"soil","confidence":0.25})";
  CHECK(scores("ff-oful", unsure) == scores("ff-oful", "\"soil\""));
  CHECK(scores("oful", unsure) == scores("oful", "\"soil\""));
  CHECK(scores("soft-marks", unsure) != scores("soft-marks", "\"soil\""));
  CHECK(scores("soft-marks", R"({"feature":"soil","confidence":1})") == scores("soft-marks", "\"soil\""));
}

TEST_CASE("a policy that explores in another way gives the same scores, and an option that it does not use is refused") {
  const TinyPool tiny;
  CHECK(tiny.score({"--all", "--policy", "ff-oful-epoch"}).out == tiny.score({"--all", "--policy", "ff-oful"}).out);

  CHECK(holds(tiny.score({"--policy", "soft-marks", "--ridge", "2"}).err,
              "--ridge: expected with --policy oful or ff-oful or ff-oful-epoch"));
  for (const char* told : {"--noise", "--norm-bound", "--delta"})
    CHECK(holds(tiny.score({told, "0.5"}).err,
                "expected with --policy oful or ff-oful or ff-oful-epoch or soft-marks, not inkling"));
  CHECK(holds(tiny.score({"--mark-probability", "0.5"}).err, "--mark-probability: expected with --policy soft-marks"));
}

}  // namespace
}  // namespace inkling::test
