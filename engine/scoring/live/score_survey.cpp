#include "engine/scoring/live/score_survey.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/scoring/parallel_blocks.hpp"

namespace inkling {
namespace {

/// This many blocks, and in them one document in this many, tell where to draw the line.
constexpr std::int32_t kSampledBlocks = 16;
constexpr std::size_t kSampledRows = 8;
/// So many postings ahead, memory is asked for.
constexpr std::size_t kAhead = 24;
using PlacesInBlock = std::array<std::uint16_t, RelevantPostings::kBlock>;
/// So many maxima side by side wait for nothing but their own.
constexpr std::size_t kLanes = 8;
constexpr double kNone = -std::numeric_limits<double>::infinity();
/// Rounding of a score as a part of the largest one.
constexpr double kRounding = 1e-11;

}  // namespace

ScoreSurvey::ScoreSurvey(CsrView by_feature)
    : postings_(by_feature),
      means_(static_cast<std::size_t>(by_feature.columns()), 0.0),
      widths_(means_),
      places_(means_.size(), kNotListed) {}

void ScoreSurvey::take(const RestrictedScore& score, std::size_t wanted) {
  renew(score, wanted, [&](std::int32_t index) { score_block(index, score); });
}

void ScoreSurvey::refresh_means(const RestrictedScore& score, std::size_t wanted) {
  const double growth = drift_.growth();
  renew(score, wanted, [&](std::int32_t index) { refresh_block(index, score, growth); });
}

/// Updates every block and lists it. The threshold between candidates and others comes from a few blocks that
/// go first; where it turns out to be far off, because the pool is in some order, from all.
template <typename Update>
void ScoreSurvey::renew(const RestrictedScore& score, std::size_t wanted, const Update& update_block) {
  drift_.restart(score.theta().size());
  radius_ = score.radius();
  listed_reach_ = drift_.reach(radius_);
  const std::int32_t stride = std::max(1, postings_.blocks() / kSampledBlocks);
  for_each_block(RowBlocks(postings_.blocks(), stride).count(),
                 [&](std::int32_t n) { update_block(n * stride); });
  list(sample(stride).threshold(wanted), [&](std::int32_t index) {
    if (index % stride != 0) update_block(index);
  });
  const bool is_far_off = candidates_.size() > 4 * wanted || candidates_.size() < wanted / 4;
  if (stride > 1 && is_far_off) list(sample(1).threshold(wanted), [](std::int32_t) {});
}

void ScoreSurvey::score_block(std::int32_t index, const RestrictedScore& score) {
  const RowBlock block = postings_.block(index);
  GatheredRows rows;
  postings_.gather(index, rows);
  for (DocumentId i = block.first; i < block.end; ++i) {
    if (retired(i)) continue;
    const Standing standing = score.standing(rows.row(static_cast<std::size_t>(i - block.first)));
    means_[static_cast<std::size_t>(i)] = standing.mean;
    widths_[static_cast<std::size_t>(i)] = standing.width;
  }
}

void ScoreSurvey::refresh_block(std::int32_t index, const RestrictedScore& score, double growth) {
  const RowBlock block = postings_.block(index);
  const auto first = static_cast<std::size_t>(block.first);
  postings_.multiply(index, score.theta(), std::span(means_).subspan(first, block.size()));
  if (growth == 1.0) return;
  for (double& width : std::span(widths_).subspan(first, block.size())) width *= growth;
}

/// Of a few documents in every stride-th block.
BoundSample ScoreSurvey::sample(std::int32_t stride) const {
  BoundSample sample(static_cast<std::size_t>(stride) * kSampledRows);
  for (std::int32_t index = 0; index < postings_.blocks(); index += stride) {
    const RowBlock block = postings_.block(index);
    const auto end = static_cast<std::size_t>(block.end);
    for (auto i = static_cast<std::size_t>(block.first); i < end; i += kSampledRows) {
      if (widths_[i] != 0.0) sample.consider(means_[i] + listed_reach_ * widths_[i]);
    }
  }
  return sample;
}

/// Calls before(index) for each block, then lists it.
template <typename Before>
void ScoreSurvey::list(double threshold, const Before& before) {
  found_.resize(static_cast<std::size_t>(postings_.blocks()));
  for_each_block(postings_.blocks(), [&](std::int32_t index) {
    before(index);
    list_block(index, threshold, found_[static_cast<std::size_t>(index)]);
  });
  for (const Candidate& candidate : candidates_) {
    std::int32_t& place = places_[static_cast<std::size_t>(candidate.document)];
    if (place >= 0) place = kNotListed;
  }
  candidates_.clear();
  tolerance_ = 0.0;
  ceiling_ = ScoreCeiling(listed_reach_);
  for (const Found& here : found_) {
    for (const Candidate& candidate : here.candidates) {
      places_[static_cast<std::size_t>(candidate.document)] = static_cast<std::int32_t>(candidates_.size());
      candidates_.push_back(candidate);
    }
    tolerance_ = std::max(tolerance_, kRounding * here.largest);
    ceiling_.include(here.ceiling);
  }
}

void ScoreSurvey::list_block(std::int32_t index, double threshold, Found& found) {
  const RowBlock block = postings_.block(index);
  const auto first = static_cast<std::size_t>(block.first);
  const double* __restrict means = means_.data() + first;
  const double* __restrict widths = widths_.data() + first;
  found.candidates.clear();
  // Bounds, then comparisons, then what was found: no branch until then, for no one could predict it.
  RelevantPostings::BlockOfDoubles bounds;  // not initialised: every entry that is read is written here
  const double reach = listed_reach_;
  std::array<double, kLanes> largest{};
  const auto bound = [&](std::size_t i, std::size_t lane) {
    const double above = reach * widths[i];
    bounds[i] = means[i] + above;
    largest[lane] = std::max(largest[lane], std::fabs(means[i]) + above);
  };
  std::size_t bounded = 0;
  for (; bounded + kLanes <= block.size(); bounded += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) bound(bounded + lane, lane);
  for (; bounded < block.size(); ++bounded) bound(bounded, 0);
  PlacesInBlock chosen;  // likewise
  std::size_t count = 0;
  double highest = kNone;
  double widest = 0.0;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const bool is_chosen = (bounds[i] >= threshold) & (widths[i] != 0.0);
    const bool is_left = (bounds[i] < threshold) & (widths[i] != 0.0);
    chosen[count] = static_cast<std::uint16_t>(i);
    count += is_chosen ? 1 : 0;
    highest = std::max(highest, is_left ? bounds[i] : kNone);
    widest = std::max(widest, is_left ? widths[i] : 0.0);
  }
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t i = chosen[n];
    found.candidates.push_back({{means[i], widths[i]}, static_cast<DocumentId>(first + i)});
  }
  found.largest = *std::ranges::max_element(largest);
  found.ceiling = ScoreCeiling(listed_reach_);
  found.ceiling.include(highest, widest);
}

