// The table of options of `inkling-bench simulate`.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/commands/simulate_options.hpp"
#include "bench/rivals/rival_presets.hpp"
#include "engine/policy/policy_settings.hpp"
#include "io/doors/cli/learning_options.hpp"
#include "io/doors/cli/threads_option.hpp"

namespace inkling::bench {
namespace {

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const Preset& preset : all_presets()) names.emplace_back(preset.name);
  return names;
}

std::string policy_help() {
  std::string help = "who plays, each in the same worlds:";
  for (const Preset& preset : presets()) help += fmt::format(" {}: {};", preset.name, preset.summary);
  help.back() = '.';
  return help;
}

OptionGroup synthetic_options() {
  return {"Synthetic pools, one for each trial",
          {{"documents", Integer{1, 100'000'000}, "N", "1000", "documents in the pool"},
           {"features", Integer{1, 100'000'000}, "D", "40", "words in the vocabulary"},
           {"words", Integer{1, 100'000}, "W", "8", "words drawn for a document; its row holds their counts at unit length"},
           {"zipf", Real::from_to(0.0, 10.0), "EXPONENT", "0",
            "draw word j with probability proportional to j^-EXPONENT; 0 draws all alike"},
           {"topic-share", Real::between(0.0, 1.0), "SHARE", "0.2",
            "with --reward label, the share of documents in the topic: those of highest x.theta*"}}};
}

OptionGroup pool_options() {
  return {"A pool of inkling build instead",
          {{"pool", Path{}, "POOL", std::nullopt, "search this pool in every trial"},
           {"trust", Flag{}, "", std::nullopt, "do not check the checksums of its files"},
           {"topic", Text{}, "LABEL", std::nullopt,
            "with --reward label, the label that the reader wants (default: one at random for each trial)"},
           {"relevant-words", Path{}, "FILE", std::nullopt,
            "the words that matter, one a line, in place of --relevant; lines that begin with # are left out"}}};
}

OptionGroup reader_options() {
  return {
      "The reader",
      {{"reward", Choice{{"linear", "document", "logistic", "label"}}, "MODEL", "linear",
        "linear: x.theta* with Gaussian noise; document: the same, a random document is theta*; "
        "logistic: +1 with probability 1/(1 + exp(-x.theta*)), else -1; "
        "label: +1 in one topic, -1 in the rest"},
       option_as("noise", "noise", "standard deviation of a linear reward"),
       {"norm-bound", Real::above_up_to(0.0, 1e6), "S", "1", "norm of theta*, and the bound given to the policies"},
       {"relevant", Integer{1, 100'000'000}, "K", "5",
        "words that matter: the non-zeros of theta*; with --pool and --reward label, "
        "those that tell the topic from the rest best (log-odds with a prior)"},
       {"relevant-frequency", RealPair{Real::from_to(0.0, 1.0)}, "LOW,HIGH", "0,1",
        "take the relevant words from those that this share of the documents holds"},
       {"feedback", Choice{{"oracle", "noisy", "none"}}, "MODEL", std::nullopt,
        "oracle: relevant words are marked; noisy: some irrelevant ones too; none: no marks "
        "(default: oracle, or noisy where --irrelevant-marks is given)"},
       {"mark-probability", Real::from_to(0.0, 1.0), "P", "0.1", "probability with which each such word of a document is marked"},
       {"irrelevant-marks", Integer{0, 100'000'000}, "N", "0", "fixed irrelevant words that are marked likewise"},
       {"without-replacement", Flag{}, "", std::nullopt, "show each document once"}}};
}

OptionGroup policy_options() {
  return {"The policies",
          {{"policy", ChoiceList{policy_names()}, "NAME[,NAME...]", "random,oful,explore-then-commit,ff-oful", policy_help()},
           {"tune", Flag{}, "", std::nullopt,
            "run oful and thompson at 2^-7 ... 2^10 in place of --ridge and keep "
            "the ridge of least mean regret, as the paper does with oful"},
           {"explore-rounds", Integer{0, 1'000'000'000}, "T0", std::nullopt,
            "random rounds of explore-then-commit (default: the fewest that mark every relevant word with "
            "probability 0.95, at most half)"},
           {"subset", IntegerList{Integer{0, 100'000'000}}, "J,J,...", std::nullopt, "the features of oful-subset"},
           {"subset-size", Integer{1, 100'000'000}, "N", std::nullopt,
            "or this number of relevant ones, drawn at random (default: all of them)"},
           {"scoring", ChoiceList{names_of(kScoringNames)}, "NAME[,NAME]", "automatic",
            "how optimism finds its document: running keeps every score; rescoring is the plain way, a "
            "triangular solve for each document, and finds the same one; sublinear looks only at documents "
            "that could win, and may find another one where only rounding tells documents apart; automatic "
            "is running for oful, sublinear for all others"},
           {"factor", Choice{{"cholmod", "dense"}}, "KIND", "cholmod", "how the Cholesky factor is stored"}}};
}

OptionGroup setting_options() {
  OptionGroup group = {"Settings of policies", {}};
  for (PolicyOption& setting : policy_setting_options()) group.options.push_back(std::move(setting.option));
  return group;
}

OptionGroup run_options() {
  return {"The run",
          {{"rounds", Integer{1, 1'000'000'000}, "T", "1024", "rounds of a trial"},
           {"trials", Integer{1, 1'000'000}, "N", "10", "independent trials, run in parallel"},
           {"seed", Integer{0, INT64_MAX}, "SEED", "1", "the same seed gives the same output, at any number of threads"},
           threads_option()}};
}

OptionGroup simulate_output_options() {
  return {"Output",
          {{"json", Flag{}, "", std::nullopt,
            "one JSON object a policy instead of a table; regret, reward, features_found and explored are sums "
            "over the rounds of a trial, averaged over trials; with --without-replacement regret is against the "
            "best sequence of documents"},
           {"show-words", Integer{0, 1'000'000}, "N", "0",
            "show the N words of largest weight that each policy learned in the first trial"},
           {"trace", Path{}, "FILE.jsonl", std::nullopt,
            "write every round of every trial, a JSON object a line, with the regret of that round alone; it "
            "names its policy where several play, and its scoring where several are compared"},
           {"svg", Path{}, "FILE.svg", std::nullopt, "draw the regret curves into this SVG, PNG or PDF, with python3-matplotlib"},
           {"csv", Path{}, "FILE.csv", std::nullopt, "write the regret curves as numbers"}}};
}

}  // namespace

Option option_as(std::string_view setting, std::string name, std::string help) {
  Option option = option_of(*find_setting(setting));
  option.name = std::move(name);
  option.help = std::move(help);
  return option;
}

std::vector<PolicyOption> policy_setting_options() {
  std::vector<PolicyOption> options;
  for (const PolicySetting& setting : policy_settings()) {
    const std::string_view name = setting.name;
    const bool of_trial = setting.part == SettingOf::play && name != "epoch_constant" && name != "forced_exploration";
    if (!of_trial && name != "norm_bound") options.push_back({&setting, option_of(setting)});
    if (name == "noise") {
      options.back().option =
          option_as(name, "assumed-noise", "the noise scale given to the policies (default: --noise; 1 if rewards are +1 or -1)");
      options.back().option.otherwise.reset();
    }
    if (name == "mark_probability") options.back().option.name = "mark-probability-assumed";
  }
  return options;
}

OptionTable simulate_option_table() {
  return OptionTable({"inkling-bench simulate",
                      "Counts the regret of policies that search for a simulated reader.",
                      "inkling-bench simulate --noise 0.5 --rounds 4096 --trials 50 --policy oful,ff-oful",
                      {synthetic_options(), pool_options(), reader_options(), policy_options(), setting_options(), run_options(),
                       simulate_output_options()},
                      {},
                      {"pool", "reward", "topic", "relevant-words", "without-replacement", "policy", "rounds", "trials", "seed",
                       "show-words", "svg", "json"}});
}

}  // namespace inkling::bench
