// Worlds of simulated readers, and trials of policies in them.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "engine/core/check_id.hpp"
#include "engine/core/errors.hpp"
#include "engine/policy/exploration_schedule.hpp"
#include "io/doors/python/bindings.hpp"
#include "io/doors/python/core_pool.hpp"
#include "io/doors/python/python_glue.hpp"
#include "io/search/simulation/trial.hpp"

namespace inkling::python {
namespace {

using Ids = std::vector<std::int32_t>;

RewardKind reward_named(const std::string& name) {
  if (name == "linear") return RewardKind::linear;
  if (name == "document") return RewardKind::document;
  if (name == "logistic") return RewardKind::logistic;
  if (name == "label") return RewardKind::label;
  throw FormatError("reward '" + name + "'", "expected linear, document, logistic or label");
}

FeedbackKind marks_named(const std::string& name) {
  if (name == "oracle") return FeedbackKind::oracle;
  if (name == "noisy") return FeedbackKind::noisy;
  if (name == "none") return FeedbackKind::none;
  throw FormatError("marks '" + name + "'", "expected oracle, noisy or none");
}

void make_world_options(WorldOptions* self, const std::string& reward, const std::string& marks) {
  new (self) WorldOptions();
  self->reward = reward_named(reward);
  self->feedback = marks_named(marks);
}

World synthetic_world(const WorldOptions& options, std::int32_t documents, std::int32_t features, std::int32_t words, double zipf,
                      bool sphere, std::uint64_t seed, std::uint64_t trial) {
  const nb::gil_scoped_release released;
  WorldOptions all = options;
  all.pool = {documents, features, words, zipf, sphere ? SyntheticRows::sphere : SyntheticRows::word_counts};
  return make_synthetic_world(all, seed, trial);
}

World pool_world(const CorePool& pool, const WorldOptions& options, std::uint64_t seed, std::uint64_t trial) {
  const nb::gil_scoped_release released;
  return make_world(pool.view(), options, seed, trial);
}

/// Throws FormatError unless they ascend, each once, and are features of the pool.
void check_features(const Ids& features, PoolView pool) {
  for (std::size_t n = 0; n < features.size(); ++n) {
    check_id("feature", features[n], pool.features());
    if (n > 0 && features[n] <= features[n - 1]) throw FormatError("features", "expected them ascending, each once");
  }
}

RewardModel rewards_of(PoolView pool, const std::string& kind, const std::vector<double>& numbers, double noise) {
  const bool by_word = kind != "label";
  if (std::ssize(numbers) != (by_word ? pool.features() : pool.documents()))
    throw FormatError("numbers", by_word ? "expected a number for each word" : "expected a number for each document");
  if (kind == "linear") return RewardModel::linear(pool.by_document, numbers, noise);
  if (kind == "logistic") return RewardModel::logistic(pool.by_document, numbers);
  if (by_word) throw FormatError("reward '" + kind + "'", "expected linear, logistic or label");
  Ids is_wanted;
  is_wanted.reserve(numbers.size());
  for (const double number : numbers) is_wanted.push_back(number > 0.0 ? 1 : 0);
  return RewardModel::topic(is_wanted, 1);
}

using SharedMarks = std::shared_ptr<CsrMatrix>;

/// `numbers` are the weights of words, or labels of documents. The reader marks words of `relevant` and others at these rates or,
/// where `marked` is given, what it holds.
World made_world(const CorePool& pool, const std::string& reward, const std::vector<double>& numbers, double noise,
                 const Ids& relevant, std::pair<double, double> rates, const SharedMarks& marked) {
  const nb::gil_scoped_release released;
  check_features(relevant, pool.view());
  MarkModel marks =
      marked ? MarkModel::as_marked(marked, 1.0) : MarkModel(pool.view().features(), relevant, {rates.first, rates.second});
  return {pool.view(), rewards_of(pool.view(), reward, numbers, noise), std::move(marks), relevant, nullptr};
}

using TrialColumns = nb::typed<nb::dict, nb::str, nb::object>;

/// The columns of a trial, a number for each round but for `marks`.
struct Rounds {
  Ids documents = {};
  std::vector<std::uint8_t> explored = {};
  std::vector<double> rewards = {};
  std::vector<double> regrets = {};
  std::vector<double> radii = {};  // NaN where there is none
  std::vector<std::int64_t> mark_ends = {};
  Ids marks = {};

