// Thompson sampling: the document that is best under one truth drawn from what is believed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/policy/learner.hpp"
#include "engine/scoring/live/relevant_postings.hpp"
#include "engine/scoring/ranking.hpp"

namespace inkling {

/// theta~ = theta + R z with z from N(0, V^-1), as the model draws it. Choosing is one sparse product;
/// learning does no work on the documents.
class ThompsonLearner final : public Learner {
 public:
  ThompsonLearner(PoolView pool, const PolicyOptions& options);

  [[nodiscard]] const LinearModel* model() const noexcept override { return model_.get(); }
  void adopt(FeatureId feature) override;
  void forget(FeatureId feature) override;
  void observe(DocumentId document, double reward) override { model_->observe(document, reward); }
  void refine() override { model_->refine(); }
  void retire(DocumentId document) override { retired_[static_cast<std::size_t>(document)] = 1; }
  [[nodiscard]] DocumentId choose(RandomStream& sampling) override;

 private:
  [[nodiscard]] std::vector<double> draw_theta(RandomStream& sampling) const;
  [[nodiscard]] Ranked best_of_block(std::int32_t index, std::span<const double> theta) const;

  double noise_;
  std::unique_ptr<LinearModel> model_;
  PoolProduct product_;
  std::vector<std::uint8_t> retired_;
};

}  // namespace inkling
