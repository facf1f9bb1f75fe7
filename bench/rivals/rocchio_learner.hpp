// Rocchio's formula: the query moves towards the wanted documents and away from the others.
#pragma once

#include <span>
#include <vector>

#include "bench/rivals/greedy_learner.hpp"

namespace inkling::bench {

struct RocchioOptions {
  double words = 1.0;      ///< alpha
  double wanted = 0.75;    ///< beta
  double unwanted = 0.15;  ///< gamma
};

/// w = alpha q + beta (mean of the wanted documents) - gamma (mean of the others), with the constants of
/// Salton and Buckley (1990). The query q is the marked words, each with its confidence, brought to length 1;
/// 0 if none is marked. A mean of no documents is 0. As long as no word is marked and no document wanted,
/// documents are drawn at random.
class RocchioLearner final : public GreedyLearner {
 public:
  explicit RocchioLearner(PoolView pool, const RocchioOptions& options = {});

 private:
  [[nodiscard]] std::span<const double> train(RandomStream& draws) override;
  void add_query();
  void add(SparseRow row, double share);

  RocchioOptions options_;
  std::vector<double> searched_;  // w, by feature
};

}  // namespace inkling::bench
