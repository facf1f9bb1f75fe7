// A search of a pool with repeated texts makes the same choices as one of the pool that has each text once.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"
#include "io/corpus/pool/format/row_copies.hpp"
#include "io/corpus/unpack/byte_stream.hpp"
#include "io/search/events/events.hpp"
#include "io/search/session/kept_search_form.hpp"
#include "io/search/session/searcher.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/io/searches.hpp"

namespace inkling {
namespace {

test::RowOfEntries entries_of(const SparseRow& row) {
  test::RowOfEntries entries;
  for (std::size_t n = 0; n < row.size(); ++n) entries.push_back({row.features[n], row.values[n]});
  return entries;
}

/// A pool without equal texts, and the same with copies of many rows, each behind its original.
struct TwoPools {
  explicit TwoPools(RandomStream& random)
      : once(test::random_pool({.documents = test::between(1, 25, random),
                                .features = test::between(1, 8, random),
                                .density = 0.4,
                                .degenerate = random.coin(0.5)},
                               random)) {
    std::vector<test::RowOfEntries> rows;
    const double share = random.uniform();
    for (DocumentId document = 0; document < once.view().documents(); ++document) {
      rows_of.push_back({static_cast<DocumentId>(rows.size())});
      rows.push_back(entries_of(once.view().by_document.row(document)));
      while (random.coin(0.9 * share)) {
        const auto copied = static_cast<std::size_t>(random.below(rows_of.size()));
        const auto row = static_cast<DocumentId>(rows.size());
        copies.add(row, rows_of[copied].front());
        rows_of[copied].push_back(row);
        rows.push_back(rows[static_cast<std::size_t>(rows_of[copied].front())]);
      }
    }
    several.emplace(test::pool_of(once.view().features(), rows));
  }

  [[nodiscard]] DocumentId original(DocumentId document) const { return rows_of[static_cast<std::size_t>(document)].front(); }
  [[nodiscard]] DocumentId any_of(DocumentId document, RandomStream& random) const {
    const std::vector<DocumentId>& rows = rows_of[static_cast<std::size_t>(document)];
    return rows[random.below(rows.size())];
  }

