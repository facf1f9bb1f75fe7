#include "engine/policy/thompson_learner.hpp"

#include "engine/model/ridge_model.hpp"
#include "engine/scoring/parallel_blocks.hpp"

namespace inkling {

ThompsonLearner::ThompsonLearner(PoolView pool, const PolicyOptions& options)
    : noise_(options.confidence.noise),
      model_(model_for(pool, options)),
      product_(pool, model_->coordinates()),
      retired_(static_cast<std::size_t>(pool.documents()), 0) {}

void ThompsonLearner::adopt(FeatureId feature) {
  model_->adopt(feature);
  product_.admit(feature);
}

void ThompsonLearner::forget(FeatureId feature) {
  if (const RidgeModel* primal = model_->primal()) product_.remove(*primal->features().position(feature));
  model_->forget(feature);
}

std::vector<double> ThompsonLearner::draw_theta(RandomStream& sampling) const {
  const std::span<const double> theta = model_->theta();
  std::vector<double> drawn(theta.size());
  model_->draw_deviation(sampling, drawn);
  for (std::size_t a = 0; a < drawn.size(); ++a) drawn[a] = theta[a] + noise_ * drawn[a];
  return drawn;
}

Ranked ThompsonLearner::best_of_block(std::int32_t index, std::span<const double> theta) const {
  const RowBlock block = product_.block(index);
  PoolProduct::BlockOfDoubles products;  // not initialised: multiply writes every entry that is read
  product_.multiply(index, theta, std::span(products).first(block.size()));
  Ranked best;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const DocumentId document = block.first + static_cast<DocumentId>(i);
    if (retired_[static_cast<std::size_t>(document)] != 0) continue;
    if (best.document == kNoDocument || products[i] > best.score) best = {document, products[i]};
  }
  return best;
}

DocumentId ThompsonLearner::choose(RandomStream& sampling) {
  const std::vector<double> theta = draw_theta(sampling);
  return best_of_blocks(product_.blocks(), [&](std::int32_t index) { return best_of_block(index, theta); })
      .document;
}

}  // namespace inkling
