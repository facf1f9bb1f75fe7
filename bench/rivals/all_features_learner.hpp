// A learner for which every feature of the pool is in use from the start and stays so, whatever is marked.
#pragma once

#include <cstdint>
#include <span>

#include "engine/policy/learner.hpp"

namespace inkling::bench {

/// So start_with and adopt do nothing.
class AllFeaturesLearner : public Learner {
 public:
  [[nodiscard]] std::int32_t features_in_use() const noexcept final { return features_; }
  [[nodiscard]] bool uses(FeatureId /*feature*/) const noexcept final { return true; }
  void start_with(std::span<const FeatureId> /*features*/) final {}
  void adopt(FeatureId /*feature*/) final {}

 protected:
  explicit AllFeaturesLearner(PoolView pool) : features_(pool.features()) {}

 private:
  std::int32_t features_;
};

}  // namespace inkling::bench
