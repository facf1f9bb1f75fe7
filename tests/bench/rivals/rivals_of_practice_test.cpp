// What all rivals of practice have in common, as policies.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "bench/rivals/rival_presets.hpp"
#include "engine/policy/policy_state.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling::bench {
namespace {

constexpr std::uint64_t kPracticeSeed = 1491;
constexpr std::int32_t kTexts = 600;
constexpr std::int32_t kWanted = 40;  // the last ones
constexpr FeatureId kTopicWords = 6;  // the first ones
constexpr std::int32_t kOtherWords = 100;

bool is_topical(DocumentId document) { return document >= kTexts - kWanted; }

/// A text of length 1. A wanted one has three words of the topic; one in twenty others has one by chance.
test::RowOfEntries random_text(bool wanted, RandomStream& random) {
  std::vector<FeatureId> words;
  for (const std::int32_t word : test::shuffled(kOtherWords, random))
    if (words.size() < 6) words.push_back(kTopicWords + word);
  const std::size_t topical = wanted ? 3 : random.coin(0.05) ? 1 : 0;
  for (const std::int32_t word : test::shuffled(kTopicWords, random))
    if (words.size() < 6 + topical) words.push_back(word);
  std::ranges::sort(words);
  test::RowOfEntries text;
  const auto share = static_cast<float>(1.0 / std::sqrt(static_cast<double>(words.size())));
  for (const FeatureId word : words) text.push_back({word, share});
  return text;
}

PoolMatrix topical_texts() {
  RandomStream random = test::stream_for(kPracticeSeed);
  std::vector<test::RowOfEntries> rows;
  for (DocumentId i = 0; i < kTexts; ++i) rows.push_back(random_text(is_topical(i), random));
  return test::pool_of(kTopicWords + kOtherWords, rows);
}

Policy policy_of(const PoolMatrix& pool, const Preset& preset, std::uint64_t seed) {
  PolicyOptions options = {.with_replacement = false};
  return {pool.view(), preset, options, RandomStream(seed, 0, RandomRole::exploration),
          RandomStream(seed, 0, RandomRole::sampling)};
}

/// The reader marks each topic word of the document.
void answer_of_reader(Policy& policy, const PoolMatrix& pool, DocumentId document) {
  std::vector<FeatureId> marks;
  for (const FeatureId word : pool.view().by_document.row(document).features)
    if (word < kTopicWords) marks.push_back(word);
  policy.observe(document, is_topical(document) ? 1.0 : -1.0, marks);
}

std::vector<DocumentId> shown_in(Policy& policy, const PoolMatrix& pool, int rounds) {
  std::vector<DocumentId> shown;
  for (int round = 0; round < rounds; ++round) {
    shown.push_back(policy.choose().document);
    answer_of_reader(policy, pool, shown.back());
  }
  return shown;
}

std::vector<DocumentId> shown_after_first_document(const Preset& preset, const PoolMatrix& pool, std::uint64_t seed) {
  Policy policy = policy_of(pool, preset, seed);
  answer_of_reader(policy, pool, kTexts - 1);
  return shown_in(policy, pool, 50);
}

TEST_CASE("from one wanted document, none, or two words, each rival of practice finds a clear topic") {
  const PoolMatrix pool = topical_texts();
  for (const Preset& preset : rivals_of_practice()) {
    CAPTURE(preset.name);
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
      CHECK(std::ranges::count_if(shown_after_first_document(preset, pool, seed), is_topical) >= 36);
  }

  for (const Preset& preset : rivals_of_practice()) {
    CAPTURE(preset.name);
    Policy policy = policy_of(pool, preset, 5);
    CHECK(std::ranges::count_if(shown_in(policy, pool, 150), is_topical) >= 36);
  }

  for (const Preset& preset : rivals_of_practice()) {
    if (preset.name == "asreview") continue;  // it needs a good and a bad document first
    CAPTURE(preset.name);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Policy policy = policy_of(pool, preset, seed);
      policy.rate_words(std::vector<SaidWord>{{.feature = 0}, {.feature = 3}});
      CHECK(std::ranges::count_if(shown_in(policy, pool, 3), is_topical) >= 1);
    }
  }
}

TEST_CASE("the same seed makes the same choices and another seed makes others if any are drawn") {
  const PoolMatrix pool = topical_texts();
  for (const Preset& preset : rivals_of_practice()) {
    CAPTURE(preset.name);
    CHECK(shown_after_first_document(preset, pool, 7) == shown_after_first_document(preset, pool, 7));
  }
  CHECK(shown_after_first_document(autotar(), pool, 7) != shown_after_first_document(autotar(), pool, 8));
  CHECK(shown_after_first_document(asreview(), pool, 7) != shown_after_first_document(asreview(), pool, 8));
  CHECK(shown_after_first_document(greedy_svm(), pool, 7) == shown_after_first_document(greedy_svm(), pool, 8));
}

TEST_CASE("marks raise their words in the three rivals that learn from them and change nothing in the others") {
  const PoolMatrix pool = topical_texts();
  const auto weight_of_marked_word = [&](const Preset& preset, bool marked) {
    Policy policy = policy_of(pool, preset, 1);
    const DocumentId first = kTexts - 1;
    const FeatureId word = pool.view().by_document.row(first).features[0];
    REQUIRE(word < kTopicWords);
    policy.observe(first, 1.0, marked ? std::vector<FeatureId>{word} : std::vector<FeatureId>());
    policy.observe(0, -1.0, {});
    static_cast<void>(policy.choose());
    return policy.learner()->weight(word);
  };
  for (const Preset& preset : rivals_of_practice()) {
    CAPTURE(preset.name);
    const bool listens = preset.name == "word-documents" || preset.name == "contrast" || preset.name == "rocchio";
    const double without = weight_of_marked_word(preset, false);
    const double with = weight_of_marked_word(preset, true);
    CHECK(without > 0.0);
    CHECK((listens ? with > 1.2 * without : with == without));
  }
}

}  // namespace
}  // namespace inkling::bench
