#include "bench/simulation/simulate_options.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "engine/policy/presets.hpp"

namespace inkling::bench {
namespace {

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.emplace_back(preset.name);
  return names;
}

std::string policy_help() {
  std::string help = "who plays, each in the same worlds:";
  for (const Preset& preset : presets()) help += fmt::format(" {}: {};", preset.name, preset.summary);
  help.back() = '.';
  return help;
}

OptionGroup pool_options() {
  return {"The pool",
          {{"documents", Integer{1, 100'000'000}, "N", "1000", "documents in the pool"},
           {"features", Integer{1, 100'000'000}, "D", "40", "words in the vocabulary"},
           {"words", Integer{1, 100'000}, "W", "8",
            "words drawn for a document; its row holds their counts at unit length"},
           {"zipf", Real::from_to(0.0, 10.0), "EXPONENT", "0",
            "draw word j with probability proportional to j^-EXPONENT; 0 draws all alike"},
           {"relevant", Integer{1, 100'000'000}, "K", "5", "words that matter: the non-zeros of theta*"},
           {"relevant-frequency", RealPair{Real::from_to(0.0, 1.0)}, "LOW,HIGH", "0,1",
            "draw the relevant words among those that this share of the documents holds"},
           {"without-replacement", Flag{}, "", std::nullopt, "show each document once"}}};
}

OptionGroup reader_options() {
  return {"The reader",
          {{"reward", Choice{{"linear", "document", "logistic", "label"}}, "MODEL", "linear",
            "linear: x.theta* with Gaussian noise; document: the same, a random document is theta*; "
            "logistic: +1 with "
            "probability 1/(1 + exp(-x.theta*)), else -1; label: +1 in one topic, -1 in the rest"},
           {"noise", Real::from_to(0.0, 1e6), "R", "0.1", "standard deviation of a linear reward"},
           {"norm-bound", Real::above_up_to(0.0, 1e6), "S", "1",
            "norm of theta*, and the bound the policies are told"},
           {"topic-share", Real::between(0.0, 1.0), "SHARE", "0.2",
            "with --reward label, the share of documents in the topic: those of highest x.theta*"},
           {"feedback", Choice{{"oracle", "noisy", "none"}}, "MODEL", std::nullopt,
            "oracle: relevant words are marked; noisy: some irrelevant ones too; none: no marks "
            "(default: oracle, or noisy where --irrelevant-marks is given)"},
           {"mark-probability", Real::from_to(0.0, 1.0), "P", "0.1",
            "with which each such word of a document is marked"},
           {"irrelevant-marks", Integer{0, 100'000'000}, "N", "0",
            "fixed irrelevant words that are marked likewise"}}};
}

OptionGroup policy_options() {
  return {
      "The policies",
      {{"policy", ChoiceList{policy_names()}, "NAME[,NAME...]", "random,oful,explore-then-commit,ff-oful",
        policy_help()},
       {"ridge", Real::above_up_to(0.0, 1e12), "LAMBDA", "1", "the ridge of every policy"},
       {"tune", Flag{}, "", std::nullopt,
        "run oful at 2^-7 ... 2^10 in place of --ridge and keep the ridge of least mean regret, as the paper "
        "does"},
       {"assumed-noise", Real::from_to(0.0, 1e6), "R", std::nullopt,
        "the noise scale the policies are told (default: --noise; 1 where rewards are +1 or -1)"},
       {"delta", Real::between(0.0, 1.0), "DELTA", "0.1", "probability with which a confidence set may fail"},
       {"epoch-constant", Real::above_up_to(0.0, 1e6), "C", "1", "c of ff-oful-epoch"},
       {"explore-rounds", Integer{0, 1'000'000'000}, "T0", std::nullopt,
        "random rounds of explore-then-commit (default: the fewest that mark every relevant word with "
        "probability "
        "0.95, at most half)"},
       {"subset", IntegerList{Integer{0, 100'000'000}}, "J,J,...", std::nullopt,
        "the features of oful-subset"},
       {"subset-size", Integer{1, 100'000'000}, "N", std::nullopt,
        "or so many of the relevant ones at random (default: all of them)"},
       {"scoring", ChoiceList{{"running", "rescoring"}}, "NAME[,NAME]", "running",
        "how optimism finds its document; rescoring is the plain way, a triangular solve for each document"},
       {"factor", Choice{{"cholmod", "dense"}}, "KIND", "cholmod", "how the Cholesky factor is stored"}}};
}

OptionGroup run_options() {
  return {"The run",
          {{"rounds", Integer{1, 1'000'000'000}, "T", "1024", "rounds of a trial"},
           {"trials", Integer{1, 1'000'000}, "N", "10", "independent trials, run in parallel"},
           {"seed", Integer{0, INT64_MAX}, "SEED", "1",
            "the same seed gives the same output, at any number of threads"},
           {"threads", Integer{1, 1024}, "N", std::nullopt,
            "threads to use (default: all that this process may)"}}};
}

OptionGroup output_options() {
  return {
      "Output",
      {{"json", Flag{}, "", std::nullopt,
        "one JSON object a policy instead of a table; regret, reward, features_found and explored are sums "
        "over the "
        "rounds of a trial, averaged over trials"},
       {"trace", Path{}, "FILE.jsonl", std::nullopt,
        "write every round of every trial, a JSON object a line, with the regret of that round alone; it "
        "names its "
        "policy where several play"},
       {"svg", Path{}, "FILE.svg", std::nullopt, "write the regret curves as a picture"},
       {"csv", Path{}, "FILE.csv", std::nullopt, "write the regret curves as numbers"}}};
}

/// Throws UsageError unless option `name` is at most `most`, which is `why`.
void check_at_most(const ParsedOptions& options, const char* name, std::int64_t least, std::int64_t most,
                   const char* why) {
  if (!options.has(name) || options.integer(name) <= most) return;
  throw UsageError::option(
      name, fmt::format("expected {} to {} ({}), got {}", least, most, why, options.integer(name)));
}

void check_together(const ParsedOptions& options) {
  const std::int64_t features = options.integer("features");
  const std::int64_t relevant = options.integer("relevant");
  check_at_most(options, "relevant", 1, features, "the number of --features");
  check_at_most(options, "irrelevant-marks", 0, features - relevant, "--features that are not --relevant");
  check_at_most(options, "subset-size", 1, relevant, "the number of --relevant");
  if (options.flag("without-replacement")) {
    check_at_most(options, "rounds", 1, options.integer("documents"),
                  "the number of --documents, each shown once");
  }
  check_at_most(options, "words", 1,
                std::max<std::int64_t>(1, (std::int64_t{1} << 31) / options.integer("documents")),
                "so that --documents times --words stays below 2^31");
  if (options.has("subset")) {
    for (const std::int64_t feature : options.integers("subset")) {
      if (feature >= features) {
        throw UsageError::option(
            "subset", fmt::format("expected features from 0 to {}, got {}", features - 1, feature));
      }
    }
  }
  for (const std::string& name : options.choices("policy")) {
    if (find_preset(name)->scope == FeatureScope::Kind::all && features > kLargestGram) {
      throw UsageError::option("features",
                               fmt::format("expected 1 to {} with --policy {}, whose gram holds every pair "
                                           "of features, got {}",
                                           kLargestGram, name, features));
    }
  }
  if (options.has("feedback") && options.text("feedback") != "noisy" &&
      options.integer("irrelevant-marks") > 0) {
    throw UsageError::option("feedback",
                             fmt::format("expected noisy with --irrelevant-marks {}, got '{}'",
                                         options.integer("irrelevant-marks"), options.text("feedback")));
  }
}

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

WorldOptions world_options(const ParsedOptions& options) {
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
  return trial;
}

}  // namespace

OptionTable simulate_option_table() {
  return OptionTable(
      {"inkling-bench simulate",
       "Lets policies search a synthetic pool for what a simulated reader likes, and counts their regret.",
       "inkling-bench simulate --noise 0.5 --rounds 4096 --trials 50 --policy oful,ff-oful",
       {pool_options(), reader_options(), policy_options(), run_options(), output_options()}});
}

ExperimentOptions experiment_options(const ParsedOptions& options) {
  check_together(options);
  return {world_options(options), trial_options(options), options.integer("trials")};
}

std::vector<Contestant> contestants_of(const ParsedOptions& options) {
  std::vector<Contestant> contestants;
  for (const std::string& name : options.choices("policy")) {
    const Preset preset = *find_preset(name);
    const bool tuned = options.flag("tune") && preset.scope == FeatureScope::Kind::all;
    const std::vector<double> ridges = tuned ? tuning_grid() : std::vector<double>{options.real("ridge")};
    for (const std::string& scoring : options.choices("scoring")) {
      if (scoring == "rescoring" && preset.learner != LearnerKind::optimism) continue;
      for (const double ridge : ridges) {
        contestants.push_back({preset, ridge, scoring == "running" ? Scoring::running : Scoring::rescoring});
      }
    }
  }
  return contestants;
}

std::vector<ContestantResult> best_ridges(const std::vector<ContestantResult>& results) {
  std::vector<ContestantResult> best;
  for (const ContestantResult& result : results) {
    const auto same = std::ranges::find_if(best, [&](const ContestantResult& other) {
      return other.contestant.preset.name == result.contestant.preset.name &&
             other.contestant.scoring == result.contestant.scoring;
    });
    if (same == best.end()) {
      best.push_back(result);
    } else if (result.regret.mean < same->regret.mean) {
      *same = result;
    }
  }
  return best;
}

}  // namespace inkling::bench
