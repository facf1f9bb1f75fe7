#include "engine/scoring/live/fresh_ranking.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>

#include "engine/model/ridge_model.hpp"
#include "engine/scoring/live/best_kept.hpp"
#include "engine/scoring/live/restricted_score.hpp"
#include "engine/scoring/parallel_blocks.hpp"
#include "engine/scoring/scan/model_scan.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling {
namespace {

std::vector<Ranked> ranked_by_rows(const LinearModel& model, PoolView pool, double radius, std::size_t count,
                                   const Remains& remains) {
  // A scan's block of rows is some of these groups, so each of them is filled by one thread.
  constexpr std::int32_t group = DualScan::kRowsPerBlock;
  std::vector<BestKept> by_group(static_cast<std::size_t>(RowBlocks(pool.documents(), group).count()), BestKept(count, remains));
  const ModelScan scan(model, pool.whole_documents());
  scan.for_each(pool.by_document, [&](DocumentId i, const Prediction& prediction) {
    by_group[static_cast<std::size_t>(i / group)].consider({i, optimism(prediction.mean, prediction.square, radius)});
  });
  return best_of_parts(by_group, count);
}

/// Bounds of this many documents fit in the first-level cache.
constexpr std::int32_t kRankedBlock = 4096;
/// A thread walks through this many blocks, one after the other.
constexpr std::int32_t kBlocksTogether = 8;
/// Margins far above rounding: of a bound, and of an entry of V^-1 relative to 1 / lambda.
constexpr double kBoundMargin = 1e-9;

/// A feature's postings, what it adds to a bound, and how far a walk through them has come.
struct BoundedPostings {
  SparseRow postings;
  double weight = 0.0;  ///< x_a adds x_a weight + |x_a| reach
  double reach = 0.0;
  std::size_t begin = 0;  ///< of the block
  std::size_t end = 0;
};

std::vector<BoundedPostings> bounded_postings(const RidgeModel& model, PoolView pool, double radius) {
  std::vector<BoundedPostings> bounded;
  const std::span<const FeatureId> features = model.features().in_order();
  bounded.reserve(features.size());
  for (std::size_t a = 0; a < features.size(); ++a) {
    const double weight = model.theta()[a];
    const double variance = std::max(model.kept_inverse().row(a)[a], 0.0) + kBoundMargin / model.ridge();
    const double reach = (radius * std::sqrt(variance) + kBoundMargin * std::fabs(weight)) * (1.0 + kBoundMargin);
    bounded.push_back({.postings = pool.by_feature.row(features[a]), .weight = weight, .reach = reach});
  }
  return bounded;
}

/// The highest score that enough documents are known to reach; shared by all threads.
class SharedLeast {
 public:
  [[nodiscard]] double get() const noexcept { return least_.load(std::memory_order_relaxed); }
  void raise(double score) noexcept {
    double known = get();
    while (score > known && !least_.compare_exchange_weak(known, score, std::memory_order_relaxed)) {
    }
  }

 private:
  std::atomic<double> least_{-std::numeric_limits<double>::infinity()};
};

/// Some blocks in a row, walked through by one thread.
class BoundedWalk {
 public:
  BoundedWalk(std::vector<BoundedPostings> features, const RestrictedScore& score, DocumentId first)
      : features_(std::move(features)), score_(&score) {
    for (BoundedPostings& one : features_) {
      const auto from = std::ranges::lower_bound(one.postings.features, first);
      one.end = static_cast<std::size_t>(from - one.postings.features.begin());
    }
  }

  /// Goes through the next block.
  void rank(RowBlock block, BestKept& best, SharedLeast& shared) {
    add_bounds(block);
    list_candidates(block, best, shared.get());
    if (candidates_.empty()) return;
    gather(block);
    for (std::size_t n = 0; n < candidates_.size(); ++n) {
      const std::span<const RelevantEntry> row = std::span(entries_).subspan(begins_[n], begins_[n + 1] - begins_[n]);
      best.consider({candidates_[n], score_->score(row)});
    }
    shared.raise(best.least());
  }

 private:
  static constexpr std::uint16_t kNoPlace = std::numeric_limits<std::uint16_t>::max();

