// What callers of a search rely on.
#include "io/search/session/searcher.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"
#include "tests/support/engine/messages.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

PoolMatrix some_pool(std::int32_t documents = 30) {
  RandomStream random(31, 0, RandomRole::pool);
  return test::random_pool({.documents = documents, .features = 10, .density = 0.4}, random);
}

SearchSettings settings_with(const std::string& policy, std::uint64_t seed = 7) {
  return {.preset = *find_preset(policy), .seed = seed};
}

struct SomePool {
  const PoolMatrix pool = some_pool();
};

TEST_CASE_FIXTURE(SomePool, "a search shows every document once and then nothing") {
  for (const Preset& preset : presets()) {
    if (!can_search_with(preset)) continue;
    CAPTURE(preset.name);
    Searcher searcher(pool.view(), settings_with(std::string(preset.name)));
    std::set<DocumentId> seen;
    while (const std::optional<Offer> offer = searcher.next()) {
      CHECK(searcher.next() == offer);
      CHECK(seen.insert(offer->document).second);
      searcher.rate({.reward = offer->document % 2 == 0 ? 1.0 : 0.0, .words = {{offer->document % 10, 1.0}}});
    }
    CHECK(seen.size() == 30);
    CHECK(searcher.shown() == 0);
    CHECK(test::error_of([&] { searcher.rate({.reward = 1.0}); }) ==
          "the document on offer: expected one; every document is rated");
  }
}

TEST_CASE_FIXTURE(SomePool, "an answer and the document shown next are kept together") {
  std::vector<std::vector<SearchEventKind>> kept;
  Searcher searcher(pool.view(), settings_with("ff-oful"), {}, [&](std::span<const SearchEvent> events) {
    kept.emplace_back();
    for (const SearchEvent& event : events) kept.back().push_back(event.kind);
  });
  CHECK(searcher.shown() == 0);
  static_cast<void>(searcher.next());
  static_cast<void>(searcher.next());
  CHECK(searcher.shown() == 1);
  const std::int64_t rated = searcher.rate({.reward = 1.0, .words = {{3, 1.0}}});
  CHECK(rated == 2);
  CHECK(searcher.shown() == 3);
  searcher.note("a thought");
  searcher.skip();
  searcher.undo_last(2);
  using Kind = SearchEventKind;
  CHECK(kept == std::vector<std::vector<Kind>>{{Kind::shown},
                                               {Kind::rated, Kind::shown},
                                               {Kind::noted},
                                               {Kind::skipped, Kind::shown},
                                               {Kind::undone, Kind::undone, Kind::shown}});
  CHECK(searcher.history().events()[1].shown == 1);
}

TEST_CASE_FIXTURE(SomePool, "a search that is opened again shows the same document and keeps no new event") {
  Searcher first(pool.view(), settings_with("ff-oful"));
  for (int round = 0; round < 8; ++round) first.rate({.reward = 1.0, .words = {{round, 1.0}}});
  const std::vector<SearchEvent> past(first.history().events().begin(), first.history().events().end());
  int kept = 0;
  Searcher again(pool.view(), settings_with("ff-oful"), past, [&](std::span<const SearchEvent>) { ++kept; });
  CHECK(again.next() == first.next());
  CHECK(again.shown() == first.shown());
  CHECK(kept == 0);
}

TEST_CASE_FIXTURE(SomePool, "a document drawn at random counts as one draw however often others are rated while it is on offer") {
  Searcher searcher(pool.view(), settings_with("inkling"));
  const DocumentId old = searcher.next()->document;
  searcher.rate({.reward = 0.0});
  searcher.sample(10);
  const DocumentId drawn = searcher.next()->document;
  for (int again = 0; again < 20; ++again) searcher.rate({.document = old, .reward = again % 2 == 0 ? 1.0 : 0.0});
  CHECK(searcher.next()->document == drawn);
  CHECK(searcher.progress().sample_left == 10);
  searcher.rate({.reward = 0.0});
  CHECK(searcher.progress().left.draws == 2);  // the first document of a search is drawn at random, too
  CHECK(searcher.progress().sample_left == 9);
}

