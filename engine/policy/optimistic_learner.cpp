#include "engine/policy/optimistic_learner.hpp"

#include "engine/core/errors.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/policy/learner_model.hpp"

namespace inkling {

OptimisticLearner::OptimisticLearner(PoolView pool, const PolicyOptions& options)
    : pool_(pool), options_(options), scored_(scored_model_for(pool, options)) {}

std::optional<double> OptimisticLearner::radius() const { return radius_of(*model(), options_); }

SublinearLearner::SublinearLearner(PoolView pool, const PolicyOptions& options)
    : options_(options),
      pool_(pool),
      model_(std::make_unique<RidgeModel>(pool.features(), options_on_pool(options, InverseUse::kept))) {
  if (options.base == 0.0) return;
  throw FormatError("the base rate", "expected none where scoring is sublinear: use running scores");
}

SublinearLearner::~SublinearLearner() = default;

const LinearModel* SublinearLearner::model() const noexcept { return model_.get(); }

std::optional<double> SublinearLearner::radius() const { return radius_of(*model_, options_); }

SublinearScores& SublinearLearner::scores() {
  if (scores_) return *scores_;
  scores_.emplace(pool_);
  for (const FeatureId feature : model_->features().in_order()) scores_->adopt(feature, {}, *model_);
  for (const DocumentId document : retired_) scores_->retire(document);
  return *scores_;
}

void SublinearLearner::adopt(FeatureId feature) {
  const RankOneChange birth = model_->adopt(feature);
  if (scores_) scores_->adopt(feature, birth, *model_);
  follow(birth);
}

void SublinearLearner::observe(DocumentId document, double reward) {
  const RankOneChange change = model_->observe(document, pool_.row_of(document), reward);
  if (scores_) scores_->observe(document, *model_, change);
  follow(change);
}

void SublinearLearner::retire(DocumentId document) {
  retired_.push_back(document);
  if (scores_) scores_->retire(document);
}

void SublinearLearner::follow(const RankOneChange& change) {
  if (++events_since_refresh_ >= kRefreshInterval || change.rebuilt) refine();
}

void SublinearLearner::refine() {
  model_->refine();
  if (scores_) scores_->refresh();
  events_since_refresh_ = 0;
}

}  // namespace inkling
