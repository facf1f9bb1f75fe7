// Searches in which several documents are on offer at once, and many answers come at once.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/model/linear_model.hpp"
#include "io/search/session/searcher.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/io/searches.hpp"

namespace inkling {
namespace {

using test::presets_to_search_with;

SearchSettings asked_settings(const Preset& preset, std::uint64_t seed) {
  return {.preset = preset, .seed = seed, .offers_next = false};
}

SearchRating rating_of(DocumentId document, RandomStream& random) {
  SearchRating rating = {.document = document, .reward = random.coin(0.3) ? 1.0 : 0.0};
  if (random.coin(0.5)) rating.words.push_back({.feature = static_cast<FeatureId>(random.below(10))});
  return rating;
}

PoolMatrix pool_of_offers(RandomStream& random, std::int32_t documents = 30) {
  return test::random_pool({.documents = documents, .features = 10, .density = 0.3}, random);
}

TEST_CASE("choosing one document at a time gives the documents that next gives") {
  for (const Preset& preset : presets_to_search_with()) {
    CAPTURE(preset.name);
    RandomStream random(41, 0, RandomRole::pool);
    const PoolMatrix pool = pool_of_offers(random);
    Searcher asked(pool.view(), asked_settings(preset, 3));
    Searcher next(pool.view(), {.preset = preset, .seed = 3});
    while (std::optional<Offer> offer = next.next()) {
      std::vector<Offer> chosen = asked.choose(1);
      REQUIRE(chosen.size() == 1);
      offer->beside = 0;
      REQUIRE(chosen.front() == *offer);
      const SearchRating rating = rating_of(offer->document, random);
      next.rate(rating);
      asked.rate(rating);
    }
    CHECK(asked.choose(1).empty());
  }
}

TEST_CASE("each of several documents on offer is the choice of its round without those before it") {
  for (const Preset& preset : presets_to_search_with()) {
    CAPTURE(preset.name);
    RandomStream random(42, 0, RandomRole::pool);
    const PoolMatrix pool = pool_of_offers(random);
    Searcher searcher(pool.view(), asked_settings(preset, 5));
    PolicyOptions options = {.with_replacement = false};
    Policy policy(pool.view(), preset, options, RandomStream(5, 0, RandomRole::exploration),
                  RandomStream(5, 0, RandomRole::sampling));
    std::uint64_t round = 0;
    for (int batch = 0; batch < 4; ++batch) {
      const std::vector<Offer> offers = searcher.choose(6);
      REQUIRE(offers.size() == 6);
      CHECK(searcher.open_offers() == offers);
      std::vector<DocumentId> taken;
      const PolicyState before = policy.state();
      for (const Offer& offer : offers) {
        ++round;
        policy.set_state({policy.state().clock, RandomStream(5, round, RandomRole::exploration),
                          RandomStream(5, round, RandomRole::sampling)});
        const Play play = policy.choose([&](DocumentId document) { return std::ranges::find(taken, document) == taken.end(); });
        REQUIRE(offer.document == play.document);
        CHECK(offer.round == static_cast<std::int64_t>(round));
        CHECK(offer.beside == std::ssize(taken));
        CHECK(offer.among == 30 - 6 * batch - std::ssize(taken));
        taken.push_back(play.document);
      }
      policy.set_state(before);
      std::ranges::reverse(taken);  // the order of answers does not matter
      for (const DocumentId document : taken) {
        const SearchRating rating = rating_of(document, random);
        searcher.rate(rating);
        policy.pass_round();
        policy.observe({.document = document, .reward = rating.reward, .words = rating.words});
      }
      CHECK(searcher.open_offers().empty());
    }
  }
}

TEST_CASE("a choice among given documents is one of them with the probability that it tells") {
  RandomStream random(43, 0, RandomRole::pool);
  const PoolMatrix pool = pool_of_offers(random);
  Searcher searcher(pool.view(), asked_settings(*find_preset("random"), 1));
  bool among[30] = {};
  among[4] = among[9] = true;
  const std::vector<Offer> offers = searcher.choose(3, among);
  REQUIRE(offers.size() == 2);
  CHECK(std::min(offers[0].document, offers[1].document) == 4);
  CHECK(std::max(offers[0].document, offers[1].document) == 9);
  CHECK(offers[0].propensity == 0.5);
  CHECK(offers[1].propensity == 1.0);
}

/// A search that gets random answers, and is closed and opened again at random.
class AskedSearch {
 public:
  AskedSearch(PoolView pool, SearchSettings settings, RandomStream random)
      : pool_(pool), settings_(std::move(settings)), random_(random) {
    open();
  }

