#include "bench/worlds/zipf_pool.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <tbb/parallel_for.h>

#include "bench/worlds/alias_table.hpp"
#include "engine/core/portable_math.hpp"
#include "engine/core/random_stream.hpp"

namespace inkling::bench {
namespace {

constexpr double kFewestTokens = 10.0;
constexpr double kMostTokens = 3000.0;  // so that a count fits 16 bits

/// A document before it is weighted: its words, ascending, and how often it holds each.
struct CountedDocument {
  std::vector<FeatureId> words;
  std::vector<std::uint16_t> counts;
};

std::vector<double> word_weights(const ZipfPoolOptions& options) {
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
  explicit DocumentDraw(const ZipfPoolOptions& options) : options_(options), words_(word_weights(options)) {}

  [[nodiscard]] CountedDocument draw(DocumentId document) const {
    RandomStream random(options_.seed, static_cast<std::uint64_t>(document), RandomRole::documents);
    std::vector<FeatureId> tokens(draw_length(random));
    for (FeatureId& token : tokens) token = static_cast<FeatureId>(words_.draw(random.next()));
    std::ranges::sort(tokens);
    CountedDocument counted;
    for (auto token = tokens.begin(); token != tokens.end();) {
      const auto next = std::find_if(token, tokens.end(), [&](FeatureId other) { return other != *token; });
      counted.words.push_back(*token);
      counted.counts.push_back(static_cast<std::uint16_t>(next - token));
      token = next;
    }
    return counted;
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

std::vector<CountedDocument> draw_all(const ZipfPoolOptions& options) {
  const DocumentDraw draw(options);
  std::vector<CountedDocument> documents(static_cast<std::size_t>(options.documents));
  tbb::parallel_for(std::size_t{0}, documents.size(),
                    [&](std::size_t i) { documents[i] = draw.draw(static_cast<DocumentId>(i)); });
  return documents;
}

std::vector<double> idf_of(const std::vector<CountedDocument>& documents, std::int32_t features) {
  std::vector<std::int32_t> frequencies(static_cast<std::size_t>(features), 0);
  for (const CountedDocument& document : documents) {
    for (const FeatureId word : document.words) ++frequencies[static_cast<std::size_t>(word)];
  }
  std::vector<double> idf;
  idf.reserve(frequencies.size());
  for (const std::int32_t frequency : frequencies) {
    idf.push_back(natural_log((1.0 + static_cast<double>(documents.size())) / (1.0 + frequency)) + 1.0);
  }
  return idf;
}

/// Appends the TF-IDF weights of a document, scaled to unit length.
void append_weights(const CountedDocument& document, const std::vector<double>& idf,
                    std::vector<float>& values) {
  std::vector<double> weights;
  double squares = 0.0;
  for (std::size_t n = 0; n < document.words.size(); ++n) {
    weights.push_back(document.counts[n] * idf[static_cast<std::size_t>(document.words[n])]);
    squares += weights.back() * weights.back();
  }
  const double length = std::sqrt(squares);
  for (const double weight : weights) values.push_back(static_cast<float>(weight / length));
}

CsrMatrix weighted(std::vector<CountedDocument> documents, std::int32_t features) {
  const std::vector<double> idf = idf_of(documents, features);
  std::vector<std::int64_t> offsets = {0};
  for (const CountedDocument& document : documents) {
    offsets.push_back(offsets.back() + std::ssize(document.words));
  }
  std::vector<FeatureId> words;
  std::vector<float> values;
  words.reserve(static_cast<std::size_t>(offsets.back()));
  values.reserve(words.capacity());
  for (CountedDocument& document : documents) {
    words.insert(words.end(), document.words.begin(), document.words.end());
    append_weights(document, idf, values);
    document = {};  // gives its memory back
  }
  return {features, std::move(offsets), std::move(words), std::move(values)};
}

std::uint64_t layout_bytes(CsrView matrix) {
  return matrix.offsets().size_bytes() + matrix.features().size_bytes() + matrix.values().size_bytes();
}

}  // namespace

PoolMatrix make_zipf_pool(const ZipfPoolOptions& options) {
  assert(options.documents >= 1 && options.features >= 1 && options.zipf >= 0.0 && options.mean_tokens > 0.0);
  return PoolMatrix(weighted(draw_all(options), options.features));
}

std::uint64_t bytes_of(PoolView pool) {
  return layout_bytes(pool.by_document) + layout_bytes(pool.by_feature);
}

}  // namespace inkling::bench
