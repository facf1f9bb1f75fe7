#include "bench/worlds/searched_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/core/nearest_name.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/corpus/text/stop_words.hpp"
#include "io/doors/cli/usage_error.hpp"

namespace inkling::bench {
namespace {

std::int32_t wanted_topic(const std::vector<std::string>& labels, const std::string& wanted) {
  const auto found = std::ranges::find(labels, wanted);
  if (found != labels.end()) return static_cast<std::int32_t>(found - labels.begin());
  constexpr std::size_t most_shown = 8;
  const std::span<const std::string> shown = std::span(labels).first(std::min(labels.size(), most_shown));
  throw UsageError::option(
      "topic", fmt::format("expected a label of the pool ({}{}), got {}{}", fmt::join(shown, ", "),
                           labels.size() > most_shown ? ", ..." : "", in_quotes(wanted), did_you_mean("", wanted, labels)));
}

std::optional<PoolTopics> topics_of(const Pool& pool, const ParsedOptions& options) {
  if (pool.labels().empty()) {
    if (options.text("reward") != "label") return std::nullopt;
    throw FormatError(pool.path(), "expected documents with labels for --reward label, found none");
  }
  PoolTopics topics{pool.labels(), static_cast<std::int32_t>(pool.label_names().size())};
  if (options.has("topic")) topics.wanted = wanted_topic(pool.label_names(), options.text("topic"));
  return topics;
}

}  // namespace

WordOf SearchedPool::word_of() const {
  if (!pool.vocabulary()) return {};
  return [terms = *pool.vocabulary()](FeatureId feature) { return std::string(terms[feature]); };
}

std::vector<FeatureId> features_of_words(const Pool& pool, const std::string& path, std::vector<std::string>& unknown) {
  if (!pool.vocabulary()) throw FormatError(pool.path(), "expected a vocabulary for --relevant-words, found none");
  std::vector<std::string> words = read_word_list(path);
  std::vector<FeatureId> features;
  for (std::string& word : words)
    if (const std::optional<FeatureId> feature = pool.feature_of(word))
      features.push_back(*feature);
    else
      unknown.push_back(std::move(word));
  if (features.empty()) {
    throw FormatError(path,
                      fmt::format("expected words of the vocabulary of {}, found none among {}", pool.path(), words.size()));
  }
  std::ranges::sort(features);
  const auto repeated = std::ranges::unique(features);
  features.erase(repeated.begin(), repeated.end());
  return features;
}

std::optional<SearchedPool> open_searched_pool(const ParsedOptions& options) {
  if (!options.has("pool")) return std::nullopt;
  const PoolTrust trust = options.flag("trust") ? PoolTrust::structure : PoolTrust::checksums;
  SearchedPool searched{Pool::open(options.text("pool"), trust), std::nullopt, {}, {}};
  if (searched.pool.view().documents() == 0)
    throw FormatError(searched.pool.path(), "expected at least one document, found none");
  searched.topics = topics_of(searched.pool, options);
  if (options.has("relevant-words"))
    searched.given_words = features_of_words(searched.pool, options.text("relevant-words"), searched.unknown_words);
  return searched;
}

}  // namespace inkling::bench
