#include "bench/speed/micro/example_pool.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "bench/worlds/text_like_rows.hpp"
#include "engine/core/random_stream.hpp"

namespace inkling::bench {
namespace {

constexpr std::int32_t kFeatures = 47'757;
constexpr std::int32_t kRelevant = 100;
// Frequencies even on a logarithmic scale would put 8.5 relevant words in a document: these put about 5.
constexpr FrequencyBand kRareRelevant = {0.01, 0.06};
constexpr FrequencyBand kCommonRelevant = {0.06, 0.3};
constexpr std::int32_t kRareCount = 80;
constexpr double kZipfExponent = 1.07;
constexpr int kWordsDrawn = 130;  // about 80 of them distinct

/// Draws ranks 0, 1, 2, ... with shares that fall as (rank + 1)^-exponent.
class ZipfWords {
 public:
  ZipfWords(std::int32_t words, double exponent) {
    double sum = 0.0;
    for (std::int32_t rank = 0; rank < words; ++rank) {
      sum += std::pow(rank + 1, -exponent);
      sums_.push_back(sum);
    }
  }

  [[nodiscard]] std::size_t draw(RandomStream& random) const {
    const auto found = std::ranges::upper_bound(sums_, random.uniform() * sums_.back());
    return std::min(static_cast<std::size_t>(found - sums_.begin()), sums_.size() - 1);
  }

 private:
  std::vector<double> sums_;
};

std::vector<FeatureId> shuffled_features(RandomStream& random) {
  std::vector<FeatureId> features(static_cast<std::size_t>(kFeatures));
  std::iota(features.begin(), features.end(), 0);
  for (std::size_t n = features.size() - 1; n > 0; --n) {
    std::swap(features[n], features[static_cast<std::size_t>(random.below(n + 1))]);
  }
  return features;
}

std::vector<double> relevant_frequencies(RandomStream& random) {
  std::vector<double> frequencies = banded_frequencies(kRareCount, kRareRelevant, random);
  const std::vector<double> common = banded_frequencies(kRelevant - kRareCount, kCommonRelevant, random);
  frequencies.insert(frequencies.end(), common.begin(), common.end());
  return frequencies;
}

/// Sorts the features of a document, each once, and gives the row unit norm.
void append_document(CsrMatrix& matrix, std::vector<FeatureId>& features, RandomStream& random) {
  std::ranges::sort(features);
  const auto repeated = std::ranges::unique(features);
  features.erase(repeated.begin(), repeated.end());
  std::vector<float> values(features.size());
  double square = 0.0;
  for (float& value : values) {
    value = static_cast<float>(0.5 + random.uniform());
    square += static_cast<double>(value) * static_cast<double>(value);
  }
  for (float& value : values) value /= static_cast<float>(std::sqrt(square));
  matrix.append_row({features, values});
}

ExamplePool make_pool(std::int32_t documents) {
  RandomStream random(1, static_cast<std::uint64_t>(documents), RandomRole::pool);
  const std::vector<FeatureId> shuffled = shuffled_features(random);
  const auto relevant = std::span(shuffled).first(static_cast<std::size_t>(kRelevant));
  const auto others = std::span(shuffled).subspan(relevant.size());
  const std::vector<double> frequencies = relevant_frequencies(random);
  const ZipfWords words(static_cast<std::int32_t>(others.size()), kZipfExponent);
  CsrMatrix by_document(kFeatures);
  RestrictedRows buffer;
  std::vector<FeatureId> features;
  for (std::int32_t i = 0; i < documents; ++i) {
    features.clear();
    for (const std::int32_t position : draw_row(frequencies, random, buffer).positions) {
      features.push_back(relevant[static_cast<std::size_t>(position)]);
    }
    for (int n = 0; n < kWordsDrawn; ++n) features.push_back(others[words.draw(random)]);
    append_document(by_document, features, random);
  }
  CsrMatrix by_feature = transposed(by_document.view());
  return {std::move(by_document), std::move(by_feature), {relevant.begin(), relevant.end()}};
}

}  // namespace

const ExamplePool& example_pool(std::int32_t documents) {
  static std::map<std::int32_t, ExamplePool> pools;
  const auto known = pools.find(documents);
  if (known != pools.end()) return known->second;
  return pools.emplace(documents, make_pool(documents)).first->second;
}

}  // namespace inkling::bench
