#include "bench/commands/simulate_options.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "bench/rivals/rival_presets.hpp"
#include "engine/model/model_options.hpp"
#include "engine/policy/policy_settings.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/doors/cli/learning_options.hpp"

namespace inkling::bench {
namespace {

/// The size of the searched pool.
struct PoolSize {
  std::int64_t documents;
  std::int64_t features;
};

void refuse_given(const ParsedOptions& options, std::initializer_list<const char*> names, std::string_view expected) {
  for (const char* name : names)
    if (options.given(name)) throw UsageError::option(name, fmt::format("expected {}", expected));
}

/// The ridges over which the paper tunes OFUL: 2^-7 ... 2^10.
std::vector<double> tuning_grid() {
  std::vector<double> grid;
  for (int power = -7; power <= 10; ++power) grid.push_back(std::ldexp(1.0, power));
  return grid;
}

/// Throws UsageError unless option `name` is at most `most`; `why` says in the message what that is.
void check_at_most(const ParsedOptions& options, const char* name, std::int64_t least, std::int64_t most, std::string_view why) {
  if (!options.has(name) || options.integer(name) <= most) return;
  throw UsageError::option(name, fmt::format("expected {} to {} ({}), got {}", least, most, why, options.integer(name)));
}

void check_subset(const ParsedOptions& options, std::int64_t features) {
  if (!options.has("subset")) return;
  for (const std::int64_t feature : options.integers("subset")) {
    if (feature < features) continue;
    throw UsageError::option("subset", fmt::format("expected features from 0 to {}, got {}", features - 1, feature));
  }
}

void check_feedback(const ParsedOptions& options) {
  if (!options.has("feedback") || options.text("feedback") == "noisy") return;
  const std::int64_t irrelevant = options.integer("irrelevant-marks");
  if (irrelevant == 0) return;
  throw UsageError::option(
      "feedback", fmt::format("expected noisy with --irrelevant-marks {}, got '{}'", irrelevant, options.text("feedback")));
}

/// Whether the policy scores with a row of its matrix for each feature of the pool, and not only for the
/// features of documents that were played.
bool keeps_every_pair(const ParsedOptions& options, const Preset& preset) {
  if (!preset.uses.scoring) return false;
  return std::ranges::any_of(options.choices("scoring"), [](const std::string& name) {
    return name == scoring_name(Scoring::sublinear) || name == scoring_name(Scoring::rescoring);
  });
}

/// The largest number of different documents that a trial can play.
std::int64_t most_played(const ParsedOptions& options, const PoolSize& size) {
  return std::min(options.integer("rounds"), size.documents);
}

/// Rows of the matrix of a policy on all features; 0 if it keeps none.
std::int64_t matrix_rows(const ParsedOptions& options, const PoolSize& size, const Preset& preset) {
  if (preset.scope != FeatureScope::Kind::all || !preset.keeps_matrix) return 0;
  if (keeps_every_pair(options, preset)) return size.features;
  return std::min(most_played(options, size), size.features);
}

/// Throws UsageError if an option does not apply to the kind of pool that is searched. Opens no pool.
void check_source(const ParsedOptions& options) {
  if (!options.has("pool")) {
    refuse_given(options, {"trust", "topic", "relevant-words"}, "with --pool");
    return;
  }
  refuse_given(options, {"documents", "features", "words", "zipf", "topic-share"}, "without --pool");
  const std::string& reward = options.text("reward");
  if (reward != "label") refuse_given(options, {"topic"}, "with --reward label");
  if (reward == "document") refuse_given(options, {"relevant-words"}, "with --reward linear, logistic or label");
  if (options.has("relevant-words")) refuse_given(options, {"relevant", "relevant-frequency"}, "without --relevant-words");
}

/// Throws UsageError if an option asks for more than there is. `relevant` is how many words matter.
void check_sizes(const ParsedOptions& options, const PoolSize& size, std::int64_t relevant) {
  const bool pooled = options.has("pool");
  if (!options.has("relevant-words"))
    check_at_most(options, "relevant", 1, size.features, pooled ? "the features of the pool" : "the number of --features");
  check_at_most(options, "irrelevant-marks", 0, size.features - relevant,
                pooled ? "the features of the pool that are not relevant" : "--features that are not --relevant");
  check_at_most(options, "subset-size", 1, relevant, "the number of --relevant");
  if (options.flag("without-replacement")) {
    check_at_most(options, "rounds", 1, size.documents,
                  pooled ? "the documents of the pool, each shown once" : "the number of --documents, each shown once");
  }
  if (!pooled) {
    check_at_most(options, "words", 1, std::max<std::int64_t>(1, (std::int64_t{1} << 31) / options.integer("documents")),
                  "so that --documents times --words stays below 2^31");
  }
  check_subset(options, size.features);
  check_feedback(options);
}

/// The policies of --policy; its default leaves out policies whose matrix would be too large. The matrix of a policy on all
/// features has a row for each feature or, where those are fewer, for each document played.
/// Throws UsageError if such a policy was requested.
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
    throw UsageError::option("scoring", fmt::format("expected automatic or running with --policy {} on more than {} features, "
                                                    "got {} features",
                                                    *too_large, kLargestGram, size.features));
  }
  throw UsageError::option("rounds",
                           fmt::format("expected 1 to {} with --policy {} on {} features (its matrix has a row for each "
                                       "document played), got {}",
                                       kLargestGram, *too_large, size.features, options.integer("rounds")));
}

