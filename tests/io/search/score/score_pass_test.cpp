#include "io/search/score/score_pass.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::between;

std::vector<std::int64_t> documents_of(const std::vector<ScoredDocument>& scored) {
  std::vector<std::int64_t> documents;
  documents.reserve(scored.size());
  for (const ScoredDocument& one : scored) documents.push_back(one.document);
  return documents;
}

// The plain twin: scores all, sorts all, and takes the first.
std::vector<std::int64_t> sorted_way(std::span<const Prediction> predictions, std::size_t count, double radius,
                                     std::span<const PlayCount> left_out) {
  std::vector<ScoredDocument> all;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const auto document = static_cast<std::int64_t>(i);
    if (std::ranges::count(left_out, document, &PlayCount::document) > 0) continue;
    const auto [mean, square] = predictions[i];
    all.push_back({document, mean, square, mean + radius * std::sqrt(square)});
  }
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.ucb > b.ucb; });
  all.resize(std::min(all.size(), count));
  return documents_of(all);
}

TEST_CASE("ties go to the lowest row however many there are") {
  const std::vector<Prediction> zeros(5000, Prediction{0.0, 0.0});
  Ranking ranking(3, 1.0, 2, {});
  for (std::int64_t block = 0; block < 2; ++block) ranking.pick(static_cast<std::size_t>(block), block * 5000, zeros);
  ranking.merge(0);
  ranking.merge(1);
  CHECK(documents_of(ranking.take_best()) == std::vector<std::int64_t>{0, 1, 2});
}

TEST_CASE("documents that are left out are replaced by the next best") {
  const std::vector<Prediction> predictions = {{3.0, 0.0}, {2.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}};
  const std::vector<PlayCount> played = {{10, 1}, {12, 2}};
  Ranking ranking(3, 1.0, 1, played);
  ranking.pick(0, 10, predictions);
  ranking.merge(0);
  CHECK(documents_of(ranking.take_best()) == std::vector<std::int64_t>{11, 13});
}

TEST_CASE("scores that differ in the last bit are ranked by it at every magnitude") {
  test::each_case(25, 2000, [&](RandomStream& random) {
    const double magnitude = std::pow(10.0, between(-150, 60, random));
    const double radius = std::pow(10.0, between(-30, 30, random)) * random.uniform();
    // Each score differs from the next by about one unit in the last place, through the mean or the width.
    std::vector<Prediction> predictions;
    for (int n = 0; n < 700; ++n) {
      const double near = magnitude * (1.0 + 2.3e-16 * between(0, 3, random));
      const double width = between(0, 2, random) * near / std::max(radius, 1e-30);
      predictions.push_back({random.coin(0.5) ? near : -near, width * width});
    }
    Ranking ranking(5, radius, 1, {});
    for (std::size_t first = 0; first < predictions.size(); first += 100) {
      ranking.pick(0, static_cast<std::int64_t>(first), std::span(predictions).subspan(first, 100));
      ranking.merge(0);
    }
    CHECK(documents_of(ranking.take_best()) == sorted_way(predictions, 5, radius, {}));
  });
}

TEST_CASE("blocks taken in any order give the best as sorting all documents does") {
  test::each_case(23, 300, [&](RandomStream& random) {
    std::vector<Prediction> predictions(static_cast<std::size_t>(between(0, 3000, random)));
    const std::int32_t values = between(1, 50, random);
    for (Prediction& prediction : predictions)
      prediction = {0.25 * between(-values, values, random), 0.0625 * between(0, 4, random)};
    std::vector<PlayCount> left_out;
    for (std::int64_t document = 0; document < 3000; ++document)
      if (random.coin(0.01)) left_out.push_back({document, 1});
    const auto count = static_cast<std::size_t>(between(1, 40, random));

    constexpr std::size_t slots = 4;
    Ranking ranking(count, 0.5, slots, left_out);
    std::size_t first = 0;
    while (first < predictions.size()) {
      std::vector<std::size_t> begins;
      for (std::size_t slot = 0; slot < slots && first < predictions.size(); ++slot) {
        begins.push_back(first);
        first += static_cast<std::size_t>(between(1, 900, random));
      }
      const std::size_t end = std::min(first, predictions.size());
      for (const std::int32_t slot : test::shuffled(static_cast<std::int32_t>(begins.size()), random)) {
        const auto at = static_cast<std::size_t>(slot);
        const std::size_t next = at + 1 < begins.size() ? begins[at + 1] : end;
        ranking.pick(at, static_cast<std::int64_t>(begins[at]), std::span(predictions).subspan(begins[at], next - begins[at]));
      }
      for (std::size_t slot = 0; slot < begins.size(); ++slot) ranking.merge(slot);
      first = end;
    }
    CHECK(documents_of(ranking.take_best()) == sorted_way(predictions, count, 0.5, left_out));
  });
}

}  // namespace
}  // namespace inkling
