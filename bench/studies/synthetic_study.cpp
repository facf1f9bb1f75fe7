#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bench/studies/figure_parts.hpp"
#include "io/base/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

/// Everything of the options that these worlds depend on.
std::string world_settings(const WorldOptions& options, std::uint64_t seed) {
  return fmt::format(
      "synthetic: rows {} documents {} features {} words {} zipf {} relevant {} norm {} noise {} feedback {} "
      "p {} irrelevant {} seed {}",
      static_cast<int>(options.pool.rows), options.pool.documents, options.pool.features, options.pool.words, options.pool.zipf,
      options.relevant, options.norm_bound, options.noise, static_cast<int>(options.feedback), options.mark_probability,
      options.irrelevant_marks, seed);
}

std::vector<std::pair<std::string, std::string>> rows_of(const WorldOptions& options) {
  std::vector<std::pair<std::string, std::string>> rows = {{"documents", digit_groups(options.pool.documents)},
                                                           {"features (d)", digit_groups(options.pool.features)}};
  if (options.pool.rows == SyntheticRows::word_counts)
    rows.emplace_back("words drawn for a document", digit_groups(options.pool.words));
  rows.emplace_back("features that matter (k)", digit_groups(options.relevant));
  rows.emplace_back("noise of the rewards", fmt::format("{}", options.noise));
  rows.emplace_back("probability that a relevant feature of a shown document is marked (p)",
                    fmt::format("{}", options.mark_probability));
  return rows;
}

}  // namespace

WorldOptions synthetic_options(const PaperSettings& settings, std::int32_t relevant) {
  WorldOptions options;
  options.pool.words = settings.words;
  options.relevant = relevant;
  options.norm_bound = settings.norm_bound;
  options.noise = settings.noise;
  options.mark_probability = settings.mark_probability;
  return options;
}

Study synthetic_study(const PaperSettings& settings, std::string name, const WorldOptions& options) {
  Study study;
  study.name = std::move(name);
  study.world_settings = world_settings(options, settings.seed);
  study.world = [options, seed = settings.seed](std::uint64_t trial) { return make_synthetic_world(options, seed, trial); };
  study.features = options.pool.features;
  study.trials = settings.trials;
  study.tuning_trials = settings.tuning_trials;
  study.settings = rows_of(options);
  return study;
}

std::int64_t share_of_trials(std::int64_t trials, double share) {
  constexpr std::int64_t fewest = 2;
  const auto wanted = static_cast<std::int64_t>(std::llround(share * static_cast<double>(trials)));
  return std::max(std::min(trials, fewest), wanted);
}

double least_discovery(const Study& study) {
  double least = 1.0;
  for (std::int64_t trial = 0; trial < study.trials; ++trial) {
    const World world = study.world(static_cast<std::uint64_t>(trial));
    for (const FeatureId feature : world.relevant) {
      const double share = static_cast<double>(world.pool.by_feature.row(feature).size()) / world.pool.documents();
      least = std::min(least, world.marks.probability() * share);
    }
  }
  return least;
}

}  // namespace inkling::bench
