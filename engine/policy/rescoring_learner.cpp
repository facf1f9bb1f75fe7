#include "engine/policy/rescoring_learner.hpp"

#include "engine/scoring/ranking.hpp"

namespace inkling {

RescoringLearner::RescoringLearner(PoolView pool, const PolicyOptions& options)
    : RidgeLearner(pool, options, InverseUse::solved),
      documents_(pool.by_document),
      retired_(static_cast<std::size_t>(pool.documents()), false) {}

void RescoringLearner::retire(DocumentId document) { retired_[static_cast<std::size_t>(document)] = true; }

DocumentId RescoringLearner::choose(RandomStream& /*sampling*/) {
  const double width_factor = *radius();
  Ranked best;
  for (DocumentId i = 0; i < documents_.rows(); ++i) {
    if (retired_[static_cast<std::size_t>(i)]) continue;
    const Prediction prediction = model_.predict(documents_.row(i));
    const Ranked candidate{i, optimism(prediction.mean, prediction.square, width_factor)};
    if (best.document == kNoDocument || ranks_before(candidate, best)) best = candidate;
  }
  return best.document;
}

}  // namespace inkling
