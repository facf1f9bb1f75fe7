#include "bench/rivals/greedy_learner.hpp"

#include <algorithm>
#include <limits>

#include "engine/scoring/parallel_blocks.hpp"
#include "engine/scoring/ranking.hpp"

namespace inkling::bench {
namespace {

/// Unrestricted rows are long, so a few hundred are enough work for a thread.
constexpr std::int32_t kScoredTogether = 256;

constexpr double kNeverAgain = -std::numeric_limits<double>::infinity();

}  // namespace

GreedyLearner::GreedyLearner(PoolView pool, Batches batches)
    : pool_(pool),
      batches_(batches),
      feedback_(pool.by_document),
      scores_(static_cast<std::size_t>(pool.documents()), 0.0),
      retired_(scores_.size(), 0) {}

double GreedyLearner::weight(FeatureId feature) const noexcept {
  return weights_.empty() ? 0.0 : weights_[static_cast<std::size_t>(feature)];
}

void GreedyLearner::observe(DocumentId document, double reward) {
  feedback_.observe(document, reward);
  if (batch_ > 0) --batch_;
}

void GreedyLearner::rate_words(std::span<const SaidWord> ratings) {
  feedback_.rate_words(ratings);
  batch_ = 0;
}

void GreedyLearner::retire(DocumentId document) {
  retired_[static_cast<std::size_t>(document)] = 1;
  scores_[static_cast<std::size_t>(document)] = kNeverAgain;
}

DocumentId GreedyLearner::choose(RandomStream& sampling) {
  be_trained(sampling);
  return first_highest(scores_).document;
}

std::vector<Ranked> GreedyLearner::rank(RandomStream& sampling, std::size_t count, const Remains& remains) {
  be_trained(sampling);
  std::vector<Ranked> best;
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    const Ranked candidate{static_cast<DocumentId>(i), scores_[i]};
    if (best.size() == count && (count == 0 || !ranks_before(candidate, best.front()))) continue;
    if (remains(candidate.document)) keep_best(best, count, candidate);
  }
  std::ranges::sort(best, ranks_before);
  return best;
}

void GreedyLearner::be_trained(const RandomStream& sampling) {
  if (batch_ > 0) return;
  RandomStream same_as_sampling = sampling;
  RandomStream draws(same_as_sampling.next(), static_cast<std::uint64_t>(trainings_), RandomRole::sampling);
  ++trainings_;
  const std::span<const double> weights = train(draws);
  batch_ = next_batch_;
  weights_.assign(weights.begin(), weights.end());
  if (weights_.empty()) {
    batch_ = 1;
    for (double& score : scores_) score = draws.uniform();
  } else {
    if (batches_ == Batches::growing) next_batch_ += (next_batch_ + 9) / 10;
    score_all();
  }
  for (std::size_t i = 0; i < scores_.size(); ++i)
    if (retired_[i] != 0) scores_[i] = kNeverAgain;
}

void GreedyLearner::score_all() {
  const RowBlocks blocks(pool_.documents(), kScoredTogether);
  for_each_block(blocks.count(), [&](std::int32_t index) {
    const RowBlock block = blocks[index];
    for (DocumentId i = block.first; i < block.end; ++i)
      scores_[static_cast<std::size_t>(i)] = dot(pool_.by_document.row(i), weights_);
  });
  scored_ += pool_.documents();
}

}  // namespace inkling::bench
