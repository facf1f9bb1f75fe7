#include "io/session/search_insight.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "engine/model/dual_ridge_model.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/scoring/scan/joint_scan.hpp"

namespace inkling {
namespace {

std::vector<ScorePart> score_parts(const LinearModel& model, SparseRow row) {
  if (const DualRidgeModel* dual = model.dual()) return DualScan(*dual).parts_of(row);
  return BatchScan(*model.primal()).parts_of(row);
}

double deviation_of(const LinearModel& model, FeatureId feature) {
  const float one = 1.0F;
  return std::sqrt(std::max(model.predict({std::span(&feature, 1), std::span(&one, 1)}).square, 0.0));
}

/// What was said of a word last, and whether apart from documents.
struct SaidRate {
  double rate = 0.0;
  bool apart = false;
};
using WordRates = std::unordered_map<FeatureId, SaidRate>;

WordRates last_rates(std::span<const SearchStep> steps) {
  WordRates rates;
  for (const SearchStep& step : steps) {
    for (const MarkedWord& word : step.words) {
      SaidRate& said = rates[word.feature];
      said.rate = word.rate;
      said.apart = said.apart || step.kind == StepKind::words;
    }
  }
  return rates;
}

std::vector<LearnedWord> words_in_use(const LinearModel* model, const WordRates& rates) {
  std::vector<LearnedWord> words;
  const auto in_use = model == nullptr ? std::span<const FeatureId>() : model->coordinates();
  words.reserve(in_use.size() + rates.size());
  for (const FeatureId feature : in_use)
    words.push_back({.feature = feature, .weight = model->weight(feature)});
  std::vector<FeatureId> known(in_use.begin(), in_use.end());
  std::ranges::sort(known);
  for (const auto& [feature, said] : rates) {
    if (!std::ranges::binary_search(known, feature)) words.push_back({.feature = feature});
  }
  return words;
}

/// The documents that the answers rated, and whether they are good by the last that was said of them.
class RatedDocuments {
 public:
  explicit RatedDocuments(std::span<const SearchStep> steps) {
    for (const SearchStep& step : steps) {
      if (step.is_rating()) is_good_[step.document] = step.reward >= kGoodRating;
    }
  }
  [[nodiscard]] std::optional<bool> is_good(DocumentId document) const {
    const auto found = is_good_.find(document);
    return found == is_good_.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] std::int64_t count() const { return std::ssize(is_good_); }
  [[nodiscard]] std::int64_t good() const {
    return std::ranges::count_if(is_good_, [](const auto& rated) { return rated.second; });
  }

 private:
  std::unordered_map<DocumentId, bool> is_good_;
};

/// The draws that stood on offer when an answer was given. Each counts, whatever the answer was: also where its document
/// was rated anew later, and where the person rated another one first, because that may be done for what was drawn.
std::vector<RandomDraw> random_draws(const SearchHistory& history, const RatedDocuments& rated,
                                     std::int64_t documents) {
  std::vector<RandomDraw> draws;
  draws.reserve(history.events().size());
  std::unordered_set<DocumentId> seen;
  std::int64_t good_before = 0;
  std::optional<Offer> on_offer;
  for (const SearchEvent& event : history.events()) {
    if (event.kind == SearchEventKind::shown) on_offer = event.offer;
    const bool is_rating = event.kind == SearchEventKind::rated;
    if (!history.holds(event.sequence) || (!is_rating && event.kind != SearchEventKind::skipped)) continue;
    if (on_offer && on_offer->explored) {
      const std::int64_t unrated = documents - std::ssize(seen);
      draws.push_back({on_offer->among, std::max(unrated, on_offer->among), good_before,
                       rated.is_good(on_offer->document)});
    }
    on_offer.reset();  // the next one is shown with the answer
    if (is_rating && seen.insert(*event.document).second && rated.is_good(*event.document) == true)
      ++good_before;
  }
  return draws;
}

}  // namespace

Why why_of(const Policy& policy, PoolView pool, DocumentId document, std::span<const SearchStep> steps) {
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
  const std::vector<ScorePart> parts = score_parts(*model, row);
  const WordRates rates = last_rates(steps);
  why.parts.reserve(parts.size());
  for (const ScorePart& part : parts) {
    const auto said = rates.find(part.feature);
    why.parts.push_back({.feature = part.feature,
                         .value = part.value,
                         .weight = part.weight,
                         .contribution = part.value * part.weight,
                         .width_share = square > 0.0 ? part.value * part.smoothed / square : 0.0,
                         .marked = said == rates.end() ? 0.0 : said->second.rate});
  }
  std::ranges::sort(why.parts, {}, [](const WordPart& part) {
    return std::tuple(-std::fabs(part.contribution), part.feature);
  });
  for (std::size_t n = 0; n < std::min(why.parts.size(), kDeviationsShown); ++n)
    why.parts[n].deviation = deviation_of(*model, why.parts[n].feature);
  return why;
}

std::vector<LearnedWord> learned_words(const Policy& policy, std::span<const SearchStep> steps,
                                       std::size_t count) {
  const WordRates rates = last_rates(steps);
  const LinearModel* const model = policy.learner() == nullptr ? nullptr : policy.learner()->model();
  std::vector<LearnedWord> words = words_in_use(model, rates);
  for (LearnedWord& word : words) {
    const auto said = rates.find(word.feature);
    if (said == rates.end()) continue;
    word.marked = said->second.rate;
    word.apart = said->second.apart;
  }
  std::ranges::sort(words, {}, [](const LearnedWord& word) {
    return std::tuple(-std::fabs(word.weight), word.marked == 0.0, word.feature);
  });
  if (words.size() > count) words.resize(count);
  for (LearnedWord& word : words) {
    if (model != nullptr && model->uses(word.feature)) word.deviation = deviation_of(*model, word.feature);
  }
  return words;
}

SearchProgress progress_of(const SearchHistory& history, std::int64_t documents) {
  const RatedDocuments rated(history.steps());
  const std::vector<RandomDraw> draws = random_draws(history, rated, documents);
  return {.documents = documents,
          .rated = rated.count(),
          .good = rated.good(),
          .sample_left = history.sample_left(),
          .left = good_left(draws, documents - rated.count(), rated.good())};
}

}  // namespace inkling
