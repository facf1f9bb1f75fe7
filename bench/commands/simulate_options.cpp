#include "bench/commands/simulate_options.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "bench/commands/simulate_checks.hpp"
#include "bench/rivals/rival_presets.hpp"
#include "bench/studies/paper_settings.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

RewardKind reward_kind(const std::string& name) {
  if (name == "document") return RewardKind::document;
  if (name == "logistic") return RewardKind::logistic;
  return name == "label" ? RewardKind::label : RewardKind::linear;
}

FeedbackKind feedback_kind(const ParsedOptions& options) {
  if (!options.has("feedback")) {
    return options.integer("irrelevant-marks") > 0 ? FeedbackKind::noisy : FeedbackKind::oracle;
  }
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

TrialOptions trial_options(const ParsedOptions& options) {
  TrialOptions trial;
  trial.rounds = options.integer("rounds");
  trial.with_replacement = !options.flag("without-replacement");
  trial.confidence = {assumed_noise(options), options.real("norm-bound"), options.real("delta")};
  trial.factor = options.text("factor") == "dense" ? FactorKind::dense : FactorKind::cholmod;
  trial.epoch_constant = options.real("epoch-constant");
  if (options.has("explore-rounds")) trial.explore_rounds = options.integer("explore-rounds");
  if (options.has("subset")) {
    for (const std::int64_t feature : options.integers("subset")) {
      trial.subset.push_back(static_cast<FeatureId>(feature));
    }
  }
  if (options.has("subset-size"))
    trial.subset_size = static_cast<std::int32_t>(options.integer("subset-size"));
  trial.seed = static_cast<std::uint64_t>(options.integer("seed"));
  trial.words_told = static_cast<std::int32_t>(options.integer("show-words"));
  return trial;
}

/// Requires: the name of one.
Scoring scoring_of(const std::string& name) { return value_of(name, kScoringNames).value(); }

/// The settings that all contestants share.
Contestant settings_of(const ParsedOptions& options) {
  const auto real_or_rule = [&](const char* name) { return options.has(name) ? options.real(name) : 0.0; };
  Contestant contestant;
  contestant.radius = options.choice("radius", kRadiusNames);
  contestant.forced_exploration = options.flag("forced-exploration");
  contestant.soft_marks = {.unmarked_precision = real_or_rule("unmarked-precision"),
                           .marked_precision = real_or_rule("marked-precision"),
                           .mark_probability = real_or_rule("mark-probability-assumed")};
  return contestant;
}

RivalOptions rival_options(const ParsedOptions& options) {
  RivalOptions rivals;
  rivals.sketch.directions = static_cast<std::int32_t>(options.integer("sketch-directions"));
  rivals.projection.dimensions = static_cast<std::int32_t>(options.integer("projection-dimensions"));
  rivals.lasso.scale = options.real("lasso-scale");
  return rivals;
}

std::vector<Entrant> entrants_of(const ParsedOptions& options, const std::vector<std::string>& policies) {
  std::vector<Entrant> entrants;
  Contestant next = settings_of(options);
  const TrialOptions trial = trial_options(options);
  for (const std::string& name : policies) {
    next.preset = *find_any_preset(name, rival_options(options));
    const bool tuned =
        options.flag("tune") && next.preset.scope == FeatureScope::Kind::all && next.preset.uses.ridge;
    const std::vector<double> ridges = tuned ? tuning_grid() : std::vector<double>{options.real("ridge")};
    for (const std::string& scoring : options.choices("scoring")) {
      next.scoring = scoring_of(scoring);
      for (const double ridge : ridges) {
        next.ridge = ridge;
        entrants.push_back({.name = contestant_name(next), .contestant = next, .options = trial});
      }
      if (!next.preset.uses.scoring) break;
    }
  }
  return entrants;
}

/// The same pool in every trial, or a synthetic one for each.
std::function<World(std::uint64_t)> worlds_of(const std::optional<NamedPool>& pool,
                                              const WorldOptions& options, std::uint64_t seed) {
  if (!pool) {
    return [options, seed](std::uint64_t trial) { return make_synthetic_world(options, seed, trial); };
  }
  return [view = pool->view, options, seed](std::uint64_t trial) {
    return make_world(view, options, seed, trial);
  };
}

/// "a, b and 3 more"
std::string some_of(const std::vector<std::string>& words) {
  constexpr std::size_t most_shown = 8;
  std::string text;
  for (std::size_t n = 0; n < std::min(words.size(), most_shown); ++n) {
    text += (n == 0 ? "" : ", ") + words[n];
  }
  return words.size() <= most_shown ? text : fmt::format("{} and {} more", text, words.size() - most_shown);
}

std::vector<std::string> notes_on(const ParsedOptions& options, const std::optional<SearchedPool>& searched,
                                  const PoolSize& size, const std::vector<std::string>& policies) {
  std::vector<std::string> notes;
  if (searched && !searched->unknown_words.empty()) {
    notes.push_back(fmt::format("{}: {} found in the vocabulary of {}, {} not: {}",
                                options.text("relevant-words"), searched->given_words.size(),
                                searched->pool.path(), searched->unknown_words.size(),
                                some_of(searched->unknown_words)));
  }
  if (policies.size() < options.choices("policy").size()) {
    notes.push_back(fmt::format("oful is left out: {} different documents on {} features are too many for it",
                                digit_groups(static_cast<std::uint64_t>(most_played(options, size))),
                                digit_groups(static_cast<std::uint64_t>(size.features))));
  }
  return notes;
}

}  // namespace

Simulation simulation_of(const ParsedOptions& options) {
  check_source(options);
  Simulation simulation;
  simulation.searched = open_searched_pool(options);
  const std::optional<SearchedPool>& searched = simulation.searched;
  const PoolSize size = size_of_pool(options, searched);
  const bool given = searched && !searched->given_words.empty();
  check_sizes(options, size,
              given ? static_cast<std::int64_t>(searched->given_words.size()) : options.integer("relevant"));
  const std::vector<std::string> policies = policies_for(options, size);
  if (searched) simulation.pool = NamedPool{searched->pool.path(), searched->pool.view()};
  simulation.world = world_options(options, searched);
  simulation.study.entrants = entrants_of(options, policies);
  simulation.study.trials = options.integer("trials");
  simulation.study.world =
      worlds_of(simulation.pool, simulation.world, static_cast<std::uint64_t>(options.integer("seed")));
  simulation.notes = notes_on(options, searched, size, policies);
  return simulation;
}

std::vector<EntrantResult> best_ridges(const std::vector<EntrantResult>& results) {
  std::vector<EntrantResult> best;
  for (const EntrantResult& result : results) {
    const auto same = std::ranges::find_if(best, [&](const EntrantResult& other) {
      return other.entrant.contestant.preset.name == result.entrant.contestant.preset.name &&
             other.entrant.contestant.scoring == result.entrant.contestant.scoring;
    });
    if (same == best.end()) {
      best.push_back(result);
    } else if (result.regret().mean < same->regret().mean) {
      *same = result;
    }
  }
  return best;
}

}  // namespace inkling::bench
