#include "bench/worlds/searched_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/cli/nearest_name.hpp"
#include "io/text/stop_words.hpp"

namespace inkling::bench {
namespace {

std::int32_t wanted_topic(const std::vector<std::string>& labels, const std::string& wanted) {
  const auto found = std::ranges::find(labels, wanted);
  if (found != labels.end()) return static_cast<std::int32_t>(found - labels.begin());
  constexpr std::size_t most_shown = 8;
  std::string shown;
  for (std::size_t n = 0; n < std::min(labels.size(), most_shown); ++n) {
    shown += (n == 0 ? "" : ", ") + labels[n];
  }
  if (labels.size() > most_shown) shown += ", ...";
  throw UsageError::option("topic", fmt::format("expected a label of the pool ({}), got {}{}", shown,
                                                in_quotes(wanted), did_you_mean("", wanted, labels)));
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

void find_words(const std::string& path, SearchedPool& searched) {
  if (!searched.pool.vocabulary()) {
    throw FormatError(searched.pool.path(), "expected a vocabulary for --relevant-words, found none");
  }
  std::vector<std::string> words = read_word_list(path);
  for (std::string& word : words) {
    if (const std::optional<FeatureId> feature = searched.pool.feature_of(word)) {
      searched.given_words.push_back(*feature);
    } else {
      searched.unknown_words.push_back(std::move(word));
    }
  }
  if (searched.given_words.empty()) {
    throw FormatError(path, fmt::format("expected words of the vocabulary of {}, found none among {}",
                                        searched.pool.path(), words.size()));
  }
  std::ranges::sort(searched.given_words);
  const auto repeated = std::ranges::unique(searched.given_words);
  searched.given_words.erase(repeated.begin(), repeated.end());
}

}  // namespace

std::function<std::string(FeatureId)> SearchedPool::word_of() const {
  if (!pool.vocabulary()) return {};
  return [terms = *pool.vocabulary()](FeatureId feature) { return std::string(terms[feature]); };
}

std::optional<SearchedPool> open_searched_pool(const ParsedOptions& options) {
  if (!options.has("pool")) return std::nullopt;
  const PoolTrust trust = options.flag("trust") ? PoolTrust::structure : PoolTrust::checksums;
  SearchedPool searched{Pool::open(options.text("pool"), trust), std::nullopt, {}, {}};
  if (searched.pool.view().documents() == 0) {
    throw FormatError(searched.pool.path(), "expected at least one document, found none");
  }
  searched.topics = topics_of(searched.pool, options);
  if (options.has("relevant-words")) find_words(options.text("relevant-words"), searched);
  return searched;
}

}  // namespace inkling::bench
