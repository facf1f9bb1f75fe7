// Compares the answers that hold, after some were taken back and brought back, with those of a plain twin.
#include "io/search/session/search_history.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"
#include "tests/support/engine/cases.hpp"

namespace inkling {
namespace {

constexpr std::uint64_t kDocumentsRated = 6;
constexpr std::uint64_t kFewWords = 4;

// A history, and functions that append events to it.
struct HistoryMaker {
  SearchHistory history = {};

  SearchEvent next(SearchEventKind kind) const { return {.sequence = history.next_sequence(), .kind = kind}; }
  std::int64_t append(const SearchEvent& event) {
    history.append(event);
    return event.sequence;
  }
  std::int64_t shown(DocumentId document) {
    SearchEvent event = next(SearchEventKind::shown);
    event.document = document;
    event.offer = Offer{.document = document, .round = 3, .explored = true, .among = 5};
    return append(event);
  }
  std::int64_t rated(DocumentId document, double reward, std::vector<SaidWord> words = {},
                     std::optional<std::int64_t> shown = {}) {
    SearchEvent event = next(SearchEventKind::rated);
    event.document = document;
    event.reward = reward;
    event.words = std::move(words);
    event.shown = shown;
    return append(event);
  }
  std::int64_t marked(DocumentId document, std::vector<SaidWord> words) {
    SearchEvent event = next(SearchEventKind::marked);
    event.document = document;
    event.words = std::move(words);
    return append(event);
  }
  std::int64_t rated_words(std::vector<SaidWord> words) {
    SearchEvent event = next(SearchEventKind::marked);
    event.words = std::move(words);
    return append(event);
  }
  std::int64_t forgot(FeatureId feature) {
    SearchEvent event = next(SearchEventKind::forgot);
    event.feature = feature;
    return append(event);
  }
  std::int64_t skipped(DocumentId document) {
    SearchEvent event = next(SearchEventKind::skipped);
    event.document = document;
    return append(event);
  }
  std::int64_t sampled(std::int64_t count) {
    SearchEvent event = next(SearchEventKind::sampled);
    event.count = count;
    return append(event);
  }
  std::int64_t undone(std::int64_t target) {
    SearchEvent event = next(SearchEventKind::undone);
    event.target = target;
    return append(event);
  }
  std::int64_t redone(std::int64_t target) {
    SearchEvent event = next(SearchEventKind::redone);
    event.target = target;
    return append(event);
  }
  std::int64_t separated(DocumentId document) {
    SearchEvent event = next(SearchEventKind::separated);
    event.document = document;
    return append(event);
  }
  std::int64_t noted() { return append(next(SearchEventKind::noted)); }
};

// The plain twin: after each event it computes anew which answers hold, and the rate of each word in each rating.
struct PlainHistory {
  std::vector<SearchEvent> all;

