// Searches that are disturbed at random make the same choices as searches that get only the answers that hold.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"
#include "io/search/session/searcher.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/io/searches.hpp"

namespace inkling {
namespace {

/// A search that keeps its events in memory, can be closed and opened, and is disturbed at random.
class DisturbedSearch {
 public:
  DisturbedSearch(PoolView pool, const SearchSettings& settings, RandomStream random)
      : pool_(pool), settings_(settings), random_(random) {
    open();
  }

  Searcher& searcher() { return *searcher_; }
  const std::vector<SearchEvent>& kept() const { return kept_; }

  void disturb() {
    switch (random_.below(18)) {
      case 0: open(); break;
      case 1:
        settings_.keep_scores = random_.coin(0.5);
        open();
        break;
      case 2: searcher_->keep_scores(random_.coin(0.5)); break;
      case 3: try_it([&] { static_cast<void>(searcher_->next()); }); break;
      case 4: try_it([&] { searcher_->undo(); }); break;
      case 5: try_it([&] { searcher_->undo(any_answer()); }); break;
      case 6: try_it([&] { searcher_->undo_last(2); }); break;
      case 7: try_it([&] { searcher_->redo(); }); break;
      case 8: try_it([&] { searcher_->unmark(any_word().feature); }); break;
      case 9: try_it([&] { searcher_->mark(any_document(), std::vector{any_word(), any_word()}); }); break;
      case 10: try_it([&] { searcher_->skip(); }); break;
      case 11: try_it([&] { searcher_->skip(any_document()); }); break;
      case 12: try_it([&] { searcher_->sample(1 + static_cast<std::int64_t>(random_.below(3))); }); break;
      case 13: rate(any_document()); break;
      case 14: try_it([&] { searcher_->rate_words(std::vector{any_word()}); }); break;
      case 15: try_it([&] { searcher_->rate_words(std::vector{any_word(), any_word(), any_word()}); }); break;
      default: rate({}); break;
    }
    fails_ = random_.coin(0.05);
  }

 private:
  void open() {
    searcher_ = std::make_unique<Searcher>(pool_, settings_, kept_, [this](std::span<const SearchEvent> events) {
      if (fails_) throw SystemError("a disk", 28, "write");
      kept_.insert(kept_.end(), events.begin(), events.end());
    });
  }
  template <typename Work>
  void try_it(const Work& work) {
    try {
      work();
    } catch (const FormatError&) {  // nothing to undo, no such word: changes nothing
    } catch (const SystemError&) {
    }
  }
  void rate(std::optional<DocumentId> document) {
    SearchRating rating = {.document = document, .reward = random_.coin(0.4) ? 1.0 : random_.uniform()};
    for (std::uint64_t n = random_.below(3); n > 0; --n) rating.words.push_back(any_word());
    try_it([&] { searcher_->rate(rating); });
  }
  DocumentId any_document() { return static_cast<DocumentId>(random_.below(static_cast<std::uint64_t>(pool_.documents()))); }
  SaidWord any_word() {
    const auto feature = random_.below(static_cast<std::uint64_t>(pool_.features()));
    SaidWord word = {.feature = static_cast<FeatureId>(feature)};
    if (random_.coin(0.5)) word.reward = random_.coin(0.3) ? 1.0 : random_.coin(0.5) ? 0.5 : -1.0;
    if (random_.coin(0.3)) word.confidence = 0.5;
    return word;
  }
  std::int64_t any_answer() {
    const std::span<const SearchEvent> events = searcher_->history().events();
    return events.empty() ? 1 : 1 + static_cast<std::int64_t>(random_.below(events.size()));
  }

