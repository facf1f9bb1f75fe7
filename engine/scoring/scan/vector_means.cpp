#include "engine/scoring/scan/vector_means.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "engine/scoring/parallel_blocks.hpp"
#include "engine/sparse/row_blocks.hpp"

#if defined(__x86_64__)
#  include <immintrin.h>
#  define INKLING_WIDE_PRODUCT 1
#endif

namespace inkling {
namespace {

constexpr double kLargestCode = 128.0;
/// Rounding of floats, of the vectors and of the means, relative to the largest possible product.
constexpr double kVectorRounding = 4.0 * std::numeric_limits<float>::epsilon();
constexpr std::int32_t kVectorsTogether = 1024;

std::int64_t plain_product(std::span<const std::int8_t> codes, std::span<const std::int16_t> weights) noexcept {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < codes.size(); ++k) sum += std::int64_t{codes[k]} * std::int64_t{weights[k]};
  return sum;
}

#ifdef INKLING_WIDE_PRODUCT

/// No sum of 32 bits overflows: each takes two products of every 16, each below 2^21.
static_assert(std::int64_t{VectorView::most_dimensions} / 16 * 2 * 128 * std::int64_t{kLargestStep} <
              std::numeric_limits<std::int32_t>::max());

__attribute__((target("avx2"))) std::int64_t avx2_product(std::span<const std::int8_t> codes,
                                                          std::span<const std::int16_t> weights) noexcept {
  constexpr std::size_t lanes = 16;
  const std::size_t whole = codes.size() / lanes * lanes;
  __m256i sums = _mm256_setzero_si256();
  for (std::size_t k = 0; k < whole; k += lanes) {
    const __m256i left = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(codes.data() + k)));
    const __m256i right = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights.data() + k));
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(left, right));
  }
  alignas(32) std::int32_t parts[8];
  _mm256_store_si256(reinterpret_cast<__m256i*>(parts), sums);
  std::int64_t sum = plain_product(codes.subspan(whole), weights.subspan(whole));
  for (const std::int32_t part : parts) sum += part;
  return sum;
}

#endif

}  // namespace

std::int64_t whole_product(std::span<const std::int8_t> codes, std::span<const std::int16_t> weights) noexcept {
  assert(codes.size() == weights.size() && codes.size() <= static_cast<std::size_t>(VectorView::most_dimensions));
#ifdef INKLING_WIDE_PRODUCT
  static const bool is_wide = __builtin_cpu_supports("avx2") != 0;
  if (is_wide) return avx2_product(codes, weights);
#endif
  return plain_product(codes, weights);
}

VectorMeans::VectorMeans(VectorView vectors) : vectors_(vectors) {
  float largest_scale = 0.0F;
  for (const float scale : vectors.scales) largest_scale = std::max(largest_scale, std::fabs(scale));
  largest_norm_ = kLargestCode * std::sqrt(static_cast<double>(vectors.dimensions)) * static_cast<double>(largest_scale);
}

void VectorMeans::take(std::span<const double> weights) {
  assert(std::ssize(weights) == vectors_.dimensions);
  double largest = 0.0;
  double square = 0.0;
  for (const double weight : weights) {
    largest = std::max(largest, std::fabs(weight));
    square += weight * weight;
  }
  const double step = largest / kLargestStep;
  std::vector<std::int16_t> steps(weights.size());
  for (std::size_t k = 0; k < weights.size() && step > 0.0; ++k)
    steps[k] = static_cast<std::int16_t>(std::lround(weights[k] / step));
  margin_ = largest_norm_ * (0.5 * step * std::sqrt(static_cast<double>(weights.size())) * (1.0 + kVectorRounding) +
                             kVectorRounding * std::sqrt(square));

  const auto documents = static_cast<std::int32_t>(vectors_.scales.size());
  means_.resize(vectors_.scales.size());
  const RowBlocks blocks(documents, kVectorsTogether);
  for_each_block(blocks.count(), [&](std::int32_t index) {
    for (DocumentId i = blocks[index].first; i < blocks[index].end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const auto product = static_cast<double>(whole_product(vectors_.codes_of(i), steps));
      means_[at] = static_cast<float>(product * step * static_cast<double>(vectors_.scales[at]));
    }
  });
}

}  // namespace inkling