  bool holds(const SearchEvent& answer) const {
    bool holding = is_answer(answer.kind);
    for (const SearchEvent& event : all) {
      if (event.target != answer.sequence) continue;
      if (event.kind == SearchEventKind::undone) holding = false;
      if (event.kind == SearchEventKind::redone) holding = true;
    }
    return holding;
  }
  std::vector<SearchEvent> holding() const {
    std::vector<SearchEvent> answers;
    for (const SearchEvent& event : all)
      if (holds(event)) answers.push_back(event);
    return answers;
  }
  static bool is_replaced(const SearchEvent& rating, const std::vector<SearchEvent>& answers) {
    return rating.kind == SearchEventKind::rated && std::ranges::any_of(answers, [&](const SearchEvent& other) {
             return other.kind == SearchEventKind::rated && other.document == rating.document && other.sequence > rating.sequence;
           });
  }
  // The rate of a word in a rating: that of the last answer about it.
  static double rate_of(FeatureId word, const SearchEvent& rating, const std::vector<SearchEvent>& answers) {
    double rate = 0.0;
    for (const SearchEvent& answer : answers) {
      if (answer.sequence < rating.sequence) continue;
      if (answer.kind == SearchEventKind::forgot && answer.feature == word) rate = 0.0;
      const bool speaks =
          answer.sequence == rating.sequence || (answer.kind == SearchEventKind::marked && answer.document == rating.document);
      if (!speaks) continue;
      for (const SaidWord& said : answer.words)
        if (said.feature == word) rate = *said.reward;
    }
    return rate;
  }
  static bool is_apart(const SearchEvent& event) { return event.kind == SearchEventKind::marked && !event.document; }
  // Whether a later answer rates the word again or takes it back.
  static bool is_said_anew(FeatureId word, const SearchEvent& rated, const std::vector<SearchEvent>& answers) {
    return std::ranges::any_of(answers, [&](const SearchEvent& answer) {
      const bool rates_it = is_apart(answer) && std::ranges::find(answer.words, word, &SaidWord::feature) != answer.words.end();
      const bool forgets_it = answer.kind == SearchEventKind::forgot && answer.feature == word;
      return answer.sequence > rated.sequence && (rates_it || forgets_it);
    });
  }
  static SearchStep step_of_words(const SearchEvent& answer, const std::vector<SearchEvent>& answers) {
    SearchStep step = {.sequence = answer.sequence, .kind = StepKind::words};
    for (FeatureId word = 0; word < static_cast<FeatureId>(kFewWords); ++word) {
      double rate = 0.0;
      for (const SaidWord& said : answer.words)
        if (said.feature == word) rate = *said.reward;
      if (rate != 0.0 && !is_said_anew(word, answer, answers)) step.words.push_back({word, rate});
    }
    return step;
  }
  std::vector<SearchStep> steps() const {
    const std::vector<SearchEvent> answers = holding();
    std::vector<SearchStep> steps;
    for (const SearchEvent& answer : answers) {
      if (is_apart(answer)) {
        SearchStep step = step_of_words(answer, answers);
        if (!step.words.empty()) steps.push_back(std::move(step));
        continue;
      }
      const bool is_skip = answer.kind == SearchEventKind::skipped;
      if (!is_skip && (answer.kind != SearchEventKind::rated || is_replaced(answer, answers))) continue;
      SearchStep step = {.sequence = answer.sequence,
                         .kind = is_skip ? StepKind::skip : StepKind::rating,
                         .document = *answer.document,
                         .reward = answer.reward};
      if (answer.shown) step.offer = all[static_cast<std::size_t>(*answer.shown) - 1].offer;
      for (FeatureId word = 0; word < static_cast<FeatureId>(kFewWords); ++word) {
        const double rate = is_skip ? 0.0 : rate_of(word, answer, answers);
        if (rate != 0.0) step.words.push_back({word, rate});
      }
      steps.push_back(step);
    }
    return steps;
  }
  std::int64_t sample_left() const {
    std::int64_t left = 0;
    std::set<DocumentId> rated;
    for (const SearchEvent& answer : holding()) {
      if (answer.kind == SearchEventKind::sampled) left += answer.count;
      const bool is_first_rating = answer.kind == SearchEventKind::rated && rated.insert(*answer.document).second;
      if ((is_first_rating || answer.kind == SearchEventKind::skipped) && left > 0) --left;
    }
    return left;
  }
};

std::vector<SearchStep> with_sorted_words(std::vector<SearchStep> rounds) {
  for (SearchStep& round : rounds) std::ranges::sort(round.words, {}, &SaidWord::feature);
  return rounds;
}

std::vector<SaidWord> random_words(RandomStream& random) {
  std::vector<SaidWord> words;
  for (std::uint64_t n = random.below(3); n > 0; --n)
    words.push_back({static_cast<FeatureId>(random.below(kFewWords)), random.coin(0.5) ? 1.0 : -0.5});
  return words;
}

std::optional<std::int64_t> any_answer(const SearchHistory& history, RandomStream& random, bool holding) {
  std::vector<std::int64_t> fitting;
  for (const SearchEvent& event : history.events())
    if (is_answer(event.kind) && history.holds(event.sequence) == holding) fitting.push_back(event.sequence);
  if (fitting.empty()) return std::nullopt;
  return fitting[random.below(fitting.size())];
}

void append_random_answer(HistoryMaker& maker, RandomStream& random) {
  const auto document = static_cast<DocumentId>(random.below(kDocumentsRated));
  switch (random.below(9)) {
    case 5:
    case 6:
      if (std::vector<SaidWord> words = random_words(random); !words.empty()) maker.rated_words(std::move(words));
      break;
    case 0: maker.skipped(document); break;
    case 1: maker.sampled(1 + static_cast<std::int64_t>(random.below(4))); break;
    case 2: maker.forgot(static_cast<FeatureId>(random.below(kFewWords))); break;
    case 3:
      if (maker.history.is_rated(document)) maker.marked(document, random_words(random));
      break;
    case 4: maker.rated(document, random.uniform(), random_words(random), maker.shown(document)); break;
    default: maker.rated(document, random.uniform(), random_words(random)); break;
  }
}

void append_random_event(HistoryMaker& maker, RandomStream& random) {
  const std::uint64_t kind = random.below(10);
  if (kind == 0) maker.noted();
  if (kind == 1 || kind == 2) {
    if (const auto target = any_answer(maker.history, random, true)) maker.undone(*target);
  }
  if (kind == 3) {
    if (const auto target = any_answer(maker.history, random, false)) maker.redone(*target);
  }
  if (kind > 3) append_random_answer(maker, random);
}

PlainHistory plain(const SearchHistory& history) {
  return {std::vector<SearchEvent>(history.events().begin(), history.events().end())};
}

// A history without the answers that were taken back, and without marks of documents that then have no rating.
SearchHistory never_given(const SearchHistory& history) {
  HistoryMaker kept;
  for (const SearchEvent& event : history.events()) {
    if (!history.holds(event.sequence)) continue;
    SearchEvent copy = event;
    copy.sequence = kept.history.next_sequence();
    copy.shown.reset();
    const bool has_no_place = event.kind == SearchEventKind::marked && event.document && !kept.history.is_rated(*event.document);
    if (!has_no_place) kept.append(copy);
  }
  return kept.history;
}

std::vector<SearchStep> without_places(std::vector<SearchStep> rounds) {
  for (SearchStep& round : rounds) {
    round.sequence = 0;
    round.offer.reset();
  }
  return rounds;
}

TEST_CASE("a history equals its plain twin through thousands of random events") {
  for (std::uint64_t trial = 0; trial < test::cases(400U); ++trial) {
    CAPTURE(trial);
    RandomStream random(13, trial, RandomRole::marks);
    HistoryMaker maker;
    for (int event = 0; event < 40; ++event) append_random_event(maker, random);
    const PlainHistory twin = plain(maker.history);
    REQUIRE(with_sorted_words(maker.history.steps()) == twin.steps());
    REQUIRE(maker.history.sample_left() == twin.sample_left());
    for (const SearchEvent& event : twin.all) REQUIRE(maker.history.holds(event.sequence) == twin.holds(event));
  }
}

TEST_CASE("a history with answers taken back in any order equals one without them") {
  for (std::uint64_t trial = 0; trial < test::cases(1000U); ++trial) {
    CAPTURE(trial);
    RandomStream random(14, trial, RandomRole::marks);
    HistoryMaker maker;
    for (int event = 0; event < 25; ++event) append_random_answer(maker, random);
    for (std::uint64_t n = random.below(12); n > 0; --n)
      if (const auto target = any_answer(maker.history, random, true)) maker.undone(*target);
    const SearchHistory bare = never_given(maker.history);
    REQUIRE(without_places(maker.history.steps()) == without_places(bare.steps()));
    REQUIRE(maker.history.sample_left() == bare.sample_left());
  }
}

TEST_CASE("an event that only appends leaves all earlier steps of a search unchanged") {
  for (std::uint64_t trial = 0; trial < test::cases(200U); ++trial) {
    CAPTURE(trial);
    RandomStream random(15, trial, RandomRole::marks);
    HistoryMaker maker;
    for (int event = 0; event < 30; ++event) {
      const SearchHistory before = maker.history;
      append_random_event(maker, random);
      if (maker.history.events().size() != before.events().size() + 1) continue;  // it added no event, or two
      if (!before.only_appends(maker.history.events().back())) continue;
      const std::vector<SearchStep> was = before.steps();
      const std::vector<SearchStep> is = maker.history.steps();
      REQUIRE(is.size() >= was.size());
      REQUIRE(std::equal(was.begin(), was.end(), is.begin()));
    }
  }
}

TEST_CASE("undo goes back through the answers of a search and redo forward until a new answer") {
  HistoryMaker maker;
  CHECK(maker.history.undoable(1).empty());
  CHECK(maker.history.redoable(1).empty());
  const std::int64_t first = maker.rated(0, 1.0);
  maker.noted();
  const std::int64_t second = maker.skipped(1);
  const std::int64_t third = maker.sampled(2);
  CHECK(maker.history.undoable(1) == std::vector{third});
  maker.undone(third);
  maker.undone(second);
  CHECK(maker.history.undoable(1) == std::vector{first});
  CHECK(maker.history.redoable(1) == std::vector{second});
  maker.redone(second);
  CHECK(maker.history.redoable(1) == std::vector{third});
  CHECK(maker.history.undoable(1) == std::vector{second});
  maker.noted();  // a note is no answer
  CHECK(maker.history.redoable(1) == std::vector{third});
  maker.rated(2, 0.0);
  CHECK(maker.history.redoable(1).empty());
}

TEST_CASE("the last rating of a document counts with its place and its own words") {
  HistoryMaker maker;
  maker.rated(0, 1.0, {{1, 1.0}});
  maker.marked(0, {{2, 1.0}});
  maker.rated(1, 0.0, {{2, -1.0}});
  const std::int64_t again = maker.rated(0, 0.25, {{3, 1.0}});
  maker.marked(0, {{3, 0.5}, {1, 1.0}});
  const std::vector<SearchStep> rounds = maker.history.steps();
  REQUIRE(rounds.size() == 2);
  CHECK(rounds[0].document == 1);
  CHECK(rounds[1].sequence == again);
  CHECK(rounds[1].reward == 0.25);
  CHECK(rounds[1].words == std::vector<SaidWord>{{3, 0.5}, {1, 1.0}});
  maker.undone(again);
  const std::vector<SearchStep> before = maker.history.steps();
  REQUIRE(before.size() == 2);
  CHECK(before[0].reward == 1.0);
  CHECK(before[0].words == std::vector<SaidWord>{{1, 1.0}, {2, 1.0}, {3, 0.5}});
}

TEST_CASE("the last of several ratings of a word apart from documents counts at its place") {
  HistoryMaker maker;
  const std::int64_t first = maker.rated_words({{1, 1.0}, {2, 1.0}});
  maker.rated(0, 1.0, {{2, 1.0}});
  const std::int64_t again = maker.rated_words({{2, -1.0}});
  std::vector<SearchStep> steps = maker.history.steps();
  REQUIRE(steps.size() == 3);
  CHECK(steps[0] == SearchStep{.sequence = first, .kind = StepKind::words, .words = {{1, 1.0}}});
  CHECK(steps[1].words == std::vector<SaidWord>{{2, 1.0}});  // the rating of the word in the document still holds
  CHECK(steps[2] == SearchStep{.sequence = again, .kind = StepKind::words, .words = {{2, -1.0}}});
  maker.undone(again);
  steps = maker.history.steps();
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].words == std::vector<SaidWord>{{1, 1.0}, {2, 1.0}});
  maker.redone(again);
  const std::int64_t forgot = maker.forgot(2);
  steps = maker.history.steps();
  REQUIRE(steps.size() == 2);  // the second rating has no word left
  CHECK(steps[0].words == std::vector<SaidWord>{{1, 1.0}});
  CHECK(steps[1].words.empty());
  maker.undone(forgot);
  CHECK(maker.history.steps().size() == 3);
}

