#include "engine/scoring/live/score_survey.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/scoring/parallel_blocks.hpp"

namespace inkling {
namespace {

/// This many blocks, and in them one document in this many, tell where to draw the line.
constexpr std::int32_t kSampledBlocks = 16;
constexpr std::size_t kSampledRows = 8;
/// A posting list skips through the standings too irregularly for the processor to fetch ahead by itself: so many postings
/// ahead, memory is asked for.
constexpr std::size_t kAhead = 24;
/// What settling a feature costs apart from its postings, in postings.
constexpr std::size_t kSettling = 256;
using PlacesInBlock = std::array<std::uint16_t, RelevantPostings::kBlock>;
constexpr double kNone = -std::numeric_limits<double>::infinity();
/// A first list is cut as many times further than documents can reach now.
constexpr double kFar = 2.0;
/// Rounding of a score as a part of the largest one.
constexpr double kRounding = 1e-11;

}  // namespace

ScoreSurvey::ScoreSurvey(CsrView by_feature)
    : postings_(by_feature), standings_(static_cast<std::size_t>(by_feature.columns())) {}

void ScoreSurvey::take(const RestrictedScore& score, const ListWish& wish) {
  drift_.restart(score.theta().size());
  renew(score, wish, [&](std::int32_t index) { score_block(index, score); });
}

void ScoreSurvey::refresh_means(const RestrictedScore& score, const ListWish& wish) {
  const double growth = drift_.growth();
  drift_.restart(score.theta().size());
  renew(score, wish, [&](std::int32_t index) { refresh_block(index, score, growth); });
}

void ScoreSurvey::list_again(const RestrictedScore& score, const ListWish& wish) {
  renew(score, wish, [](std::int32_t) {});
}

/// Updates every block and lists it. The threshold between candidates and others comes from a few blocks that
/// go first; where it turns out to be far off, because the pool is in some order, from all.
template <typename Update>
void ScoreSurvey::renew(const RestrictedScore& score, const ListWish& wish, const Update& update_block) {
  const double reach = drift_.reach(score.radius());
  const auto cut = [&](std::int32_t stride) { return sample(stride).cut(wish, reach, kFar * reach); };
  const std::int32_t stride = std::max(1, postings_.blocks() / kSampledBlocks);
  for_each_block(RowBlocks(postings_.blocks(), stride).count(),
                 [&](std::int32_t n) { update_block(n * stride); });
  cut_ = cut(stride);
  list([&](std::int32_t index) {
    if (index % stride != 0) update_block(index);
  });
  const bool is_far_off =
      candidates_.size() > 4 * wish.documents || (!wish.best && candidates_.size() < wish.documents / 4);
  if (stride == 1 || !is_far_off) return;
  cut_ = cut(1);
  list([](std::int32_t) {});
}

void ScoreSurvey::score_block(std::int32_t index, const RestrictedScore& score) {
  const RowBlock block = postings_.block(index);
  GatheredRows rows;
  postings_.gather(index, rows);
  for (DocumentId i = block.first; i < block.end; ++i) {
    if (retired(i)) continue;
    const std::span<const RelevantEntry> row = rows.row(static_cast<std::size_t>(i - block.first));
    PackedStanding& standing = standings_[static_cast<std::size_t>(i)];
    standing = row.empty() ? PackedStanding() : PackedStanding(score.standing(row));
  }
}

void ScoreSurvey::refresh_block(std::int32_t index, const RestrictedScore& score, double growth) {
  const RowBlock block = postings_.block(index);
  RelevantPostings::BlockOfDoubles means;  // not initialised: the product writes all that are read
  postings_.multiply(index, score.theta(), std::span(means).first(block.size()));
  PackedStanding* const standings = standings_.data() + block.first;
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (standings[i].counts()) standings[i] = PackedStanding({means[i], growth * standings[i].width()});
  }
}

/// Of a few documents in every stride-th block.
StandingSample ScoreSurvey::sample(std::int32_t stride) const {
  StandingSample sample(static_cast<std::size_t>(stride) * kSampledRows);
  for (std::int32_t index = 0; index < postings_.blocks(); index += stride) {
    const RowBlock block = postings_.block(index);
    for (auto i = static_cast<std::size_t>(block.first); i < static_cast<std::size_t>(block.end);
         i += kSampledRows) {
      if (standings_[i].counts()) sample.consider(standings_[i].standing());
    }
  }
  return sample;
}

