#include "bench/worlds/simulated_reader.hpp"

#include <cstddef>

namespace inkling::bench {

SimulatedReader::SimulatedReader(const World& world, std::uint64_t seed, std::uint64_t trial)
    : world_(world),
      noise_(seed, trial, RandomRole::reward),
      mark_draws_(seed, trial, RandomRole::marks),
      marked_before_(static_cast<std::size_t>(world.pool.features()), false) {}

Answer SimulatedReader::answer(DocumentId document) {
  const double reward = world_.rewards.draw(document, noise_);
  world_.marks.draw(document, world_.pool.by_document.row(document), mark_draws_, marks_);
  new_marks_.clear();
  for (const FeatureId feature : marks_) {
    if (!marked_before_[static_cast<std::size_t>(feature)]) new_marks_.push_back(feature);
    marked_before_[static_cast<std::size_t>(feature)] = true;
  }
  return {reward, marks_, new_marks_};
}

}  // namespace inkling::bench