TEST_CASE("words rated apart from documents do not count as rounds of a sample") {
  HistoryMaker maker;
  maker.sampled(2);
  maker.rated_words({{1, 1.0}});
  CHECK(maker.history.sample_left() == 2);
  maker.rated(0, 1.0);
  CHECK(maker.history.sample_left() == 1);
}

TEST_CASE("a round of a search knows the offer that its rating answers") {
  HistoryMaker maker;
  maker.rated(4, 1.0, {}, maker.shown(4));
  maker.rated(5, 1.0);
  const std::vector<SearchStep> rounds = maker.history.steps();
  REQUIRE(rounds[0].offer);
  CHECK(rounds[0].offer->among == 5);
  CHECK_FALSE(rounds[1].offer);
}

// The error about an event that follows two others: event 1 rates document 0 and event 2 shows document 1.
std::string refusal(SearchEvent event) {
  HistoryMaker maker;
  maker.rated(0, 1.0);
  maker.shown(1);
  if (event.sequence == 0) event.sequence = 3;
  try {
    maker.history.append(event);
  } catch (const FormatError& error) {
    CHECK(maker.history.events().size() == 2);
    return error.where() + ": " + error.expectation();
  }
  return "";
}

TEST_CASE("events that cannot follow those of a search are refused and change nothing") {
  using Kind = SearchEventKind;
  CHECK(refusal({.sequence = 7, .kind = Kind::noted}) == "event 7: expected event 3 to be the next one");
  CHECK(refusal({.kind = Kind::undone, .target = 2}) == "event 2: expected an answer that holds, to take it back");
  CHECK(refusal({.kind = Kind::undone, .target = 9}) == "event 9: expected an answer that holds, to take it back");
  CHECK(refusal({.kind = Kind::redone, .target = 1}) == "event 1: expected an answer that was taken back, to bring it back");
  CHECK(refusal({.kind = Kind::marked, .document = 1}) == "document 1: expected a document with a rating, to mark words in it");
  CHECK(refusal({.kind = Kind::marked}) == "event 3: expected at least one word that is rated");
  CHECK(refusal({.kind = Kind::rated}) == "event 3: expected a document");
  CHECK(refusal({.kind = Kind::shown, .document = 1}) == "event 3: expected an offer of the document that is shown");
  CHECK(refusal({.kind = Kind::rated, .document = 1, .shown = 1}) == "event 3: expected event 1 to have shown document 1");
  CHECK(refusal({.kind = Kind::skipped, .document = 5, .shown = 2}) == "event 3: expected event 2 to have shown document 5");
  CHECK(refusal({.kind = Kind::forgot}) == "event 3: expected the word that is un-marked");
  CHECK(refusal({.kind = Kind::sampled, .count = 0}) == "event 3: expected a sample of 1 to 1000000000 documents, got 0");
  CHECK(refusal({.kind = Kind::rated, .document = 1, .shown = 2}).empty());
}