RewardKind reward_kind(const std::string& name) {
  if (name == "document") return RewardKind::document;
  if (name == "logistic") return RewardKind::logistic;
  return name == "label" ? RewardKind::label : RewardKind::linear;
}

FeedbackKind feedback_kind(const ParsedOptions& options) {
  if (!options.has("feedback")) return options.integer("irrelevant-marks") > 0 ? FeedbackKind::noisy : FeedbackKind::oracle;
  if (options.text("feedback") == "none") return FeedbackKind::none;
  return options.text("feedback") == "noisy" ? FeedbackKind::noisy : FeedbackKind::oracle;
}

WorldOptions world_options(const ParsedOptions& options, const std::optional<SearchedPool>& searched) {
  WorldOptions world;
  world.pool.documents = static_cast<std::int32_t>(options.integer("documents"));
  world.pool.features = static_cast<std::int32_t>(options.integer("features"));
  world.pool.words = static_cast<std::int32_t>(options.integer("words"));
  world.pool.zipf = options.real("zipf");
  world.relevant = static_cast<std::int32_t>(options.integer("relevant"));
  const auto [low, high] = options.real_pair("relevant-frequency");
  world.relevant_frequency = {low, high};
  world.norm_bound = options.real("norm-bound");
  world.reward = reward_kind(options.text("reward"));
  world.noise = options.real("noise");
  world.topic_share = options.real("topic-share");
  world.feedback = feedback_kind(options);
  world.mark_probability = options.real("mark-probability");
  world.irrelevant_marks = static_cast<std::int32_t>(options.integer("irrelevant-marks"));
  if (searched) {
    world.topics = searched->topics;
    world.given_words = searched->given_words;
  }
  return world;
}

double assumed_noise(const ParsedOptions& options) {
  if (options.has("assumed-noise")) return options.real("assumed-noise");
  const RewardKind kind = reward_kind(options.text("reward"));
  const bool is_sign = kind == RewardKind::logistic || kind == RewardKind::label;
  return is_sign ? 1.0 : options.real("noise");
}

PolicyOptions policy_options(const ParsedOptions& options) {
  PolicyOptions policy;
  for (const auto& [setting, option] : policy_setting_options())
    if (options.has(option.name)) static_cast<void>(set_setting(policy, *setting, setting_of(options, *setting, option.name)));
  policy.factor = options.text("factor") == "dense" ? FactorKind::dense : FactorKind::cholmod;
  policy.confidence.noise = assumed_noise(options);
  policy.confidence.norm_bound = options.real("norm-bound");
  policy.with_replacement = !options.flag("without-replacement");
  if (options.has("subset"))
    for (const std::int64_t feature : options.integers("subset")) policy.given.push_back(static_cast<FeatureId>(feature));
  return policy;
}

/// The settings that all entrants share.
Entrant shared_settings(const ParsedOptions& options) {
  Entrant entrant;
  entrant.options = policy_options(options);
  entrant.rounds = options.integer("rounds");
  entrant.seed = static_cast<std::uint64_t>(options.integer("seed"));
  if (options.has("explore-rounds")) entrant.explore_rounds = options.integer("explore-rounds");
  if (options.has("subset-size")) entrant.subset_size = static_cast<std::int32_t>(options.integer("subset-size"));
  entrant.words_told = static_cast<std::int32_t>(options.integer("show-words"));
  return entrant;
}

/// Throws UsageError for a setting that no policy that plays uses.
void check_settings(const ParsedOptions& options, const std::vector<Entrant>& entrants) {
  for (const auto& [setting, option] : policy_setting_options()) {
    const auto looks = [&](const Entrant& entrant) { return setting->used_by(entrant.preset); };
    if (options.given(option.name) && std::ranges::none_of(entrants, looks))
      throw UsageError::option(option.name, fmt::format("expected with --policy {}", users_of(*setting)));
  }
}

