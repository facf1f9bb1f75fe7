// What a simulated reader gives for a document, and which words of it the reader marks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/sparse/csr_matrix.hpp"

namespace inkling {

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

  /// The same reward for a document each time.
  [[nodiscard]] static RewardModel fixed(std::vector<double> rewards);

  /// +1 for the documents of one topic, -1 for the others, without noise.
  [[nodiscard]] static RewardModel topic(std::span<const std::int32_t> topics, std::int32_t wanted);

  /// Documents are wanted (+1) or not (-1), and the reader rates each one in the same way whenever it is shown, which
  /// may be wrong. Requires: as many ratings as documents.
  [[nodiscard]] static RewardModel rated(std::vector<double> expected, std::vector<double> ratings);

  /// Whether a document is either wanted or not: the expected reward of one that is wanted is positive.
  [[nodiscard]] bool tells_wanted() const noexcept { return tells_wanted_; }
  /// Requires: tells_wanted().
  [[nodiscard]] bool is_wanted(DocumentId document) const noexcept { return expected(document) > 0.0; }

  [[nodiscard]] const std::vector<double>& expected() const noexcept { return expected_; }
  [[nodiscard]] double expected(DocumentId document) const noexcept { return expected_[static_cast<std::size_t>(document)]; }

  /// Exactly one draw of `random`, whatever the kind.
  [[nodiscard]] double draw(DocumentId document, RandomStream& random) const noexcept;

 private:
  enum class Spread { normal, sign, given };

  RewardModel(std::vector<double> expected, Spread spread, double noise);

  std::vector<double> expected_;
  Spread spread_;
  double noise_;
  bool tells_wanted_ = false;
  std::vector<double> ratings_ = {};  // of Spread::given
};

/// How often a word that a document holds is marked.
struct MarkRates {
  double deciding = 0.0;  ///< of the words that decide
  double others = 0.0;    ///< of all the rest
};

/// Each markable word that a document holds is marked with its probability, independently.
class MarkModel {
 public:
  /// Marks nothing.
  explicit MarkModel(std::int32_t features) : MarkModel(features, {}, {}) {}

  /// One probability for words that decide, and another for all others: if the second is 0, no random number is drawn for those.
  /// Requires: the features ascend, each once, within [0, features).
  MarkModel(std::int32_t features, std::vector<FeatureId> deciding, MarkRates rates);

  /// What people marked in each document, each mark with one probability. `marks` has a row for each document
  /// with some of its features; its values do not matter.
  [[nodiscard]] static MarkModel as_marked(std::shared_ptr<const CsrMatrix> marks, double probability);

  /// One draw for each markable word of the document, in ascending order. `row` is the document's.
  void draw(DocumentId document, SparseRow row, RandomStream& random, std::vector<FeatureId>& marks) const;

  /// The deciding words or, with marks by document, the words that were marked in some document; ascending.
  [[nodiscard]] const std::vector<FeatureId>& markable() const noexcept { return markable_; }
  /// The probability with which each of these is marked.
  [[nodiscard]] double probability() const noexcept { return rates_.deciding; }

 private:
  std::vector<FeatureId> markable_;
  std::vector<bool> is_markable_;  // by feature
  MarkRates rates_;
  std::shared_ptr<const CsrMatrix> by_document_;  // nothing if every document is marked alike
};

}  // namespace inkling
