#include "engine/scoring/live/scored_model.hpp"

#include <cmath>
#include <utility>

#include "engine/model/ridge_model.hpp"

namespace inkling {

ScoredModel::ScoredModel(PoolView pool, std::unique_ptr<LinearModel> model)
    : pool_(pool), model_(std::move(model)), scores_(pool, model_->coordinates()) {}

void ScoredModel::start_with(std::span<const FeatureId> features) {
  for (const FeatureId feature : features) {
    model_->adopt(feature);
    scores_.admit(feature);
  }
  scores_.refresh(*model_);
}

void ScoredModel::adopt(FeatureId feature) {
  const RankOneChange birth = model_->adopt(feature);
  scores_.adopt(feature, birth);
  follow(birth);
}

void ScoredModel::reweigh(FeatureId feature, double precision) {
  const RankOneChange change = model_->reweigh(feature, precision);
  scores_.observe(change);
  follow(change);
}

void ScoredModel::forget(FeatureId feature) {
  const RidgeModel* primal = model_->primal();
  const std::int32_t position = primal == nullptr ? 0 : *primal->features().position(feature);
  const RankOneChange removal = model_->forget(feature);
  scores_.forget(position, removal);
  scores_.rescore(pool_.by_feature.row(feature).features, *model_);
  follow(removal);
}

void ScoredModel::observe(DocumentId document, double reward) {
  const RankOneChange change = model_->observe(document, reward);
  // The running width of this document and the model's own are two roads to one number. Widths are at most
  // |x|^2 over the least precision, so that is the scale on which a difference counts.
  const auto at = static_cast<std::size_t>(document);
  const double scale = squared_norm(pool_.by_document.row(document)) / model_->least_precision();
  const bool retired = std::isinf(scores_.means()[at]);
  const bool drifted = !retired && std::fabs(scores_.squares()[at] - change.leverage) > 1e-11 * scale;
  scores_.observe(change);
  if (drifted) {
    refresh();
  } else {
    follow(change);
  }
}

void ScoredModel::follow(const RankOneChange& change) {
  ++events_since_refresh_;
  if (change.rebuilt || events_since_refresh_ >= kRefreshInterval) refresh();
}

void ScoredModel::refresh() {
  model_->refine();
  scores_.refresh(*model_);
  events_since_refresh_ = 0;
}

}  // namespace inkling
