// The parts of a policy, for code that inspects one: its state, its learner and the documents that remain.
#pragma once

#include "engine/core/random_stream.hpp"
#include "engine/policy/exploration_schedule.hpp"
#include "engine/policy/learner.hpp"              // IWYU pragma: export
#include "engine/policy/policy.hpp"               // IWYU pragma: export
#include "engine/policy/presets.hpp"              // IWYU pragma: export
#include "engine/policy/remaining_documents.hpp"  // IWYU pragma: export

namespace inkling {

/// All that changes in a policy but what it has learned: its clock and its random streams.
struct PolicyState {
  RoundClock clock{0, 0};
  RandomStream exploration;
  RandomStream sampling;
};

}  // namespace inkling
