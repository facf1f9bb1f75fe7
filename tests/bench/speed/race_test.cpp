#include "bench/speed/race.hpp"

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/bench/worlds/rated_pools.hpp"

namespace inkling::bench {
namespace {

RaceResult race_of(const World& rated, std::int64_t rounds) {
  RaceResult result{.pool = rated.pool};
  result.run.rounds = rounds;
  race_ours(rated, {}, result);
  return result;
}

TEST_CASE("each of the two policies makes the same choices with all three scorings") {
  const test::SmallRatedPool small;
  RaceResult result = race_of(small.rated, 120);
  check_ours(small.rated, {}, result);
  CHECK(result.entries.size() == 6);
  CHECK(result.entries.front().name == "inkling ff-oful sublinear");
  for (const RaceEntry& entry : result.entries) {
    CAPTURE(entry.name);
    CHECK(entry.times.count > 0);
    CHECK(entry.ours_in_these_rounds > 0.0);
    if (entry.agreement) CHECK(entry.agreement->differences == 0);
  }
  CHECK(result.checks->marked.differences == 0);
  CHECK(result.checks->given.differences == 0);
  CHECK(result.given.size() == 120);
  CHECK(choices_csv(result).starts_with("policy,round,document,explored\nff-oful,1,"));
}

TEST_CASE("the table shows the slowest round and the time within which 99 in 100 end") {
  const test::SmallRatedPool small;
  RaceResult result = race_of(small.rated, 200);
  for (TimedRound& round : result.marked) round.seconds = 1e-6;
  result.marked[7].seconds = 3e-3;
  result.marked[99].seconds = 1e-3;
  result.marked[150].seconds = 2e-3;
  const std::string table = race_table(result);
  CAPTURE(table);
  CHECK(table.find("ff-oful      99 in 100 rounds end within 1000.0 us; ") != std::string::npos);
  CHECK(table.find("the slowest take 3000.0 us in round 8, 2000.0 us in round 151, 1000.0 us in round 100\n") !=
        std::string::npos);
}

TEST_CASE("a peer with our method is compared round by round as far as it ran") {
  const test::SmallRatedPool small;
  const RaceResult result = race_of(small.rated, 50);
  RaceEntry peer{.name = "peer", .about = ""};
  for (std::size_t n = 0; n < 20; ++n) peer.choices.push_back(result.given[n].document);
  compare_with_ours(result, peer);
  CHECK(peer.agreement->compared == 20);
  CHECK(peer.agreement->differences == 0);
  double ours = 0.0;
  for (std::size_t n = 0; n < 20; ++n) ours += result.given[n].seconds;
  CHECK(peer.ours_in_these_rounds == doctest::Approx(ours / 20.0));

  peer.choices[6] = peer.choices[5];
  compare_with_ours(result, peer);
  CHECK(peer.agreement->differences == 1);
  CHECK(*peer.agreement->first_difference == 7);

  RaceEntry other{.name = "other", .same_method = false, .about = "", .choices = {1, 2, 3}};
  compare_with_ours(result, other);
  CHECK_FALSE(other.agreement);
}

TEST_CASE("the output of a peer becomes entries") {
  const std::vector<RaceEntry> entries = parse_peer_lines(
      "peer.py",
      R"({"name":"a","method":"same","about":"b","rounds":3,"median_seconds":0.5,"mean_seconds":1.0,"peak_bytes":42,"blas":"libblas.so.3","choices":[7,1,2]})"
      "\n\n"
      R"({"name":"c","skipped":"not installed"})"
      "\n");
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].same_method);
  CHECK(entries[0].times.count == 3);
  CHECK(entries[0].choices == std::vector<DocumentId>{7, 1, 2});
  CHECK(entries[0].blas == "libblas.so.3");
  CHECK(*entries[1].skipped == "not installed");
}

TEST_CASE("invalid output of a peer is refused with its line") {
  for (
      const std::string line :
      {"nonsense", "[1]", R"({"method":"same"})", R"({"name":"a","method":"same"})",
       R"({"name":"a","method":"same","about":"b","rounds":-3,"median_seconds":0.5,"mean_seconds":1.0,"peak_bytes":42,"choices":[]})",
       R"({"name":"a","method":"same","about":"b","rounds":3,"median_seconds":0.5,"mean_seconds":0.0,"peak_bytes":42,"choices":[]})",
       R"({"name":"a","method":"same","about":"b","rounds":3,"median_seconds":0.5,"mean_seconds":1.0,"peak_bytes":42,"choices":[5000000000]})"}) {
    CAPTURE(line);
    CHECK_THROWS_WITH_AS(static_cast<void>(parse_peer_lines("peer.py", "\n" + line)), doctest::Contains("peer.py:2"),
                         FormatError);
  }
}

}  // namespace
}  // namespace inkling::bench
