// The person of a trial: rates what is shown and marks words in it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/worlds/world.hpp"
#include "engine/core/ids.hpp"
#include "engine/core/random_stream.hpp"

namespace inkling::bench {

/// What the reader says of one document. Lifetime: lends the reader's memory until the next answer.
struct Answer {
  double reward;
  std::span<const FeatureId> marks;
  std::span<const FeatureId> new_marks;  ///< those never marked before
};

/// Answers are a function of the world, the seed, the trial and the documents shown so far.
/// Lifetime: lends the world.
class SimulatedReader {
 public:
  SimulatedReader(const World& world, std::uint64_t seed, std::uint64_t trial);

  [[nodiscard]] Answer answer(DocumentId document);

 private:
  const World& world_;
  RandomStream noise_;
  RandomStream mark_draws_;
  std::vector<bool> marked_before_;  // by feature
  std::vector<FeatureId> marks_;
  std::vector<FeatureId> new_marks_;
};

}  // namespace inkling::bench
