#include "engine/model/observation.hpp"

#include <cmath>
#include <string>

#include "engine/core/errors.hpp"
#include "engine/model/model_options.hpp"

namespace inkling {

void check_reward(std::int64_t document, double reward) {
  if (std::isfinite(reward) && std::fabs(reward) <= kLargestReward) return;
  throw FormatError("reward of document " + std::to_string(document),
                    "expected a finite number of at most 1e100 in size, got " + number_text(reward));
}

void check_observation(const Observation& observation) {
  check_reward(observation.key, observation.reward);
  if (!(observation.base >= 0.0 && observation.base <= kLargestBase)) {
    throw FormatError("the base value of document " + std::to_string(observation.key),
                      "expected a number from 0 to 1e6, got " + number_text(observation.base));
  }
  if (observation.weight >= kSmallestWeight && observation.weight <= kLargestWeight) return;
  throw FormatError("the weight of document " + std::to_string(observation.key),
                    "expected a number from 1e-9 to 1e9, got " + number_text(observation.weight));
}

}  // namespace inkling
