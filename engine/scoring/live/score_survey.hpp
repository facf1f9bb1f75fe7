// A bound on every document's score, and the few per cent of documents whose bounds are highest.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/scoring/live/list_cut.hpp"
#include "engine/scoring/live/packed_line.hpp"
#include "engine/scoring/live/relevant_postings.hpp"
#include "engine/scoring/live/restricted_score.hpp"
#include "engine/scoring/live/score_ceiling.hpp"
#include "engine/scoring/live/score_drift.hpp"

namespace inkling {

/// Rewards change weights, which raises means by at most the bound of ScoreDrift. Often one or two features that few documents
/// hold cause most of that drift. Settling such a feature brings the change of its weight into the means of these documents and
/// takes it out of the drift of all. When that no longer pays, one sparse product brings all means up to date. A width costs the
/// square of a row's entries to compute, so widths are kept as long as they bound well enough: rewards only narrow them, and what
/// a birth may add is bounded. Documents without a relevant feature have width 0 and score 0, so they are neither candidates nor
/// under the ceiling.
///
/// A renewal brings means, or means and widths, up to date a few blocks of documents at a time, so that no choice waits for all
/// of them. Meanwhile renewed blocks have other reference weights than those that wait. Each of the two has its own drift, and
/// the larger one bounds all documents.
///
/// Thread safety: none; the work inside may use all threads, and its result does not depend on how many.
class ScoreSurvey {
 public:
  /// Lifetime: lends the postings.
  explicit ScoreSurvey(CsrView by_feature);

  /// The postings of the model's features.
  [[nodiscard]] RelevantPostings& postings() noexcept { return postings_; }

  /// Scores every document, and lists about `goal.documents` candidates.
  void take(const RestrictedScore& score, const ListGoal& goal);

  // All that follows requires: taken.

  /// Brings all means up to date and lists about `goal.documents` candidates. A renewal is abandoned.
  void refresh_means(const RestrictedScore& score, const ListGoal& goal);

  enum class Renewed : std::uint8_t { means, means_and_widths };
  /// Requires: not renewing.
  void begin_renewal(Renewed what);
  /// Nothing if no renewal is in progress.
  [[nodiscard]] std::optional<Renewed> renewing() const noexcept {
    return renewal_ ? std::optional(renewal_->what) : std::nullopt;
  }
  /// Brings at most `blocks` more blocks up to date; with the last block the renewal ends. Returns how many documents these
  /// blocks have. Requires: renewing.
  std::int64_t renew_blocks(const RestrictedScore& score, std::int32_t blocks);
  [[nodiscard]] std::int32_t blocks() const noexcept { return postings_.blocks(); }
  [[nodiscard]] std::size_t features() const noexcept { return postings_.size(); }

  /// Makes the drift as small as possible without looking at a document.
  void relax(const RidgeModel& model);

  /// Settles the feature that removes most drift for each document looked at, and relaxes what is left. Returns how
  /// many documents hold it; 0 if no feature can be settled, or if more than `most_documents` hold it. Requires:
  /// relaxed since the last event.
  std::int64_t settle(const RidgeModel& model, std::int64_t most_documents);

  /// Settles features in the same way until the drift is `enough` or `most_documents` are used up, then lists about
  /// `goal.documents` candidates. Returns how many documents held these features. It looks at documents in their order,
  /// so each costs less than in `settle`. Requires: relaxed since the last event, or most_documents == 0.
  std::int64_t settle_and_list(const RidgeModel& model, const RestrictedScore& score, const ListGoal& goal, double enough,
                               std::int64_t most_documents);

  /// Every event of the model must be passed to one of these. Documents that hold a new feature get bounds that include it.
  /// Documents that may win with a settled or a new feature become candidates.
  void follow_reward(std::span<const RelevantEntry> x, const RankOneChange& reward);
  void follow_birth(FeatureId feature, const RankOneChange& birth, const CholeskyFactor& factor);

  /// Upper bound on (score - mean) / width over all documents.
  [[nodiscard]] double reach(double radius) const noexcept { return longer_drift().reach(radius); }
  /// The part of the reach that relaxing, settling and fresh means can remove.
  [[nodiscard]] double drift() const noexcept { return longer_drift().drift(); }
  /// Upper bound on the factor by which births have widened widths since the survey was taken.
  [[nodiscard]] double growth() const noexcept { return drift_.growth(); }

