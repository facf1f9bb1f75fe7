#include "bench/worlds/text_like_rows.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

namespace inkling::bench {
namespace {

constexpr double kLightest = 0.05;
constexpr double kHeaviest = 0.5;

double capped_share(double scale, std::int32_t rank) { return std::min(0.5, scale / (rank + 1)); }

double words_a_row_of(double scale, std::int32_t words) {
  double sum = 0.0;
  for (std::int32_t rank = 0; rank < words; ++rank) sum += capped_share(scale, rank);
  return sum;
}

}  // namespace

std::vector<double> banded_frequencies(std::int32_t words, FrequencyBand band, RandomStream& random) {
  assert(0.0 < band.low && band.low <= band.high && band.high <= 1.0);
  std::vector<double> frequencies(static_cast<std::size_t>(words));
  for (double& frequency : frequencies) {
    frequency = band.low * std::pow(band.high / band.low, random.uniform());
  }
  return frequencies;
}

std::vector<double> zipf_frequencies(std::int32_t words, double words_a_row) {
  assert(0.0 < words_a_row && words_a_row <= 0.5 * words);
  double too_small = 0.0;
  double large_enough = 0.5 * words;
  constexpr int halvings = 60;
  for (int n = 0; n < halvings; ++n) {
    const double middle = 0.5 * (too_small + large_enough);
    (words_a_row_of(middle, words) < words_a_row ? too_small : large_enough) = middle;
  }
  std::vector<double> frequencies;
  frequencies.reserve(static_cast<std::size_t>(words));
  for (std::int32_t rank = 0; rank < words; ++rank) frequencies.push_back(capped_share(large_enough, rank));
  return frequencies;
}

RestrictedRow draw_row(std::span<const double> frequencies, RandomStream& random, RestrictedRows& buffer) {
  buffer.positions.clear();
  buffer.values.clear();
  for (std::size_t a = 0; a < frequencies.size(); ++a) {
    if (!random.coin(frequencies[a])) continue;
    buffer.positions.push_back(static_cast<std::int32_t>(a));
    const auto weight = static_cast<float>(kLightest + (kHeaviest - kLightest) * random.uniform());
    buffer.values.push_back(static_cast<double>(weight));
  }
  return {buffer.positions, buffer.values};
}

CsrMatrix draw_documents(std::int32_t documents, std::span<const double> frequencies, RandomStream& random) {
  CsrMatrix matrix(static_cast<std::int32_t>(frequencies.size()));
  RestrictedRows buffer;
  std::vector<float> weights;
  for (std::int32_t i = 0; i < documents; ++i) {
    const RestrictedRow row = draw_row(frequencies, random, buffer);
    weights.clear();
    for (const double weight : row.values) weights.push_back(static_cast<float>(weight));
    matrix.append_row({row.positions, weights});
  }
  return matrix;
}

}  // namespace inkling::bench