  PoolView pool_;
  SearchSettings settings_;
  RandomStream random_;
  std::vector<SearchEvent> kept_;
  bool fails_ = false;
  std::unique_ptr<Searcher> searcher_;
};

// A new search that gets only the answers that hold. Left out are marks of documents without a rating, and un-marking a word
// that was not marked.
Searcher undisturbed(PoolView pool, const SearchSettings& settings, const SearchHistory& history) {
  Searcher searcher(pool, settings);
  for (const SearchEvent& event : history.events()) {
    if (!history.holds(event.sequence)) continue;
    try {
      switch (event.kind) {
        case SearchEventKind::rated: searcher.rate({event.document, event.reward, event.words}); break;
        case SearchEventKind::skipped: searcher.skip(event.document); break;
        case SearchEventKind::marked:
          if (event.document)
            searcher.mark(*event.document, event.words);
          else
            searcher.rate_words(event.words);
          break;
        case SearchEventKind::forgot: searcher.unmark(*event.feature); break;
        case SearchEventKind::sampled: searcher.sample(event.count); break;
        case SearchEventKind::shown:
        case SearchEventKind::undone:
        case SearchEventKind::redone:
        case SearchEventKind::noted:
        case SearchEventKind::aimed:
        case SearchEventKind::closed:
        case SearchEventKind::separated: break;
      }
    } catch (const FormatError&) {
      REQUIRE((event.kind == SearchEventKind::marked || event.kind == SearchEventKind::forgot));
    }
  }
  return searcher;
}

void check_same_events(std::span<const SearchEvent> left, std::span<const SearchEvent> right) {
  REQUIRE(left.size() == right.size());
  for (std::size_t n = 0; n < left.size(); ++n) REQUIRE(left[n] == right[n]);
}

void check_disturbed_searches(std::uint64_t first, std::uint64_t count) {
  const std::vector<Preset> presets = test::presets_to_search_with();
  REQUIRE(presets.size() == 8);
  for (std::uint64_t trial = first; trial < first + count; ++trial) {
    CAPTURE(trial);
    RandomStream random(21, trial, RandomRole::pool);
    const PoolMatrix pool = test::random_pool({.documents = 30, .features = 12, .density = 0.3}, random);
    SearchSettings settings = {.preset = presets[trial % presets.size()], .seed = trial};
    settings.keep_scores = random.coin(0.5);
    CAPTURE(settings.preset.name);
    DisturbedSearch search(pool.view(), settings, random);
    for (int event = 1; event <= 60; ++event) {
      search.disturb();
      if (event % 20 != 0 && !random.coin(0.03)) continue;
      settings.keep_scores = random.coin(0.5);
      Searcher twin = undisturbed(pool.view(), settings, search.searcher().history());
      std::optional<Offer> offer;
      try {
        offer = search.searcher().next();
      } catch (const SystemError&) {
        continue;
      }
      REQUIRE(offer == twin.next());
      check_same_events(search.kept(), search.searcher().history().events());
    }
  }
}

void check_same_words(const std::vector<LearnedWord>& left, const std::vector<LearnedWord>& right) {
  REQUIRE(left.size() == right.size());
  for (std::size_t n = 0; n < left.size(); ++n) {
    REQUIRE(left[n].feature == right[n].feature);
    REQUIRE(left[n].said == right[n].said);
    REQUIRE(left[n].apart == right[n].apart);
  }
}

TEST_CASE("the counts that a search keeps are those of a search that is opened again") {
  const std::vector<Preset> presets = test::presets_to_search_with();
  for (std::uint64_t trial = 0; trial < 80; ++trial) {
    CAPTURE(trial);
    RandomStream random(22, trial, RandomRole::pool);
    const PoolMatrix pool = test::random_pool({.documents = 25, .features = 10, .density = 0.3}, random);
    const SearchSettings settings = {.preset = presets[trial % presets.size()], .seed = trial};
    DisturbedSearch search(pool.view(), settings, random);
    for (int event = 1; event <= 60; ++event) {
      search.disturb();
      const Searcher opened(pool.view(), settings, search.kept());
      test::check_same_progress(search.searcher().progress(), opened.progress());
      check_same_words(search.searcher().words(100), opened.words(100));
      const auto document = static_cast<DocumentId>(random.below(25));
      const Why why = search.searcher().why(document);
      const Why again = opened.why(document);
      REQUIRE(why.parts.size() == again.parts.size());
      for (std::size_t n = 0; n < why.parts.size(); ++n) {
        REQUIRE(why.parts[n].feature == again.parts[n].feature);
        REQUIRE(why.parts[n].said == again.parts[n].said);
      }
      for (DocumentId any = 0; any < 25; ++any)
        REQUIRE(search.searcher().history().is_rated(any) == opened.history().is_rated(any));
    }
  }
}

TEST_CASE("a search that is disturbed at random makes the choices of one that never was") { check_disturbed_searches(0, 63); }

TEST_CASE("a thousand searches that are disturbed at random make the choices of ones that never were" *
          doctest::test_suite("slow")) {
  check_disturbed_searches(63, 1000);
}

TEST_CASE("a search shows what its policy chooses with the streams of each round") {
  for (const Preset& preset : test::presets_to_search_with()) {
    CAPTURE(preset.name);
    RandomStream random(22, 0, RandomRole::pool);
    const PoolMatrix pool = test::random_pool({.documents = 25, .features = 8, .density = 0.4}, random);
    Searcher searcher(pool.view(), {.preset = preset, .seed = 5});
    PolicyOptions options = {.with_replacement = false};
    Policy policy(pool.view(), preset, options, RandomStream(5, 1, RandomRole::exploration),
                  RandomStream(5, 1, RandomRole::sampling));
    for (std::uint64_t round = 1; round <= 25; ++round) {
      test::begin_round(policy, 5, round);
      const Play play = policy.choose();
      const std::optional<Offer> offer = searcher.next();
      REQUIRE(offer);
      CHECK(offer->document == play.document);
      CHECK(offer->explored == play.explored);
      CHECK(offer->round == static_cast<std::int64_t>(round));
      const double reward = random.uniform();
      const auto mark = static_cast<FeatureId>(random.below(8));
      policy.observe(play.document, reward, std::vector{mark});
      searcher.rate({{}, reward, {{mark}}});
    }
    CHECK_FALSE(searcher.next());
  }
}

TEST_CASE("words rated apart from documents reach the policy at once and take no round") {
  for (const Preset& preset : test::presets_to_search_with()) {
    CAPTURE(preset.name);
    RandomStream random(24, 0, RandomRole::pool);
    const PoolMatrix pool = test::random_pool({.documents = 25, .features = 8, .density = 0.4}, random);
    Searcher searcher(pool.view(), {.preset = preset, .seed = 5});
    PolicyOptions options = {.with_replacement = false};
    Policy policy(pool.view(), preset, options, RandomStream(5, 1, RandomRole::exploration),
                  RandomStream(5, 1, RandomRole::sampling));
    for (std::uint64_t round = 1; round <= 8; ++round) {
      const auto feature = static_cast<FeatureId>(round - 1);
      const double reward = random.coin(0.5) ? 1.0 : -1.0;
      policy.rate_words(std::vector<SaidWord>{{feature, reward, 0.5}});
      const std::vector<SaidWord> said = {{feature, reward, 0.5}};
      searcher.rate_words(said);
      test::begin_round(policy, 5, round);
      const Play play = policy.choose();
      const std::optional<Offer> offer = searcher.next();
      REQUIRE(offer);
      CHECK(offer->document == play.document);
      CHECK(offer->round == static_cast<std::int64_t>(round));
      policy.observe(play.document, reward, {});
      searcher.rate({{}, reward, {}});
      if (round % 3 != 0) continue;
      searcher.undo_last(2);  // makes the policy anew
      searcher.redo_last(2);
    }
  }
}

TEST_CASE("taking back any one answer of a search gives the search without it") {
  RandomStream random(23, 0, RandomRole::pool);
  const PoolMatrix pool = test::random_pool({.documents = 20, .features = 8, .density = 0.4}, random);
  const SearchSettings settings = {.preset = *find_preset("ff-oful"), .seed = 3};
  const auto rating_of = [](DocumentId document) {
    return SearchRating{document, document % 3 == 0 ? 1.0 : 0.25, {{document % 8, 1.0}}};
  };
  for (DocumentId left_out = 0; left_out < 12; ++left_out) {
    Searcher undone(pool.view(), settings);
    Searcher never(pool.view(), settings);
    std::int64_t sequence = 0;
    for (DocumentId document = 0; document < 12; ++document) {
      const std::int64_t rated = undone.rate(rating_of(document));
      if (document == left_out)
        sequence = rated;
      else
        never.rate(rating_of(document));
    }
    undone.undo(sequence);
    CHECK(undone.next() == never.next());
    CHECK(undone.history().steps().size() == never.history().steps().size());
  }
}

}  // namespace
}  // namespace inkling