  void add(const RoundRecord& record) {
    documents.push_back(record.play.document);
    explored.push_back(record.play.explored ? 1 : 0);
    rewards.push_back(record.reward);
    regrets.push_back(record.regret);
    radii.push_back(record.play.radius.value_or(std::numeric_limits<double>::quiet_NaN()));
    marks.insert(marks.end(), record.new_features.begin(), record.new_features.end());
    mark_ends.push_back(std::ssize(marks));
  }

  void move_to(TrialColumns& to) {
    to["documents"] = array_of(std::move(documents));
    to["explored"] = array_of(std::move(explored)).cast();
    to["rewards"] = array_of(std::move(rewards));
    to["regrets"] = array_of(std::move(regrets));
    to["radii"] = array_of(std::move(radii));
    to["mark_ends"] = array_of(std::move(mark_ends));
    to["marks"] = array_of(std::move(marks));
  }
};

TrialColumns dictionary_of(TrialResult& result, Rounds& rounds) {
  TrialColumns all;
  all["regret"] = result.regret;
  all["reward"] = result.reward;
  all["explored_rounds"] = result.explored;
  all["features_found"] = result.features_found;
  all["all_found_at"] = result.all_found_at;
  all["curve"] = array_of(std::move(result.curve));
  all["seconds"] = result.decision_seconds;
  all["slowest"] = result.slowest_seconds;
  std::vector<std::pair<FeatureId, double>> words;
  words.reserve(result.words.size());
  for (const WeighedWord& word : result.words) words.emplace_back(word.feature, word.weight);
  all["words"] = words;
  all["wanted"] = result.finds ? nb::cast(result.finds->there) : nb::none();
  all["found_at"] = array_of(result.finds ? std::move(result.finds->at) : std::vector<std::int64_t>());
  all["guesses"] = array_of(result.finds ? std::move(result.finds->guesses) : std::vector<double>());
  rounds.move_to(all);
  return all;
}

void check_trial(const World& world, const Entrant& entrant) {
  const std::int64_t left = world.pool.documents() - std::ssize(world.start.documents);
  if (entrant.rounds < 1) throw FormatError("rounds", "expected at least 1");
  if (!entrant.options.with_replacement && entrant.rounds > left)
    throw FormatError("rounds", "expected at most " + std::to_string(left) + ", the documents of the pool, without replacement");
  check_features(entrant.options.given, world.pool);
}

TrialColumns play_trial(const World& world, const Entrant& entrant, std::uint64_t trial, int threads) {
  check_trial(world, entrant);
  TrialResult result;
  Rounds rounds;
  LongWork work;
  work.run(threads, [&] {
    result = run_trial(world, entrant, trial, [&](const RoundRecord& record) {
      work.stopped();
      rounds.add(record);
    });
  });
  return dictionary_of(result, rounds);
}

void make_entrant(Entrant* self, const Preset& preset, const PolicyOptions& options, std::int64_t rounds, std::uint64_t seed,
                  bool with_replacement) {
  new (self) Entrant{.name = std::string(preset.name), .preset = preset, .options = options, .rounds = rounds, .seed = seed};
  self->options.with_replacement = with_replacement;
  // A factor of all features has no zeros: then the dense form takes two thirds of the time.
  if (preset.scope == FeatureScope::Kind::all) self->options.factor = FactorKind::dense;
  if (options.first_rounds > 0) self->explore_rounds = options.first_rounds;
}

/// Of a random play in each round after the first mark.
ArrayOut<double> exploration_probabilities(const Preset& preset, const PolicyOptions& options, std::int64_t rounds) {
  const ExplorationSchedule schedule{.kind = preset.explores, .epoch_constant = options.epoch_constant};
  std::vector<double> probabilities;
  probabilities.reserve(static_cast<std::size_t>(std::max<std::int64_t>(rounds, 0)));
  for (std::int64_t t = 1; t <= rounds; ++t) probabilities.push_back(schedule.probability({t, t}));
  return array_of(std::move(probabilities));
}

}  // namespace

void bind_trials(nb::module_& module) {
  nb::class_<WorldOptions>(module, "WorldOptions", "How the truth of a world is drawn, and what its reader marks.")
      .def("__init__", make_world_options, nb::arg("reward"), nb::arg("marks"))
      .def_rw("relevant", &WorldOptions::relevant)
      .def_rw("norm", &WorldOptions::norm_bound)
      .def_rw("noise", &WorldOptions::noise)
      .def_rw("topic_share", &WorldOptions::topic_share)
      .def_rw("mark_probability", &WorldOptions::mark_probability)
      .def_rw("irrelevant_marks", &WorldOptions::irrelevant_marks);
  nb::class_<World>(module, "World", "A pool with a simulated reader.")
      .def_prop_ro("documents", [](const World& world) { return world.pool.documents(); })
      .def_prop_ro("features", [](const World& world) { return world.pool.features(); })
      .def_prop_ro(
          "relevant", [](const World& world) { return array_of(Ids(world.relevant)); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "expected", [](const World& world) { return array_of(std::vector<double>(world.rewards.expected())); },
          nb::rv_policy::automatic)
      .def(
          "begin_with_words",
          [](World& world, const Ids& words, double confidence) {
            for (const FeatureId word : words) {
              check_id("feature", word, world.pool.features());
              world.start.words.push_back({.feature = word, .confidence = confidence});
            }
          },
          nb::arg("words"), nb::arg("confidence") = 1.0)
      .def("begin_without_documents", [](World& world) { world.start.documents.clear(); })
      .def("rounds_to_find_all", [](const World& world, std::int64_t most) { return rounds_to_find_all(world, most); })
      .def("holders", [](const World& world) {  // of each relevant word
        std::vector<std::int64_t> holders;
        holders.reserve(world.relevant.size());
        for (const FeatureId feature : world.relevant) holders.push_back(std::ssize(world.pool.by_feature.row(feature).features));
        return array_of(std::move(holders));
      });
  nb::class_<CsrMatrix>(module, "MarkedWords", "What people marked in each document.")
      .def(nb::new_([](std::int32_t columns, std::vector<std::int64_t> offsets, Ids features) {
             std::vector<float> ones(features.size(), 1.0F);
             return std::make_shared<CsrMatrix>(columns, std::move(offsets), std::move(features), std::move(ones));
           }),
           nb::arg("features"), nb::arg("offsets"), nb::arg("marked"));
  module.def("synthetic_world", synthetic_world, nb::arg("options"), nb::arg("documents"), nb::arg("features"), nb::arg("words"),
             nb::arg("zipf"), nb::arg("sphere"), nb::arg("seed"), nb::arg("trial"));
  module.def("pool_world", pool_world, nb::arg("pool"), nb::arg("options"), nb::arg("seed"), nb::arg("trial"),
             nb::keep_alive<0, 1>());
  module.def("made_world", made_world, nb::arg("pool"), nb::arg("reward"), nb::arg("numbers"), nb::arg("noise"),
             nb::arg("relevant"), nb::arg("rates"), nb::arg("marked").none(), nb::keep_alive<0, 1>());

  nb::class_<Preset>(module, "Preset", "A policy by its name.")
      .def(
          "__init__", [](Preset* self, const std::string& name) { new (self) Preset(preset_named(name)); }, nb::arg("name"))
      .def_prop_ro("name", [](const Preset& preset) { return std::string(preset.name); });
  nb::class_<Entrant>(module, "Entrant", "A policy with its settings.")
      .def("__init__", make_entrant, nb::arg("preset"), nb::arg("options"), nb::arg("rounds"), nb::arg("seed"),
           nb::arg("with_replacement"))
      .def_rw("subset_size", &Entrant::subset_size)
      .def_rw("words_told", &Entrant::words_told)
      .def_rw("guesses_every", &Entrant::guesses_every)
      .def_rw("words_at_standstill", &Entrant::words_at_standstill)
      .def(
          "end",
          [](Entrant& entrant, double share_found, std::int64_t least_rounds, std::int64_t more_rounds) {
            entrant.end = SearchEnd{share_found, least_rounds, more_rounds};
          },
          nb::arg("share_found"), nb::arg("least_rounds"), nb::arg("more_rounds"));
  module.def("exploration_probabilities", exploration_probabilities, nb::arg("preset"), nb::arg("options"), nb::arg("rounds"));
  module.def("run_trial", play_trial, nb::arg("world"), nb::arg("entrant"), nb::arg("trial"), nb::arg("threads"));
}

}  // namespace inkling::python
