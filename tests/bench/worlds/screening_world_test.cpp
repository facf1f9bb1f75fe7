#include "bench/worlds/screening_world.hpp"

#include <set>

#include <doctest/doctest.h>

namespace inkling::bench {
namespace {

/// Ten records of four words: record n holds the words up to n % 4. Records 1, 4 and 7 are relevant.
PoolMatrix ten_records() {
  CsrMatrix rows(4);
  for (FeatureId n = 0; n < 10; ++n) {
    std::vector<FeatureId> words;
    for (FeatureId word = 0; word <= n % 4; ++word) words.push_back(word);
    rows.append_row({words, std::vector<float>(words.size(), 1.0F)});
  }
  return PoolMatrix(std::move(rows));
}

const std::vector<std::int32_t> kLabels = {0, 1, 0, 0, 1, 0, 0, 1, 0, 0};

TEST_CASE("a search begins with a relevant and an irrelevant record drawn from the seed") {
  const std::vector<bool> relevant = relevant_records(kLabels, 1);
  std::set<DocumentId> wanted;
  std::set<DocumentId> others;
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    const ScreeningStart start = draw_start(relevant, 5, trial);
    CHECK(relevant[static_cast<std::size_t>(start.relevant)]);
    CHECK_FALSE(relevant[static_cast<std::size_t>(start.irrelevant)]);
    const ScreeningStart again = draw_start(relevant, 5, trial);
    CHECK(again.relevant == start.relevant);
    CHECK(again.irrelevant == start.irrelevant);
    wanted.insert(start.relevant);
    others.insert(start.irrelevant);
  }
  CHECK(wanted.size() == 3);
  CHECK(others.size() == 7);
}

TEST_CASE("the first three of the reader's words in a relevant record are marked") {
  const PoolMatrix pool = ten_records();
  const CsrMatrix marks = marks_in_relevant(pool.view(), relevant_records(kLabels, 1), std::vector<FeatureId>{3, 1, 0, 2}, 3);
  const auto marked = [&](DocumentId record) {
    const std::span<const FeatureId> features = marks.view().row(record).features.unchecked();
    return std::vector<FeatureId>(features.begin(), features.end());
  };
  CHECK(marked(1) == std::vector<FeatureId>{0, 1});
  CHECK(marked(4) == std::vector<FeatureId>{0});
  CHECK(marked(7) == std::vector<FeatureId>{0, 1, 3});
  CHECK(marked(3).empty());  // holds all, but is not relevant
}

TEST_CASE("worlds with and without marks have the same start") {
  const PoolMatrix pool = ten_records();
  const Screening plain{pool.view(), relevant_records(kLabels, 1), nullptr};
  Screening marked = plain;
  marked.marks =
      std::make_shared<const CsrMatrix>(marks_in_relevant(pool.view(), plain.relevant, std::vector<FeatureId>{0, 3}, 3));
  const World alone = make_screening_world(plain, 2, 1);
  const World with_marks = make_screening_world(marked, 2, 1);
  CHECK(alone.start.documents == with_marks.start.documents);
  CHECK(alone.start.words.empty());
  SimulatedReader reader(with_marks, 2, 1);
  CHECK(reader.answer(7).marks.size() == 2);
  CHECK(reader.answer(3).marks.empty());
  CHECK(reader.answer(3).reward == -1.0);
  CHECK(SimulatedReader(alone, 2, 1).answer(7).marks.empty());
}

}  // namespace
}  // namespace inkling::bench
