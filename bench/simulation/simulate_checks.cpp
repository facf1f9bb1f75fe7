#include "bench/simulation/simulate_checks.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include <fmt/format.h>

#include "engine/policy/presets.hpp"

namespace inkling::bench {
namespace {

void refuse_given(const ParsedOptions& options, std::initializer_list<const char*> names,
                  std::string_view expected) {
  for (const char* name : names) {
    if (options.given(name)) throw UsageError::option(name, fmt::format("expected {}", expected));
  }
}

/// Throws UsageError unless option `name` is at most `most`, which is `why`.
void check_at_most(const ParsedOptions& options, const char* name, std::int64_t least, std::int64_t most,
                   std::string_view why) {
  if (!options.has(name) || options.integer(name) <= most) return;
  throw UsageError::option(
      name, fmt::format("expected {} to {} ({}), got {}", least, most, why, options.integer(name)));
}

void check_subset(const ParsedOptions& options, std::int64_t features) {
  if (!options.has("subset")) return;
  for (const std::int64_t feature : options.integers("subset")) {
    if (feature < features) continue;
    throw UsageError::option("subset",
                             fmt::format("expected features from 0 to {}, got {}", features - 1, feature));
  }
}

void check_feedback(const ParsedOptions& options) {
  if (!options.has("feedback") || options.text("feedback") == "noisy") return;
  const std::int64_t irrelevant = options.integer("irrelevant-marks");
  if (irrelevant == 0) return;
  throw UsageError::option("feedback", fmt::format("expected noisy with --irrelevant-marks {}, got '{}'",
                                                   irrelevant, options.text("feedback")));
}

bool needs_every_pair(const std::string& policy) {
  return find_preset(policy)->scope == FeatureScope::Kind::all;
}

}  // namespace

PoolSize size_of_pool(const ParsedOptions& options, const std::optional<SearchedPool>& searched) {
  if (!searched) {
    return {options.integer("documents"), options.integer("features"), "the number of --documents",
            "the number of --features"};
  }
  const PoolView view = searched->pool.view();
  return {view.documents(), view.features(), "the documents of the pool", "the features of the pool"};
}

void check_source(const ParsedOptions& options) {
  if (!options.has("pool")) {
    refuse_given(options, {"trust", "topic", "relevant-words"}, "with --pool");
    return;
  }
  refuse_given(options, {"documents", "features", "words", "zipf", "topic-share"}, "without --pool");
  const std::string& reward = options.text("reward");
  if (reward != "label") refuse_given(options, {"topic"}, "with --reward label");
  if (reward == "document")
    refuse_given(options, {"relevant-words"}, "with --reward linear, logistic or label");
  if (options.has("relevant-words")) {
    refuse_given(options, {"relevant", "relevant-frequency"}, "without --relevant-words");
  }
}

void check_sizes(const ParsedOptions& options, const PoolSize& size, std::int64_t relevant) {
  if (!options.has("relevant-words")) {
    check_at_most(options, "relevant", 1, size.features, size.the_features);
  }
  check_at_most(options, "irrelevant-marks", 0, size.features - relevant,
                options.has("pool") ? "the features of the pool that are not relevant"
                                    : "--features that are not --relevant");
  check_at_most(options, "subset-size", 1, relevant, "the number of --relevant");
  if (options.flag("without-replacement")) {
    check_at_most(options, "rounds", 1, size.documents,
                  fmt::format("{}, each shown once", size.the_documents));
  }
  if (!options.has("pool")) {
    check_at_most(options, "words", 1,
                  std::max<std::int64_t>(1, (std::int64_t{1} << 31) / options.integer("documents")),
                  "so that --documents times --words stays below 2^31");
  }
  check_subset(options, size.features);
  check_feedback(options);
}

std::vector<std::string> policies_for(const ParsedOptions& options, std::int64_t features) {
  std::vector<std::string> names = options.choices("policy");
  const auto too_wide = std::ranges::find_if(names, needs_every_pair);
  if (features <= kLargestGram || too_wide == names.end()) return names;
  if (!options.has("pool")) {
    throw UsageError::option("features",
                             fmt::format("expected 1 to {} with --policy {}, whose gram holds every pair "
                                         "of features, got {}",
                                         kLargestGram, *too_wide, features));
  }
  if (options.given("policy")) {
    throw UsageError::option("policy",
                             fmt::format("expected others than {}, whose gram holds every pair of features: "
                                         "at most {}, and the pool has {}",
                                         *too_wide, kLargestGram, features));
  }
  std::erase_if(names, needs_every_pair);
  return names;
}

}  // namespace inkling::bench
