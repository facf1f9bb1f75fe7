#include "io/search/session/word_parts.hpp"

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "engine/model/dual_ridge_model.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/scoring/scan/batch_scan.hpp"
#include "engine/scoring/scan/dual_scan.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

/// Teaches a model random features with different precisions, ratings of some documents, several of one document among them, and
/// the rating of a word apart.
void teach_words(LinearModel& model, PoolView pool, RandomStream random) {
  for (FeatureId feature = 0; feature < pool.features(); ++feature) {
    if (!random.coin(0.7)) continue;
    model.adopt(feature);
    if (random.coin(0.5)) model.reweigh(feature, 0.25 + random.uniform());
  }
  for (std::uint64_t n = random.below(25); n > 0; --n)
    test::learn(model, pool, test::between(0, pool.documents() - 1, random), random.normal());
  const auto word = static_cast<FeatureId>(random.below(static_cast<std::uint64_t>(pool.features())));
  const float one = 1.0F;
  model.observe({.key = pool.documents() + word, .row = {{&word, 1}, {&one, 1}}, .reward = 1.0});
}

void check_same_parts(const std::vector<ScorePart>& found, const std::vector<ScorePart>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t n = 0; n < found.size(); ++n) {
    REQUIRE(found[n].feature == expected[n].feature);
    REQUIRE(found[n].value == expected[n].value);
    REQUIRE(found[n].weight == expected[n].weight);
    REQUIRE(found[n].smoothed == expected[n].smoothed);
  }
}

void check_document(const LinearModel& model, SparseRow row) {
  const std::vector<ScorePart> expected =
      model.dual() != nullptr ? DualScan(*model.dual()).parts_of(row) : BatchScan(*model.primal()).parts_of(row);
  check_same_parts(parts_of_document(model, row), expected);
  const std::vector<double> variances = variances_of(model, row.features.unchecked());
  REQUIRE(variances.size() == row.size());
  auto part = expected.begin();
  for (std::size_t n = 0; n < row.size(); ++n) {
    if (part == expected.end() || part->feature != row.features[n]) {
      REQUIRE(variances[n] == 0.0);
      continue;
    }
    REQUIRE(std::fabs(variances[n] - part->variance) <= 1e-10);
    ++part;
  }
}

TEST_CASE("the parts of a single document equal those of scans of many documents") {
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    CAPTURE(trial);
    RandomStream random(77, trial, RandomRole::pool);
    const PoolMatrix pool = test::random_pool({.documents = test::between(1, 30, random),
                                               .features = test::between(1, 20, random),
                                               .density = random.uniform(),
                                               .degenerate = true},
                                              random);
    const double base = random.coin(0.5) ? 0.0 : 1.5;
    const InverseUse inverse = random.coin(0.5) ? InverseUse::kept : InverseUse::solved;
    RidgeModel primal(pool.view().features(), {.ridge = 0.5, .inverse = inverse, .base = base});
    DualRidgeModel dual(pool.view().features(), {.ridge = 0.5, .base = base});
    teach_words(primal, pool.view(), random);
    teach_words(dual, pool.view(), random);
    for (DocumentId document = 0; document < pool.view().documents(); ++document) {
      check_document(primal, pool.view().by_document.row(document));
      check_document(dual, pool.view().by_document.row(document));
    }
  }
}

TEST_CASE("the error of a word's weight does not depend on the base rate of documents") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}, {{0, 1.0F}, {1, 1.0F}}});
  DualRidgeModel dual(2, {.ridge = 4.0, .base = 1.0});
  RidgeModel primal(2, {.ridge = 4.0, .base = 1.0});
  const std::vector<FeatureId> both = {0, 1};
  for (LinearModel* const model : std::initializer_list<LinearModel*>{&dual, &primal}) {
    for (const FeatureId feature : both) model->adopt(feature);
    CHECK(variances_of(*model, both) == std::vector<double>{0.25, 0.25});
  }
}

TEST_CASE("a document of few words has the right parts even if a rated one has hundreds of words") {
  constexpr std::int32_t features = 400;
  std::vector<FeatureId> all(features);
  std::iota(all.begin(), all.end(), 0);
  std::erase_if(all, [](FeatureId feature) { return feature % 7 == 3; });
  const std::vector<float> values(all.size(), 0.25F);
  const PoolMatrix pool = test::pool_of(features, {{{2, 1.0F}, {3, 2.0F}, {399, 0.5F}}, {{0, 1.0F}}, {}});
  DualRidgeModel model(features, {.ridge = 1.0, .base = 1.0});
  for (FeatureId feature = 0; feature < features; ++feature) model.adopt(feature);
  model.observe({.key = 10, .row = {all, values}, .reward = -1.0, .base = 1.0});
  test::learn(model, pool.view(), 0, 1.0);
  for (DocumentId document = 0; document < 3; ++document) check_document(model, pool.view().by_document.row(document));
}

}  // namespace
}  // namespace inkling