  [[nodiscard]] Searcher& searcher() { return *searcher_; }

  void disturb() {
    try {
      switch (random_.below(11)) {
        case 0: open(); break;
        case 1: searcher_->undo_last(1 + static_cast<std::int64_t>(random_.below(3))); break;
        case 2: searcher_->redo_last(1); break;
        case 3: searcher_->undo(1 + static_cast<std::int64_t>(random_.below(searcher_->history().events().size() + 1))); break;
        case 4: searcher_->unmark(static_cast<FeatureId>(random_.below(10))); break;
        case 5: searcher_->rate(rating_of(any_document(), random_)); break;
        case 6:
          searcher_->rate_at_once(std::vector{rating_of(any_document(), random_), rating_of(any_document(), random_)});
          break;
        case 7: searcher_->sample(2); break;
        case 8: searcher_->skip(any_document()); break;
        default:
          searcher_->choose(1 + static_cast<std::int64_t>(random_.below(3)));
          for (const Offer& offer : searcher_->open_offers())
            if (random_.coin(0.4)) searcher_->rate(rating_of(offer.document, random_));
          break;
      }
    } catch (const FormatError&) {  // nothing to take back or no such word: changes nothing
    }
  }

 private:
  void open() {
    searcher_ = std::make_unique<Searcher>(pool_, settings_, kept_, [this](std::span<const SearchEvent> events) {
      kept_.insert(kept_.end(), events.begin(), events.end());
    });
  }
  DocumentId any_document() { return static_cast<DocumentId>(random_.below(static_cast<std::uint64_t>(pool_.documents()))); }

