#include "io/search/score/score_pass.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/model/dual_ridge_model.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/engine/with_threads.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

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

constexpr std::array kRankedAccesses = {PoolAccess::map, PoolAccess::read};

/// Some models of all features, and perhaps one that is not dual.
ScoreUsers users_to_rank(const test::SmallPool& pool, RandomStream& random) {
  const CsrMatrix rows = test::matrix_of(pool.columns, pool.rows);
  const int users = between(1, 3, random);
  std::vector<FrozenModel> models;
  std::vector<double> radii;
  std::vector<std::vector<PlayCount>> plays(static_cast<std::size_t>(users));
  for (int user = 0; user < users; ++user) {
    const RidgeOptions options = {.ridge = 0.5, .base = random.coin(0.5) ? 1.0 : 0.0};
    const bool is_dual = random.coin(0.8);
    const std::unique_ptr<LinearModel> model =
        make_linear_model(is_dual ? ModelForm::dual : ModelForm::primal, pool.columns, options);
    for (FeatureId feature = 0; feature < pool.columns; ++feature) model->adopt(feature);
    for (int n = rows.view().rows() == 0 ? 0 : between(0, 12, random); n > 0; --n) {
      const DocumentId document = between(0, rows.view().rows() - 1, random);
      model->observe({.key = document,
                      .row = rows.view().row(document),
                      .reward = random.coin(0.3) ? 0.0 : random.normal(),
                      .base = options.base});
      plays[static_cast<std::size_t>(user)].push_back({document, 1});
    }
    std::vector<PlayCount>& played = plays[static_cast<std::size_t>(user)];
    std::ranges::sort(played, {}, &PlayCount::document);
    const auto repeated = std::ranges::unique(played, {}, &PlayCount::document);
    played.erase(repeated.begin(), repeated.end());
    radii.push_back(random.coin(0.4) ? 0.0 : 3.0 * random.uniform());
    models.push_back(is_dual ? FrozenModel(DualScan(*model->dual())) : FrozenModel(BatchScan(*model->primal())));
  }
  return {.logs = std::vector<EventLog>(static_cast<std::size_t>(users)),
          .plays = std::move(plays),
          .said = std::vector<SaidOfWords>(static_cast<std::size_t>(users)),
          .radii = std::move(radii),
          .base_means = std::vector<double>(static_cast<std::size_t>(users)),
          .models = JointScan(std::move(models)),
          .features_in_use = pool.columns,
          .remarks = {}};
}

/// The plain twin: scores every document and sorts all.
std::vector<ScoredDocument> plainly_ranked(const ScoreUsers& users, std::size_t user, CsrView rows, Replays replays,
                                           std::size_t count) {
  std::vector<Prediction> predictions(users.count() * static_cast<std::size_t>(rows.rows()));
  ScanWorkspace workspace;
  users.models.score_rows(rows, {0, rows.rows()}, workspace, predictions);
  std::vector<ScoredDocument> ranked;
  for (DocumentId i = 0; i < rows.rows(); ++i) {
    if (replays == Replays::refused && std::ranges::count(users.plays[user], i, &PlayCount::document) > 0) continue;
    const auto [mean, square] = predictions[user * static_cast<std::size_t>(rows.rows()) + static_cast<std::size_t>(i)];
    ranked.push_back({i, mean, square, optimism(mean, square, users.radii[user])});
  }
  std::ranges::stable_sort(ranked, [](const auto& left, const auto& right) { return left.ucb > right.ucb; });
  ranked.resize(std::min(ranked.size(), count));
  return ranked;
}

/// Writes the rows as this number of pools, some of which may be empty.
std::vector<std::string> pools_of(const test::TemporaryFolder& folder, const test::SmallPool& pool, std::size_t count,
                                  RandomStream& random) {
  std::vector<std::size_t> cuts = {0, pool.rows.size()};
  for (std::size_t n = 1; n < count; ++n) cuts.push_back(random.below(pool.rows.size() + 1));
  std::ranges::sort(cuts);
  std::vector<std::string> paths;
  for (std::size_t n = 0; n < count; ++n) {
    const auto begin = pool.rows.begin();
    paths.push_back(folder.file("R" + std::to_string(n)));
    test::write_pool({.columns = pool.columns,
                      .rows = {begin + static_cast<std::ptrdiff_t>(cuts[n]), begin + static_cast<std::ptrdiff_t>(cuts[n + 1])}},
                     paths.back(), {.block_rows = 50});
  }
  return paths;
}

void check_same_ranking(const std::vector<ScoredDocument>& found, const std::vector<ScoredDocument>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t n = 0; n < found.size(); ++n) {
    CHECK(found[n].document == expected[n].document);
    CHECK(found[n].mean == expected[n].mean);
    CHECK(found[n].square == expected[n].square);
    CHECK(found[n].ucb == expected[n].ucb);
  }
}

void check_all_ways(const std::vector<std::string>& paths, const ScoreUsers& users, CsrView rows, std::size_t count,
                    Replays replays) {
  for (const PoolAccess access : kRankedAccesses) {
    const PoolSet pools = PoolSet::open(paths, access, PoolTrust::checksums);
    for (const int threads : {1, 2, 8}) {
      CAPTURE(threads);
      const auto rank = [&] {
        RankingPass pass = rank_documents(pools, users, replays, count, {}, [](std::int64_t) {});
        return take_best_of(pass);
      };
      const std::vector<std::vector<ScoredDocument>> best = test::with_threads(threads, rank);
      for (std::size_t user = 0; user < users.count(); ++user)
        check_same_ranking(best[user], plainly_ranked(users, user, rows, replays, count));
    }
  }
}

TEST_CASE("the best of small pools with ties and copies and empty rows are those of a plain scan") {
  test::each_case(931, 150, [&](RandomStream& random, std::uint64_t trial) {
    const test::TemporaryFolder folder;
    test::SmallPool pool = test::random_small_pool({.documents = between(0, 300, random),
                                                    .features = between(1, 30, random),
                                                    .density = random.uniform(),
                                                    .degenerate = true,
                                                    .wild_values = random.coin(0.3)},
                                                   random);
    const bool is_flat = random.coin(0.3);  // then many documents have the same score
    for (test::RowOfEntries& row : pool.rows)
      for (test::Entry& entry : row)
        if (is_flat) entry.value = 1.0F;
    const ScoreUsers users = users_to_rank(pool, random);
    const CsrMatrix rows = test::matrix_of(pool.columns, pool.rows);
    const std::array<std::size_t, 4> counts = {1, 10, 100, 1000};
    check_all_ways(pools_of(folder, pool, 1 + trial % 3, random), users, rows.view(), counts[trial / 3 % counts.size()],
                   trial % 2 == 0 ? Replays::refused : Replays::allowed);
  });
}

TEST_CASE("the best of a pool of many blocks are those of a plain scan") {
  test::each_case(932, 6, [&](RandomStream& random, std::uint64_t trial) {
    const test::TemporaryFolder folder;
    const test::SmallPool pool =
        test::random_small_pool({.documents = 14'000, .features = 60, .density = 0.1, .degenerate = trial % 2 == 0}, random);
    const ScoreUsers users = users_to_rank(pool, random);
    const CsrMatrix rows = test::matrix_of(pool.columns, pool.rows);
    check_all_ways(pools_of(folder, pool, 1 + trial % 2, random), users, rows.view(), trial < 4 ? 10 : 3000, Replays::refused);
  });
}

}  // namespace
}  // namespace inkling
