#include "bench/rivals/rocchio_learner.hpp"

#include <algorithm>
#include <cmath>

namespace inkling::bench {

RocchioLearner::RocchioLearner(PoolView pool, const RocchioOptions& options)
    : GreedyLearner(pool, Batches::single), options_(options), searched_(static_cast<std::size_t>(pool.features()), 0.0) {}

std::span<const double> RocchioLearner::train(RandomStream& /*draws*/) {
  const double wanted = feedback().wanted();
  const double unwanted = feedback().unwanted();
  if (wanted == 0.0 && feedback().words().empty()) return {};
  std::ranges::fill(searched_, 0.0);
  add_query();
  for (std::size_t place = 0; place < feedback().size(); ++place) {
    const RatedDocument rated = feedback().document(place);
    const double share = rated.is_wanted ? options_.wanted / wanted : -options_.unwanted / unwanted;
    add(rated.row, share * rated.plays);
  }
  return searched_;
}

void RocchioLearner::add_query() {
  double square = 0.0;
  for (const SaidWord& word : feedback().words()) square += word.confidence * word.confidence;
  for (const SaidWord& word : feedback().words())
    searched_[static_cast<std::size_t>(word.feature)] += options_.words * word.confidence / std::sqrt(square);
}

void RocchioLearner::add(SparseRow row, double share) {
  for (std::size_t n = 0; n < row.size(); ++n)
    searched_[static_cast<std::size_t>(row.features[n])] += share * static_cast<double>(row.values[n]);
}

}  // namespace inkling::bench