  void add_bounds(RowBlock block) {
    std::fill_n(bounds_.begin(), block.size(), 0.0);
    for (BoundedPostings& one : features_) {
      const IdView documents = one.postings.features;
      const std::span<const float> values = one.postings.values;
      std::size_t n = one.end;
      one.begin = n;
      for (; n < documents.size() && documents[n] < block.end; ++n) {
        const auto value = static_cast<double>(values[n]);
        bounds_[documents.place_within(n, block.first, block.size())] += value * one.weight + std::fabs(value) * one.reach;
      }
      one.end = n;
    }
  }

  void list_candidates(RowBlock block, const BestKept& best, double least) {
    candidates_.clear();
    least = std::max(least, best.least());
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (bounds_[i] < least) continue;
      const DocumentId document = block.first + static_cast<DocumentId>(i);
      if (best.may_enter({document, bounds_[i]})) candidates_.push_back(document);
    }
  }

  /// The candidates' rows, each in order of discovery.
  void gather(RowBlock block) {
    places_.fill(kNoPlace);
    for (std::size_t n = 0; n < candidates_.size(); ++n)
      places_[static_cast<std::size_t>(candidates_[n] - block.first)] = static_cast<std::uint16_t>(n);
    // Counts are shifted by one place, so that filling moves each begin to where it belongs.
    begins_.assign(candidates_.size() + 2, 0);
    placed_.clear();
    for (const BoundedPostings& one : features_) {
      for (std::size_t n = one.begin; n < one.end; ++n) {
        const std::size_t document = one.postings.features.place_within(n, block.first, block.size());
        placed_.push_back(places_[document]);
        if (placed_.back() != kNoPlace) ++begins_[std::size_t{placed_.back()} + 2];
      }
    }
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    entries_.resize(begins_.back());
    auto place = placed_.begin();
    for (std::size_t a = 0; a < features_.size(); ++a) {
      const BoundedPostings& one = features_[a];
      for (std::size_t n = one.begin; n < one.end; ++n, ++place) {
        if (*place == kNoPlace) continue;
        entries_[begins_[std::size_t{*place} + 1]++] = {static_cast<std::int32_t>(a), one.postings.values[n]};
      }
    }
  }

  std::vector<BoundedPostings> features_;
  const RestrictedScore* score_;
  std::array<double, kRankedBlock> bounds_{};
  std::array<std::uint16_t, kRankedBlock> places_{};
  std::vector<DocumentId> candidates_;
  std::vector<std::uint16_t> placed_;  // of each posting in the block: its document's place, as it was counted
  std::vector<std::uint32_t> begins_;
  std::vector<RelevantEntry> entries_;
};

/// As `fresh_ranking`. With s_a^2 = (V^-1)_aa, the triangle inequality gives width <= sum |x_a| s_a, and so
///   score <= sum x_a theta_a + radius |x_a| s_a,
/// one product with the postings. Only documents whose bound is not below the scores found so far are scored, exactly.
/// Requires: InverseUse::kept.
std::vector<Ranked> ranked_by_postings(const RidgeModel& model, PoolView pool, double radius, std::size_t count,
                                       const Remains& remains) {
  const std::vector<BoundedPostings> features = bounded_postings(model, pool, radius);
  const RestrictedScore score(model.theta(), model.kept_inverse(), model.ridge(), radius);
  const RowBlocks blocks(pool.documents(), kRankedBlock);
  const RowBlocks parts(blocks.count(), kBlocksTogether);
  std::vector<BestKept> by_part(static_cast<std::size_t>(parts.count()), BestKept(count, remains));
  SharedLeast shared;
  for_each_block(parts.count(), [&](std::int32_t index) {
    const RowBlock part = parts[index];
    BoundedWalk walk(features, score, blocks[part.first].first);
    for (std::int32_t n = part.first; n < part.end; ++n) walk.rank(blocks[n], by_part[static_cast<std::size_t>(index)], shared);
  });
  return best_of_parts(by_part, count);
}

}  // namespace

std::vector<Ranked> fresh_ranking(const LinearModel& model, PoolView pool, double radius, std::size_t count,
                                  const Remains& remains) {
  const RidgeModel* const primal = model.primal();
  if (primal != nullptr && primal->keeps_inverse()) return ranked_by_postings(*primal, pool, radius, count, remains);
  return ranked_by_rows(model, pool, radius, count, remains);
}

}  // namespace inkling