// What each event is about, from the rule alone: a copy's original, unless a separation of the copy before it holds at the end.
std::vector<SearchEvent> events_about(std::span<const SearchEvent> logged, RowCopies copies) {
  std::set<std::int64_t> undone;
  for (const SearchEvent& event : logged) {
    if (event.kind == SearchEventKind::undone) undone.insert(event.target);
    if (event.kind == SearchEventKind::redone) undone.erase(event.target);
  }
  std::vector<SearchEvent> about(logged.begin(), logged.end());
  for (SearchEvent& event : about) {
    const bool is_itself = std::ranges::any_of(logged, [&](const SearchEvent& other) {
      return other.kind == SearchEventKind::separated && other.document == event.document && other.sequence < event.sequence &&
             !undone.contains(other.sequence);
    });
    if (!event.document || is_itself || event.kind == SearchEventKind::separated) continue;
    event.document = copies.original_of(*event.document);
    if (event.offer) event.offer->document = *event.document;
  }
  return about;
}

TEST_CASE("ratings of copies count for their originals unless the copy was separated, as the plain rule says") {
  constexpr std::uint64_t seed = 5353;
  const CopiedRows copies = {.rows = {2, 4, 5}, .originals = {0, 3, 3}};
  for (std::uint64_t trial = 0; trial < test::cases(400U); ++trial) {
    INFO("seed " << seed << " trial " << trial);
    RandomStream random(seed, trial, RandomRole::documents);
    HistoryMaker maker = {.history = SearchHistory(RatingsOfOne::last_counts, copies.view())};
    std::vector<SearchEvent> logged;
    for (int step = 0; step < 40; ++step) {
      const auto document = static_cast<DocumentId>(random.below(kDocumentsRated));
      const std::uint64_t what = random.below(10);
      SearchEvent event = maker.next(SearchEventKind::rated);
      if (what < 2) event.kind = SearchEventKind::separated;
      if (what == 2) event.kind = SearchEventKind::skipped;
      if (what == 3) event.kind = SearchEventKind::marked;
      if (what == 4) event.kind = SearchEventKind::undone;
      if (what == 5) event.kind = SearchEventKind::redone;
      const bool has_target = what == 4 || what == 5;
      if (has_target) event.target = 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(event.sequence)));
      if (!has_target) event.document = document;
      if (what == 3) event.words = {{.feature = 1}};
      if (event.kind == SearchEventKind::rated) event.reward = random.uniform();
      const std::vector<SearchEvent> before(maker.history.events().begin(), maker.history.events().end());
      try {
        maker.append(event);
        logged.push_back(event);
      } catch (const FormatError&) {
        REQUIRE(std::ranges::equal(maker.history.events(), before));
      }
      REQUIRE(maker.history.logged() == logged);
      const std::vector<SearchEvent> about = events_about(logged, copies.view());
      REQUIRE(std::ranges::equal(maker.history.events(), about));
      HistoryMaker plain;
      for (const SearchEvent& one : about) plain.append(one);
      REQUIRE(maker.history.steps() == plain.history.steps());
      REQUIRE(maker.history.undoable(9) == plain.history.undoable(9));
      for (DocumentId one = 0; one < static_cast<DocumentId>(kDocumentsRated); ++one)
        REQUIRE(maker.history.is_rated(one) == plain.history.is_rated(one));
    }
    const std::size_t half = logged.size() / 2;
    maker.history.cut_to(half);
    logged.resize(half);
    REQUIRE(maker.history.logged() == logged);
    REQUIRE(std::ranges::equal(maker.history.events(), events_about(logged, copies.view())));
  }
}

}  // namespace
}  // namespace inkling