  PoolMatrix once;
  CopiedRows copies;
  std::vector<std::vector<DocumentId>> rows_of;  // by document of the first pool
  std::optional<PoolMatrix> several;
};

std::optional<std::int64_t> sequence_of(const auto& say) {
  try {
    return say();
  } catch (const FormatError&) {  // nothing to undo, or already rated
    return std::nullopt;
  }
}

void check_same(Searcher& once, Searcher& several, const TwoPools& pools) {
  const std::optional<Offer> one = once.next();
  const std::optional<Offer> other = several.next();
  REQUIRE(one.has_value() == other.has_value());
  if (one) {
    Offer expected = *one;
    expected.document = pools.original(one->document);
    REQUIRE(*other == expected);
  }
  test::check_same_progress(once.progress(), several.progress());
  const std::vector<Ranked> best = once.ranking(100);
  const std::vector<Ranked> also_best = several.ranking(100);
  REQUIRE(best.size() == also_best.size());
  for (std::size_t n = 0; n < best.size(); ++n) {
    REQUIRE(also_best[n].document == pools.original(best[n].document));
    REQUIRE(also_best[n].score == doctest::Approx(best[n].score).epsilon(1e-12));
  }
}

/// Gives the same random answer to both. In the second search it may name any document of the text.
void say_to_both(Searcher& once, Searcher& several, const TwoPools& pools, RandomStream& random) {
  const auto any = static_cast<DocumentId>(random.below(static_cast<std::uint64_t>(pools.once.view().documents())));
  const bool is_on_offer = random.coin(0.6);
  const std::optional<DocumentId> one = is_on_offer ? std::nullopt : std::optional(any);
  const std::optional<DocumentId> other = is_on_offer ? std::nullopt : std::optional(pools.any_of(any, random));
  const double reward = random.coin(0.4) ? 1.0 : random.uniform();
  std::vector<SaidWord> words;
  if (random.coin(0.5))
    words.push_back({.feature = static_cast<FeatureId>(random.below(static_cast<std::uint64_t>(pools.once.view().features())))});
  const std::uint64_t what = random.below(10);
  const auto say = [&](Searcher& search, std::optional<DocumentId> document) {
    return sequence_of([&] {
      if (what == 0) return search.skip(document);
      if (what == 1) return search.undo();
      if (what == 2) return search.sample(1);
      if (what == 3 && document) return search.mark(*document, words);
      if (what == 4 && !words.empty()) return search.rate_words(words);
      return search.rate({.document = document, .reward = reward, .words = words});
    });
  };
  REQUIRE(say(once, one) == say(several, other));
}

TEST_CASE("a search of a pool with equal texts equals that of a pool with each text once") {
  constexpr std::uint64_t seed = 2311;
  for (const Preset& preset : presets()) {
    if (!can_search_with(preset)) continue;
    for (std::uint64_t trial = 0; trial < 12; ++trial) {
      INFO(preset.name << ", seed " << seed << " trial " << trial);
      RandomStream random = test::stream_for(seed, trial);
      const TwoPools pools(random);
      SearchSettings settings = {.preset = preset, .seed = trial, .with_replacement = trial % 4 == 3};
      settings.keep_scores = random.coin(0.5);
      Searcher once(pools.once.view(), settings);
      settings.copies = pools.copies.view();
      std::vector<SearchEvent> kept;
      const auto keep = [&kept](std::span<const SearchEvent> events) { kept.insert(kept.end(), events.begin(), events.end()); };
      Searcher several(pools.several->view(), settings, {}, keep);
      for (int step = 0; step < 40; ++step) {
        check_same(once, several, pools);
        say_to_both(once, several, pools, random);
      }
      Searcher again(pools.several->view(), settings, kept);
      check_same(once, again, pools);
      for (const SearchEvent& event : kept)
        if (event.document) REQUIRE(pools.copies.view().original_of(*event.document) == *event.document);
    }
  }
}

TEST_CASE("a rating of a copy in a log counts for its text and the last rating holds") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}, {{1, 1.0F}}, {{0, 1.0F}}});
  const CopiedRows copies = {.rows = {2}, .originals = {0}};
  const std::vector<SearchEvent> past = {{.sequence = 1, .kind = SearchEventKind::rated, .document = 2, .reward = 1.0},
                                         {.sequence = 2, .kind = SearchEventKind::rated, .document = 0, .reward = 0.0}};
  Searcher searcher(pool.view(), {.preset = preset_named("inkling"), .copies = copies.view()}, past);
  const std::vector<SearchStep> steps = searcher.history().steps();
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].document == 0);
  CHECK(steps[0].reward == 0.0);
  CHECK(searcher.progress().documents == 2);
  CHECK(searcher.progress().rated == 1);
  CHECK(searcher.next().value().document == 1);
  searcher.undo(2);
  CHECK(searcher.history().steps().at(0).reward == 1.0);
  CHECK_THROWS_AS(searcher.sample(3), FormatError);
}

