#include "bench/simulation/world.hpp"

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/bench/simulation/worlds.hpp"

namespace inkling::bench {
namespace {

using test::small_world;

std::vector<double> frequencies_of_marks(const World& world, DocumentId document, int draws) {
  std::vector<double> share(static_cast<std::size_t>(world.pool.features()), 0.0);
  RandomStream random(2, 0, RandomRole::marks);
  std::vector<FeatureId> marks;
  for (int n = 0; n < draws; ++n) {
    world.marks.draw(world.pool.by_document.row(document), random, marks);
    for (const FeatureId feature : marks) share[static_cast<std::size_t>(feature)] += 1.0 / draws;
  }
  return share;
}

TEST_CASE("An oracle marks the relevant words that a document holds and no others") {
  const World world = make_synthetic_world(small_world(), 1, 0);
  for (DocumentId i = 0; i < 20; ++i) {
    const std::vector<double> share = frequencies_of_marks(world, i, 2000);
    const SparseRow row = world.pool.by_document.row(i);
    for (FeatureId j = 0; j < world.pool.features(); ++j) {
      const bool present = std::ranges::binary_search(row.features, j);
      const bool relevant = std::ranges::binary_search(world.relevant, j);
      CHECK(std::fabs(share[static_cast<std::size_t>(j)] - (present && relevant ? 0.5 : 0.0)) < 0.06);
    }
  }
}

TEST_CASE("Noisy marks add a fixed number of irrelevant words") {
  WorldOptions options = small_world();
  options.feedback = FeedbackKind::noisy;
  options.irrelevant_marks = 4;
  const World world = make_synthetic_world(options, 1, 0);
  CHECK(world.relevant.size() == 3);
  CHECK(world.marks.markable().size() == 7);
  CHECK(std::ranges::includes(world.marks.markable(), world.relevant));
}

TEST_CASE("Without feedback nothing is ever marked") {
  WorldOptions options = small_world();
  options.feedback = FeedbackKind::none;
  const World world = make_synthetic_world(options, 1, 0);
  CHECK(frequencies_of_marks(world, 0, 100) == std::vector<double>(12, 0.0));
}

TEST_CASE("A document reward makes a document the truth and its words the relevant ones") {
  WorldOptions options = small_world();
  options.reward = RewardKind::document;
  options.norm_bound = 2.0;
  const World world = make_synthetic_world(options, 1, 0);
  const double best = *std::ranges::max_element(world.rewards.expected());
  CHECK(best == doctest::Approx(2.0).epsilon(1e-6));  // the document itself: norm 1 times norm 2
  CHECK(!world.relevant.empty());
}

TEST_CASE("A world is a function of options and seed and trial") {
  const World one = make_synthetic_world(small_world(), 4, 2);
  const World same = make_synthetic_world(small_world(), 4, 2);
  const World other_trial = make_synthetic_world(small_world(), 4, 3);
  CHECK(one.rewards.expected() == same.rewards.expected());
  CHECK(one.relevant == same.relevant);
  CHECK(one.rewards.expected() != other_trial.rewards.expected());
}

TEST_CASE("More relevant words than the pool can offer are refused with the number that it can") {
  WorldOptions options = small_world();
  options.relevant_frequency = {0.999, 1.0};
  CHECK_THROWS_WITH_AS(
      static_cast<void>(make_synthetic_world(options, 1, 0)),
      "the number of relevant features: expected at most 0 (so many features of this pool qualify), "
      "got 3",
      FormatError);
}

TEST_CASE("The exploration that finds all marks is the fewest rounds whose bound on a miss is 5 percent") {
  // One relevant word that every document holds, marked with probability 1/2: (1/2)^T0 <= 0.05 from T0 = 5
  // on.
  CsrMatrix documents(1);
  const std::vector<FeatureId> word = {0};
  documents.append_row({word, std::vector<float>{1.0F}});
  const PoolMatrix pool(std::move(documents));
  WorldOptions options = small_world();
  options.relevant = 1;
  const World world = make_world(pool.view(), options, 1, 0);
  CHECK(rounds_to_find_all(world, 1000) == 5);
  CHECK(rounds_to_find_all(world, 3) == 3);
  options.mark_probability = 0.0;
  CHECK(rounds_to_find_all(make_world(pool.view(), options, 1, 0), 1000) == 1000);
  options.mark_probability = 1.0;
  CHECK(rounds_to_find_all(make_world(pool.view(), options, 1, 0), 1000) == 1);
}

}  // namespace
}  // namespace inkling::bench
