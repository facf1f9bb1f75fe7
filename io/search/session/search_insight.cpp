#include "io/search/session/search_insight.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

#include "engine/model/linear_model.hpp"
#include "engine/scoring/ranking.hpp"
#include "io/search/events/reason.hpp"
#include "io/search/session/word_parts.hpp"

namespace inkling {
namespace {

std::vector<LearnedWord> words_in_use(const LinearModel* model, const WordsSaid& said_of) {
  std::vector<LearnedWord> words;
  const auto in_use = model == nullptr ? std::span<const FeatureId>() : model->coordinates();
  words.reserve(in_use.size() + said_of.size());
  for (const FeatureId feature : in_use)
    words.push_back({.feature = feature, .weight = model->weight(feature)});
  std::vector<FeatureId> known(in_use.begin(), in_use.end());
  std::ranges::sort(known);
  for (const auto& [feature, said] : said_of) {
    if (!std::ranges::binary_search(known, feature)) words.push_back({.feature = feature});
  }
  return words;
}

/// Of words and parts alike.
template <typename Word>
void add_deviations(const LinearModel& model, std::span<Word> words) {
  std::vector<FeatureId> features;
  features.reserve(words.size());
  for (const Word& word : words) features.push_back(word.feature);
  const std::vector<double> variances = variances_of(model, features);
  for (std::size_t n = 0; n < words.size(); ++n) words[n].deviation = std::sqrt(variances[n]);
}

}  // namespace

Why why_of(const Policy& policy, PoolView pool, DocumentId document, const WordsSaid& said_of) {
  Why why = {.document = document};
  const LinearModel* const model = policy.learner() == nullptr ? nullptr : policy.learner()->model();
  if (model == nullptr || policy.features_in_use() == 0) return why;
  const SparseRow row = pool.by_document.row(document);
  const Prediction prediction = model->predict(row);
  const double square = std::max(prediction.square, 0.0);
  why.mean = prediction.mean;
  why.width = std::sqrt(square);
  why.base = model->base_mean();
  why.radius = policy.learner()->radius();
  const std::vector<ScorePart> parts = parts_of_document(*model, row);
  why.parts.reserve(parts.size());
  for (const ScorePart& part : parts) {
    const auto said = said_of.find(part.feature);
    const bool is_reason = said != said_of.end() && counts(said->second.word, *policy.learner());
    why.parts.push_back({.feature = part.feature,
                         .value = part.value,
                         .weight = part.weight,
                         .contribution = part.value * part.weight,
                         .width_share = square > 0.0 ? part.value * part.smoothed / square : 0.0,
                         .said = is_reason ? std::optional(said->second.word) : std::nullopt});
  }
  std::ranges::sort(why.parts, {}, [](const WordPart& part) {
    return std::tuple(-sort_key(std::fabs(part.contribution)), part.feature);
  });
  add_deviations(*model, std::span(why.parts).first(std::min(why.parts.size(), kDeviationsShown)));
  return why;
}

std::vector<LearnedWord> learned_words(const Policy& policy, const WordsSaid& said_of, std::size_t count) {
  const LinearModel* const model = policy.learner() == nullptr ? nullptr : policy.learner()->model();
  std::vector<LearnedWord> words = words_in_use(model, said_of);
  for (LearnedWord& word : words) {
    const auto said = said_of.find(word.feature);
    if (said == said_of.end()) continue;
    word.said = said->second.word;
    word.apart = said->second.apart;
  }
  std::ranges::sort(words, {}, [](const LearnedWord& word) {
    return std::tuple(-sort_key(std::fabs(word.weight)), !word.said, word.feature);
  });
  if (words.size() > count) words.resize(count);
  if (model != nullptr) add_deviations(*model, std::span(words));
  return words;
}

}  // namespace inkling
