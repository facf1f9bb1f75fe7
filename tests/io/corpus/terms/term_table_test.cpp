#include "io/corpus/terms/term_table.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "engine/core/random_stream.hpp"

namespace inkling {
namespace {

TermId intern(TermTable& table, const std::string& text, Numbering numbering = Numbering::term) {
  if (text.size() > ShortTerm::most_bytes) return table.intern_long(text, numbering).id;
  const ShortTerm term = ShortTerm::of(text);
  return table.intern(term, ShortTermHash()(term), numbering);
}

RunOfDocument uncounted(Run run) { return {.run = run, .hash = ShortTermHash()(run)}; }

TermId count_run(TermTable& table, Run run, Numbering numbering) {
  RunOfDocument counted = uncounted(run);
  table.count_runs(std::span(&counted, 1), numbering);
  return counted.number;
}

// Many terms begin alike, and their lengths lie around the limit between short and long ones.
std::string random_term(RandomStream& random) {
  static const std::vector<std::string> beginnings = {"", "a", "ab", "abcdefgh", "abcdefghij", "é", "\xFF\xFE"};
  std::string term = beginnings[random.below(beginnings.size())];
  const std::uint64_t more = 1 + random.below(random.coin(0.5) ? 3 : 18);
  for (std::uint64_t n = 0; n < more; ++n) term += static_cast<char>('a' + random.below(26));
  return term;
}

void check_against_map(TermTable& table, const std::map<std::string, TermId>& twin) {
  const std::vector<TermTable::Term> sorted = table.sorted();
  REQUIRE(sorted.size() == twin.size());
  auto expected = twin.begin();
  for (const TermTable::Term& term : sorted) {
    REQUIRE(term.text == expected->first);
    REQUIRE(term.id == expected->second);
    ++expected;
  }
}

TEST_CASE("few and many terms are numbered in order of arrival and sorted by their bytes") {
  RandomStream random(21, 0, RandomRole::pool);
  for (const int terms : {0, 1, 2, 50, 4096, 4097, 60'000}) {
    TermTable table({});
    std::map<std::string, TermId> twin;
    for (int n = 0; n < terms; ++n) {
      const std::string term = random_term(random);
      REQUIRE(intern(table, term) == twin.emplace(term, static_cast<TermId>(twin.size())).first->second);
    }
    CAPTURE(terms);
    check_against_map(table, twin);
  }
}

TEST_CASE("terms that are left out have no number and are not among the sorted ones") {
  RandomStream random(22, 0, RandomRole::pool);
  std::set<std::string> ignored;
  for (int n = 0; n < 500; ++n) ignored.insert(random_term(random));
  TermTable table(std::vector(ignored.begin(), ignored.end()));
  std::map<std::string, TermId> twin;
  for (int n = 0; n < 20'000; ++n) {
    const std::string term = random_term(random);
    const TermId id = intern(table, term);
    if (ignored.contains(term))
      REQUIRE(id == kIgnoredTerm);
    else
      REQUIRE(id == twin.emplace(term, static_cast<TermId>(twin.size())).first->second);
  }
  check_against_map(table, twin);
}

TEST_CASE("runs of words are sorted and found by their texts and parts of runs are no terms") {
  RandomStream random(24, 0, RandomRole::pool);
  for (const std::uint64_t words : std::initializer_list<std::uint64_t>{3, 100, 6000}) {
    for (const std::uint64_t shortest : std::initializer_list<std::uint64_t>{1, 2, 3}) {
      TermTable table({});
      std::map<std::string, TermId> twin;
      std::map<std::string, TermId> parts;
      const auto add = [&](std::uint64_t length, const std::string& text, TermId id) {
        if (length < shortest) REQUIRE(id >= kFirstPart);
        auto& numbers = length < shortest ? parts : twin;
        REQUIRE(numbers.emplace(text, id).first->second == id);
      };
      std::vector<std::string> vocabulary;
      for (std::uint64_t n = 0; n < words; ++n) vocabulary.push_back(random_term(random));
      for (std::uint64_t n = 0; n < 5 * words; ++n) {
        std::string text;
        TermId run = kIgnoredTerm;
        const std::uint64_t length = 1 + random.below(4);
        for (std::uint64_t words_of_run = 1; words_of_run <= length; ++words_of_run) {
          const std::string& word = vocabulary[random.below(vocabulary.size())];
          const Numbering of_word = shortest == 1 ? Numbering::term : Numbering::part;
          const TermId last = intern(table, word, of_word);
          add(1, word, last);
          const Run key = Run::of(run, last);
          const Numbering of_run = words_of_run < shortest ? Numbering::part : Numbering::term;
          text += (text.empty() ? "" : " ") + word;
          run = words_of_run == 1 ? last : count_run(table, key, of_run);
          if (words_of_run > 1) add(words_of_run, text, run);
        }
      }
      CHECK(table.size() == static_cast<std::int64_t>(twin.size()));
      check_against_map(table, twin);
      for (const auto& [text, id] : twin) REQUIRE(table.find(text) == id);
      for (const auto& [text, id] : parts) REQUIRE_FALSE(table.find(text));
      for (const char* const unknown : {"", " ", "none such", "a  b", "a "}) CHECK_FALSE(table.find(unknown));
      CHECK_FALSE(table.find(std::string_view("a\0", 2)));
      std::vector<bool> kept(twin.size());
      for (std::size_t n = 0; n < kept.size(); ++n) kept[n] = random.coin(0.4);
      std::erase_if(twin, [&](const auto& term) { return !kept[term.second]; });
      const std::vector<TermTable::Term> sorted = table.sorted(kept);
      REQUIRE(sorted.size() == twin.size());
      for (const TermTable::Term& term : sorted) REQUIRE(twin.at(std::string(term.text)) == term.id);
    }
  }
}

TEST_CASE("runs in documents are numbered and counted as by a map however large the table grows") {
  constexpr std::uint32_t words = 1000;
  for (const int threads : {1, 2}) {
    tbb::task_arena(threads).execute([] {
      RandomStream random(25, 0, RandomRole::pool);
      TermTable table({});
      std::vector<TermCount> of_words;
      for (std::uint32_t n = 0; n < words; ++n) of_words.push_back({intern(table, "w" + std::to_string(n)), 1});
      table.add_documents(of_words);
      struct Counted {
        TermId number = kIgnoredTerm;
        std::uint32_t documents = 0;
      };
      std::map<std::uint64_t, Counted> twin;
      while (twin.size() < 200'000) {
        std::set<std::uint64_t> held;  // the runs of one document
        const std::uint64_t most = random.below(TermTable::most_runs_at_once + 1);
        const std::uint64_t last = random.below(words) + 1;
        while (held.size() < std::min(most, last))
          held.insert(Run::of(static_cast<TermId>(random.below(words)), static_cast<TermId>(random.below(last))).key);
        std::vector<RunOfDocument> runs;
        for (const std::uint64_t key : held) runs.push_back(uncounted({key}));
        table.count_runs(runs, Numbering::term);
        for (const RunOfDocument& run : runs) {
          Counted& counted = twin[run.run.key];
          REQUIRE((counted.documents++ == 0 || counted.number == run.number));
          counted.number = run.number;
        }
      }
      REQUIRE(table.size() == static_cast<std::int64_t>(words + twin.size()));
      table.add_documents_of_runs();
      std::vector<bool> kept(words + twin.size());
      std::set<TermId> expected;
      for (const auto& [key, counted] : twin) {
        REQUIRE(table.document_frequency()[counted.number] == counted.documents);
        REQUIRE(table.is_run(counted.number));
        if (counted.documents > 2) expected.insert(counted.number);
      }
      CHECK_FALSE(expected.empty());
      for (std::uint32_t n = 0; n < words; ++n) {
        REQUIRE(table.document_frequency()[of_words[n].term] == 1);
        REQUIRE_FALSE(table.is_run(of_words[n].term));
      }
      for (const TermId term : expected) kept[term] = true;
      std::set<TermId> sorted;
      for (const TermTable::Term& term : table.sorted(kept)) sorted.insert(term.id);
      CHECK(sorted == expected);
    });
  }
}

TEST_CASE("threads that meet the same terms agree on their numbers") {
  constexpr std::size_t tasks = 8;
  TermTable table({});
  std::vector<std::map<std::string, TermId>> seen(tasks);
  tbb::parallel_for(std::size_t{0}, tasks, [&](std::size_t task) {
    RandomStream random(23, task / 2, RandomRole::pool);
    for (int n = 0; n < 10'000; ++n) {
      const std::string term = random_term(random);
      seen[task][term] = intern(table, term);
    }
  });
  std::map<std::string, TermId> all;
  std::set<TermId> numbers;
  for (const auto& some : seen) {
    for (const auto& [term, id] : some) {
      REQUIRE(all.emplace(term, id).first->second == id);
      numbers.insert(id);
    }
  }
  CHECK(numbers.size() == all.size());
  CHECK(*numbers.rbegin() == all.size() - 1);
  check_against_map(table, all);
}

}  // namespace
}  // namespace inkling
