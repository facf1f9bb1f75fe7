#include "io/events/learning.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "engine/policy/policy.hpp"
#include "engine/policy/presets.hpp"
#include "tests/support/test_pool.hpp"

namespace inkling {
namespace {

using test::between;

PlayedPool::RowOf rows_of(PoolView pool) {
  return [pool](std::int64_t document) {
    CsrMatrix row(pool.features());
    row.append_row(pool.by_document.row(static_cast<DocumentId>(document)));
    return row;
  };
}

PlayedPool played_of(PoolView pool, std::span<const Event> events) {
  const std::vector<std::span<const Event>> logs = {events};
  return {played_documents(logs), pool.features(), rows_of(pool)};
}

std::vector<Event> random_events(PoolView pool, int count, RandomStream& random) {
  std::vector<Event> events;
  for (int n = 0; n < count; ++n) {
    Event event = {between(0, pool.documents() - 1, random), random.normal(), {}};
    for (int marks = between(0, 2, random); marks > 0; --marks)
      event.features.push_back(between(0, pool.features() - 1, random));
    events.push_back(event);
  }
  return events;
}

TEST_CASE("Plays are counted by document") {
  const std::vector<Event> events = {{7, 1.0, {}}, {2, 1.0, {}}, {7, 1.0, {}}, {0, 1.0, {}}, {7, 0.0, {}}};
  CHECK(play_counts(events) == std::vector<PlayCount>{{0, 1}, {2, 1}, {7, 3}});
  CHECK(play_counts({}).empty());
  const std::vector<std::span<const Event>> logs = {events, std::span(events).first(2), {}};
  CHECK(played_documents(logs) == std::vector<std::int64_t>{0, 2, 7});
}

TEST_CASE("A model of one event is what the formulas say") {
  // x = (2, 1), both features marked after the reward 3 at ridge 1: V = I + x x', theta = x 3 / (1 + x.x).
  const PoolMatrix pool = test::pool_of(3, {{{0, 2.0F}, {2, 1.0F}}});
  const std::vector<Event> events = {{0, 3.0, {2, 0}}};
  const RidgeModel model = learn_events(events, played_of(pool.view(), events), {.ridge = 1.0});
  const LearnedModel learned = frozen(model, {.noise = 0.5, .norm_bound = 2.0, .delta = 0.1});
  CHECK(std::ranges::equal(learned.scan.features(), std::vector<FeatureId>{0, 2}));
  CHECK(learned.scan.theta()[0] == doctest::Approx(1.0));
  CHECK(learned.scan.theta()[1] == doctest::Approx(0.5));
  CHECK(learned.scan.inverse()[0] == doctest::Approx(1.0 - 4.0 / 6.0));
  CHECK(learned.scan.inverse()[1] == doctest::Approx(-2.0 / 6.0));
  CHECK(learned.radius == doctest::Approx(0.5 * std::sqrt(std::log(6.0) + 2.0 * std::log(10.0)) + 2.0));
}

// The same bits, for what is the same arithmetic.
void check_equal(const RidgeModel& model, const RidgeModel& other) {
  CHECK(std::ranges::equal(model.features().in_order(), other.features().in_order()));
  CHECK(std::ranges::equal(model.theta(), other.theta()));
  CHECK(model.inverse() == other.inverse());
  CHECK(model.log_det_ratio() == other.log_det_ratio());
}

TEST_CASE("The played rows alone teach what the whole pool teaches bit for bit") {
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    CAPTURE(trial);
    RandomStream random = test::stream_for(21, trial);
    const PoolMatrix pool =
        test::random_pool({.documents = 30, .features = 8, .density = 0.4, .degenerate = true}, random);
    const std::vector<Event> events = random_events(pool.view(), between(0, 40, random), random);
    std::vector<std::int64_t> all(30);
    for (std::size_t n = 0; n < all.size(); ++n) all[n] = static_cast<std::int64_t>(n);
    const PlayedPool whole(all, 8, rows_of(pool.view()));
    const PlayedPool played = played_of(pool.view(), events);
    check_equal(learn_events(events, played, {}), learn_events(events, whole, {}));
  }
}

TEST_CASE("Events teach what FF-OFUL learns from the same events") {
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    CAPTURE(trial);
    RandomStream random = test::stream_for(22, trial);
    const PoolMatrix pool =
        test::random_pool({.documents = 30, .features = 8, .density = 0.4, .degenerate = true}, random);
    const std::vector<Event> events = random_events(pool.view(), between(1, 60, random), random);
    const PolicyOptions options = {.learner = {.ridge = {.ridge = 0.5}, .confidence = {0.3, 1.5, 0.05}}};
    Policy policy(pool.view(), *find_preset("ff-oful"), options, random, random);
    for (const Event& event : events)
      policy.observe(static_cast<DocumentId>(event.document), event.reward, event.features);

    const PlayedPool played = played_of(pool.view(), events);
    const RidgeModel model = learn_events(events, played, {.ridge = 0.5});
    const RidgeModel& expected = policy.learner()->model();
    REQUIRE(std::ranges::equal(model.features().in_order(), expected.features().in_order()));
    for (std::size_t a = 0; a < model.theta().size(); ++a)
      CHECK(model.theta()[a] == doctest::Approx(expected.theta()[a]).epsilon(1e-10));
    CHECK(frozen(model, options.learner.confidence).radius ==
          doctest::Approx(*policy.learner()->radius()).epsilon(1e-12));
    for (DocumentId i = 0; i < pool.view().documents(); ++i) {
      RestrictedRowBuffer buffer;
      const SparseRow row = pool.view().by_document.row(i);
      const Prediction prediction = BatchScan(model).predict(row, buffer);
      CHECK(prediction.mean == doctest::Approx(expected.predict(row).mean).epsilon(1e-10));
      CHECK(prediction.square == doctest::Approx(expected.predict(row).square).epsilon(1e-10));
    }
  }
}

TEST_CASE("No events leave a model of nothing") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}});
  const RidgeModel model = learn_events({}, played_of(pool.view(), {}), {});
  const LearnedModel learned = frozen(model, {.noise = 0.1, .norm_bound = 1.0, .delta = 0.1});
  CHECK(learned.scan.features().empty());
  CHECK(learned.radius == doctest::Approx(0.1 * std::sqrt(2.0 * std::log(10.0)) + 1.0));
}

}  // namespace
}  // namespace inkling
