#include "bench/worlds/search_world.hpp"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

#include "tests/support/engine/test_pool.hpp"

namespace inkling::bench {
namespace {

using inkling::test::pool_of, inkling::test::RowOfEntries;

/// 400 documents; every fifth is of topic 1. Words 0 and 1 are in all, 2 to 4 in those of topic 1, 5 to 9 elsewhere.
/// The value of word 0 tells which document it is.
struct Collection {
  PoolMatrix matrix;
  std::vector<std::int32_t> topics;

  [[nodiscard]] TopicPool lent() const { return {matrix.view(), topics}; }
};

Collection collection(int documents = 400) {
  std::vector<RowOfEntries> rows;
  std::vector<std::int32_t> topics;
  for (int n = 0; n < documents; ++n) {
    const bool wanted = n % 5 == 0;
    topics.push_back(wanted ? 1 : 0);
    rows.push_back({{0, static_cast<float>(n + 1)}, {1, 1.0F}});
    for (FeatureId word = wanted ? 2 : 5; word < (wanted ? 5 : 10); ++word) rows.back().push_back({word, 1.0F});
  }
  return {pool_of(10, rows), std::move(topics)};
}

/// The document of the collection, by the value of word 0.
DocumentId original(const World& world, DocumentId document) {
  return static_cast<DocumentId>(world.pool.by_document.row(document).values[0]) - 1;
}

struct Counted {
  int wanted = 0;
  int wrong = 0;
  int marked = 0;
  int marks = 0;
  int misleading = 0;
};

Counted counted(const World& world) {
  Counted counts;
  SimulatedReader reader(world, 1, 0);
  for (DocumentId i = 0; i < world.pool.documents(); ++i) {
    const Answer answer = reader.answer(i);
    counts.wanted += world.rewards.is_wanted(i) ? 1 : 0;
    counts.wrong += answer.reward == world.rewards.expected(i) ? 0 : 1;
    counts.marked += answer.marks.empty() ? 0 : 1;
    counts.marks += static_cast<int>(answer.marks.size());
    counts.misleading += static_cast<int>(std::ranges::count_if(
        answer.marks, [&](FeatureId feature) { return !std::ranges::binary_search(world.relevant, feature); }));
  }
  return counts;
}

TEST_CASE("a search in a whole pool uses it without a copy; a topic is made rarer by leaving out its own documents alone") {
  const Collection given = collection();
  const World world = make_search_world(given.lent(), {}, 1, 3, 0);
  CHECK(world.pool_owner == nullptr);
  CHECK(world.rewards.tells_wanted());
  for (DocumentId i = 0; i < 400; ++i) CHECK(world.rewards.is_wanted(i) == (i % 5 == 0));
  const Counted counts = counted(world);
  CHECK(counts.wrong == 0);
  CHECK(counts.marks == 0);

  std::set<DocumentId> wanted;
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    const World rarer = make_search_world(given.lent(), {.largest_share = 0.05}, 1, 3, trial);
    CHECK(rarer.pool.documents() == 320 + 17);  // 320 * 0.05 / 0.95 is 16.8
    int of_topic = 0;
    DocumentId last = -1;
    for (DocumentId i = 0; i < rarer.pool.documents(); ++i) {
      const DocumentId document = original(rarer, i);
      CHECK(document > last);
      last = document;
      CHECK(rarer.rewards.is_wanted(i) == (document % 5 == 0));
      if (rarer.rewards.is_wanted(i)) wanted.insert(document);
      of_topic += rarer.rewards.is_wanted(i) ? 1 : 0;
    }
    CHECK(of_topic == 17);
  }
  CHECK(wanted.size() > 70);  // of 80, of which each trial keeps a fifth
}

TEST_CASE("a part of a pool keeps the share of a topic and at least two wanted documents") {
  CHECK(size_of_search({}, 400, 80).wanted == 80);
  CHECK(size_of_search({}, 400, 80).others == 320);
  CHECK(size_of_search({.most_documents = 100}, 400, 80).wanted == 20);
  CHECK(size_of_search({.most_documents = 100}, 400, 80).others == 80);
  CHECK(size_of_search({.largest_share = 0.5}, 400, 80).wanted == 80);  // it is already rarer
  CHECK(size_of_search({.largest_share = 0.001}, 400, 80).wanted == 2);
  CHECK(size_of_search({.largest_share = 0.001}, 400, 1).wanted == 1);
  CHECK(size_of_search({.largest_share = 0.05, .most_documents = 200}, 400, 80).wanted == 8);
}

TEST_CASE("a part of a pool has its rows unchanged, and the given document is wanted and differs between trials") {
  const Collection given = collection();
  const World world = make_search_world(given.lent(), {.most_documents = 100}, 1, 3, 0);
  REQUIRE(world.pool.documents() == 100);
  for (DocumentId i = 0; i < 100; ++i) {
    const SparseRow row = world.pool.by_document.row(i);
    const SparseRow whole = given.matrix.view().by_document.row(original(world, i));
    CHECK(std::ranges::equal(row.features, whole.features));
    CHECK(std::ranges::equal(row.values, whole.values));
  }

  std::set<DocumentId> firsts;
  for (std::uint64_t trial = 0; trial < 30; ++trial) {
    const World rarer = make_search_world(given.lent(), {.largest_share = 0.1, .wrong_ratings = 1.0}, 1, 3, trial);
    REQUIRE(rarer.start.documents.size() == 1);
    CHECK(rarer.start.words.empty());
    CHECK(rarer.rewards.is_wanted(rarer.start.documents.front()));
    SimulatedReader reader(rarer, 3, trial);
    CHECK(reader.answer(rarer.start.documents.front()).reward == 1.0);
    firsts.insert(original(rarer, rarer.start.documents.front()));
  }
  CHECK(firsts.size() > 10);
}

TEST_CASE("a search by words begins with the best words of the topic") {
  const Collection given = collection();
  const World world = make_search_world(given.lent(), {.begins = SearchBeginning::words}, 1, 3, 0);
  CHECK(std::ranges::is_permutation(world.start.words, words_to_find(std::vector<FeatureId>{2, 3, 4})));
  CHECK(world.start.documents.empty());
  const World nothing = make_search_world(given.lent(), {.begins = SearchBeginning::nothing}, 1, 3, 0);
  CHECK(nothing.start.words.empty());
  CHECK(nothing.start.documents.empty());
}

TEST_CASE("words of the list are marked with their probability in documents rated good") {
  const Collection given = collection(4000);
  const World world = make_search_world(given.lent(), {.words = 3, .mark_probability = 0.3}, 1, 3, 0);
  CHECK(world.relevant == std::vector<FeatureId>{2, 3, 4});
  const Counted counts = counted(world);
  CHECK(counts.wanted == 800);
  CHECK(counts.marks == doctest::Approx(3 * 800 * 0.3).epsilon(0.1));
  CHECK(counts.misleading == 0);
  CHECK(counted(make_search_world(given.lent(), {.words = 3, .mark_probability = 0.0}, 1, 3, 0)).marks == 0);
  CHECK(counted(make_search_world(given.lent(), {.words = 3, .mark_probability = 1.0}, 1, 3, 0)).marks == 2400);
}

TEST_CASE("wrong ratings and misleading marks have their given shares") {
  const Collection given = collection(4000);
  const SearchSetting setting = {.words = 3, .mark_probability = 1.0, .wrong_ratings = 0.05, .misleading_marks = 0.1};
  const Counted counts = counted(make_search_world(given.lent(), setting, 1, 3, 0));
  CHECK(counts.wrong == doctest::Approx(200).epsilon(0.2));
  CHECK(counts.wanted == 800);
  CHECK(counts.misleading == doctest::Approx(0.1 * 3 * 760).epsilon(0.25));
}

TEST_CASE("highlights are marked as people made them in wanted documents or in all") {
  const Collection given = collection(10);
  const CsrMatrix highlights(10, {0, 1, 3, 3, 3, 3, 4, 4, 4, 4, 4}, {1, 5, 6, 4}, {1.0F, 1.0F, 1.0F, 1.0F});
  const TopicPool searched = {given.matrix.view(), given.topics, &highlights};
  CHECK(counted(make_search_world(searched, {.highlights = true}, 1, 3, 0)).marks == 2);
  const SearchSetting all = {.highlights = true, .marks_in = MarkedDocuments::all};
  const World world = make_search_world(searched, all, 1, 3, 0);
  CHECK(counted(world).marks == 4);
  SimulatedReader reader(world, 1, 0);
  CHECK(std::ranges::equal(reader.answer(1).marks, std::vector<FeatureId>{5, 6}));
}

TEST_CASE("a reader gives the same answer about a document whenever it is shown") {
  const Collection given = collection();
  const SearchSetting setting = {.words = 3, .mark_probability = 0.5, .wrong_ratings = 0.3, .misleading_marks = 0.3};
  const World world = make_search_world(given.lent(), setting, 1, 3, 5);
  SimulatedReader up(world, 3, 5);
  std::vector<std::pair<double, std::vector<FeatureId>>> said;
  for (DocumentId i = 0; i < 400; ++i) {
    const Answer answer = up.answer(i);
    said.emplace_back(answer.reward, std::vector<FeatureId>(answer.marks.begin(), answer.marks.end()));
  }
  SimulatedReader again(world, 3, 5);
  for (DocumentId i = 399; i >= 0; --i) {
    const Answer answer = again.answer(i);
    CHECK(answer.reward == said[static_cast<std::size_t>(i)].first);
    CHECK(std::ranges::equal(answer.marks, said[static_cast<std::size_t>(i)].second));
  }
}

TEST_CASE("topics to search for have enough documents and all are used before one is repeated") {
  const std::vector<std::int32_t> topics = {0, 0, 0, 1, 1, 1, 2, -1, -1, -1, 3, 3, 3};
  std::vector<std::int32_t> searchable = searchable_topics(topics, 3, 1);
  std::ranges::sort(searchable);
  CHECK(searchable == std::vector<std::int32_t>{0, 1, 3});
  CHECK(searchable_topics(std::vector<std::int32_t>{5, 5, 5}, 2, 1).empty());  // every document has the topic
  bool other_order = false;
  for (std::uint64_t seed = 2; seed < 12; ++seed)
    other_order = other_order || searchable_topics(topics, 3, seed) != searchable_topics(topics, 3, 1);
  CHECK(other_order);
}

}  // namespace
}  // namespace inkling::bench
