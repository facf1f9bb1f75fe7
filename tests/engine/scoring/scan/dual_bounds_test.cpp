#include "engine/scoring/scan/dual_bounds.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "engine/model/dual_ridge_model.hpp"
#include "engine/scoring/scan/joint_scan.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::between;

constexpr std::array kBoundRadii = {0.0, 1e-3, 0.7, 40.0};

/// A model of all features of a pool, with precisions of any size, and some of its features forgotten.
DualScan taught_for_bounds(PoolView pool, const RidgeOptions& options, int rewards, RandomStream& random) {
  DualRidgeModel model(pool.features(), options);
  for (FeatureId feature = 0; feature < pool.features(); ++feature) {
    model.adopt(feature);
    if (random.coin(0.3)) model.reweigh(feature, options.ridge * std::pow(10.0, between(-3, 3, random)));
  }
  for (int n = 0; n < rewards; ++n) {
    const DocumentId document = between(0, pool.documents() - 1, random);
    model.observe({.key = document, .row = pool.by_document.row(document), .reward = random.normal(), .base = options.base});
  }
  return DualScan(model);
}

/// The values of a matrix times a factor.
CsrMatrix scaled_rows(CsrView rows, double factor) {
  std::vector<test::RowOfEntries> entries(static_cast<std::size_t>(rows.rows()));
  for (DocumentId i = 0; i < rows.rows(); ++i) {
    const SparseRow row = rows.row(i);
    for (std::size_t n = 0; n < row.size(); ++n) {
      entries[static_cast<std::size_t>(i)].push_back(
          {row.features[n], static_cast<float>(static_cast<double>(row.values[n]) * factor)});
    }
  }
  return test::matrix_of(rows.columns(), entries);
}

std::vector<double> plain_scores(const DualScan& scan, CsrView documents, double radius) {
  std::vector<Prediction> predictions(static_cast<std::size_t>(documents.rows()));
  DualScanBuffer buffer;
  scan.score_rows(documents, RowBlock{0, documents.rows()}, buffer, predictions);
  std::vector<double> scores;
  scores.reserve(predictions.size());
  for (const Prediction& one : predictions) scores.push_back(optimism(one.mean, one.square, radius));
  return scores;
}

TEST_CASE("no score is above its bound") {
  test::each_case(911, 1500, [&](RandomStream& random) {
    const PoolMatrix pool = test::random_pool({.documents = between(1, 40, random),
                                               .features = between(1, 40, random),
                                               .density = random.uniform(),
                                               .degenerate = true,
                                               .wild_values = random.coin(0.5)},
                                              random);
    const RidgeOptions options = {.ridge = std::pow(10.0, between(-3, 6, random)), .base = random.coin(0.5) ? 1.0 : 0.0};
    const DualScan scan = taught_for_bounds(pool.view(), options, between(0, 30, random), random);
    const double factor = random.coin(0.7) ? 1.0 : std::pow(10.0, between(-45, 30, random));
    const CsrMatrix documents = scaled_rows(pool.view().by_document, factor);
    for (const double radius : kBoundRadii) {
      const std::vector<double> scores = plain_scores(scan, documents.view(), radius);
      std::vector<double> bounds(scores.size());
      DualBounds(scan, radius).bound_rows(documents.view(), {0, documents.view().rows()}, bounds);
      for (std::size_t i = 0; i < scores.size(); ++i) CHECK(scores[i] <= bounds[i]);
    }
  });
}

TEST_CASE("bounds are tight after rewards of a single document with a base rate and without") {
  test::each_case(912, 200, [&](RandomStream& random) {
    const PoolMatrix pool = test::random_pool({.documents = 20, .features = between(1, 50, random), .density = 0.5}, random);
    const RidgeOptions options = {.ridge = 0.5, .base = random.coin(0.5) ? 1.0 : 0.0};
    DualRidgeModel model(pool.view().features(), options);
    for (FeatureId feature = 0; feature < pool.view().features(); ++feature) model.adopt(feature);
    for (int n = 0; n < 2; ++n)
      model.observe({.key = 3, .row = pool.view().by_document.row(3), .reward = random.normal(), .base = options.base});
    const DualScan scan(model);
    for (const double radius : kBoundRadii) {
      const CsrView documents = pool.view().by_document;
      const std::vector<double> scores = plain_scores(scan, documents, radius);
      std::vector<double> bounds(scores.size());
      DualBounds(scan, radius).bound_rows(documents, {0, documents.rows()}, bounds);
      for (std::size_t i = 0; i < scores.size(); ++i) {
        const double norm = std::sqrt(squared_norm(documents.row(static_cast<DocumentId>(i))) + 1.0);
        CHECK(bounds[i] - scores[i] <= 2e-2 * (1.0 + radius) * norm);
      }
    }
  });
}

TEST_CASE("a ranking has the scores above its floor to the last bit and may leave out the others") {
  test::each_case(913, 300, [&](RandomStream& random, std::uint64_t trial) {
    const PoolMatrix pool = test::random_pool({.documents = between(1, 200, random),
                                               .features = between(1, 40, random),
                                               .density = random.uniform(),
                                               .degenerate = true,
                                               .wild_values = random.coin(0.5)},
                                              random);
    const CsrView documents = pool.view().by_document;
    const double radius = kBoundRadii[trial % kBoundRadii.size()];
    DualScan scan = taught_for_bounds(pool.view(), {.ridge = 0.5}, between(0, 20, random), random);
    const std::vector<double> scores = plain_scores(scan, documents, radius);
    const double floor = random.coin(0.1) ? -std::numeric_limits<double>::infinity()
                                          : scores[static_cast<std::size_t>(between(0, documents.rows() - 1, random))];
    std::vector<FrozenModel> models;
    models.emplace_back(std::move(scan));
    const JointScan joint(std::move(models));
    const RankedScores ranked(joint, std::span(&radius, 1), [floor](std::size_t) { return floor; });
    std::vector<Prediction> plain(scores.size());
    std::vector<Prediction> found(scores.size());
    ScanWorkspace workspace;
    joint.score_rows(documents, {0, documents.rows()}, workspace, plain);
    joint.score_rows(documents, {0, documents.rows()}, workspace, found, &ranked);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const bool is_left_out = found[i].mean == RankedScores::below_floor.mean;
      if (is_left_out) CHECK(scores[i] <= floor);
      if (!is_left_out) CHECK(found[i].mean == plain[i].mean);
      if (!is_left_out) CHECK(found[i].square == plain[i].square);
    }
  });
}

}  // namespace
}  // namespace inkling