void ScoreSurvey::follow_birth(FeatureId feature, const RankOneChange& birth) {
  const double growth_before = drift_.growth();
  const double moved_before = drift_.drift();
  drift_.follow_birth(birth);
  // w'Vw, eta and 1 / sigma of the birth (engine/model/ridge_model.hpp).
  const double overlap = std::sqrt(birth.leverage);
  const double eta = birth.mean_gain;
  const double weight_drift = drift_.reward_drift();
  const double birth_drift = drift_.birth_drift();
  const double reach = drift_.reach(radius_);
  const SparseRow postings = postings_.append(feature);
  for (std::size_t n = 0; n < postings.size(); ++n) {
    if (n + kAhead < postings.size()) prefetch(static_cast<std::size_t>(postings.features[n + kAhead]));
    const auto i = static_cast<std::size_t>(postings.features[n]);
    const auto value = static_cast<double>(postings.values[n]);
    if (value == 0.0 || places_[i] == kRetired) continue;
    // What the document may have been just before, and may be just after.
    const double width_before = growth_before * widths_[i];
    const double product = width_before * overlap;  // |x.w| at most
    const double g = std::fabs(value) + product;
    const double width = std::sqrt(width_before * width_before + g * g * birth.square_gain) * (1.0 + 1e-9);
    const double mean = means_[i] + width_before * moved_before + value * eta + product * std::fabs(eta);
    // The same as of the listing: see README.md.
    set_standing(i, {mean + width * (weight_drift - birth_drift), width / drift_.growth()}, reach);
  }
}

/// A posting list skips through three arrays too irregularly for the processor to fetch ahead by itself.
void ScoreSurvey::prefetch(std::size_t document) const noexcept {
  __builtin_prefetch(means_.data() + document, 1);
  __builtin_prefetch(widths_.data() + document, 1);
  __builtin_prefetch(places_.data() + document);
}

void ScoreSurvey::set_standing(std::size_t document, const Standing& standing, double reach) {
  means_[document] = standing.mean;
  widths_[document] = standing.width;
  tolerance_ = std::max(tolerance_, kRounding * (std::fabs(standing.mean) + reach * standing.width));
  std::int32_t& place = places_[document];
  if (place >= 0) {
    candidates_[static_cast<std::size_t>(place)].standing = standing;
  } else if (!ceiling_.cover(standing, reach)) {
    place = static_cast<std::int32_t>(candidates_.size());
    candidates_.push_back({standing, static_cast<DocumentId>(document)});
  }
}

void ScoreSurvey::retire(DocumentId document) noexcept {
  const auto at = static_cast<std::size_t>(document);
  if (places_[at] >= 0) candidates_[static_cast<std::size_t>(places_[at])].standing = {};
  places_[at] = kRetired;
  widths_[at] = 0.0;
}

}  // namespace inkling
