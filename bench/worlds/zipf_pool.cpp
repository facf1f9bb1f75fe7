#include "bench/worlds/zipf_pool.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include "bench/worlds/alias_table.hpp"
#include "engine/core/portable_math.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling::bench {
namespace {

constexpr std::int32_t kBlock = 4096;
constexpr double kFewestTokens = 10.0;
constexpr double kMostTokens = 3000.0;  // so that a count fits 16 bits

/// The documents of a block before they are weighted.
struct CountedBlock {
  std::vector<FeatureId> words;
  std::vector<std::uint16_t> counts;
  std::vector<std::int32_t> sizes;  // distinct words, by document
};

using Frequencies = std::vector<std::int32_t>;  // by feature

std::vector<double> zipf_weights(const ZipfPoolOptions& options) {
  std::vector<double> weights;
  weights.reserve(static_cast<std::size_t>(options.features));
  for (std::int32_t rank = 1; rank <= options.features; ++rank) {
    weights.push_back(exponential(-options.zipf * natural_log(static_cast<double>(rank))));
  }
  return weights;
}

/// Draws documents, each from a stream of its own.
class DocumentDraw {
 public:
  explicit DocumentDraw(const ZipfPoolOptions& options) : options_(options), words_(zipf_weights(options)) {}

  /// The words of one document, ascending, a word as often as it was drawn.
  void draw(DocumentId document, std::vector<FeatureId>& tokens) const {
    RandomStream random(options_.seed, static_cast<std::uint64_t>(document), RandomRole::documents);
    tokens.resize(draw_length(random));
    for (FeatureId& token : tokens) token = static_cast<FeatureId>(words_.draw(random.next()));
    std::ranges::sort(tokens);
  }

 private:
  [[nodiscard]] std::size_t draw_length(RandomStream& random) const {
    const double sigma = options_.length_sigma;
    const double log_median = natural_log(options_.mean_tokens) - sigma * sigma / 2.0;
    const double length = std::floor(exponential(log_median + sigma * random.normal()) + 0.5);
    return static_cast<std::size_t>(std::clamp(length, kFewestTokens, kMostTokens));
  }

  ZipfPoolOptions options_;
  AliasTable words_;
};

CountedBlock count_block(const DocumentDraw& documents, RowBlock rows, Frequencies& frequencies) {
  CountedBlock block;
  std::vector<FeatureId> tokens;
  for (DocumentId i = rows.first; i < rows.end; ++i) {
    documents.draw(i, tokens);
    const std::size_t before = block.words.size();
    for (auto token = tokens.begin(); token != tokens.end();) {
      const auto next = std::find_if(token, tokens.end(), [&](FeatureId other) { return other != *token; });
      block.words.push_back(*token);
      block.counts.push_back(static_cast<std::uint16_t>(next - token));
      ++frequencies[static_cast<std::size_t>(*token)];
      token = next;
    }
    block.sizes.push_back(static_cast<std::int32_t>(block.words.size() - before));
  }
  return block;
}

std::vector<double> idf_of(const tbb::enumerable_thread_specific<Frequencies>& by_thread,
                           const ZipfPoolOptions& options) {
  Frequencies frequencies(static_cast<std::size_t>(options.features), 0);
  for (const Frequencies& some : by_thread) {
    for (std::size_t feature = 0; feature < some.size(); ++feature) frequencies[feature] += some[feature];
  }
  std::vector<double> idf;
  idf.reserve(frequencies.size());
  for (const std::int32_t frequency : frequencies) {
    idf.push_back(natural_log((1.0 + options.documents) / (1.0 + frequency)) + 1.0);
  }
  return idf;
}

/// Writes the block's rows to where they stand in the whole.
void weight_block(const CountedBlock& block, const std::vector<double>& idf, FeatureId* features,
                  float* values) {
  std::ranges::copy(block.words, features);
  std::vector<double> weights;
  std::size_t first = 0;
  for (const std::int32_t size : block.sizes) {
    weights.clear();
    double squares = 0.0;
    for (std::size_t n = first; n < first + static_cast<std::size_t>(size); ++n) {
      const double weight = block.counts[n] * idf[static_cast<std::size_t>(block.words[n])];
      weights.push_back(weight);
      squares += weight * weight;
    }
    const double length = std::sqrt(squares);
    for (const double weight : weights) values[first++] = static_cast<float>(weight / length);
  }
}

template <typename Work>
void for_each_block_in_parallel(std::int32_t count, const Work& work) {
  tbb::parallel_for(tbb::blocked_range<std::int32_t>(0, count, 1), [&](const auto& range) {
    for (std::int32_t index = range.begin(); index < range.end(); ++index) work(index);
  });
}

std::vector<std::int64_t> offsets_of(const std::vector<CountedBlock>& blocks) {
  std::vector<std::int64_t> offsets = {0};
  for (const CountedBlock& block : blocks) {
    for (const std::int32_t size : block.sizes) offsets.push_back(offsets.back() + size);
  }
  return offsets;
}

CsrMatrix draw_documents(const ZipfPoolOptions& options) {
  const DocumentDraw documents(options);
  const RowBlocks rows(options.documents, kBlock);
  std::vector<CountedBlock> blocks(static_cast<std::size_t>(rows.count()));
  tbb::enumerable_thread_specific<Frequencies> frequencies(
      Frequencies(static_cast<std::size_t>(options.features), 0));
  for_each_block_in_parallel(rows.count(), [&](std::int32_t index) {
    blocks[static_cast<std::size_t>(index)] = count_block(documents, rows[index], frequencies.local());
  });

  const std::vector<double> idf = idf_of(frequencies, options);
  std::vector<std::int64_t> offsets = offsets_of(blocks);
  std::vector<FeatureId> features(static_cast<std::size_t>(offsets.back()));
  std::vector<float> values(features.size());
  for_each_block_in_parallel(rows.count(), [&](std::int32_t index) {
    CountedBlock& block = blocks[static_cast<std::size_t>(index)];
    const std::int64_t first = offsets[static_cast<std::size_t>(rows[index].first)];
    weight_block(block, idf, features.data() + first, values.data() + first);
    block = {};  // memory for the next arrays
  });
  return {options.features, std::move(offsets), std::move(features), std::move(values)};
}

std::uint64_t layout_bytes(CsrView matrix) {
  return matrix.offsets().size_bytes() + matrix.features().size_bytes() + matrix.values().size_bytes();
}

}  // namespace

PoolMatrix make_zipf_pool(const ZipfPoolOptions& options) {
  assert(options.documents >= 1 && options.features >= 1 && options.zipf >= 0.0 && options.mean_tokens > 0.0);
  return PoolMatrix(draw_documents(options));
}

std::uint64_t bytes_of(PoolView pool) { return layout_bytes(pool.by_document) + layout_bytes(pool.by_feature); }

}  // namespace inkling::bench
