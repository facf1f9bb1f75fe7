// Thompson sampling: the document that is best under one truth drawn from what is believed.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/policy/learner.hpp"
#include "engine/scoring/ranking.hpp"
#include "engine/scoring/relevant_postings.hpp"

namespace inkling {

/// theta~ = theta + R A z with A A' = V^-1 and z standard normal, one draw a relevant feature, in order of
/// discovery. Choosing is one sparse product; learning does no work on the documents.
class ThompsonLearner final : public Learner {
 public:
  ThompsonLearner(PoolView pool, const LearnerOptions& options);

  void adopt(FeatureId feature) override;
  void forget(FeatureId feature) override;
  void retire(DocumentId document) override;
  [[nodiscard]] DocumentId choose(RandomStream& sampling) override;

 private:
  [[nodiscard]] std::vector<double> draw_theta(RandomStream& sampling) const;
  [[nodiscard]] Ranked best_of_block(std::int32_t index, std::span<const double> theta) const;

  RelevantPostings postings_;
  std::vector<std::uint8_t> retired_;
};

}  // namespace inkling
