#include "bench/commands/simulate_checks.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include <fmt/format.h>

#include "bench/rivals/rival_presets.hpp"
#include "engine/model/linear_model.hpp"

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

/// Whether the policy scores with a row of its matrix for each feature of the pool, and not only for the
/// features of documents that were played.
bool keeps_every_pair(const ParsedOptions& options, const Preset& preset) {
  if (!preset.uses.scoring) return false;
  return std::ranges::any_of(options.choices("scoring"), [](const std::string& name) {
    return name == scoring_name(Scoring::sublinear) || name == scoring_name(Scoring::rescoring);
  });
}

/// Rows of the matrix of a policy on all features; 0 where it keeps none.
std::int64_t matrix_rows(const ParsedOptions& options, const PoolSize& size, const Preset& preset) {
  if (preset.scope != FeatureScope::Kind::all || !preset.keeps_matrix) return 0;
  if (keeps_every_pair(options, preset)) return size.features;
  return std::min(most_played(options, size), size.features);
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

std::int64_t most_played(const ParsedOptions& options, const PoolSize& size) {
  return std::min(options.integer("rounds"), size.documents);
}

std::vector<std::string> policies_for(const ParsedOptions& options, const PoolSize& size) {
  std::vector<std::string> names = options.choices("policy");
  const auto is_too_large = [&](const std::string& name) {
    return matrix_rows(options, size, *find_any_preset(name)) > kLargestGram;
  };
  const auto too_large = std::ranges::find_if(names, is_too_large);
  if (too_large == names.end()) return names;
  if (!options.given("policy") && !options.given("scoring")) {
    std::erase_if(names, is_too_large);
    return names;
  }
  if (keeps_every_pair(options, *find_any_preset(*too_large))) {
    throw UsageError::option(
        "scoring", fmt::format("expected automatic or running with --policy {} on more than {} features, "
                               "got {} features",
                               *too_large, kLargestGram, size.features));
  }
  throw UsageError::option(
      "rounds", fmt::format("expected 1 to {} with --policy {} on {} features (its matrix has a row for each "
                            "document played), got {}",
                            kLargestGram, *too_large, size.features, options.integer("rounds")));
}

}  // namespace inkling::bench
