#include "io/search/events/learning.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/policy/policy_state.hpp"
#include "engine/policy/presets.hpp"
#include "io/search/events/event_words.hpp"
#include "io/search/events/reason.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"

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

EventLog log_of(std::span<const Event> events) {
  return {.path = "me.jsonl", .events = {events.begin(), events.end()}, .skipped = 0};
}

PlayedPool played_of(PoolView pool, std::span<const Event> events) {
  const std::vector<EventLog> logs = {log_of(events)};
  return {played_documents(logs), pool.features(), rows_of(pool)};
}

std::vector<Event> random_events(PoolView pool, int count, RandomStream& random) {
  std::vector<Event> events;
  for (int n = 0; n < count; ++n) {
    Event event = {between(0, pool.documents() - 1, random), random.normal(), {}};
    for (int marks = between(0, 2, random); marks > 0; --marks)
      event.words.push_back({.feature = between(0, pool.features() - 1, random)});
    if (random.coin(0.2)) {
      const FeatureId rated = event.words.empty() ? 0 : (event.words.back().feature + 1) % pool.features();
      event.words.push_back({rated, random.normal(), 0.5});
      keep_first_mentions(event.words);
    }
    if (random.coin(0.15)) event = {.words = {{between(0, pool.features() - 1, random), random.coin(0.5) ? 1.0 : -1.0, 1.0}}};
    events.push_back(event);
  }
  return events;
}

TEST_CASE("plays are counted by document") {
  const std::vector<Event> events = {{7, 1.0, {}}, {2, 1.0, {}}, {7, 1.0, {}}, {0, 1.0, {}}, {7, 0.0, {}}};
  CHECK(play_counts(events) == std::vector<PlayCount>{{0, 1}, {2, 1}, {7, 3}});
  CHECK(play_counts({}).empty());
  const std::vector<EventLog> logs = {log_of(events), log_of(std::span(events).first(2)), log_of({})};
  CHECK(played_documents(logs) == std::vector<std::int64_t>{0, 2, 7});
}

const Preset& preset(const char* name) {
  static const std::vector<Preset> all(presets().begin(), presets().end());
  return *std::ranges::find(all, name, &Preset::name);
}

std::vector<test::RowOfEntries> rows_as_lists(PoolView pool) {
  std::vector<test::RowOfEntries> rows(static_cast<std::size_t>(pool.documents()));
  for (DocumentId i = 0; i < pool.documents(); ++i) {
    const SparseRow row = pool.by_document.row(i);
    for (std::size_t n = 0; n < row.size(); ++n) rows[static_cast<std::size_t>(i)].push_back({row.features[n], row.values[n]});
  }
  return rows;
}

Policy taught_ff_oful(std::span<const Event> events, const PlayedPool& played, const PolicyOptions& options = {}) {
  return taught_policy(events, played, preset("ff-oful"), options);
}

TEST_CASE("a model of one event is what the formulas say") {
  // x = (2, 1), both features marked after the reward 3 at ridge 1: V = I + x x', theta = x 3 / (1 + x.x).
  const PoolMatrix pool = test::pool_of(3, {{{0, 2.0F}, {2, 1.0F}}});
  const std::vector<Event> events = {{0, 3.0, {{2}, {0}}}};
  const PlayedPool played = played_of(pool.view(), events);
  const Policy taught = taught_ff_oful(events, played, {.confidence = {.noise = 0.5, .norm_bound = 2.0, .delta = 0.1}});
  const LearnedModel learned = frozen(*taught.learner());
  const auto& scan = std::get<BatchScan>(learned.scan);
  CHECK(std::ranges::equal(scan.features(), std::vector<FeatureId>{0, 2}));
  CHECK(scan.theta()[0] == doctest::Approx(1.0));
  CHECK(scan.theta()[1] == doctest::Approx(0.5));
  CHECK(scan.inverse()[0] == doctest::Approx(1.0 - 4.0 / 6.0));
  CHECK(scan.inverse()[1] == doctest::Approx(-2.0 / 6.0));
  CHECK(learned.radius == doctest::Approx(0.5 * std::sqrt(std::log(6.0) + 2.0 * std::log(10.0)) + 2.0));
}