  PoolView pool_;
  SearchSettings settings_;
  RandomStream random_;
  std::vector<SearchEvent> kept_;
  std::unique_ptr<Searcher> searcher_;
};

/// The log without the answers that were taken back, and without the events that took them back.
std::vector<SearchEvent> what_holds(const SearchHistory& history) {
  std::vector<SearchEvent> events;
  std::vector<std::int64_t> numbers(history.events().size() + 1, 0);
  for (SearchEvent event : history.events()) {
    if (!history.holds(event.sequence) && !history.is_in_force(event.sequence)) continue;
    event.sequence = numbers[static_cast<std::size_t>(event.sequence)] = std::ssize(events) + 1;
    if (event.batch) event.batch = numbers[static_cast<std::size_t>(*event.batch)];
    if (event.shown) {
      const std::int64_t shown = numbers[static_cast<std::size_t>(*event.shown)];
      event.shown = shown == 0 ? std::nullopt : std::optional(shown);
    }
    if (event.batch == 0) event.batch = event.sequence;  // the first event of its batch was taken back
    events.push_back(event);
  }
  return events;
}

TEST_CASE("documents on offer and the next choice depend on the answers that hold alone") {
  const std::vector<Preset> presets = presets_to_search_with();
  for (std::uint64_t trial = 0; trial < 160; ++trial) {
    CAPTURE(trial);
    RandomStream random(44, trial, RandomRole::pool);
    const PoolMatrix pool = pool_of_offers(random);
    SearchSettings settings = asked_settings(presets[trial % presets.size()], trial);
    settings.with_replacement = trial % 3 == 0;
    AskedSearch search(pool.view(), settings, random);
    for (int event = 1; event <= 40; ++event) {
      search.disturb();
      if (event % 10 != 0) continue;
      Searcher again(pool.view(), settings, what_holds(search.searcher().history()));
      REQUIRE(again.open_offers() == search.searcher().open_offers());
      REQUIRE(again.progress().left.at_most == search.searcher().progress().left.at_most);
      REQUIRE(again.progress().left.draws == search.searcher().progress().left.draws);
      REQUIRE(again.progress().sample_left == search.searcher().progress().sample_left);
      REQUIRE(again.choose(3) == search.searcher().choose(3));
    }
  }
}

TEST_CASE("an offer made after an answer is void while the answer is taken back") {
  RandomStream random(45, 0, RandomRole::pool);
  const PoolMatrix pool = pool_of_offers(random);
  Searcher searcher(pool.view(), asked_settings(*find_preset("ff-oful"), 2));
  const std::vector<Offer> before = searcher.choose(1);
  const DocumentId other = (before.front().document + 1) % 30;
  searcher.rate({.document = other, .reward = 1.0, .words = {{1}}});
  const std::vector<Offer> both = {before.front(), searcher.choose(1).front()};
  CHECK(searcher.open_offers() == both);
  searcher.undo();
  CHECK(searcher.open_offers() == before);
  searcher.redo();
  CHECK(searcher.open_offers() == both);
  searcher.undo();
  searcher.rate({.document = before.front().document, .reward = 0.0});
  CHECK(searcher.open_offers().empty());
}

TEST_CASE("a skipped document is on offer again if all others are on offer") {
  RandomStream random(46, 0, RandomRole::pool);
  const PoolMatrix pool = pool_of_offers(random, 5);
  Searcher searcher(pool.view(), asked_settings(*find_preset("random"), 2));
  searcher.skip(3);
  const std::vector<Offer> offers = searcher.choose(9);
  REQUIRE(offers.size() == 5);
  CHECK(offers.back().document == 3);
}

TEST_CASE("ratings learned at once equal those learned one by one up to rounding and bit for bit when opened again") {
  for (const Preset& preset : presets_to_search_with()) {
    CAPTURE(preset.name);
    RandomStream random(47, 0, RandomRole::pool);
    const PoolMatrix pool = pool_of_offers(random);
    std::vector<SearchRating> ratings;
    for (DocumentId document = 0; document < 12; ++document) ratings.push_back(rating_of(document, random));
    Searcher at_once(pool.view(), asked_settings(preset, 8));
    at_once.rate_at_once(ratings);
    Searcher one_by_one(pool.view(), asked_settings(preset, 8));
    for (const SearchRating& rating : ratings) one_by_one.rate(rating);
    const std::span<const SearchEvent> past = at_once.history().events();
    Searcher opened(pool.view(), asked_settings(preset, 8), past);
    if (at_once.policy().learner() != nullptr && at_once.policy().learner()->model() != nullptr) {
      const LinearModel& model = *at_once.policy().learner()->model();
      for (FeatureId feature = 0; feature < 10; ++feature) {
        CHECK(std::fabs(model.weight(feature) - one_by_one.policy().learner()->weight(feature)) < 1e-9);
        CHECK(model.weight(feature) == opened.policy().learner()->weight(feature));
      }
    }
    CHECK(at_once.choose(5) == opened.choose(5));
    CHECK(at_once.policy().state().clock.round == one_by_one.policy().state().clock.round);
    CHECK(at_once.policy().state().clock.since_first_mark == one_by_one.policy().state().clock.since_first_mark);
    at_once.undo_last(5);
    CHECK(at_once.history().steps().size() == 7);
    CHECK_THROWS_AS(at_once.rate_at_once(std::vector<SearchRating>{{20, 1.0}, {30, 1.0}}), FormatError);
    CHECK(at_once.history().steps().size() == 7);
  }
}

TEST_CASE("with replacement every rating of a document counts, and it may be offered again") {
  RandomStream random(48, 0, RandomRole::pool);
  const PoolMatrix pool = pool_of_offers(random, 4);
  SearchSettings settings = asked_settings(*find_preset("oful"), 1);
  settings.with_replacement = true;
  Searcher searcher(pool.view(), settings);
  for (int round = 0; round < 20; ++round) searcher.rate({.document = searcher.choose(1).front().document, .reward = 1.0});
  CHECK(searcher.history().steps().size() == 20);
  CHECK(searcher.policy().remaining().size() == 4);
}

}  // namespace
}  // namespace inkling