/// The name of its preset, and of its scoring if that was chosen.
std::string entrant_name(const Entrant& entrant) {
  const Scoring scoring = entrant.options.scoring;
  if (scoring == Scoring::automatic) return std::string(entrant.preset.name);
  return fmt::format("{} ({})", entrant.preset.name, scoring_name(scoring));
}

std::vector<Entrant> entrants_of(const ParsedOptions& options, const std::vector<std::string>& policies) {
  std::vector<Entrant> entrants;
  Entrant next = shared_settings(options);
  for (const std::string& name : policies) {
    next.preset = *find_any_preset(name);
    const bool tuned = options.flag("tune") && next.preset.scope == FeatureScope::Kind::all && next.preset.uses.ridge;
    const std::vector<double> ridges = tuned ? tuning_grid() : std::vector<double>{options.real("ridge")};
    for (const std::string& scoring : options.choices("scoring")) {
      next.options.scoring = value_of(scoring, kScoringNames).value();
      next.name = entrant_name(next);
      for (const double ridge : ridges) {
        next.options.ridge = ridge;
        entrants.push_back(next);
      }
      if (!next.preset.uses.scoring) break;
    }
  }
  return entrants;
}

/// The same pool in every trial, or a synthetic one for each.
std::function<World(std::uint64_t)> worlds_of(const std::optional<SearchedPool>& searched, const WorldOptions& options,
                                              std::uint64_t seed) {
  if (!searched) return [options, seed](std::uint64_t trial) { return make_synthetic_world(options, seed, trial); };
  return [view = searched->pool.view(), options, seed](std::uint64_t trial) { return make_world(view, options, seed, trial); };
}

/// "a, b and 3 more"
std::string some_of(const std::vector<std::string>& words) {
  constexpr std::size_t most_shown = 8;
  const auto shown = std::span(words).first(std::min(words.size(), most_shown));
  const std::string text = fmt::format("{}", fmt::join(shown, ", "));
  return words.size() <= most_shown ? text : fmt::format("{} and {} more", text, words.size() - most_shown);
}

std::vector<std::string> notes_on(const ParsedOptions& options, const std::optional<SearchedPool>& searched, const PoolSize& size,
                                  const std::vector<std::string>& policies) {
  std::vector<std::string> notes;
  if (searched && !searched->unknown_words.empty()) {
    notes.push_back(fmt::format("{}: {} found in the vocabulary of {}, {} not: {}", options.text("relevant-words"),
                                searched->given_words.size(), searched->pool.path(), searched->unknown_words.size(),
                                some_of(searched->unknown_words)));
  }
  if (policies.size() < options.choices("policy").size()) {
    notes.push_back(fmt::format("oful is left out: {} different documents on {} features are too many for it",
                                digit_groups(most_played(options, size)), digit_groups(size.features)));
  }
  return notes;
}

}  // namespace

Simulation simulation_of(const ParsedOptions& options) {
  check_source(options);
  Simulation simulation;
  simulation.searched = open_searched_pool(options);
  const std::optional<SearchedPool>& searched = simulation.searched;
  const PoolSize size = searched ? PoolSize{searched->pool.view().documents(), searched->pool.view().features()}
                                 : PoolSize{options.integer("documents"), options.integer("features")};
  const bool given = searched && !searched->given_words.empty();
  check_sizes(options, size, given ? static_cast<std::int64_t>(searched->given_words.size()) : options.integer("relevant"));
  const std::vector<std::string> policies = policies_for(options, size);
  simulation.world = world_options(options, searched);
  simulation.study.entrants = entrants_of(options, policies);
  check_settings(options, simulation.study.entrants);
  simulation.study.trials = options.integer("trials");
  simulation.study.world = worlds_of(searched, simulation.world, static_cast<std::uint64_t>(options.integer("seed")));
  simulation.notes = notes_on(options, searched, size, policies);
  return simulation;
}

std::vector<EntrantResult> best_ridges(const std::vector<EntrantResult>& results) {
  std::vector<EntrantResult> best;
  for (const EntrantResult& result : results) {
    const auto same = std::ranges::find_if(best, [&](const EntrantResult& other) {
      return other.entrant.preset.name == result.entrant.preset.name &&
             other.entrant.options.scoring == result.entrant.options.scoring;
    });
    if (same == best.end())
      best.push_back(result);
    else if (result.regret().mean < same->regret().mean)
      *same = result;
  }
  return best;
}

}  // namespace inkling::bench