// Compares bits, because both models use the same arithmetic.
void check_equal(const RidgeModel& model, const RidgeModel& other) {
  CHECK(std::ranges::equal(model.features().in_order(), other.features().in_order()));
  CHECK(std::ranges::equal(model.theta(), other.theta()));
  CHECK(model.inverse() == other.inverse());
  CHECK(model.log_det_ratio() == other.log_det_ratio());
}

TEST_CASE("a model learns the same bits from the rated rows alone as from the whole pool") {
  test::each_case(21, 40, [&](RandomStream& random) {
    const PoolMatrix pool = test::random_pool({.documents = 30, .features = 8, .density = 0.4, .degenerate = true}, random);
    const std::vector<Event> events = random_events(pool.view(), between(0, 40, random), random);
    std::vector<std::int64_t> all(30);
    for (std::size_t n = 0; n < all.size(); ++n) all[n] = static_cast<std::int64_t>(n);
    const PlayedPool whole(all, 8, rows_of(pool.view()));
    const PlayedPool played = played_of(pool.view(), events);
    const Policy from_played = taught_ff_oful(events, played);
    const Policy from_whole = taught_ff_oful(events, whole);
    check_equal(*from_played.learner()->model()->primal(), *from_whole.learner()->model()->primal());
    CHECK(from_played.learner()->radius() == from_whole.learner()->radius());
  });
}

/// Plays the events, and returns the policy after them.
Policy policy_after(PoolView pool, const Preset& preset, const PolicyOptions& options, std::span<const Event> events) {
  Policy policy(pool, preset, options, RandomStream(1, 0, RandomRole::exploration), RandomStream(1, 0, RandomRole::sampling));
  for (std::size_t n = 0; n < events.size(); ++n) {
    const Event& event = events[n];
    std::vector<SaidWord> words = event.words;
    if (!event.document) {  // only the last of several ratings of a word counts
      for (const Event& later : events.subspan(n + 1))
        if (!later.document)
          std::erase_if(words, [&](const SaidWord& word) {
            return std::ranges::find(later.words, word.feature, &SaidWord::feature) != later.words.end();
          });
      policy.rate_words(words);
      continue;
    }
    // These policies take a word that is rated above 0 in a document as a mark, and ignore other rated words.
    std::vector<FeatureId> marks;
    std::vector<double> confidences;
    for (const SaidWord& word : words) {
      if (word.reward && *word.reward <= 0.0) continue;
      marks.push_back(word.feature);
      confidences.push_back(word.confidence);
    }
    policy.observe(static_cast<DocumentId>(*event.document), event.reward, marks, confidences);
  }
  return policy;
}

/// Checks that means, widths and radius after learning from the events are those of the policy. The tolerance is relative to
/// their largest possible values before any event.
void check_agrees(LearnedModel learned, const Learner& learner, PoolView pool) {
  CHECK(learned.radius == doctest::Approx(*learner.radius()).epsilon(1e-12));
  std::vector<FrozenModel> only;
  only.push_back(std::move(learned.scan));
  const JointScan scan(std::move(only));
  ScanWorkspace workspace;
  std::vector<Prediction> predictions(static_cast<std::size_t>(pool.documents()));
  scan.score_rows(pool.by_document, {0, pool.documents()}, workspace, predictions);
  for (DocumentId i = 0; i < pool.documents(); ++i) {
    const SparseRow row = pool.by_document.row(i);
    const Prediction expected = learner.model()->predict(row);
    const double prior = squared_norm(row) / learner.model()->least_precision();
    const Prediction& found = predictions[static_cast<std::size_t>(i)];
    CHECK(std::fabs(found.mean - expected.mean) <= 1e-12 * std::max(1.0, std::fabs(expected.mean)) * std::max(1.0, prior));
    CHECK(std::fabs(found.square - expected.square) <= 1e-12 * std::max(1.0, prior));
  }
}

struct PolicyCase {
  const char* preset;
  PolicyOptions options;
};

