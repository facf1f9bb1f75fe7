// Thompson sampling: the document that is best under one truth drawn from what is believed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/id_map.hpp"
#include "engine/policy/learner.hpp"
#include "engine/scoring/live/relevant_postings.hpp"

namespace inkling {

struct PolicyOptions;

/// theta~ = theta + R z with z from N(0, V^-1), as the model draws it. A choice is one sparse product over all
/// documents; learning does no work on them.
class ThompsonLearner final : public Learner {
 public:
  ThompsonLearner(PoolView pool, const PolicyOptions& options);
  ThompsonLearner(const ThompsonLearner&) = delete;
  ThompsonLearner& operator=(const ThompsonLearner&) = delete;
  ~ThompsonLearner() override;

  [[nodiscard]] const LinearModel* model() const noexcept override { return model_.get(); }
  void start_with(std::span<const FeatureId> features) override;
  void adopt(FeatureId feature) override;
  void observe(DocumentId document, double reward) override;
  void refine() override;
  void retire(DocumentId document) override { retired_.set(document, 0); }
  [[nodiscard]] DocumentId choose(RandomStream& sampling) override { return best_held(sampling).document; }
  [[nodiscard]] Ranked best_held(RandomStream& sampling) override;
  [[nodiscard]] std::vector<Ranked> rank(RandomStream& sampling, std::size_t count, const Remains& remains) override;

 private:
  [[nodiscard]] std::vector<double> draw_theta(RandomStream& sampling) const;
  void take_draw(RandomStream& sampling);

  double noise_;
  PoolView pool_;
  std::unique_ptr<LinearModel> model_;
  PoolProduct product_;
  std::vector<double> drawn_;  // theta~; lent to the product
  IdMap<DocumentId> retired_;
};

}  // namespace inkling
