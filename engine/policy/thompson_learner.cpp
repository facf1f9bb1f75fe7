#include "engine/policy/thompson_learner.hpp"

#include <algorithm>
#include <span>

#include "engine/model/dual_ridge_model.hpp"
#include "engine/policy/learner_model.hpp"
#include "engine/policy/policy_options.hpp"
#include "engine/scoring/parallel_blocks.hpp"
#include "engine/scoring/ranking.hpp"

namespace inkling {

ThompsonLearner::ThompsonLearner(PoolView pool, const PolicyOptions& options)
    : noise_(options.confidence.noise), pool_(pool), model_(model_for(pool, options)), product_(pool, model_->form()) {}

ThompsonLearner::~ThompsonLearner() = default;

void ThompsonLearner::observe(DocumentId document, double reward) { model_->observe(document, pool_.row_of(document), reward); }

void ThompsonLearner::refine() { model_->refine(); }

void ThompsonLearner::start_with(std::span<const FeatureId> features) {
  model_->start_with(features);
  for (const FeatureId feature : features) product_.admit(feature);
}

void ThompsonLearner::adopt(FeatureId feature) {
  model_->adopt(feature);
  product_.admit(feature);
}

std::vector<double> ThompsonLearner::draw_theta(RandomStream& sampling) const {
  std::vector<double> drawn = model_->draw_deviation(sampling);
  for (double& entry : drawn) entry *= noise_;
  const DualRidgeModel* const dual = model_->dual();
  const std::span<const FeatureId> features = model_->coordinates();
  for (std::size_t a = 0; a < features.size(); ++a)
    drawn[dual == nullptr ? a : static_cast<std::size_t>(features[a])] += model_->theta()[a];
  return drawn;
}

void ThompsonLearner::take_draw(RandomStream& sampling) {
  drawn_ = draw_theta(sampling);
  if (model_->form() == ModelForm::primal)
    product_.take(drawn_, model_->coordinates());
  else
    product_.take_dense(drawn_);
}

Ranked ThompsonLearner::best_held(RandomStream& sampling) {
  take_draw(sampling);
  const auto best_of_block = [&](std::int32_t index) {
    const RowBlock block = product_.block(index);
    PoolProduct::BlockOfDoubles products;  // not initialised: multiply writes every entry that is read
    product_.multiply(index, std::span(products).first(block.size()));
    Ranked best;
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (best.document != kNoDocument && !(products[i] > best.score)) continue;
      const DocumentId document = block.first + static_cast<DocumentId>(i);
      if (!retired_.contains(document)) best = {document, products[i]};
    }
    return best;
  };
  return first_ranked(best_of_each_block(product_.blocks(), best_of_block));
}

std::vector<Ranked> ThompsonLearner::rank(RandomStream& sampling, std::size_t count, const Remains& remains) {
  take_draw(sampling);
  std::vector<Ranked> best;
  std::vector<double> products(PoolProduct::kLargestBlock);
  for (std::int32_t index = 0; index < product_.blocks(); ++index) {
    const RowBlock block = product_.block(index);
    product_.multiply(index, std::span(products).first(block.size()));
    for (std::size_t i = 0; i < block.size(); ++i) {
      const Ranked candidate{block.first + static_cast<DocumentId>(i), products[i]};
      if (best.size() == count && !ranks_before(candidate, best.front())) continue;
      if (remains(candidate.document)) keep_best(best, count, candidate);
    }
  }
  std::ranges::sort(best, ranks_before);
  return best;
}

}  // namespace inkling