TEST_CASE("a search in which copies were separated equals that of a pool without these copies, until that is taken back") {
  constexpr std::uint64_t seed = 2312;
  for (const Preset& preset : test::presets_to_search_with()) {
    for (std::uint64_t trial = 0; trial < 12; ++trial) {
      INFO(preset.name << ", seed " << seed << " trial " << trial);
      RandomStream random = test::stream_for(seed, trial);
      const TwoPools pools(random);
      if (pools.copies.rows.empty()) continue;
      SearchSettings settings = {.preset = preset, .seed = trial, .copies = pools.copies.view()};
      test::KeptEvents kept;
      Searcher search(pools.several->view(), settings, {}, kept.keeper());
      CopiedRows left;
      for (std::size_t n = 0; n < pools.copies.rows.size(); ++n)
        if (random.coin(0.5))
          search.separate(pools.copies.rows[n]);
        else
          left.add(pools.copies.rows[n], pools.copies.originals[n]);
      CHECK_THROWS_AS(search.separate(pools.copies.originals[0]), FormatError);
      settings.copies = left.view();
      Searcher without(pools.several->view(), settings);
      const auto check_equal = [&](Searcher& one, Searcher& other) {
        REQUIRE(one.next() == other.next());
        test::check_same_progress(one.progress(), other.progress());
        REQUIRE(std::ranges::equal(one.ranking(100), other.ranking(100), {}, &Ranked::document, &Ranked::document));
      };
      for (int step = 0; step < 12 && without.next(); ++step) {
        check_equal(search, without);
        const double reward = random.coin(0.4) ? 1.0 : 0.0;
        const std::vector<SaidWord> words = {{.feature = 0}};
        search.rate({.reward = reward, .words = words});
        without.rate({.reward = reward, .words = words});
      }
      settings.copies = pools.copies.view();
      Searcher again(pools.several->view(), settings, kept.events);
      check_equal(again, without);
      const std::vector<SearchEvent> before = kept.events;
      for (const SearchEvent& event : before)
        if (event.kind == SearchEventKind::separated) search.undo(event.sequence);
      for (const SearchStep& step : search.history().steps())
        REQUIRE(pools.copies.view().original_of(step.document) == step.document);
      REQUIRE(search.progress().documents == pools.once.view().documents());
    }
  }
}

/// What holds: every rating with its words, and which copies are not offered.
struct WhatHolds {
  explicit WhatHolds(const Searcher& search)
      : copies(search.history().copies().rows.begin(), search.history().copies().rows.end()) {
    for (const SearchStep& step : said_in(search.history())) said.emplace_back(step.document, step.reward, step.words);
  }

  std::vector<DocumentId> copies;
  std::vector<std::tuple<DocumentId, double, std::vector<SaidWord>>> said;

  bool operator==(const WhatHolds&) const = default;
};

TEST_CASE("a search whose file of events is imported has the same ratings and separations, and takes them back as well") {
  int separated = 0;
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    CAPTURE(trial);
    RandomStream random = test::stream_for(2313, trial);
    const TwoPools pools(random);
    if (pools.copies.rows.empty()) continue;
    const PoolView view = pools.several->view();
    const SearchSettings settings = {.preset = preset_named("inkling"), .seed = trial, .copies = pools.copies.view()};
    Searcher search(view, settings);
    for (int step = 0; step < 15; ++step) {
      const auto copy = pools.copies.rows[random.below(pools.copies.rows.size())];
      const auto any = static_cast<DocumentId>(random.below(static_cast<std::uint64_t>(view.documents())));
      const DocumentId document = random.coin(0.5) ? copy : any;
      const std::uint64_t what = random.below(6);
      sequence_of([&] {
        if (what == 0) return search.undo();
        if (what < 3) return search.separate(copy);
        return search.rate({.document = document, .reward = random.uniform(), .words = {{.feature = 0}}});
      });
    }
    SessionFacts facts;
    facts.policy = "inkling";
    const std::string file = events_file_of(facts, search.history());
    CAPTURE(file);
    const std::vector<std::int64_t> rows(pools.copies.rows.begin(), pools.copies.rows.end());
    const std::vector<std::int64_t> originals(pools.copies.originals.begin(), pools.copies.originals.end());
    MemoryStream stream(std::string_view(file).substr(file.find('\n') + 1));
    const EventScope scope = {.documents = view.documents(), .features = view.features(), .copies = {rows, originals}};
    const EventLog log = read_events(stream, "a file", scope, {});
    Searcher imported(view, settings, search_events_of(log, 0));
    REQUIRE(WhatHolds(imported) == WhatHolds(search));
    for (const auto& [sequence, document] : search.history().separations()) {
      const auto also = imported.history().separations();
      const auto its = std::ranges::find(also, document, &std::pair<std::int64_t, DocumentId>::second);
      REQUIRE(its != also.end());
      imported.undo(its->first);
      search.undo(sequence);
      REQUIRE(WhatHolds(imported) == WhatHolds(search));
      ++separated;
    }
  }
  CHECK(separated > 100);
}

}  // namespace
}  // namespace inkling