std::vector<PolicyCase> policy_cases() {
  const ConfidenceOptions confidence = {0.3, 1.5, 0.05};
  const PolicyOptions plain = {.ridge = 0.5, .confidence = confidence};
  PolicyOptions narrow = plain;
  narrow.radius = RadiusKind::posterior;
  PolicyOptions wide = plain;
  wide.radius = RadiusKind::ellipsoid;
  PolicyOptions told = plain;
  told.soft_marks = {.unmarked_precision = 3.0, .marked_precision = 0.25, .mark_probability = 0.4};
  return {{"ff-oful", plain},    {"ff-oful", narrow},  {"oful", plain},     {"oful", narrow},
          {"soft-marks", plain}, {"soft-marks", wide}, {"soft-marks", told}};
}

TEST_CASE("events teach a model of either form what a policy learns from them one by one") {
  test::each_case(22, 40, [&](RandomStream& random, std::uint64_t trial) {
    const PoolMatrix pool = test::random_pool({.documents = 30, .features = 8, .density = 0.4, .degenerate = true}, random);
    std::vector<Event> events = random_events(pool.view(), between(0, 60, random), random);
    for (Event& event : events) {
      for (SaidWord& word : event.words)
        if (trial % 2 == 0 && !word.reward) word.confidence = 1.0 - 0.9 * random.uniform();
    }
    const PlayedPool played = played_of(pool.view(), events);
    for (auto [name, options] : policy_cases()) {
      CAPTURE(name);
      const Policy policy = policy_after(pool.view(), preset(name), options, events);
      for (const ModelForm form : {ModelForm::primal, ModelForm::dual}) {
        options.form = form;
        const Policy taught = taught_policy(events, played, preset(name), options);
        CHECK((taught.learner()->model()->dual() != nullptr) == (form == ModelForm::dual));
        check_agrees(frozen(*taught.learner()), *policy.learner(), pool.view());
      }
    }
  });
}

TEST_CASE("the words that count leave out marks that the policy ignored and no ratings") {
  RandomStream random = test::stream_for(23, 0);
  const PoolMatrix pool = test::random_pool({.documents = 30, .features = 8, .density = 0.4}, random);
  const std::vector<Event> events = {{.document = 3, .reward = 1.0, .words = {{.feature = 1}}},
                                     {.document = 4, .reward = 0.0, .words = {{.feature = 2}, {.feature = 5, .reward = -1.0}}}};
  const PlayedPool played = played_of(pool.view(), events);
  const auto said = [&](const char* name) {
    return said_of_words(events, *taught_policy(events, played, preset(name), {}).learner());
  };
  CHECK(said("soft-marks").size() == 3);
  CHECK(said("inkling").size() == 2);
  CHECK_FALSE(said("inkling").contains(2));
}

TEST_CASE("a pool of many features is learned by the dual model of rated documents") {
  RandomStream random = test::stream_for(23);
  const PoolMatrix pool = test::random_pool({.documents = 60, .features = 900, .density = 0.03, .degenerate = true}, random);
  const std::vector<Event> events = random_events(pool.view(), 80, random);
  const PlayedPool played = played_of(pool.view(), events);
  for (const auto& [name, options] : policy_cases()) {
    CAPTURE(name);
    const Policy taught = taught_policy(events, played, preset(name), options);
    CHECK((taught.learner()->model()->dual() != nullptr) == (preset(name).scope == FeatureScope::Kind::all));
    check_agrees(frozen(*taught.learner()), *policy_after(pool.view(), preset(name), options, events).learner(), pool.view());
  }
}