/// Calls before(index) for each block, then lists it.
template <typename Before>
void ScoreSurvey::list(const Before& before) {
  found_.resize(static_cast<std::size_t>(postings_.blocks()));
  for_each_block(postings_.blocks(), [&](std::int32_t index) {
    before(index);
    list_block(index, found_[static_cast<std::size_t>(index)]);
  });
  candidates_.clear();
  raised_.clear();
  tolerance_ = 0.0;
  ceiling_ = ScoreCeiling(cut_.reach);
  for (const Found& here : found_) {
    candidates_.insert(candidates_.end(), here.candidates.begin(), here.candidates.end());
    tolerance_ = std::max(tolerance_, kRounding * here.largest);
    ceiling_.include(here.ceiling);
  }
}

void ScoreSurvey::list_block(std::int32_t index, Found& found) {
  const RowBlock block = postings_.block(index);
  PackedStanding* const standings = standings_.data() + block.first;
  found.candidates.clear();
  found.ceiling = ScoreCeiling(cut_.reach);
  double largest = 0.0;
  PlacesInBlock chosen;  // not initialised: every entry that is read is written here
  std::size_t count = 0;
  // No branch that depends on a document but those that are hardly ever taken.
  for (std::size_t i = 0; i < block.size(); ++i) {
    PackedStanding& standing = standings[i];
    const bool counts = standing.counts();
    const double mean = counts ? standing.mean() : 0.0;
    const double width = standing.width();
    const double bound = mean + cut_.reach * width;
    largest = std::max(largest, std::fabs(mean) + cut_.reach * width);
    const bool is_chosen = counts & (bound >= cut_.level);
    const bool is_left = counts & !is_chosen;
    standing.set_listed(is_chosen);
    chosen[count] = static_cast<std::uint16_t>(i);
    count += is_chosen ? 1 : 0;
    found.ceiling.include(is_left ? bound : kNone, is_left ? width : 0.0);
  }
  for (std::size_t n = 0; n < count; ++n)
    found.candidates.push_back(block.first + static_cast<DocumentId>(chosen[n]));
  found.largest = largest;
}

// Called for millions of postings, of which hardly any concern a candidate.
inline void ScoreSurvey::replace(DocumentId document, PackedStanding now) {
  PackedStanding& place = standings_[static_cast<std::size_t>(document)];
  const PackedStanding before = place;
  const double spread = cut_.reach * now.width();
  // A branch that is hardly ever taken: a store each time would be waited for by the next load.
  if (const double rounding = kRounding * (std::fabs(now.mean()) + spread); !(rounding <= tolerance_))
    tolerance_ = rounding;
  const double bound = now.mean() + spread;
  const bool is_listed = before.is_listed() || bound >= cut_.level;
  now.set_listed(is_listed);
  place = now;
  if (!is_listed) return ceiling_.include(bound, now.width());
  if (!before.is_listed()) candidates_.push_back(document);
  const bool may_score_more = now.mean() > before.mean() || now.width() > before.width();
  if (may_score_more || !before.is_listed()) raised_.push_back(document);
}

std::int64_t ScoreSurvey::settle(const RidgeModel& model) {
  const std::optional<ScoreDrift::Settled> settled = drift_.settle(model.factor(), [&](std::size_t position) {
    return static_cast<double>(postings_[position].size() + kSettling);
  });
  if (!settled) return 0;
  const SparseRow postings = postings_[settled->position];
  for (std::size_t n = 0; n < postings.size(); ++n) {
    if (n + kAhead < postings.size()) prefetch(postings.features[n + kAhead]);
    const DocumentId i = postings.features[n];
    const PackedStanding before = packed(i);
    if (!before.counts()) continue;
    replace(i, before.with_mean(before.mean() + static_cast<double>(postings.values[n]) * settled->change));
  }
  return static_cast<std::int64_t>(postings.size());
}

void ScoreSurvey::follow_birth(FeatureId feature, const RankOneChange& birth, const RidgeModel& model) {
  const ScoreDrift::Birth born = drift_.follow_birth(birth, model.factor());
  const SparseRow postings = postings_.append(feature);
  for (std::size_t n = 0; n < postings.size(); ++n) {
    if (n + kAhead < postings.size()) prefetch(postings.features[n + kAhead]);
    const DocumentId i = postings.features[n];
    const auto value = static_cast<double>(postings.values[n]);
    const PackedStanding then = packed(i);
    if (value == 0.0 || then.is_retired()) continue;
    replace(i, PackedStanding(born.standing(then.standing(), value)));
  }
}

}  // namespace inkling
