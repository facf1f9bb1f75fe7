#include "engine/policy/thompson_learner.hpp"

#include "engine/scoring/parallel_blocks.hpp"

namespace inkling {

ThompsonLearner::ThompsonLearner(PoolView pool, const LearnerOptions& options)
    : Learner(pool, options),
      postings_(pool.by_feature),
      retired_(static_cast<std::size_t>(pool.documents()), 0) {}

void ThompsonLearner::adopt(FeatureId feature) {
  model_.adopt(feature);
  postings_.append(feature);
}

void ThompsonLearner::forget(FeatureId feature) {
  postings_.remove(*model_.features().position(feature));
  model_.forget(feature);
}

void ThompsonLearner::retire(DocumentId document) { retired_[static_cast<std::size_t>(document)] = 1; }

std::vector<double> ThompsonLearner::draw_theta(RandomStream& sampling) const {
  const std::size_t m = model_.theta().size();
  std::vector<double> normals(m);
  for (double& z : normals) z = sampling.normal();
  std::vector<double> drawn(m);
  model_.factor().colour(normals, drawn);
  for (std::size_t a = 0; a < m; ++a) drawn[a] = model_.theta()[a] + options_.confidence.noise * drawn[a];
  return drawn;
}

Ranked ThompsonLearner::best_of_block(std::int32_t index, std::span<const double> theta) const {
  const RowBlock block = postings_.block(index);
  RelevantPostings::BlockOfDoubles products;  // not initialised: multiply writes every entry that is read
  postings_.multiply(index, theta, std::span(products).first(block.size()));
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
  std::vector<Ranked> by_block(static_cast<std::size_t>(postings_.blocks()));
  for_each_block(postings_.blocks(), [&](std::int32_t index) {
    by_block[static_cast<std::size_t>(index)] = best_of_block(index, theta);
  });
  return first_ranked(by_block).document;
}

}  // namespace inkling
