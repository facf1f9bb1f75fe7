#include "io/search/simulation/synthetic_pool.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "engine/core/errors.hpp"
#include "engine/core/portable_math.hpp"
#include "io/search/simulation/word_list.hpp"

namespace inkling {
namespace {

/// Draws words by their rank. The sums are in order of rank, so that the same seed gives the same words
/// everywhere.
class WordDraw {
 public:
  explicit WordDraw(const SyntheticPoolOptions& options) : features_(options.features) {
    if (options.zipf == 0.0) return;
    cumulative_ = zipf_weights(features_, options.zipf);
    std::partial_sum(cumulative_.begin(), cumulative_.end(), cumulative_.begin());
  }

  [[nodiscard]] FeatureId draw(RandomStream& random) const {
    if (cumulative_.empty()) return static_cast<FeatureId>(random.below(static_cast<std::uint64_t>(features_)));
    const double point = random.uniform() * cumulative_.back();
    const auto found = std::ranges::upper_bound(cumulative_, point);
    return static_cast<FeatureId>(std::min(found, cumulative_.end() - 1) - cumulative_.begin());
  }

 private:
  std::int32_t features_;
  std::vector<double> cumulative_;  // empty if all words are equally likely
};

/// Calls visit(word, count) for each word of a sorted list.
template <typename Visit>
void count_words(const std::vector<FeatureId>& sorted, const Visit& visit) {
  for (auto word = sorted.begin(); word != sorted.end();) {
    const auto next = std::find_if(word, sorted.end(), [&](FeatureId other) { return other != *word; });
    visit(*word, next - word);
    word = next;
  }
}

/// Appends the weights of a row, scaled to unit length.
void append_at_unit_length(const std::vector<double>& weights, std::vector<float>& values) {
  double squares = 0.0;
  for (const double weight : weights) squares += weight * weight;
  const double length = std::sqrt(squares);
  for (const double weight : weights) values.push_back(static_cast<float>(weight / length));
}

/// Independent normal entries have no preferred direction: scaled to unit length they are uniform on the
/// sphere.
CsrMatrix points_of_sphere(const SyntheticPoolOptions& options, RandomStream& random) {
  CsrMatrix documents(options.features);
  std::vector<FeatureId> features(static_cast<std::size_t>(options.features));
  std::iota(features.begin(), features.end(), 0);
  std::vector<double> entries(features.size());
  std::vector<float> values;
  values.reserve(features.size());
  for (std::int32_t i = 0; i < options.documents; ++i) {
    for (double& entry : entries) entry = random.normal();
    values.clear();
    append_at_unit_length(entries, values);
    documents.append_row({features, values});
  }
  return documents;
}

CsrMatrix documents_of_words(const SyntheticPoolOptions& options, RandomStream& random) {
  const WordDraw word_draw(options);
  CsrMatrix documents(options.features);
  std::vector<FeatureId> words(static_cast<std::size_t>(options.words));
  std::vector<FeatureId> features;
  std::vector<double> counts;
  std::vector<float> values;
  for (std::int32_t i = 0; i < options.documents; ++i) {
    for (FeatureId& word : words) word = word_draw.draw(random);
    std::ranges::sort(words);
    features.clear();
    counts.clear();
    values.clear();
    count_words(words, [&](FeatureId word, std::ptrdiff_t count) {
      features.push_back(word);
      counts.push_back(static_cast<double>(count));
    });
    append_at_unit_length(counts, values);
    documents.append_row({features, values});
  }
  return documents;
}

/// A document before it is weighted: its words, ascending, and how often it holds each.
struct CountedDocument {
  std::vector<FeatureId> words;
  std::vector<std::uint16_t> counts;
};

/// Each document has its own stream.
CountedDocument draw_counted(const ZipfPoolOptions& options, const AliasTable& words, std::size_t document) {
  RandomStream random(options.seed, document, RandomRole::documents);
  constexpr double fewest = 10.0;
  std::vector<FeatureId> tokens(static_cast<std::size_t>(draw_length(options.mean_tokens, options.length_sigma, fewest, random)));
  for (FeatureId& token : tokens) token = static_cast<FeatureId>(words.draw(random.next()));
  std::ranges::sort(tokens);
  CountedDocument counted;
  count_words(tokens, [&](FeatureId word, std::ptrdiff_t count) {
    counted.words.push_back(word);
    counted.counts.push_back(static_cast<std::uint16_t>(count));
  });
  return counted;
}

std::vector<CountedDocument> draw_all(const ZipfPoolOptions& options) {
  const AliasTable words(zipf_weights(options.features, options.zipf));
  std::vector<CountedDocument> documents(static_cast<std::size_t>(options.documents));
  tbb::parallel_for(std::size_t{0}, documents.size(), [&](std::size_t i) { documents[i] = draw_counted(options, words, i); });
  return documents;
}

std::vector<double> idf_of(const std::vector<CountedDocument>& documents, std::int32_t features) {
  std::vector<std::int32_t> frequencies(static_cast<std::size_t>(features), 0);
  for (const CountedDocument& document : documents)
    for (const FeatureId word : document.words) ++frequencies[static_cast<std::size_t>(word)];
  std::vector<double> idf;
  idf.reserve(frequencies.size());
  for (const std::int32_t frequency : frequencies)
    idf.push_back(natural_log((1.0 + static_cast<double>(documents.size())) / (1.0 + frequency)) + 1.0);
  return idf;
}

/// Appends the TF-IDF weights of a document, scaled to unit length.
void append_weights(const CountedDocument& document, const std::vector<double>& idf, std::vector<float>& values) {
  std::vector<double> weights;
  weights.reserve(document.words.size());
  for (std::size_t n = 0; n < document.words.size(); ++n)
    weights.push_back(document.counts[n] * idf[static_cast<std::size_t>(document.words[n])]);
  append_at_unit_length(weights, values);
}

CsrMatrix weighted(std::vector<CountedDocument> documents, std::int32_t features) {
  const std::vector<double> idf = idf_of(documents, features);
  std::vector<std::int64_t> offsets = {0};
  for (const CountedDocument& document : documents) offsets.push_back(offsets.back() + std::ssize(document.words));
  std::vector<FeatureId> words;
  std::vector<float> values;
  words.reserve(static_cast<std::size_t>(offsets.back()));
  values.reserve(words.capacity());
  for (CountedDocument& document : documents) {
    words.insert(words.end(), document.words.begin(), document.words.end());
    append_weights(document, idf, values);
    document = {};  // frees its memory
  }
  return {features, std::move(offsets), std::move(words), std::move(values)};
}

std::uint64_t layout_bytes(CsrView matrix) {
  return matrix.offsets().size_bytes() + matrix.features().unchecked().size_bytes() + matrix.values().size_bytes();
}

}  // namespace

CsrMatrix synthetic_documents(const SyntheticPoolOptions& options, RandomStream& random) {
  return options.rows == SyntheticRows::sphere ? points_of_sphere(options, random) : documents_of_words(options, random);
}

std::vector<FeatureId> features_within(PoolView pool, FrequencyBand band) {
  std::vector<FeatureId> within;
  const auto documents = static_cast<double>(pool.documents());
  for (FeatureId feature = 0; feature < pool.features(); ++feature) {
    const auto frequency = static_cast<double>(pool.by_feature.row(feature).size());
    const bool occurs = frequency > 0.0;
    if (occurs && frequency >= band.low * documents && frequency <= band.high * documents) within.push_back(feature);
  }
  return within;
}

void require_features(std::string_view what, std::string_view those, std::size_t there, std::int32_t wanted) {
  if (static_cast<std::size_t>(wanted) <= there) return;
  throw FormatError(std::string(what), fmt::format("expected at most {} ({}), got {}", there, those, wanted));
}

std::vector<FeatureId> draw_features(std::vector<FeatureId> candidates, std::int32_t count, RandomStream& random) {
  assert(count >= 0 && static_cast<std::size_t>(count) <= candidates.size());
  const auto wanted = static_cast<std::size_t>(count);
  for (std::size_t n = 0; n < wanted; ++n) {
    const auto other = n + static_cast<std::size_t>(random.below(candidates.size() - n));
    std::swap(candidates[n], candidates[other]);
  }
  candidates.resize(wanted);
  std::ranges::sort(candidates);
  return candidates;
}

std::vector<double> draw_truth(std::int32_t features, const std::vector<FeatureId>& relevant, double norm, RandomStream& random) {
  std::vector<double> truth(static_cast<std::size_t>(features), 0.0);
  double squares = 0.0;
  for (const FeatureId feature : relevant) {
    const double weight = random.normal();
    truth[static_cast<std::size_t>(feature)] = weight;
    squares += weight * weight;
  }
  for (const FeatureId feature : relevant) truth[static_cast<std::size_t>(feature)] *= norm / std::sqrt(squares);
  return truth;
}

PoolMatrix make_zipf_pool(const ZipfPoolOptions& options) {
  assert(options.documents >= 1 && options.features >= 1 && options.zipf >= 0.0 && options.mean_tokens > 0.0);
  return PoolMatrix(weighted(draw_all(options), options.features));
}

std::uint64_t bytes_of(PoolView pool) { return layout_bytes(pool.by_document) + layout_bytes(pool.by_feature); }

}  // namespace inkling
