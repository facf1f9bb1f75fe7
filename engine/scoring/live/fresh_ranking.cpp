#include "engine/scoring/live/fresh_ranking.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <span>

#include "engine/model/dense_kernels.hpp"
#include "engine/model/relevant_features.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/scoring/live/best_kept.hpp"
#include "engine/scoring/live/relevant_rows.hpp"
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

  /// The first posting at or after `end` that is not before the document.
  [[nodiscard]] std::size_t place_of(DocumentId document) const {
    const IdView left = postings.features.subspan(end, postings.features.size() - end);
    return end + static_cast<std::size_t>(std::ranges::lower_bound(left, document) - left.begin());
  }

  /// visit(place in these rows, value) for the postings from `end` on that are of these rows, and goes past them.
  template <typename Visit>
  void walk_to(RowBlock rows, const Visit& visit) {
    const IdView documents = postings.features;
    std::size_t n = end;
    for (; n < documents.size() && documents[n] < rows.end; ++n)
      visit(documents.place_within(n, rows.first, rows.size()), static_cast<double>(postings.values[n]));
    end = n;
  }
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

/// Bounds that are the scores but for rounding, x.theta + sqrt(x'M x), computed for many documents at once from dense columns. Among
/// few features that takes less than a bound that more documents pass. M is radius^2 V^-1 and a little more on its diagonal: as
/// p + q <= sqrt((1 + t) p^2 + (1 + 1/t) q^2), that covers the rounding of x.theta, below kMeanRounding |theta|_max |x|_1, too.
class PairedBounds {
 public:
  PairedBounds(const RidgeModel& model, double radius)
      : features_(static_cast<std::size_t>(model.features().size())), theta_(model.theta()) {
    if (!are_possible()) return;
    constexpr double t = 1e-6;
    double largest = 0.0;
    for (const double weight : theta_) largest = std::max(largest, std::fabs(weight));
    const double rounding = kMeanRounding * largest;
    const double square = radius * radius * (1.0 + t);
    products_.reserve(features_ * (features_ + 1) / 2);
    for (std::size_t a = 0; a < features_; ++a) {
      const std::span<const double> row = model.kept_inverse().row(a);
      for (std::size_t b = 0; b < a; ++b) products_.push_back(2.0 * square * row[b]);
      const double more = (1.0 + 1.0 / t) * rounding * rounding * static_cast<double>(features_);
      products_.push_back(square * (row[a] + kBoundMargin / model.ridge()) + more);
    }
  }

  [[nodiscard]] bool are_possible() const noexcept { return features_ <= kMostFeatures; }
  /// Whether they take less than the others for this many documents with these postings.
  [[nodiscard]] bool pay(std::size_t documents, std::size_t postings) const noexcept {
    constexpr std::size_t products_a_posting = 16;
    return documents * features_ * features_ <= products_a_posting * postings;
  }

  /// Documents that are bounded together: their columns fit in the first-level cache.
  static constexpr std::size_t kTogether = 256;

  void clear() { columns_.assign(features_ * kTogether, 0.0); }
  /// The feature's column, all zeros until it is written to. Valid until `clear`.
  [[nodiscard]] std::span<double, kTogether> column(std::size_t a) noexcept {
    return std::span(columns_).subspan(a * kTogether).first<kTogether>();
  }

  /// Requires: at most kTogether bounds.
  void find(std::span<double> bounds) noexcept {
    for (std::size_t i = 0; i < bounds.size(); i += kAtOnce) find_some(i);
    for (std::size_t i = 0; i < bounds.size(); ++i) bounds[i] = means_[i] + std::sqrt(std::max(squares_[i], 0.0));
  }

 private:
  static constexpr std::size_t kMostFeatures = 16;
  static constexpr double kMeanRounding = 1e-14;
  static constexpr std::size_t kAtOnce = 8;

