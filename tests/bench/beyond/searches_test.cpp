// The figure of searches in a pool that the user gives.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/beyond/search_cases.hpp"
#include "bench/paper/data/search_pools.hpp"
#include "bench/studies/programme_output.hpp"
#include "engine/core/errors.hpp"
#include "tests/bench/paper/made_up_results.hpp"
#include "tests/bench/worlds/tiny_pool.hpp"

namespace inkling::bench {
namespace {

using test::PoolFolder;

PaperContext context_of(const SearchPools& pools) {
  PaperContext context = test::tiny_context(12);
  context.searches = &pools;
  return context;
}

std::vector<Study> named_study(const PaperContext& context, std::string_view name) {
  std::vector<Study> studies = search_studies(context);
  std::erase_if(studies, [name](const Study& study) { return study.name != name; });
  return studies;
}

TEST_CASE("any pool with labels can be searched and gives the same charts at 1 and 8 threads") {
  const PoolFolder folder;
  const SearchPools pools = open_search_pool(folder.tiny_pool());
  CHECK(pools.given);
  const PaperContext context = context_of(pools);
  const Figure figure = searches_figure();
  const FigureReport one = test::run_report(figure, context, 1);
  CHECK(figure_csv(figure, one) == figure_csv(figure, test::run_report(figure, context, 8)));
  CHECK_FALSE(one.tables.empty());
  CHECK_FALSE(one.charts.empty());
  CHECK_FALSE(one.claims.empty());
}

TEST_CASE("every entrant of a search is shown each document once except the given one") {
  const PoolFolder folder;
  const SearchPools pools = open_search_pool(folder.tiny_pool());
  PaperContext context = context_of(pools);
  context.settings.rounds = 1000;
  for (const Study& study : search_studies(context)) {
    CAPTURE(study.name);
    REQUIRE_FALSE(study.entrants.empty());
    for (const Entrant& entrant : study.entrants) {
      CHECK_FALSE(entrant.options.with_replacement);
      for (std::uint64_t trial = 0; trial < 4; ++trial) {
        const World world = study.world(trial);
        CHECK(entrant.rounds + std::ssize(world.start.documents) <= world.pool.documents());
      }
    }
  }
}

TEST_CASE("trials of two compared cases have the same worlds except for the marks") {
  const PoolFolder folder;
  const SearchPools pools = open_search_pool(folder.tiny_pool());
  const PaperContext context = context_of(pools);
  const Study unmarked = named_study(context, "rare-1").front();
  const Study marked = named_study(context, "rare-1-20-words").front();
  CHECK(unmarked.trials == marked.trials);
  CHECK(unmarked.world_settings != marked.world_settings);
  for (std::uint64_t trial = 0; trial < 6; ++trial) {
    const World one = unmarked.world(trial);
    const World other = marked.world(trial);
    CHECK(one.rewards.expected() == other.rewards.expected());
    CHECK(one.start.documents == other.start.documents);
    CHECK(std::ranges::equal(one.pool.by_document.features(), other.pool.by_document.features()));
  }
}

TEST_CASE("a pool without labels is refused with what to do") {
  const PoolFolder folder;
  const std::string documents = folder.write("plain.jsonl", "{\"text\": \"a red rose\"}\n{\"text\": \"a blue sea\"}\n");
  const std::string pool = folder.build(documents, "plain");
  CHECK_THROWS_WITH_AS(static_cast<void>(open_search_pool(pool)),
                       doctest::Contains("expected documents with at least two different labels, found 0"), FormatError);
}

}  // namespace
}  // namespace inkling::bench
