#include "io/parts/live/shard_group.hpp"

#include <doctest/doctest.h>

#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

TEST_CASE("the best of the workers' best is the best of all documents in any order of comparison") {
  for (std::uint64_t trial = 0; trial < 2000; ++trial) {
    CAPTURE(trial);
    RandomStream random = test::stream_for(2404, trial);
    const std::int32_t documents = test::between(0, 30, random);
    const auto workers = static_cast<std::size_t>(test::between(1, 6, random));
    std::vector<ShardedChoice> best_of_worker(workers);
    ShardedChoice expected;
    for (std::int64_t document = 0; document < documents; ++document) {
      const double score = random.coin(0.1) ? -std::numeric_limits<double>::infinity()
                                            : static_cast<double>(test::between(-2, 2, random));
      const ShardedChoice choice = {score, document};
      if (expected.document < 0 || score > expected.score) expected = choice;
      ShardedChoice& own = best_of_worker[random.below(workers)];
      if (chosen_before(choice, own)) own = choice;
    }
    ShardedChoice best;
    for (const std::int32_t worker : test::shuffled(static_cast<std::int32_t>(workers), random)) {
      const ShardedChoice& own = best_of_worker[static_cast<std::size_t>(worker)];
      if (chosen_before(own, best)) best = own;
    }
    CHECK((best == expected));
  }
}

TEST_CASE("a single worker gets back what it hands over") {
  LoneWorker alone;
  CHECK(alone.rank() == 0);
  CHECK((alone.best({0.5, std::int64_t{1} << 40U}) == ShardedChoice{0.5, std::int64_t{1} << 40U}));
  const std::vector<std::byte> bytes = {std::byte{1}, std::byte{2}};
  CHECK((alone.broadcast(bytes, 0) == bytes));
}

}  // namespace
}  // namespace inkling
