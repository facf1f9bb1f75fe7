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
constexpr std::size_t kAhead = 48;
/// What settling a feature costs apart from its postings, in postings.
constexpr std::size_t kSettling = 256;
/// So many documents are looked at together: what takes no branch is computed for all of them first, several at once.
constexpr std::size_t kTogether = 16;
using Bounds = std::array<PackedStanding::Bound, kTogether>;
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
  forget_candidates();
  for_each_block(postings_.blocks(), [&](std::int32_t index) {
    before(index);
    list_block(index, found_[static_cast<std::size_t>(index)]);
  });
  tolerance_ = 0.0;
  ceiling_ = ScoreCeiling(cut_.reach);
  for (const Found& here : found_) {
    candidates_.insert(candidates_.end(), here.candidates.begin(), here.candidates.end());
    tolerance_ = std::max(tolerance_, kRounding * here.largest);
    ceiling_.include(here.ceiling);
  }
}

void ScoreSurvey::forget_candidates() {
  for (std::size_t n = 0; n < candidates_.size(); ++n) {
    if (n + kAhead < candidates_.size()) prefetch(candidates_[n + kAhead]);
    standings_[static_cast<std::size_t>(candidates_[n])].set_listed(false);
  }
  candidates_.clear();
  raised_.clear();
}

void ScoreSurvey::list_block(std::int32_t index, Found& found) {
  const RowBlock block = postings_.block(index);
  const std::span<PackedStanding> standings =
      std::span(standings_).subspan(static_cast<std::size_t>(block.first), block.size());
  found.candidates.clear();
  found.ceiling = ScoreCeiling(cut_.reach);
  found.largest = 0.0;
  Bounds bounds{};
  for (std::size_t first = 0; first < standings.size(); first += kTogether) {
    const std::size_t count = std::min(kTogether, standings.size() - first);
    const std::span<PackedStanding> here = standings.subspan(first, count);
    found.largest =
        std::max(found.largest, PackedStanding::bound_all(here, cut_.reach, std::span(bounds).first(count)));
    for (std::size_t n = 0; n < count; ++n) {
      const auto bound = static_cast<double>(bounds[n].most);
      if (bound >= cut_.level) {
        here[n].set_listed(true);
        found.candidates.push_back(block.first + static_cast<DocumentId>(first + n));
      } else {
        found.ceiling.include(bound, bounds[n].width_step);
      }
    }
  }
}

/// Calls change(standings, values) for the documents of the postings, so many together, and lists those that may win then.
template <typename Change>
void ScoreSurvey::change_holders(SparseRow postings, const Change& change) {
  std::array<PackedStanding, kTogether> now;
  double largest = 0.0;
  for (std::size_t first = 0; first < postings.size(); first += kTogether) {
    const std::size_t count = std::min(kTogether, postings.size() - first);
    const std::span<const DocumentId> documents = postings.features.subspan(first, count);
    for (std::size_t n = 0; n < count; ++n) {
      if (first + n + kAhead < postings.size()) prefetch(postings.features[first + n + kAhead]);
      now[n] = packed(documents[n]);
    }
    change(std::span(now).first(count), postings.values.subspan(first, count));
    largest = std::max(largest, replace(documents, std::span(now).first(count)));
  }
  tolerance_ = std::max(tolerance_, kRounding * largest);
}

/// These are the standings of these documents now. Returns the largest |mean| + reach * width of them.
double ScoreSurvey::replace(std::span<const DocumentId> documents, std::span<PackedStanding> now) {
  Bounds bounds{};
  const double largest = PackedStanding::bound_all(now, cut_.reach, std::span(bounds).first(now.size()));
  for (std::size_t n = 0; n < now.size(); ++n) {
    PackedStanding& place = standings_[static_cast<std::size_t>(documents[n])];
    const PackedStanding before = place;
    const auto bound = static_cast<double>(bounds[n].most);
    if (!before.is_listed() && !(bound >= cut_.level)) {
      place = now[n];
      ceiling_.include(bound, bounds[n].width_step);
      continue;
    }
    now[n].set_listed(true);
    place = now[n];
    if (!before.is_listed()) candidates_.push_back(documents[n]);
    const bool may_score_more = now[n].mean() > before.mean() || now[n].width() > before.width();
    if (may_score_more || !before.is_listed()) raised_.push_back(documents[n]);
  }
  return largest;
}

std::int64_t ScoreSurvey::settle(const RidgeModel& model) {
  const std::optional<ScoreDrift::Settled> settled = drift_.settle(
      [&](std::size_t position) { return static_cast<double>(postings_[position].size() + kSettling); });
  if (!settled) return 0;
  const SparseRow postings = postings_[settled->position];
  change_holders(postings, [&](std::span<PackedStanding> standings, std::span<const float> values) {
    PackedStanding::add_to_means(standings, values, settled->change);
  });
  relax(model);
  return static_cast<std::int64_t>(postings.size());
}

void ScoreSurvey::follow_birth(FeatureId feature, const RankOneChange& birth, const RidgeModel& model) {
  const ScoreDrift::Birth born = drift_.follow_birth(birth, model.factor());
  change_holders(postings_.append(feature),
                 [&](std::span<PackedStanding> standings, std::span<const float> values) {
                   PackedStanding::update_all(standings, values, [&](const Standing& before, double value) {
                     return born.standing(before, value);
                   });
                 });
}

}  // namespace inkling
