#include "engine/scoring/live/relevant_postings.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace inkling {

RelevantPostings::RelevantPostings(CsrView by_feature) : by_feature_(by_feature) {}

SparseRow RelevantPostings::append(FeatureId feature) {
  const SparseRow postings = by_feature_.row(feature);
  Starts starts;
  starts.reserve(static_cast<std::size_t>(blocks()) + 1);
  auto from = postings.features.begin();
  for (std::int32_t index = 0; index < blocks(); ++index) {
    from = std::lower_bound(from, postings.features.end(), block(index).first);
    starts.push_back(static_cast<std::int32_t>(from - postings.features.begin()));
  }
  starts.push_back(static_cast<std::int32_t>(postings.size()));
  std::vector<std::uint16_t> places(postings.size());
  for (std::int32_t index = 0; index < blocks(); ++index) {
    const RowBlock rows = block(index);
    const auto at = static_cast<std::size_t>(index);
    const auto end = static_cast<std::size_t>(starts[at + 1]);
    for (auto n = static_cast<std::size_t>(starts[at]); n < end; ++n)
      places[n] = static_cast<std::uint16_t>(postings.features.place_within(n, rows.first, rows.size()));
  }
  postings_.push_back(postings);
  starts_.push_back(std::move(starts));
  places_.push_back(std::move(places));
  never_negative_.push_back(std::ranges::none_of(postings.values, [](float value) { return value < 0.0F; }) ? 1 : 0);
  return postings;
}

void RelevantPostings::multiply(std::int32_t index, std::span<const double> direction, std::span<double> products) const {
  assert(direction.size() == postings_.size() && products.size() == block(index).size());
  std::ranges::fill(products, 0.0);
  const auto at = static_cast<std::size_t>(index);
  for (std::size_t a = 0; a < direction.size(); ++a) {
    const double weight = direction[a];
    if (weight == 0.0) continue;
    const std::uint16_t* const places = places_[a].data();
    const float* const values = postings_[a].values.data();
    const std::int32_t end = starts_[a][at + 1];
    for (std::int32_t n = starts_[a][at]; n < end; ++n) products[places[n]] += weight * static_cast<double>(values[n]);
  }
}

void RelevantPostings::gather(std::int32_t index, GatheredRows& rows) const {
  const RowBlock rows_here = block(index);
  // Counts are shifted by one place, so that filling moves each begin to where it belongs.
  rows.begins_.assign(rows_here.size() + 2, 0);
  const auto at = static_cast<std::size_t>(index);
  std::uint32_t* const ends = rows.begins_.data() + 2;
  for (std::size_t a = 0; a < postings_.size(); ++a) {
    const std::uint16_t* const places = places_[a].data();
    for (std::int32_t n = starts_[a][at]; n < starts_[a][at + 1]; ++n) ++ends[places[n]];
  }
  std::partial_sum(rows.begins_.begin(), rows.begins_.end(), rows.begins_.begin());
  rows.entries_.resize(rows.begins_.back());
  std::uint32_t* const next = rows.begins_.data() + 1;
  for (std::size_t a = 0; a < postings_.size(); ++a) {
    const std::uint16_t* const places = places_[a].data();
    const float* const values = postings_[a].values.data();
    for (std::int32_t n = starts_[a][at]; n < starts_[a][at + 1]; ++n)
      rows.entries_[next[places[n]]++] = {static_cast<std::int32_t>(a), values[n]};
  }
}

void PoolProduct::take(std::span<const double> direction, std::span<const FeatureId> features) {
  direction_ = direction;
  if (by_postings()) return;
  dense_.resize(static_cast<std::size_t>(by_document_.columns()), 0.0);
  for (const FeatureId feature : taken_) dense_[static_cast<std::size_t>(feature)] = 0.0;
  taken_.assign(features.begin(), features.end());
  for (std::size_t a = 0; a < features.size(); ++a) dense_[static_cast<std::size_t>(features[a])] = direction[a];
}

}  // namespace inkling
