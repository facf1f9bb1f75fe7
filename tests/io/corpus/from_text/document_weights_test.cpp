#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/portable_math.hpp"
#include "engine/core/random_stream.hpp"
#include "io/corpus/from_text/weighting_pass.hpp"

namespace inkling {
namespace {

struct WeighedTerm {
  FeatureId feature;
  std::uint32_t count;
  double norm;
  float value;
  bool operator==(const WeighedTerm&) const = default;
};

// The plain twin: the definition, entry by entry.
std::vector<WeighedTerm> plainly_weighed(const std::vector<TermCount>& counts, const TextRecipe& recipe,
                                         const std::vector<WeightedTerm>& terms) {
  std::vector<double> values;
  double sum = 0.0;
  for (const TermCount& count : counts) {
    double weight = 1.0;
    if (recipe.weight == TermWeight::raw) weight = count.count;
    if (recipe.weight == TermWeight::sublinear) weight = 1.0 + natural_log(count.count);
    values.push_back(weight * terms[count.term].idf);
    if (terms[count.term].feature == FeatureSelection::none) continue;
    sum += recipe.norm == RowNorm::l2 ? values.back() * values.back() : std::abs(values.back());
  }
  double norm = 1.0;
  if (recipe.norm == RowNorm::l2) norm = std::sqrt(sum);
  if (recipe.norm == RowNorm::l1) norm = sum;
  std::vector<WeighedTerm> entries;
  for (std::size_t n = 0; n < counts.size(); ++n) {
    const WeightedTerm& term = terms[counts[n].term];
    if (term.feature != FeatureSelection::none)
      entries.push_back({term.feature, counts[n].count, norm, static_cast<float>(values[n] / norm)});
  }
  return entries;
}

TEST_CASE("weights are those of the definition, for every rule and for counts of any size") {
  RandomStream random(11, 0, RandomRole::pool);
  for (int trial = 0; trial < 300; ++trial) {
    TextRecipe recipe;
    recipe.weight = kTermWeightNames[random.below(3)].value;
    recipe.norm = kRowNormNames[random.below(3)].value;
    std::vector<WeightedTerm> terms(1 + random.below(60));
    for (std::size_t n = 0; n < terms.size(); ++n)
      if (random.coin(0.8))
        terms[n] = {static_cast<FeatureId>(n), ColumnPlace(n % 7, static_cast<std::int32_t>(n)), 0.5 + 5.0 * random.uniform()};
    std::vector<TermCount> counts;
    for (TermId term = 0; term < terms.size(); ++term)
      if (random.coin(0.5))
        counts.push_back({term, static_cast<std::uint32_t>(1 + random.below(std::uint64_t{1} << random.below(12)))});
    DocumentWeights weights(recipe, terms);
    REQUIRE(weights.knows(counts));
    weights.weigh(counts);
    std::vector<WeighedTerm> weighed;
    for (std::size_t n = 0; n < weights.features().size(); ++n) {
      weighed.push_back({weights.features()[n], weights.counts()[n], weights.norm(), weights.values()[n]});
      CHECK(weights.columns()[n].feature() == static_cast<std::uint32_t>(weights.features()[n]));
    }
    CAPTURE(trial);
    CHECK(weighed == plainly_weighed(counts, recipe, terms));
    counts.insert(counts.begin(), {static_cast<TermId>(terms.size()), 1});
    CHECK_FALSE(weights.knows(counts));
  }
}

}  // namespace
}  // namespace inkling
