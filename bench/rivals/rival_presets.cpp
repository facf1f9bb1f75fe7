#include "bench/rivals/rival_presets.hpp"

#include <algorithm>
#include <iterator>
#include <memory>

namespace inkling::bench {
namespace {

/// Rivals use every feature from the start and have no random rounds besides those of their own rule.
Preset rival(std::string_view name, std::string_view summary, std::vector<PresetSetting> settings, LearnerFactory learner) {
  return {.name = name,
          .summary = summary,
          .explores = ExplorationSchedule::Kind::never,
          .scope = FeatureScope::Kind::all,
          .learner = std::move(learner),
          .keeps_matrix = false,
          .settings = std::move(settings)};
}

}  // namespace

Preset classifier_rival(std::string_view name, std::string_view summary, const ClassifierLearnerOptions& options) {
  return rival(name, summary, {{"cost", options.cost}}, [options](PoolView pool, const PolicyOptions& /*policy*/) {
    return std::make_unique<ClassifierLearner>(pool, options);
  });
}

Preset autotar() {
  return classifier_rival("autotar", "AutoTAR (BMI): logistic regression, 100 documents presumed useless, batches that grow",
                          {.cost = 100.0, .presumed = 100, .batches = Batches::growing});
}

Preset asreview() {
  return classifier_rival("asreview", "ASReview's default model (elas_u4) on the features of the pool: a balanced linear SVM",
                          {.loss = ClassifierLoss::squared_hinge, .cost = 0.11, .balance = 9.8, .learns_from_one_side = false});
}

Preset greedy_logistic() {
  return classifier_rival("greedy-logistic", "the best document by logistic regression, in batches that grow as autotar's",
                          {.batches = Batches::growing});
}

Preset greedy_svm() {
  return classifier_rival("greedy-svm", "the best document by a linear SVM, trained after every rating",
                          {.loss = ClassifierLoss::squared_hinge});
}

Preset rocchio() {
  return rival("rocchio", "the best document by Rocchio's formula, with the marked words as the query", {},
               [](PoolView pool, const PolicyOptions& /*policy*/) { return std::make_unique<RocchioLearner>(pool); });
}

Preset word_documents() {
  return classifier_rival("word-documents",
                          "logistic regression in which a marked word is a wanted document (Raghavan and Allan)",
                          {.marks = {.use = MarkUse::documents}});
}

Preset contrast() {
  return classifier_rival(
      "contrast", "a linear SVM in which a document without its marked words must score lower (Zaidan and others)",
      {.loss = ClassifierLoss::squared_hinge, .cost = 0.1, .marks = {.use = MarkUse::contrasts, .cost = 0.1, .margin = 0.3}});
}

std::vector<Preset> rivals_of_practice() {
  return {autotar(), asreview(), greedy_logistic(), greedy_svm(), rocchio(), word_documents(), contrast()};
}

std::vector<Preset> all_presets() {
  std::vector<Preset> all(presets().begin(), presets().end());
  std::ranges::move(rivals_of_practice(), std::back_inserter(all));
  return all;
}

std::optional<Preset> find_any_preset(std::string_view name) {
  for (Preset& preset : all_presets())
    if (preset.name == name) return std::move(preset);
  return std::nullopt;
}

}  // namespace inkling::bench
