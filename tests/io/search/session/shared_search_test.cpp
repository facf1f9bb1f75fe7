// A shared search: what each person is offered, and what each may take back.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"
#include "io/search/session/searcher.hpp"
#include "tests/support/engine/messages.hpp"
#include "tests/support/io/searches.hpp"
#include "tests/support/io/small_pools.hpp"

namespace inkling {
namespace {

constexpr int kSharedDocuments = 30;

PoolMatrix shared_pool() {
  std::vector<std::int64_t> starts = {0};
  std::vector<FeatureId> features;
  std::vector<float> values;
  for (int row = 0; row < kSharedDocuments; ++row) {
    features.insert(features.end(), {row % 5, 5 + row % 3});
    values.insert(values.end(), {1.0F, 0.25F + 0.01F * static_cast<float>(row)});
    starts.push_back(std::ssize(features));
  }
  return PoolMatrix(CsrMatrix(8, starts, features, values));
}

SearchSettings shared_settings() { return {.preset = *find_preset("inkling"), .seed = 3}; }

// The plain twin: computes from the log alone which document each person has on offer, and which are rated.
struct PlainQueue {
  std::map<std::string, DocumentId> offers;
  std::map<DocumentId, std::vector<std::int64_t>> ratings;  // those that hold

  explicit PlainQueue(const std::vector<SearchEvent>& events, bool check) {
    for (const SearchEvent& event : events) {
      if (event.kind == SearchEventKind::shown && event.offer->beside) {
        for (const auto& [who, document] : offers)
          if (check && who != event.actor) CHECK(document != *event.document);
        if (check) CHECK(ratings[*event.document].empty());
        offers[event.actor] = *event.document;
      }
      if (event.kind == SearchEventKind::rated) ratings[*event.document].push_back(event.sequence);
      if (event.kind == SearchEventKind::rated || event.kind == SearchEventKind::skipped)
        std::erase_if(offers, [&](const auto& offer) { return offer.second == event.document; });
      if (event.kind != SearchEventKind::undone && event.kind != SearchEventKind::redone) continue;
      const SearchEvent& target = events[static_cast<std::size_t>(event.target) - 1];
      if (target.kind != SearchEventKind::rated) continue;
      std::vector<std::int64_t>& of_it = ratings[*target.document];
      if (event.kind == SearchEventKind::redone)
        of_it.push_back(target.sequence);
      else
        std::erase(of_it, target.sequence);
    }
  }
};

TEST_CASE("no two people have the same document on offer whatever they rate and take back and after a restart") {
  const PoolMatrix pool = shared_pool();
  const std::vector<std::string> people = {"", "bob", "eve"};
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, 0, RandomRole::reward);
    test::KeptEvents kept;
    auto searcher = std::make_unique<Searcher>(pool.view(), shared_settings(), kept.events, kept.keeper());
    static_cast<void>(searcher->next());
    static_cast<void>(searcher->aim({.shared = {"bob", "eve"}}));
    std::map<std::string, DocumentId> expected;  // the last offer to each person
    for (int round = 0; round < 120; ++round) {
      const std::string& who = people[random.below(people.size())];
      searcher->acts_as(who);
      const std::optional<Offer> offer = searcher->next();
      if (expected.contains(who)) {
        CHECK(offer.has_value());
        CHECK((!offer || offer->document == expected[who]));  // answers of others do not change it
      }
      try {
        const std::uint64_t what = random.below(10);
        if (what < 6 && offer)
          static_cast<void>(searcher->rate({.document = offer->document, .reward = static_cast<double>(random.below(2))}));
        else if (what == 6 && offer)
          static_cast<void>(random.below(2) == 0 ? searcher->skip(offer->document) : searcher->hand_on());
        else if (what == 7)
          static_cast<void>(searcher->undo());
        else if (what == 8)
          static_cast<void>(searcher->redo());
        else if (what == 9)
          searcher = std::make_unique<Searcher>(pool.view(), shared_settings(), std::vector(kept.events), kept.keeper());
      } catch (const FormatError&) {
        continue;  // nothing to take back
      }
      searcher->acts_as(who);
      expected.erase(who);
      if (const std::optional<Offer> next = searcher->next()) expected[who] = next->document;
    }
    const PlainQueue queue(kept.events, true);
    std::set<DocumentId> on_offer;
    for (const auto& [name, document] : queue.offers) CHECK(on_offer.insert(document).second);
    for (const std::string& who : people)
      for (const std::int64_t answer : searcher->history().undoable(1'000, who))
        CHECK(kept.events[static_cast<std::size_t>(answer) - 1].actor == who);
  }
}

TEST_CASE("an offer left for half an hour goes to the next person who asks and stays the same draw") {
  const PoolMatrix pool = shared_pool();
  test::KeptEvents kept;
  Searcher begun(pool.view(), shared_settings(), {}, kept.keeper());
  static_cast<void>(begun.sample(10));
  static_cast<void>(begun.aim({.shared = {"bob"}}));
  const DocumentId hers = begun.next()->document;
  const auto his_after = [&](std::int64_t milliseconds) {
    std::vector<SearchEvent> past = kept.events;
    for (SearchEvent& event : past) event.at_ms -= milliseconds;
    Searcher later(pool.view(), shared_settings(), past);
    later.acts_as("bob");
    const Offer offer = later.next().value();
    CHECK(later.taken_by(hers) == (offer.document == hers ? std::nullopt : std::optional(std::string())));
    later.acts_as("");
    if (offer.document == hers) CHECK(later.taken_by(hers) == "bob");
    CHECK(later.next()->document != offer.document);
    later.acts_as("bob");
    static_cast<void>(later.rate({.reward = 0.0}));
    CHECK(later.progress().left.draws == 1);  // even if it was on offer twice
    return offer.document;
  };
  CHECK(his_after(kOfferKeptMs - 60'000) != hers);
  CHECK(his_after(kOfferKeptMs + 60'000) == hers);
}

TEST_CASE("a document handed on goes to the next other person as the same draw and comes back last") {
  const PoolMatrix pool = shared_pool();
  test::KeptEvents kept;
  Searcher searcher(pool.view(), shared_settings(), {}, kept.keeper());
  CHECK_THROWS_AS(static_cast<void>(searcher.hand_on()), FormatError);  // there is nobody else
  static_cast<void>(searcher.sample(1));
  static_cast<void>(searcher.aim({.shared = {"bob", "eve"}}));
  const Offer hers = searcher.next().value();
  searcher.acts_as("bob");
  const DocumentId his = searcher.next()->document;
  CHECK_THROWS_AS(static_cast<void>(searcher.hand_on(hers.document)), FormatError);
  searcher.acts_as("");
  const std::int64_t handed_on = searcher.hand_on(hers.document);
  CHECK(searcher.next()->document != hers.document);
  searcher.acts_as("bob");
  CHECK(searcher.next()->document == his);  // bob keeps his own offer
  searcher.acts_as("");
  static_cast<void>(searcher.undo(handed_on));
  CHECK(searcher.next()->document == hers.document);
  static_cast<void>(searcher.hand_on());
  searcher.acts_as("eve");
  CHECK(searcher.next() == hers);
  static_cast<void>(searcher.skip());
  CHECK(searcher.next()->document != hers.document);  // for eve it is a skipped document like any other
  searcher.acts_as("bob");
  static_cast<void>(searcher.rate({.reward = 0.0}));
  CHECK(searcher.next()->document != hers.document);
  searcher.acts_as("");
  Searcher again(pool.view(), shared_settings(), kept.events);
  std::vector<DocumentId> read;
  while (const std::optional<Offer> offer = again.next()) {
    read.push_back(offer->document);
    static_cast<void>(again.rate({.document = offer->document, .reward = 0.0}));
  }
  CHECK(read.back() == hers.document);
}

TEST_CASE("the owner of a search keeps the document on offer when the search becomes shared") {
  const PoolMatrix pool = shared_pool();
  Searcher searcher(pool.view(), shared_settings());
  for (int n = 0; n < 3; ++n) static_cast<void>(searcher.rate({.reward = 1.0}));
  const DocumentId before = searcher.next()->document;
  static_cast<void>(searcher.aim({.shared = {"bob"}}));
  CHECK(searcher.next()->document == before);
  searcher.acts_as("bob");
  CHECK(searcher.next()->document != before);
  searcher.acts_as("");
  CHECK(searcher.next()->document == before);
  static_cast<void>(searcher.aim({}));
  CHECK(searcher.next()->document == before);
}

TEST_CASE("a closed search takes no answer and no undo") {
  const PoolMatrix pool = shared_pool();
  SearchSettings settings = shared_settings();
  settings.set = {7, 2, 9};
  Searcher searcher(pool.view(), settings);
  CHECK(searcher.next()->document == 7);
  static_cast<void>(searcher.skip());
  CHECK(searcher.next()->document == 2);
  static_cast<void>(searcher.rate({.reward = 1.0}));
  static_cast<void>(searcher.rate({.reward = 0.0}));
  CHECK(searcher.next()->document == 7);
  CHECK(searcher.left_of_set() == 1);
  static_cast<void>(searcher.rate({.reward = 0.0}));
  CHECK_FALSE(searcher.next().has_value());
  static_cast<void>(searcher.close());
  CHECK_THROWS_AS(static_cast<void>(searcher.undo()), FormatError);
  CHECK_THROWS_AS(static_cast<void>(searcher.rate({.document = 3, .reward = 1.0})), FormatError);
  static_cast<void>(searcher.note("done"));
}

TEST_CASE("what a pair of readers has is offered to nobody; their answers teach as those of one person") {
  const PoolMatrix pool = shared_pool();
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, 1, RandomRole::reward);
    test::KeptEvents kept;
    const auto opened = [&] { return Searcher(pool.view(), shared_settings(), kept.events, kept.keeper()); };
    Searcher searcher = opened();
    const bool is_shared = seed % 2 == 0;
    static_cast<void>(searcher.next());
    if (is_shared) searcher.aim({.shared = {"bob"}});
    std::set<DocumentId> with_pair;
    for (int round = 0; round < 25; ++round) {
      if (is_shared) searcher.acts_as(random.below(2) == 0 ? "" : "bob");
      const std::optional<Offer> offer = searcher.next();
      CHECK((!offer || !with_pair.contains(offer->document)));
      const auto document = static_cast<DocumentId>(random.below(kSharedDocuments));
      const std::uint64_t act = random.below(6);
      if (act == 0 && !searcher.history().is_rated(document) && !searcher.is_on_offer(document) &&
          with_pair.insert(document).second) {
        searcher.withhold(std::vector{document});
        CHECK_THROWS_WITH_AS(searcher.rate({.document = document, .reward = 1.0}), doctest::Contains("no pair of readers"),
                             FormatError);
        CHECK_THROWS_WITH_AS(searcher.skip(document), doctest::Contains("no pair of readers"), FormatError);
      } else if (act == 1 && !with_pair.empty()) {
        searcher.take_over(std::vector<SearchRating>{{.document = *with_pair.begin(), .reward = 0.5, .words = {{1, 1.0}}}},
                           "bob + eve");
        with_pair.erase(with_pair.begin());
      } else if (act == 2) {
        searcher = opened();
      } else if (offer) {
        searcher.rate({.reward = random.below(2) == 0 ? 0.0 : 1.0});
      }
    }
    // A twin in which one person gave the ratings that hold, in their order.
    searcher.release(std::vector(with_pair.begin(), with_pair.end()));
    Searcher twin(pool.view(), shared_settings());
    for (const SearchStep& step : searcher.history().steps())
      twin.rate({.document = step.document, .reward = step.reward, .words = step.words});
    const std::vector<Ranked> ranking = searcher.ranking(kSharedDocuments);
    CHECK(std::ranges::equal(ranking, twin.ranking(kSharedDocuments), {}, &Ranked::document, &Ranked::document));
    if (!is_shared) CHECK(searcher.next().has_value() == twin.next().has_value());
    if (!is_shared && twin.next()) CHECK(searcher.next()->document == twin.next()->document);
  }
}

TEST_CASE("a rating that was taken back is not brought back while a pair has its document") {
  const PoolMatrix pool = shared_pool();
  Searcher searcher(pool.view(), shared_settings());
  searcher.rate({.document = 4, .reward = 1.0});
  searcher.undo();
  searcher.withhold(std::vector<DocumentId>{4});
  CHECK_THROWS_WITH_AS(static_cast<void>(searcher.redo()), doctest::Contains("no pair of readers"), FormatError);
  CHECK_FALSE(searcher.history().is_rated(4));
  searcher.release(std::vector<DocumentId>{4});
  searcher.redo();
  CHECK(searcher.history().is_rated(4));
}

}  // namespace
}  // namespace inkling