TEST_CASE_FIXTURE(SomePool, "an answer that cannot be kept leaves a search unchanged") {
  bool fails = false;
  Searcher searcher(pool.view(), settings_with("ff-oful"), {}, [&](std::span<const SearchEvent>) {
    if (fails) throw SystemError("disk", 28, "write");
  });
  Searcher twin(pool.view(), settings_with("ff-oful"));
  for (int round = 0; round < 10; ++round) {
    const std::optional<Offer> before = searcher.next();
    fails = true;
    CHECK_THROWS_AS(searcher.rate({.reward = 0.0, .words = {{9, 1.0}}}), SystemError);
    CHECK_THROWS_AS(searcher.skip(), SystemError);
    if (round > 0) CHECK_THROWS_AS(searcher.undo(), SystemError);
    CHECK(searcher.next() == before);
    fails = false;
    searcher.rate({.reward = 1.0, .words = {{round, 1.0}}});
    twin.rate({.reward = 1.0, .words = {{round, 1.0}}});
    CHECK(searcher.next() == twin.next());
  }
}

TEST_CASE("an invalid request changes nothing; policies that need more and events of another pool are refused") {
  const PoolMatrix pool = some_pool(6);
  Searcher searcher(pool.view(), settings_with("ff-oful"));
  searcher.rate({.document = 2, .reward = 1.0, .words = {{1, 1.0}}});
  const std::size_t events = searcher.history().events().size();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(test::error_of([&] { searcher.rate({.document = 6, .reward = 1.0}); }) == "document 6: expected a document from 0 to 5");
  CHECK(test::error_of([&] { searcher.rate({.reward = infinity}); }).ends_with("got inf"));
  CHECK(test::error_of([&] {
          searcher.rate({.reward = 1.0, .words = {{10, 1.0}}});
        }) == "feature 10: expected a feature from 0 to 9");
  CHECK(test::error_of([&] {
          searcher.rate({.reward = 1.0, .words = {{1, 0.0}}});
        }) == "the rating of feature 1: expected a number from -1 to 1 that is not 0, got 0");
  CHECK(test::error_of([&] {
          searcher.mark(3, std::vector<SaidWord>{{1, 1.0}});
        }) == "document 3: expected a document with a rating, to mark words in it");
  CHECK(test::error_of([&] { searcher.mark(2, {}); }) == "the words: expected at least one to mark");
  CHECK(test::error_of([&] { searcher.unmark(4); }) == "feature 4: expected one that is marked, to un-mark it");
  CHECK(test::error_of([&] { searcher.skip(2); }) == "document 2: expected one that is not rated, to skip it");
  CHECK(test::error_of([&] { searcher.skip(-1); }) == "document -1: expected a document from 0 to 5");
  for (const std::int64_t count : {0, 7, 1'000'000})
    CHECK(test::error_of([&] { searcher.sample(count); }) ==
          "event 3: expected a sample of 1 to 6 documents, as the pool has, got " + std::to_string(count));
  CHECK(test::error_of([&] { searcher.undo(2); }) == "event 2: expected an answer that holds, to take it back");
  CHECK(test::error_of([&] { searcher.undo_last(2); }) == "undo of 2: expected from 1 to 1, as many as there are");
  CHECK(test::error_of([&] { searcher.redo(); }) == "redo of 1: expected an answer that was taken back; there is none");
  CHECK(test::error_of([&] { static_cast<void>(searcher.why(6)); }) == "document 6: expected a document from 0 to 5");
  CHECK(searcher.history().events().size() == events);
  CHECK(searcher.undo() > 0);

  for (const std::string policy : {"oful-subset", "explore-then-commit"}) {
    CHECK(test::error_of([&] { Searcher(pool.view(), settings_with(policy)); }) ==
          "policy " + policy + ": expected one that needs no words and no number of rounds beforehand");
  }

  const auto past_with = [&](SearchEvent event) {
    event.sequence = 1;
    return test::error_of([&] { Searcher(pool.view(), settings_with("ff-oful"), std::vector{event}); });
  };
  CHECK(past_with({.kind = SearchEventKind::rated, .document = 6}) == "document 6: expected a document from 0 to 5");
  CHECK(past_with({.kind = SearchEventKind::rated, .document = 1, .words = {{99, 1.0}}}) != "none");
  CHECK(past_with({.kind = SearchEventKind::rated, .document = 1, .words = {{1, 2.0}}}) != "none");
  CHECK(past_with({.kind = SearchEventKind::forgot, .feature = 10}) != "none");
  CHECK(past_with({.kind = SearchEventKind::undone, .target = 1}) != "none");
  CHECK(past_with({.kind = SearchEventKind::rated, .document = 1}) == "none");
}

