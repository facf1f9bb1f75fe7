#include "bench/rivals/classifier_learner.hpp"

#include <cmath>
#include <utility>

namespace inkling::bench {
namespace {

/// What a document of each side costs.
struct SideCosts {
  double wanted = 1.0;
  double unwanted = 1.0;
};

/// The costs for these numbers of documents of each side. If one side is empty, the other side's cost is 1.
SideCosts balanced(double balance, double wanted, double unwanted) {
  if (balance == 0.0 || wanted == 0.0 || unwanted == 0.0) return {};
  const double unwanted_share = wanted / (balance * unwanted);
  const double mean = (wanted + unwanted_share * unwanted) / (wanted + unwanted);
  return {1.0 / mean, unwanted_share / mean};
}

}  // namespace

ClassifierLearner::ClassifierLearner(PoolView pool, const ClassifierLearnerOptions& options)
    : GreedyLearner(pool, options.batches),
      options_(options),
      classifier_(pool.features(), {.loss = options.loss}),
      rows_of_words_(pool.features(), RowKeeping::copied) {}

std::span<const double> ClassifierLearner::train(RandomStream& draws) {
  const double wanted = feedback().wanted();
  const double unwanted = feedback().unwanted();
  const bool knows_words = takes_words_one_by_one() ? !feedback().words().empty() : !feedback().query().empty();
  if (wanted == 0.0 && !knows_words) return {};
  if (unwanted == 0.0 && !options_.learns_from_one_side) return {};
  examples_.clear();
  rows_of_words_ = RowStore(pool().features(), RowKeeping::copied);
  kept_rows_ = 0;
  add_rated_documents(wanted, unwanted);
  presume_unwanted(draws);
  if (takes_words_one_by_one())
    add_word_documents();
  else
    add_query();
  if (options_.marks.use == MarkUse::contrasts) add_contrasts();
  classifier_.fit(examples_);
  return classifier_.weights();
}

void ClassifierLearner::add_rated_documents(double wanted, double unwanted) {
  const SideCosts costs = balanced(options_.balance, wanted, unwanted);
  for (std::size_t place = 0; place < feedback().size(); ++place) {
    const RatedDocument rated = feedback().document(place);
    const double cost = options_.cost * rated.plays * (rated.is_wanted ? costs.wanted : costs.unwanted);
    examples_.push_back({.row = rated.row, .side = rated.is_wanted ? 1.0 : -1.0, .cost = cost});
  }
}

/// Some of the documents that nobody has rated, each at most once: all, if there are not more than requested.
void ClassifierLearner::presume_unwanted(RandomStream& draws) {
  if (options_.presumed == 0) return;
  std::vector<DocumentId> unread;
  unread.reserve(static_cast<std::size_t>(pool().documents()));
  for (DocumentId document = 0; document < pool().documents(); ++document)
    if (!feedback().holds(document)) unread.push_back(document);
  const std::size_t count = std::min(unread.size(), static_cast<std::size_t>(options_.presumed));
  for (std::size_t n = 0; n < count; ++n) {
    std::swap(unread[n], unread[n + draws.below(unread.size() - n)]);
    examples_.push_back({.row = pool().by_document.row(unread[n]), .side = -1.0, .cost = options_.cost});
  }
}

void ClassifierLearner::add_query() {
  const std::span<const SaidWord> words = feedback().query();
  if (words.empty()) return;
  double square = 0.0;
  for (const SaidWord& word : words) square += word.confidence * word.confidence;
  const double length = std::sqrt(square);
  const SparseRow row = row_of(words, [&](const SaidWord& word) { return word.confidence / length; });
  examples_.push_back({.row = row, .cost = options_.cost});
}

/// A word's confidence scales the cost of its document.
void ClassifierLearner::add_word_documents() {
  for (const SaidWord& word : feedback().words()) {
    const SparseRow row = row_of({&word, 1}, [](const SaidWord& /*word*/) { return 1.0; });
    examples_.push_back({.row = row, .cost = options_.cost * options_.marks.cost * word.confidence});
  }
}

/// The contribution of the marked words is the document minus the document without them. That row, divided by the margin, is an
/// example without a constant. A mark of confidence c takes the share c of its word away.
void ClassifierLearner::add_contrasts() {
  for (std::size_t place = 0; place < feedback().size(); ++place) {
    const RatedDocument rated = feedback().document(place);
    if (rated.marks.empty()) continue;
    const SparseRow row = row_of(rated.marks, [&](const SaidWord& mark) {
      return value_at(rated.row, mark.feature) * mark.confidence / options_.marks.margin;
    });
    const bool higher = rated.is_wanted || options_.marks.side == ContrastSide::wanted;
    const double cost = options_.cost * options_.marks.cost * rated.plays;
    examples_.push_back({.row = row, .side = higher ? 1.0 : -1.0, .cost = cost, .constant = 0.0});
  }
}

SparseRow ClassifierLearner::row_of(std::span<const SaidWord> words, const std::function<double(const SaidWord&)>& value_of) {
  std::vector<FeatureId> features;
  std::vector<float> values;
  features.reserve(words.size());
  values.reserve(words.size());
  for (const SaidWord& word : words) {
    features.push_back(word.feature);
    values.push_back(static_cast<float>(value_of(word)));
  }
  rows_of_words_.append({features, values});
  return rows_of_words_[kept_rows_++];
}

}  // namespace inkling::bench