TEST_CASE("thousands of marked words are learned through the few documents in which they were marked") {
  constexpr std::int32_t features = 5000;
  RandomStream random = test::stream_for(29);
  const PoolMatrix pool = test::random_pool({.documents = 6, .features = features, .density = 0.5}, random);
  const auto marks = [](std::int32_t first, std::int32_t count) {
    std::vector<SaidWord> marked;
    for (std::int32_t n = 0; n < count; ++n) marked.push_back({.feature = first + n});
    return marked;
  };
  // One more word makes the model dual. No document has that word, so the predictions stay the same.
  const std::vector<Event> fewer = {{0, 1.0, marks(0, 2000)}, {3, -1.0, marks(1000, 1048)}, {0, 0.5, {}}};
  std::vector<Event> more = fewer;
  more[1].words.push_back({.feature = features});
  const PoolMatrix wider = test::pool_of(features + 1, rows_as_lists(pool.view()));
  const PlayedPool played = played_of(wider.view(), more);
  const Policy by_word = taught_ff_oful(fewer, played);
  const Policy by_document = taught_ff_oful(more, played);
  CHECK(by_word.learner()->model()->dual() == nullptr);
  CHECK(by_document.learner()->model()->dual() != nullptr);
  CHECK(by_document.features_in_use() == by_word.features_in_use() + 1);
  check_agrees(frozen(*by_document.learner()), *by_word.learner(), wider.view());
}

TEST_CASE("the memory of learning grows with the square of the marked words or of the documents if they are fewer") {
  constexpr std::int32_t features = 100'000;
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
  CHECK(model_bytes(preset("ff-oful"), features, 20'000, 1) < 16 * mebibyte);
  CHECK(model_bytes(preset("ff-oful"), features, 20'000, 20'000) > 4096 * mebibyte);
  CHECK(model_bytes(preset("ff-oful"), features, 20'000, 256) < 16 * mebibyte);
  CHECK(model_bytes(preset("ff-oful"), features, 10, 20'000) < 16 * mebibyte);
  CHECK(model_bytes(preset("ff-oful"), features, 2048, 1) < 80 * mebibyte);
  CHECK(model_bytes(preset("oful"), features, 0, 10) < 16 * mebibyte);
  CHECK(model_bytes(preset("soft-marks"), features, 0, 20'000) > 4096 * mebibyte);
}

TEST_CASE("the presets that learn from events are the optimists on marked or all features") {
  for (const char* name : {"ff-oful", "ff-oful-epoch", "oful", "soft-marks"}) CHECK(learns_from_events(preset(name)));
  for (const char* name : {"random", "explore-then-commit", "oful-subset", "ff-thompson", "thompson"})
    CHECK_FALSE(learns_from_events(preset(name)));
}

TEST_CASE("more documents than a matrix holds are refused if as many features are in use") {
  const std::int32_t count = kLargestGram + 1;
  std::vector<Event> events;
  std::vector<std::int64_t> documents;
  for (std::int32_t n = 0; n < count; ++n) {
    events.push_back({n, 0.0, {}});
    documents.push_back(n);
  }
  const PlayedPool played(documents, count, [](std::int64_t) {
    CsrMatrix row(count);
    row.append_row({});
    return row;
  });
  for (const char* name : {"oful", "soft-marks"}) {
    CHECK_THROWS_WITH_AS((void)taught_policy(events, played, preset(name), {}),
                         "events: expected at most 20000 different documents where 20001 features are in use, found 20001",
                         FormatError);
  }
}

TEST_CASE("learning ends where it is interrupted") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}, {{1, 1.0F}}});
  const std::vector<Event> events = {{0, 1.0, {}}, {1, 1.0, {}}};
  const PlayedPool played = played_of(pool.view(), events);
  for (const char* name : {"ff-oful", "oful", "soft-marks"}) {
    int begun = 0;
    const auto stop = [&] {
      if (++begun == 2) throw std::runtime_error("enough");
    };
    CHECK_THROWS_WITH_AS((void)taught_policy(events, played, preset(name), {}, stop), "enough", std::runtime_error);
  }
}

TEST_CASE("no events leave a model of nothing") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}});
  const PlayedPool played = played_of(pool.view(), {});
  const Policy taught = taught_ff_oful({}, played);
  const LearnedModel learned = frozen(*taught.learner());
  CHECK(std::get<BatchScan>(learned.scan).features().empty());
  CHECK(learned.radius == doctest::Approx(0.1 * std::sqrt(2.0 * std::log(10.0)) + 1.0));
}

}  // namespace
}  // namespace inkling
