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
  behind_ = true;
}

void ScoredModel::catch_up() {
  if (!behind_) return;
  scores_.refresh(*model_);
  behind_ = false;
}

/// Whether an event goes to the model alone; if not, the scores are ready to follow it.
bool ScoredModel::model_alone() {
  if (paused_) {
    behind_ = true;
  } else {
    catch_up();
  }
  return paused_;
}

void ScoredModel::adopt(FeatureId feature) {
  const bool alone = model_alone();
  const RankOneChange birth = model_->adopt(feature);
  if (alone) return scores_.admit(feature);
  scores_.adopt(feature, birth);
  follow(birth);
}

void ScoredModel::reweigh(FeatureId feature, double precision) {
  const bool alone = model_alone();
  const RankOneChange change = model_->reweigh(feature, precision);
  if (alone) return;
  scores_.observe(change);
  follow(change);
}

void ScoredModel::forget(FeatureId feature) {
  catch_up();
  const RidgeModel* primal = model_->primal();
  const std::int32_t position = primal == nullptr ? 0 : *primal->features().position(feature);
  const RankOneChange removal = model_->forget(feature);
  scores_.forget(position, removal);
  scores_.rescore(pool_.by_feature.row(feature).features, *model_);
  follow(removal);
}

void ScoredModel::observe(DocumentId document, double reward) {
  const bool alone = model_alone();
  const RankOneChange change = model_->observe(document, reward);
  if (alone) return;
  // The running width of this document and the model's own are two roads to one number. Widths are at most
  // |x|^2 over the least precision, so that is the scale on which a difference counts.
  const auto at = static_cast<std::size_t>(document);
  const double scale = squared_norm(pool_.by_document.row(document)) / model_->least_precision();
  const bool retired = std::isinf(scores_.means()[at]);
  const bool drifted = !retired && std::fabs(scores_.squares()[at] - change.leverage) > 1e-11 * scale;
  scores_.observe(change);
  if (drifted) {
    refine();
  } else {
    follow(change);
  }
}

void ScoredModel::follow(const RankOneChange& change) {
  ++events_since_refresh_;
  if (change.rebuilt || events_since_refresh_ >= kRefreshInterval) refine();
}

void ScoredModel::refine() {
  model_->refine();
  behind_ = true;
  events_since_refresh_ = 0;
}

}  // namespace inkling