  void find_some(std::size_t first) noexcept {
    constexpr std::size_t pairs = kAtOnce / 2;
    const double* product = products_.data();
    std::array<Pair, pairs> mean{};
    std::array<Pair, pairs> square{};
    for (std::size_t a = 0; a < features_; ++a) {
      std::array<Pair, pairs> sum{};
      const double* x = columns_.data() + first;
      for (std::size_t b = 0;; ++b, x += kTogether) {
        const Pair by = {*product, *product};
        ++product;
        for (std::size_t n = 0; n < pairs; ++n) sum[n] += by * pair_at(x + 2 * n);
        if (b == a) break;
      }
      const Pair weight = {theta_[a], theta_[a]};
      for (std::size_t n = 0; n < pairs; ++n) {
        square[n] += sum[n] * pair_at(x + 2 * n);
        mean[n] += weight * pair_at(x + 2 * n);
      }
    }
    std::memcpy(means_.data() + first, mean.data(), sizeof mean);
    std::memcpy(squares_.data() + first, square.data(), sizeof square);
  }

  std::size_t features_;
  std::span<const double> theta_;
  std::vector<double> products_;  // the lower triangle of M, entries off the diagonal twice
  std::vector<double> columns_;
  std::array<double, kTogether> means_{};
  std::array<double, kTogether> squares_{};
};

/// Some blocks in a row, walked through by one thread.
class BoundedWalk {
 public:
  BoundedWalk(std::vector<BoundedPostings> features, const RidgeModel& model, CsrView documents, const RestrictedScore& score,
              DocumentId first)
      : features_(std::move(features)),
        paired_(model, score.radius()),
        relevant_(&model.features()),
        documents_(documents),
        score_(&score) {
    for (BoundedPostings& one : features_) one.end = one.place_of(first);
  }

  /// Goes through the next block.
  void rank(RowBlock block, BestKept& best, SharedLeast& shared) {
    add_bounds(block);
    if (std::max(best.least(), shared.get()) == kNoScore) {
      // Every bound is above no score at all: those of the highest bounds give some.
      list_promising(block, best);
      score_candidates(block, best);
      if (best.least() == kNoScore) return;  // there were no others
    }
    list_candidates(block, best, shared.get());
    score_candidates(block, best);
    shared.raise(best.least());
  }

 private:
  static constexpr std::uint16_t kNoPlace = std::numeric_limits<std::uint16_t>::max();
  static constexpr double kNoScore = -std::numeric_limits<double>::infinity();

  /// An entry and the place of its document among the candidates.
  struct PlacedEntry {
    std::uint16_t place;
    RelevantEntry entry;
  };

  void add_bounds(RowBlock block) {
    bounds_.assign(block.size(), 0.0);
    for (BoundedPostings& one : features_) one.begin = one.end;
    const auto before_end = [&] {
      std::size_t postings = 0;
      for (const BoundedPostings& one : features_) postings += one.place_of(block.end) - one.end;
      return postings;
    };
    paired_.are_possible() && paired_.pay(block.size(), before_end()) ? add_paired_bounds(block) : add_single_bounds(block);
  }

  void add_single_bounds(RowBlock block) {
    for (BoundedPostings& one : features_)
      one.walk_to(block,
                  [&](std::size_t place, double value) { bounds_[place] += value * one.weight + std::fabs(value) * one.reach; });
  }

  void add_paired_bounds(RowBlock block) {
    for (std::size_t first = 0; first < block.size(); first += PairedBounds::kTogether) {
      const std::span<double> bounds = std::span(bounds_).subspan(first, std::min(PairedBounds::kTogether, block.size() - first));
      const DocumentId begin = block.first + static_cast<DocumentId>(first);
      const RowBlock together = {begin, begin + static_cast<DocumentId>(bounds.size())};
      paired_.clear();
      for (std::size_t a = 0; a < features_.size(); ++a) {
        BoundedPostings& one = features_[a];
        const std::span<double, PairedBounds::kTogether> column = paired_.column(a);
        one.walk_to(together, [&](std::size_t place, double value) { column[place] = value; });
      }
      paired_.find(bounds);
    }
  }