  [[nodiscard]] std::span<const DocumentId> candidates() const noexcept { return candidates_; }
  [[nodiscard]] PackedLine packed(DocumentId document) const noexcept { return lines_[static_cast<std::size_t>(document)]; }
  /// Prefetches the document's line.
  void prefetch(DocumentId document) const noexcept { __builtin_prefetch(lines_.data() + static_cast<std::size_t>(document), 1); }
  /// Calls visit(place, lines) for each group of documents that are bounded together, with copies of their
  /// lines; `place` is where the group begins in the list. It prefetches, because lists jump through memory too
  /// irregularly for the processor to predict.
  template <typename Visit>
  void look_at(IdView documents, const Visit& visit) const {
    std::array<PackedLine, PackedLine::kTogether> lines;
    for (std::size_t first = 0; first < documents.size(); first += lines.size()) {
      const std::size_t count = std::min(lines.size(), documents.size() - first);
      for (std::size_t n = first; n < first + count; ++n) {
        if (n + kAhead < documents.size()) prefetch(documents[n + kAhead]);
        lines[n - first] = packed(documents[n]);
      }
      visit(first, std::span(lines).first(count));
    }
  }
  /// Makes these documents candidates. Requires: documents of the pool that hold a relevant feature or are retired.
  void add_candidates(std::span<const DocumentId> documents);

  /// Since the last listing or `forget_raised`: the candidates that may score more than before, and the documents that
  /// became candidates.
  [[nodiscard]] std::span<const DocumentId> raised() const noexcept { return raised_; }
  void forget_raised() noexcept { raised_.clear(); }
  /// No document that is not a candidate scores above this.
  [[nodiscard]] const ScoreCeiling& ceiling() const noexcept { return ceiling_; }
  /// Scores that differ by less than this may differ by rounding alone. Infinite if scores exceed the range of a float: bounds
  /// are then useless.
  [[nodiscard]] double tolerance() const noexcept { return tolerance_; }

  void retire(DocumentId document) noexcept { lines_[static_cast<std::size_t>(document)] = PackedLine::retired(); }
  [[nodiscard]] bool retired(DocumentId document) const noexcept { return packed(document).is_retired(); }
  /// Holds no relevant feature, and is not retired.
  [[nodiscard]] bool bare(DocumentId document) const noexcept { return !packed(document).counts() && !retired(document); }

 private:
  static constexpr std::size_t kAhead = 48;

  /// What one block of documents adds to the lists.
  struct Found {
    double largest = 0.0;
    std::vector<DocumentId> candidates;
    ScoreCeiling ceiling;
  };

  struct Renewal {
    ScoreDrift drift;         // of the blocks that were renewed
    std::int32_t blocks = 0;  // the number of renewed blocks, from the first one on
    Renewed what = Renewed::means;
  };

  /// A feature that was settled, and by how much its weight exceeded its reference.
  struct Settled {
    std::size_t position = 0;
    double change = 0.0;
    double change_where_renewed = 0.0;
  };

  [[nodiscard]] const ScoreDrift& longer_drift() const noexcept;
  [[nodiscard]] std::optional<Settled> settle_weight(std::int64_t most_documents);
  template <typename Update>
  void update_and_list(const RestrictedScore& score, const ListGoal& goal, const Update& update_block);
  void score_block(std::int32_t index, const RestrictedScore& score, const ScoreDrift& drift);
  void multiply_block(std::int32_t index, std::span<const double> weights);
  void settle_in_block(std::int32_t index, const Settled& settled);
  void bound_block(std::int32_t index);
  [[nodiscard]] LineSample sample(std::int32_t stride) const;
  template <typename Before>
  void list(const Before& before);
  void forget_candidates();
  void list_block(std::int32_t index, Found& found);
  template <typename Change>
  void change_holders(SparseRow postings, const Change& change);
  void move_means(SparseRow postings, double change);
  void replace(IdView documents, std::span<PackedLine> now, const PackedLine::Bounds& bounds);

  RelevantPostings postings_;
  std::vector<PackedLine> lines_;  // by document
  ScoreDrift drift_;               // during a renewal, of the blocks that are not renewed yet
  std::optional<Renewal> renewal_;
  std::vector<double> weights_;         // kept for their memory
  ListCut cut_;                         // of the candidates
  std::vector<DocumentId> candidates_;  // still includes those that were retired since
  std::vector<DocumentId> raised_;
  std::vector<Found> found_;  // by block, kept for its memory
  ScoreCeiling ceiling_;
  double tolerance_ = 0.0;
};

}  // namespace inkling