TEST_CASE("a skipped document is on offer again after 20 rounds") {
  const PoolMatrix pool = some_pool(40);
  Searcher searcher(pool.view(), settings_with("soft-marks"));
  for (FeatureId feature = 0; feature < 10; ++feature)
    searcher.rate({.document = feature, .reward = 1.0, .words = {{feature, 1.0}}});
  const DocumentId best = searcher.next()->document;  // would be shown again if it were not skipped
  searcher.skip();
  CHECK(searcher.progress().waiting == 1);
  for (std::int64_t round = 0; round < kSkipRounds; ++round) {
    const std::optional<Offer> offer = searcher.next();
    CHECK(offer->document != best);
    CHECK(offer->among == 40 - 10 - 1 - round);
    searcher.rate({.reward = 1.0});
  }
  CHECK(searcher.progress().waiting == 0);
  CHECK(searcher.next()->among == 40 - 10 - kSkipRounds);
}

TEST_CASE("skipped documents are on offer if there are no others") {
  const PoolMatrix pool = some_pool(3);
  Searcher searcher(pool.view(), settings_with("ff-oful"));
  std::set<DocumentId> skipped;
  for (int round = 0; round < 3; ++round) {
    skipped.insert(searcher.next()->document);
    searcher.skip();
  }
  CHECK(skipped.size() == 3);
  CHECK(searcher.next()->among == 3);
  CHECK(searcher.progress().waiting == 0);
}

TEST_CASE("the probability kept with each choice is its share among many searches") {
  const PoolMatrix pool = some_pool(9);
  std::map<DocumentId, double> propensity;
  std::map<DocumentId, double> shown;
  constexpr std::uint64_t searches = 3000;
  for (std::uint64_t seed = 0; seed < searches; ++seed) {
    Searcher searcher(pool.view(), settings_with("ff-oful", seed));
    for (DocumentId document = 0; document < 4; ++document)
      searcher.rate({.document = document, .reward = document == 1 ? 1.0 : 0.0, .words = {{document, 1.0}}});
    const std::optional<Offer> offer = searcher.next();
    REQUIRE(offer->propensity);
    const auto [known, is_new] = propensity.emplace(offer->document, *offer->propensity);
    REQUIRE(known->second == *offer->propensity);
    shown[offer->document] += 1.0 / static_cast<double>(searches);
  }
  REQUIRE(propensity.size() == 5);
  double sum = 0.0;
  for (const auto& [document, probability] : propensity) {
    sum += probability;
    const double deviation = std::sqrt(probability * (1.0 - probability) / static_cast<double>(searches));
    CHECK(std::fabs(shown[document] - probability) < 4.5 * deviation);
  }
  CHECK(sum == doctest::Approx(1.0));
}

TEST_CASE("a sample is drawn evenly from all documents on offer for as many rounds as asked") {
  const PoolMatrix pool = some_pool(8);
  std::map<DocumentId, int> drawn;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Searcher searcher(pool.view(), settings_with("soft-marks", seed));
    searcher.rate({.document = 0, .reward = 1.0, .words = {{0, 1.0}}});
    searcher.skip(1);
    CHECK_FALSE(searcher.next()->explored);
    searcher.sample(1);
    const std::optional<Offer> offer = searcher.next();
    CHECK(offer->explored);
    CHECK(offer->among == 6);
    CHECK(offer->propensity == 1.0 / 6.0);
    ++drawn[offer->document];
    searcher.rate({.reward = 0.0});
    CHECK_FALSE(searcher.next()->explored);
  }
  REQUIRE(drawn.size() == 6);
  for (const auto& [document, count] : drawn) CHECK(std::abs(count - 2000 / 6) < 75);  // 4.5 standard deviations
}

TEST_CASE_FIXTURE(SomePool, "the reasons for a score add up to it") {
  for (const Preset& preset : presets()) {
    if (!can_search_with(preset) || preset.learner == nullptr || preset.uses.word_ratings) continue;
    CAPTURE(preset.name);
    Searcher searcher(pool.view(), settings_with(std::string(preset.name)));
    CHECK(searcher.words(5).size() == (preset.scope == FeatureScope::Kind::marked ? 0 : 5));
    for (int round = 0; round < 6; ++round) searcher.rate({.reward = 1.0, .words = {{round, 1.0}}});
    for (DocumentId document = 0; document < 30; ++document) {
      const Why why = searcher.why(document);
      double mean = 0.0;
      double share = 0.0;
      for (const WordPart& part : why.parts) {
        mean += part.contribution;
        share += part.width_share;
      }
      CHECK(mean == doctest::Approx(why.mean));
      if (why.width > 0.0) CHECK(share == doctest::Approx(1.0));
    }
    const std::optional<Offer> offer = searcher.next();
    CHECK(searcher.why(offer->document).mean == doctest::Approx(*offer->mean));
    CHECK(searcher.why(offer->document).explored == offer->explored);
    const std::vector<LearnedWord> words = searcher.words(4);
    REQUIRE(words.size() == 4);
    CHECK(std::ranges::is_sorted(words, std::greater<>(), [](const LearnedWord& word) { return std::fabs(word.weight); }));
    for (const LearnedWord& word : words) CHECK(word.deviation > 0.0);
  }
}

