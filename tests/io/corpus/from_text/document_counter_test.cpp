#include "io/corpus/from_text/document_counter.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "io/corpus/text/padded_text.hpp"
#include "tests/support/io/plain_text.hpp"

namespace inkling {
namespace {

using Counts = std::map<std::string, std::uint32_t>;

Counts counts_of(DocumentCounter& counter, TermTable& terms, const std::string& text) {
  const PaddedText padded(text);
  std::map<TermId, std::uint32_t> by_term;
  for (const TermCount& count : counter.count(padded.view())) by_term[count.term] = count.count;
  Counts counts;
  for (const TermTable::Term& term : terms.sorted())
    if (by_term.contains(term.id)) counts[std::string(term.text)] = by_term[term.id];
  return counts;
}

TEST_CASE("terms of any length are counted in order of first occurrence") {
  TermTable terms({});
  const TextRecipe recipe;
  DocumentCounter counter(terms, recipe);
  const PaddedText text("short averyveryverylongterm short other averyveryverylongterm");
  const std::span<const TermCount> counts = counter.count(text.view());
  REQUIRE(counts.size() == 3);
  std::map<TermId, std::string> names;
  for (const TermTable::Term& term : terms.sorted()) names[term.id] = term.text;
  CHECK(names[counts[0].term] == "short");
  CHECK(names[counts[1].term] == "averyveryverylongterm");
  CHECK(names[counts[2].term] == "other");
  CHECK(counts[0].count == 2);
  CHECK(counts[1].count == 2);
  CHECK(counts[2].count == 1);
}

TEST_CASE("stop words are not terms, and n-grams are made of the other words") {
  TextRecipe recipe;
  recipe.stop_words = {"averyverylongstopword", "of", "the"};
  {
    TermTable terms(recipe.stop_words);
    DocumentCounter counter(terms, recipe);
    CHECK(counts_of(counter, terms, "the wind of the sea averyverylongstopword wind") == Counts{{"sea", 1}, {"wind", 2}});
    CHECK(terms.size() == 2);
  }
  recipe.longest_ngram = 2;
  TermTable terms(recipe.stop_words);
  DocumentCounter counter(terms, recipe);
  CHECK(counts_of(counter, terms, "the wind of the sea") == Counts{{"sea", 1}, {"wind", 1}, {"wind sea", 1}});
}

TEST_CASE("given terms are numbered by their place and others are left out and counted once each") {
  TextRecipe recipe;
  recipe.stop_words = {"the"};
  const std::vector<std::string_view> given = {"averyveryverylongterm", "sea", "unseen", "wind"};
  const std::vector<double> idf = {9.0, 1.5, 20.0, 7.0};
  TermTable terms(recipe.stop_words, given, idf);
  DocumentCounter counter(terms, recipe);
  const PaddedText first("wind of the sea, another averyveryverylongterm of wind, yetanotherverylongterm");
  const std::span<const TermCount> counts = counter.count(first.view());
  CHECK(std::vector(counts.begin(), counts.end()) == std::vector<TermCount>{{3, 2}, {1, 1}, {0, 1}});
  const PaddedText second("the sea of another land");
  CHECK(counter.count(second.view()).size() == 1);
  counter.flush();
  const std::span<const std::uint32_t> frequency = terms.document_frequency();
  CHECK(std::vector(frequency.begin(), frequency.end()) == std::vector<std::uint32_t>{1, 2, 0, 1});
  CHECK(terms.size() == 4);  // of, another, yetanotherverylongterm, land
}

TEST_CASE("the list of given terms may be empty") {
  TermTable terms({}, {}, {});
  const TextRecipe recipe;
  DocumentCounter counter(terms, recipe);
  const PaddedText text("wind of the wind");
  CHECK(counter.count(text.view()).empty());
  CHECK(terms.size() == 3);
}

TEST_CASE("document frequencies survive when a full table of a thread starts again") {
  TermTable terms({});
  TextRecipe recipe;
  recipe.longest_ngram = 2;
  DocumentCounter counter(terms, recipe);
  std::uint32_t documents = 0;
  for (int round = 0; round < 3; ++round) {
    // Each text alone fills more than a thread's own table.
    std::string many = "common";
    for (int n = 0; n < 300'000; ++n) many += " w" + std::to_string(n);
    const PaddedText padded(many);
    CHECK(counter.count(padded.view()).size() == 600'001);
    ++documents;
  }
  counter.flush();
  terms.add_documents_of_runs();
  CHECK(terms.size() == 600'001);
  for (const std::uint32_t frequency : terms.document_frequency()) REQUIRE(frequency == documents);
  CHECK(terms.memory() > 600'001 * sizeof(ShortTerm));
}

TEST_CASE("counts of long documents equal the plain twin's whatever is left out") {
  RandomStream random(10, 0, RandomRole::pool);
  TextRecipe recipe;
  recipe.stop_words = {"averyverylongstopword", "w1", "w3", "w7"};
  TermTable terms(recipe.stop_words);
  DocumentCounter counter(terms, recipe);
  for (int trial = 0; trial < 200; ++trial) {
    std::string text;
    const std::uint64_t length = random.below(trial % 20 == 0 ? 20'000 : 500);
    for (std::uint64_t n = 0; n < length; ++n) {
      text += random.coin(0.02) ? "averyverylongstopword" : "w" + std::to_string(random.below(1 + random.below(3'000)));
      text += random.coin(0.01) ? " anotherverylongword" + std::to_string(random.below(5)) + "\n" : " ";
    }
    Counts expected;
    for (const std::string& token : test::plain_tokens(text, recipe.tokens))
      if (!std::ranges::binary_search(recipe.stop_words, token)) ++expected[token];
    CAPTURE(trial);
    REQUIRE(counts_of(counter, terms, text) == expected);
  }
}

TEST_CASE("counts of words and of runs of words equal the plain twin's") {
  RandomStream random(9, 0, RandomRole::pool);
  static const std::vector<std::string> words = {
      "a", "be", "See", "tEa", "naïve", "ΣΑΣ", "sixteen_letters_", "seventeen_letters"};
  for (int trial = 0; trial < 300; ++trial) {
    std::string text;
    const std::uint64_t length = random.below(trial % 10 == 0 ? 900 : 60);
    for (std::uint64_t n = 0; n < length; ++n) text += words[random.below(words.size())] + (random.coin(0.8) ? " " : "-");
    TextRecipe recipe;
    recipe.longest_ngram = static_cast<std::int32_t>(1 + random.below(4));
    recipe.shortest_ngram = static_cast<std::int32_t>(1 + random.below(static_cast<std::uint64_t>(recipe.longest_ngram)));
    if (random.coin(0.3)) recipe.stop_words = {"be", "seventeen_letters"};
    TermTable terms(recipe.stop_words);
    DocumentCounter counter(terms, recipe);
    Counts expected;
    for (const auto& [term, count] : test::plain_counts(text, recipe)) expected[term] = static_cast<std::uint32_t>(count);
    CAPTURE(text);
    REQUIRE(counts_of(counter, terms, text) == expected);
    REQUIRE(counts_of(counter, terms, text) == expected);
    CHECK(terms.size() == static_cast<std::int64_t>(expected.size()));
  }
}

}  // namespace
}  // namespace inkling
