// The common part of the rivals that always show the best document by a linear score, trained anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bench/rivals/feedback.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/policy/learner.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling::bench {

/// When a learner trains again.
enum class Batches {
  single,   ///< after every rating
  growing,  ///< after 1 rating, then 2, 3, ...: each batch B is followed by one of B + B/10 rounded up
};

/// Shows the document of highest x.w, ties to the lowest row. While there is too little to train on, it shows documents at
/// random. Draws come from a stream made of the policy's own stream and the number of trainings, and do not advance the policy's:
/// the same seed and the same ratings make the same choices.
///
/// Every feature of the pool is in use from the start, whatever is marked, so start_with and adopt do nothing.
class GreedyLearner : public Learner {
 public:
  [[nodiscard]] std::int32_t features_in_use() const noexcept final { return pool_.features(); }
  [[nodiscard]] bool uses(FeatureId /*feature*/) const noexcept final { return true; }
  void start_with(std::span<const FeatureId> /*features*/) final {}
  void adopt(FeatureId /*feature*/) final {}
  [[nodiscard]] double weight(FeatureId feature) const noexcept final;
  void observe(DocumentId document, double reward) final;
  void observe_marks(DocumentId document, std::span<const SaidWord> marks) final { feedback_.observe_marks(document, marks); }
  void rate_words(std::span<const SaidWord> ratings) final;
  void retire(DocumentId document) final;
  [[nodiscard]] DocumentId choose(RandomStream& sampling) final;
  [[nodiscard]] std::vector<Ranked> rank(RandomStream& sampling, std::size_t count, const Remains& remains) final;
  [[nodiscard]] std::int64_t documents_scored() const noexcept final { return scored_; }

  [[nodiscard]] const Feedback& feedback() const noexcept { return feedback_; }
  /// How often it has trained, or found that it has too little to train on.
  [[nodiscard]] std::int64_t trainings() const noexcept { return trainings_; }

 protected:
  GreedyLearner(PoolView pool, Batches batches);

  /// Trains on `feedback()` and returns the weights by feature; empty if there is too little to train on. Lifetime: of the span,
  /// until the next call.
  [[nodiscard]] virtual std::span<const double> train(RandomStream& draws) = 0;

  [[nodiscard]] PoolView pool() const noexcept { return pool_; }

 private:
  void be_trained(const RandomStream& sampling);
  void score_all();

  PoolView pool_;
  Batches batches_;
  Feedback feedback_;
  std::vector<double> weights_;        // by feature; empty before anything was learned
  std::vector<double> scores_;         // by document; minus infinity once retired
  std::vector<std::uint8_t> retired_;  // by document
  std::int64_t batch_ = 0;             // ratings until the next training; 0: train now
  std::int64_t next_batch_ = 1;
  std::int64_t trainings_ = 0;
  std::int64_t scored_ = 0;
};

}  // namespace inkling::bench
