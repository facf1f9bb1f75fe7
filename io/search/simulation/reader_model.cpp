#include "io/search/simulation/reader_model.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <utility>

#include "engine/core/portable_math.hpp"

namespace inkling {
namespace {

std::vector<double> products(CsrView documents, const std::vector<double>& truth) {
  std::vector<double> products(static_cast<std::size_t>(documents.rows()));
  for (DocumentId i = 0; i < documents.rows(); ++i) products[static_cast<std::size_t>(i)] = dot(documents.row(i), truth);
  return products;
}

std::vector<FeatureId> columns_in_use(CsrView matrix) {
  std::vector<FeatureId> columns(matrix.features().begin(), matrix.features().end());
  std::ranges::sort(columns);
  const auto repeated = std::ranges::unique(columns);
  columns.erase(repeated.begin(), repeated.end());
  return columns;
}

}  // namespace

RewardModel::RewardModel(std::vector<double> expected, Spread spread, double noise)
    : expected_(std::move(expected)), spread_(spread), noise_(noise) {}

RewardModel RewardModel::linear(CsrView documents, const std::vector<double>& truth, double noise) {
  return {products(documents, truth), Spread::normal, noise};
}

RewardModel RewardModel::logistic(CsrView documents, const std::vector<double>& truth) {
  std::vector<double> expected = products(documents, truth);
  for (double& value : expected) value = 2.0 / (1.0 + exponential(-value)) - 1.0;
  return {std::move(expected), Spread::sign, 0.0};
}

RewardModel RewardModel::label(CsrView documents, const std::vector<double>& truth, double share) {
  assert(share > 0.0 && share < 1.0);
  std::vector<double> expected = products(documents, truth);
  const auto members = static_cast<std::size_t>(std::ceil(share * static_cast<double>(expected.size())));
  std::vector<double> sorted = expected;
  std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(members - 1), std::greater{});
  const double least = sorted[members - 1];
  for (double& value : expected) value = value >= least ? 1.0 : -1.0;
  RewardModel rewards = fixed(std::move(expected));
  rewards.tells_wanted_ = true;
  return rewards;
}

RewardModel RewardModel::topic(std::span<const std::int32_t> topics, std::int32_t wanted) {
  std::vector<double> expected;
  expected.reserve(topics.size());
  for (const std::int32_t topic : topics) expected.push_back(topic == wanted ? 1.0 : -1.0);
  RewardModel rewards = fixed(std::move(expected));
  rewards.tells_wanted_ = true;
  return rewards;
}

RewardModel RewardModel::rated(std::vector<double> expected, std::vector<double> ratings) {
  assert(expected.size() == ratings.size());
  RewardModel rewards(std::move(expected), Spread::given, 0.0);
  rewards.ratings_ = std::move(ratings);
  rewards.tells_wanted_ = true;
  return rewards;
}

RewardModel RewardModel::fixed(std::vector<double> rewards) { return {std::move(rewards), Spread::normal, 0.0}; }

double RewardModel::draw(DocumentId document, RandomStream& random) const noexcept {
  const double mean = expected(document);
  if (spread_ == Spread::normal) return mean + noise_ * random.normal();
  const bool above = random.coin(0.5 * (1.0 + mean));
  if (spread_ == Spread::given) return ratings_[static_cast<std::size_t>(document)];
  return above ? 1.0 : -1.0;
}

MarkModel::MarkModel(std::int32_t features, std::vector<FeatureId> deciding, MarkRates rates)
    : markable_(std::move(deciding)), is_markable_(static_cast<std::size_t>(features), false), rates_(rates) {
  for (const FeatureId feature : markable_) is_markable_[static_cast<std::size_t>(feature)] = true;
}

MarkModel MarkModel::as_marked(std::shared_ptr<const CsrMatrix> marks, double probability) {
  const CsrView view = marks->view();
  MarkModel model(view.columns(), columns_in_use(view), {.deciding = probability});
  model.by_document_ = std::move(marks);
  return model;
}

void MarkModel::draw(DocumentId document, SparseRow row, RandomStream& random, std::vector<FeatureId>& marks) const {
  marks.clear();
  const bool none_of_others = rates_.others <= 0.0;
  if (markable_.empty() && none_of_others) return;
  const SparseRow candidates = by_document_ ? by_document_->view().row(document) : row;
  for (const FeatureId feature : candidates.features) {
    const bool is_markable = is_markable_[static_cast<std::size_t>(feature)];
    if (!is_markable && none_of_others) continue;
    if (random.coin(is_markable ? rates_.deciding : rates_.others)) marks.push_back(feature);
  }
}

}  // namespace inkling
