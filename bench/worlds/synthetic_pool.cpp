#include "bench/worlds/synthetic_pool.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "engine/core/portable_math.hpp"

namespace inkling::bench {
namespace {

/// Draws words by their rank. The sums are in order of rank, so that the same seed gives the same words
/// everywhere.
class WordDraw {
 public:
  explicit WordDraw(const SyntheticPoolOptions& options) : features_(options.features) {
    if (options.zipf == 0.0) return;
    cumulative_.reserve(static_cast<std::size_t>(features_));
    double sum = 0.0;
    for (std::int32_t rank = 1; rank <= features_; ++rank) {
      sum += exponential(-options.zipf * natural_log(static_cast<double>(rank)));
      cumulative_.push_back(sum);
    }
  }

  [[nodiscard]] FeatureId draw(RandomStream& random) const {
    if (cumulative_.empty())
      return static_cast<FeatureId>(random.below(static_cast<std::uint64_t>(features_)));
    const double point = random.uniform() * cumulative_.back();
    const auto found = std::ranges::upper_bound(cumulative_, point);
    return static_cast<FeatureId>(std::min(found, cumulative_.end() - 1) - cumulative_.begin());
  }

 private:
  std::int32_t features_;
  std::vector<double> cumulative_;  // empty where every word is as likely as another
};

/// Turns a sorted list of drawn words into the features and counts of a unit row.
void count_words(const std::vector<FeatureId>& words, std::vector<FeatureId>& features,
                 std::vector<float>& values) {
  features.clear();
  std::vector<double> counts;
  double squares = 0.0;
  for (auto word = words.begin(); word != words.end();) {
    const auto next = std::find_if(word, words.end(), [&](FeatureId other) { return other != *word; });
    features.push_back(*word);
    counts.push_back(static_cast<double>(next - word));
    squares += counts.back() * counts.back();
    word = next;
  }
  values.clear();
  for (const double count : counts) values.push_back(static_cast<float>(count / std::sqrt(squares)));
}

/// Independent normal entries have no preferred direction: scaled to unit length they are uniform on the
/// sphere.
CsrMatrix points_of_sphere(const SyntheticPoolOptions& options, RandomStream& random) {
  CsrMatrix documents(options.features);
  std::vector<FeatureId> features(static_cast<std::size_t>(options.features));
  std::iota(features.begin(), features.end(), 0);
  std::vector<double> entries(features.size());
  std::vector<float> values(features.size());
  for (std::int32_t i = 0; i < options.documents; ++i) {
    double squares = 0.0;
    for (double& entry : entries) {
      entry = random.normal();
      squares += entry * entry;
    }
    for (std::size_t j = 0; j < entries.size(); ++j) {
      values[j] = static_cast<float>(entries[j] / std::sqrt(squares));
    }
    documents.append_row({features, values});
  }
  return documents;
}

CsrMatrix documents_of_words(const SyntheticPoolOptions& options, RandomStream& random) {
  const WordDraw word_draw(options);
  CsrMatrix documents(options.features);
  std::vector<FeatureId> words(static_cast<std::size_t>(options.words));
  std::vector<FeatureId> features;
  std::vector<float> values;
  for (std::int32_t i = 0; i < options.documents; ++i) {
    for (FeatureId& word : words) word = word_draw.draw(random);
    std::ranges::sort(words);
    count_words(words, features, values);
    documents.append_row({features, values});
  }
  return documents;
}

}  // namespace

CsrMatrix synthetic_documents(const SyntheticPoolOptions& options, RandomStream& random) {
  return options.rows == SyntheticRows::sphere ? points_of_sphere(options, random)
                                               : documents_of_words(options, random);
}

std::vector<FeatureId> features_within(PoolView pool, FrequencyBand band) {
  std::vector<FeatureId> within;
  const auto documents = static_cast<double>(pool.documents());
  for (FeatureId feature = 0; feature < pool.features(); ++feature) {
    const auto frequency = static_cast<double>(pool.by_feature.row(feature).size());
    const bool occurs = frequency > 0.0;
    if (occurs && frequency >= band.low * documents && frequency <= band.high * documents)
      within.push_back(feature);
  }
  return within;
}

std::vector<FeatureId> draw_features(std::vector<FeatureId> candidates, std::int32_t count,
                                     RandomStream& random) {
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

std::vector<double> draw_truth(std::int32_t features, const std::vector<FeatureId>& relevant, double norm,
                               RandomStream& random) {
  std::vector<double> truth(static_cast<std::size_t>(features), 0.0);
  double squares = 0.0;
  for (const FeatureId feature : relevant) {
    const double weight = random.normal();
    truth[static_cast<std::size_t>(feature)] = weight;
    squares += weight * weight;
  }
  for (const FeatureId feature : relevant)
    truth[static_cast<std::size_t>(feature)] *= norm / std::sqrt(squares);
  return truth;
}

}  // namespace inkling::bench
