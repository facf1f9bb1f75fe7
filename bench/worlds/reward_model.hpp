// What a simulated reader gives for a document.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling::bench {

enum class RewardKind {
  linear,    ///< x.theta* with Gaussian noise
  document,  ///< the same, with a random document of the pool as theta*
  logistic,  ///< +1 with probability 1/(1 + exp(-x.theta*)), else -1
  label,     ///< +1 for the documents of one topic, -1 for the rest
};

/// Expected reward of every document, and draws around it. Regret is counted in expected reward.
class RewardModel {
 public:
  /// x.theta* with normal noise of this scale.
  [[nodiscard]] static RewardModel linear(CsrView documents, const std::vector<double>& truth, double noise);

  /// +1 or -1 by the logistic of x.theta*.
  [[nodiscard]] static RewardModel logistic(CsrView documents, const std::vector<double>& truth);

  /// +1 for the share of documents with the highest x.theta* (the topic), -1 for the others, without noise.
  /// Requires: 0 < share < 1.
  [[nodiscard]] static RewardModel label(CsrView documents, const std::vector<double>& truth, double share);

  /// +1 for the documents of one topic, -1 for the others, without noise.
  [[nodiscard]] static RewardModel topic(std::span<const std::int32_t> topics, std::int32_t wanted);

  [[nodiscard]] const std::vector<double>& expected() const noexcept { return expected_; }
  [[nodiscard]] double expected(DocumentId document) const noexcept {
    return expected_[static_cast<std::size_t>(document)];
  }

  /// Exactly one draw of `random`, whatever the kind.
  [[nodiscard]] double draw(DocumentId document, RandomStream& random) const noexcept;

 private:
  enum class Spread { normal, sign };

  RewardModel(std::vector<double> expected, Spread spread, double noise);

  std::vector<double> expected_;
  Spread spread_;
  double noise_;
};

}  // namespace inkling::bench