  /// As many as can still be kept; they will not be candidates again.
  void list_promising(RowBlock block, const BestKept& best) {
    BestKept promising = best.for_room();
    for (std::size_t i = 0; i < block.size(); ++i) promising.consider({block.first + static_cast<DocumentId>(i), bounds_[i]});
    candidates_.clear();
    for (const Ranked& one : promising.kept()) {
      candidates_.push_back(one.document);
      bounds_[static_cast<std::size_t>(one.document - block.first)] = kNoScore;
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

  void score_candidates(RowBlock block, BestKept& best) {
    std::size_t in_rows = 0;
    std::size_t in_postings = 0;
    for (const DocumentId document : candidates_) in_rows += documents_.row(document).size();
    for (const BoundedPostings& one : features_) in_postings += one.end - one.begin;
    in_rows < in_postings ? gather_rows() : gather_postings(block, in_postings);
    for (std::size_t n = 0; n < candidates_.size(); ++n) {
      const std::span<const RelevantEntry> row = std::span(entries_).subspan(begins_[n], begins_[n + 1] - begins_[n]);
      best.consider({candidates_[n], score_->score(row)});
    }
  }

  /// Both gather the candidates' rows, each in order of discovery.
  void gather_rows() {
    begins_.assign(1, 0);
    entries_.clear();
    for (const DocumentId document : candidates_) {
      restrict_row(documents_.row(document), *relevant_, entries_);
      begins_.push_back(static_cast<std::uint32_t>(entries_.size()));
    }
  }

  void gather_postings(RowBlock block, std::size_t postings) {
    places_.assign(block.size(), kNoPlace);
    for (std::size_t n = 0; n < candidates_.size(); ++n)
      places_[static_cast<std::size_t>(candidates_[n] - block.first)] = static_cast<std::uint16_t>(n);
    // All are written, and those of other documents are written over: a branch for each could not be predicted.
    const auto room = std::make_unique_for_overwrite<PlacedEntry[]>(postings + 1);
    PlacedEntry* next = room.get();
    for (std::size_t a = 0; a < features_.size(); ++a) {
      const BoundedPostings& one = features_[a];
      for (std::size_t n = one.begin; n < one.end; ++n) {
        const std::uint16_t place = places_[one.postings.features.place_within(n, block.first, block.size())];
        *next = {.place = place, .entry = {static_cast<std::int32_t>(a), one.postings.values[n]}};
        next += place != kNoPlace ? 1 : 0;
      }
    }
    const std::span<const PlacedEntry> placed(room.get(), next);
    // Counts are shifted by one place, so that filling moves each begin to where it belongs.
    begins_.assign(candidates_.size() + 2, 0);
    for (const PlacedEntry& one : placed) ++begins_[std::size_t{one.place} + 2];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    entries_.resize(placed.size());
    for (const PlacedEntry& one : placed) entries_[begins_[std::size_t{one.place} + 1]++] = one.entry;
  }

  std::vector<BoundedPostings> features_;
  PairedBounds paired_;
  const RelevantFeatures* relevant_;
  CsrView documents_;
  const RestrictedScore* score_;
  std::vector<double> bounds_;
  std::vector<std::uint16_t> places_;
  std::vector<DocumentId> candidates_;
  std::vector<std::uint32_t> begins_;
  std::vector<RelevantEntry> entries_;
};

/// As `fresh_ranking`. With s_a^2 = (V^-1)_aa, the triangle inequality gives width <= sum |x_a| s_a, and so
///   score <= sum x_a theta_a + radius |x_a| s_a,
/// one product with the postings; of few features, the score itself but for its rounding. Only documents whose bound is not below the scores found so far are scored, exactly.
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
    BoundedWalk walk(features, model, pool.by_document, score, blocks[part.first].first);
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
