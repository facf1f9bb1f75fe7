// A learner whose memory is a ridge model on the features in use, with a factor of V.
#pragma once

#include "engine/model/ridge_model.hpp"
#include "engine/policy/learner.hpp"

namespace inkling {

/// Learns; a rule that keeps something in step with the model overrides the events.
class RidgeLearner : public Learner {
 public:
  [[nodiscard]] std::int32_t features_in_use() const noexcept final { return model_.features_in_use(); }
  [[nodiscard]] bool uses(FeatureId feature) const noexcept final { return model_.uses(feature); }
  [[nodiscard]] double weight(FeatureId feature) const noexcept final { return model_.weight(feature); }
  [[nodiscard]] const RidgeModel* model() const noexcept final { return &model_; }

  void adopt(FeatureId feature) override { model_.adopt(feature); }
  void forget(FeatureId feature) override { model_.forget(feature); }
  void observe(DocumentId document, double reward) override { model_.observe(document, reward); }
  void refine() override { model_.refine(); }

  [[nodiscard]] std::optional<double> radius() const final { return radius_of(model_, options_); }

 protected:
  RidgeLearner(PoolView pool, const PolicyOptions& options, InverseUse inverse)
      : options_(options),
        model_(pool, {.ridge = options.ridge, .factor = options.factor, .inverse = inverse}) {}

  PolicyOptions options_;
  RidgeModel model_;
};

}  // namespace inkling