TEST_CASE_FIXTURE(SomePool, "a mark that inkling ignores is listed among the words and is no reason for a document") {
  for (const std::string policy : {"inkling", "soft-marks"}) {
    CAPTURE(policy);
    Searcher searcher(pool.view(), settings_with(policy));
    searcher.rate({.document = 0, .reward = 1.0, .words = {{.feature = 2}}});
    searcher.rate({.document = 1, .reward = 0.0, .words = {{.feature = 3}, {4, -1.0}}});
    std::set<FeatureId> reasons;
    for (DocumentId document = 0; document < pool.view().documents(); ++document) {
      for (const WordPart& part : searcher.why(document).parts)
        if (part.said) reasons.insert(part.feature);
    }
    CHECK(reasons.contains(2));
    CHECK(reasons.contains(3) == (policy == "soft-marks"));
    CHECK(reasons.contains(4));
    const std::vector<LearnedWord> words = searcher.words(10);
    CHECK(std::ranges::any_of(words, [](const auto& word) { return word.feature == 3 && word.said; }));
    searcher.rate({.document = 2, .reward = 1.0, .words = {{.feature = 3}}});
    CHECK(std::ranges::any_of(searcher.why(2).parts, [](const auto& part) { return part.feature == 3 && part.said; }) ==
          std::ranges::binary_search(pool.view().by_document.row(2).features, 3));
  }
}

TEST_CASE_FIXTURE(SomePool, "marked words are listed with their rates until they are un-marked") {
  Searcher searcher(pool.view(), settings_with("ff-oful"));
  searcher.rate({.document = 0, .reward = 1.0, .words = {{2, 1.0}, {3, -0.5}}});
  std::map<FeatureId, double> marked;
  for (const LearnedWord& word : searcher.words(10)) marked[word.feature] = leaning_of(word);
  CHECK(marked == std::map<FeatureId, double>{{2, 1.0}, {3, -0.5}});
  searcher.unmark(2);
  REQUIRE(searcher.words(10).size() == 1);
  CHECK(searcher.words(10).front().feature == 3);
}

TEST_CASE_FIXTURE(SomePool, "the ranking of a search has no rated document and begins with the next one to show") {
  Searcher searcher(pool.view(), settings_with("soft-marks"));
  for (int round = 0; round < 5; ++round) searcher.rate({.reward = 1.0, .words = {{round, 1.0}}});
  const std::vector<Ranked> ranking = searcher.ranking(100);
  CHECK(ranking.size() == 25);
  CHECK(ranking.front().document == searcher.next()->document);
  for (const Ranked& ranked : ranking) CHECK_FALSE(searcher.history().is_rated(ranked.document));
  CHECK(searcher.ranking(3).size() == 3);
  CHECK(searcher.ranking(0).empty());
}

TEST_CASE("progress counts all ratings and estimates from random draws") {
  const PoolMatrix pool = some_pool(10);
  Searcher searcher(pool.view(), settings_with("soft-marks"));
  searcher.rate({.document = 4, .reward = 1.0});  // chosen by the person, so no draw
  searcher.sample(3);
  const DocumentId first = searcher.next()->document;
  searcher.rate({.reward = 0.5});
  const DocumentId second = searcher.next()->document;
  searcher.skip();
  searcher.rate({.reward = 0.0});
  const auto left_by = [&](std::vector<RandomDraw> draws, std::int64_t unrated, std::int64_t good) {
    return good_left(draws, unrated, good);
  };
  SearchProgress progress = searcher.progress();
  CHECK(progress.documents == 10);
  CHECK(progress.rated == 3);
  CHECK(progress.good == 2);
  CHECK(progress.sample_left == 0);
  GoodLeft expected = left_by({{9, 9, 1, true}, {8, 8, 2, {}}, {7, 8, 2, false}}, 7, 2);
  CHECK(progress.left.at_most == expected.at_most);
  CHECK(progress.left.about == expected.about);
  CHECK(progress.left.draws == expected.draws);
  searcher.rate({.document = second, .reward = 1.0});
  searcher.rate({.document = first, .reward = 0.0});  // still the same draw
  progress = searcher.progress();
  expected = left_by({{9, 9, 1, false}, {8, 8, 1, true}, {7, 8, 1, false}}, 6, 2);
  CHECK(progress.left.at_most == expected.at_most);
  CHECK(progress.left.about == expected.about);
  CHECK(progress.left.draws == expected.draws);
}

}  // namespace
}  // namespace inkling
