// A search over a set makes the same choices as one over the pool from which the set was cut. Both get the same answers.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/corpus/pool/open/joined_pool.hpp"
#include "io/search/session/searcher.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/io/searches.hpp"
#include "tests/support/io/small_sets.hpp"

namespace inkling {
namespace {

/// A search whose events are kept, so that it can be opened again.
class KeptInMemory {
 public:
  KeptInMemory(const Pool& pool, const SearchSettings& settings) : pool_(pool), settings_(settings) { open_again(); }

  Searcher& searcher() { return *searcher_; }
  const std::vector<SearchEvent>& kept() const { return kept_; }
  void open_again() {
    searcher_ = std::make_unique<Searcher>(pool_.view(), settings_, kept_, [this](std::span<const SearchEvent> events) {
      for (SearchEvent event : events) {
        event.at_ms = 0;  // the two searches get their answers at different times
        kept_.push_back(std::move(event));
      }
    });
  }

 private:
  const Pool& pool_;
  SearchSettings settings_;
  std::vector<SearchEvent> kept_;
  std::unique_ptr<Searcher> searcher_;
};

/// Gives the search a random answer, which depends on the stream alone.
void say_something(KeptInMemory& search, RandomStream random, std::int32_t documents, std::int32_t features) {
  const auto any_document = [&] { return test::between(0, documents - 1, random); };
  const auto any_word = [&] {
    const double rate = random.coin(0.5) ? 1.0 : random.coin(0.5) ? 0.5 : -1.0;
    return SaidWord{test::between(0, features - 1, random), rate};
  };
  Searcher& searcher = search.searcher();
  switch (random.below(16)) {
    case 0: return search.open_again();
    case 1: return searcher.keep_scores(random.coin(0.5));
    case 2: return static_cast<void>(searcher.undo());
    case 3: return static_cast<void>(searcher.undo_last(2));
    case 4: return static_cast<void>(searcher.redo());
    case 5: return static_cast<void>(searcher.skip());
    case 6: return static_cast<void>(searcher.skip(any_document()));
    case 7: return static_cast<void>(searcher.mark(any_document(), std::vector{any_word()}));
    case 8: return static_cast<void>(searcher.rate_words(std::vector{any_word(), any_word()}));
    case 9: return static_cast<void>(searcher.unmark(any_word().feature));
    case 10: return static_cast<void>(searcher.sample(2));
    default: break;
  }
  SearchRating rating = {.reward = random.coin(0.4) ? 1.0 : random.uniform()};
  if (random.coin(0.3)) rating.document = any_document();
  if (random.coin(0.5)) rating.words = {any_word()};
  searcher.rate(rating);
}

// Gives the search a random answer. Returns the error if it is refused.
std::string said_to(KeptInMemory& search, RandomStream random, PoolView pool) {
  try {
    say_something(search, random, pool.documents(), pool.features());
    return "";
  } catch (const FormatError& error) {
    return error.what();
  }
}

bool same_knowledge(Searcher& one, Searcher& other, RandomStream& random, std::int32_t documents) {
  const std::vector<Ranked> ranking = one.ranking(10);
  const std::vector<Ranked> other_ranking = other.ranking(10);
  if (ranking.size() != other_ranking.size()) return false;
  for (std::size_t n = 0; n < ranking.size(); ++n)
    if (ranking[n].document != other_ranking[n].document || ranking[n].score != other_ranking[n].score) return false;
  const std::vector<LearnedWord> words = one.words(5);
  const std::vector<LearnedWord> other_words = other.words(5);
  if (words.size() != other_words.size()) return false;
  for (std::size_t n = 0; n < words.size(); ++n)
    if (words[n].feature != other_words[n].feature || words[n].weight != other_words[n].weight) return false;
  const DocumentId document = test::between(0, documents - 1, random);
  const Why why = one.why(document);
  const Why other_why = other.why(document);
  return why.mean == other_why.mean && why.width == other_why.width && why.parts.size() == other_why.parts.size();
}

TEST_CASE("a search over a set shows and keeps and knows the same as one over the whole pool for any answers") {
  const std::vector<Preset> searching = test::presets_to_search_with();
  test::each_case(1611, 48, [&](RandomStream& random, std::uint64_t trial) {
    const test::SmallPool pool = test::random_worded_pool({.documents = test::between(2, 50, random),
                                                           .features = test::between(2, 20, random),
                                                           .density = 0.3,
                                                           .degenerate = random.coin(0.3)},
                                                          true, random);
    const test::CutPool cut(pool, test::random_cuts(pool.rows.size(), 2 + random.below(4), random));
    const WholePool joined(cut.set(), PoolTrust::structure);
    const WholePool whole(cut.whole(), PoolTrust::structure);
    const SearchSettings settings = {.preset = searching[trial % searching.size()], .seed = trial + 1};
    KeptInMemory over_set(joined.pool(), settings);
    KeptInMemory over_pool(whole.pool(), settings);
    for (std::uint64_t answer = 0; answer < 40; ++answer) {
      CAPTURE(answer);
      const RandomStream said = test::stream_for(1612 + trial, answer);
      CHECK(said_to(over_set, said, whole.pool().view()) == said_to(over_pool, said, whole.pool().view()));
      REQUIRE(over_set.searcher().next() == over_pool.searcher().next());
    }
    CHECK(over_set.kept() == over_pool.kept());
    CHECK(same_knowledge(over_set.searcher(), over_pool.searcher(), random, whole.pool().view().documents()));
  });
}

}  // namespace
}  // namespace inkling
