#include "engine/scoring/scan/feature_filter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <utility>

namespace inkling {

/// Consecutive entries of a block, whatever rows they belong to, on their way through the filter.
struct FeatureFilter::Piece {
  SparseRow entries;
  PassedEntries passed;
  std::array<std::uint16_t, PassedEntries::most_entries + 1> found_before{};  // by passed entry

  /// How many entries before this one are relevant.
  [[nodiscard]] std::size_t found_before_entry(std::size_t entry) const noexcept {
    return found_before[passed.count_before(entry)];
  }
};

FeatureFilter::Slots::Slots(std::span<const FeatureId> features) {
  const auto bits = static_cast<unsigned>(std::bit_width(8 * features.size())) + 1;
  assert(bits < 32);
  shift_ = 32 - bits;
  slots_.resize(std::size_t{1} << bits);
  for (std::size_t position = 0; position < features.size(); ++position) {
    const Slot* slot = slots_.data() + home(features[position]);
    while (slot->feature != kNone) slot = next(slot);
    slots_[static_cast<std::size_t>(slot - slots_.data())] = {features[position], static_cast<std::int32_t>(position)};
  }
}

FeatureFilter::FeatureFilter(std::vector<FeatureId> features, FilterMethod method)
    : features_(std::move(features)), bits_(features_), method_(method), slots_(features_) {
  assert(std::ranges::is_sorted(features_));
}

RestrictedRow FeatureFilter::restrict_row(SparseRow row, RestrictedRows& buffer) const {
  buffer.clear();
  for (std::size_t n = 0; n < row.size(); ++n) {
    if (!bits_.may_hold(row.features[n])) continue;
    const Slot& slot = slots_.find(row.features[n]);
    if (slot.feature == kNone) continue;
    buffer.add(slot.position, static_cast<double>(row.values[n]));
  }
  return {buffer.positions, buffer.values};
}

void FeatureFilter::look_up(Piece& piece, std::size_t used, RestrictedRows& restricted) const {
  const std::size_t count = piece.passed.count;
  restricted.make_room(used, count + 1);
  std::int32_t* const positions = restricted.positions.data() + used;
  double* const values = restricted.values.data() + used;
  const std::span<const FeatureId> from_features = piece.entries.features.unchecked();
  const float* const from_values = piece.entries.values.data();
  const Slots& slots = slots_;
  std::size_t found = 0;
  for (std::size_t n = 0; n < count; ++n) {
    piece.found_before[n] = static_cast<std::uint16_t>(found);
    const std::size_t entry = piece.passed.entries[n];
    const Slot slot = slots.find(from_features[entry]);
    // Always written, but counted only if it is relevant: a branch here could not be predicted.
    positions[found] = slot.position;
    values[found] = static_cast<double>(from_values[entry]);
    found += slot.feature != kNone ? 1U : 0U;
  }
  piece.found_before[count] = static_cast<std::uint16_t>(found);
}

void FeatureFilter::restrict_rows(CsrView documents, RowBlock rows, RestrictedRows& restricted) const {
  restricted.ends.resize(rows.size());
  const std::span<const std::int64_t> ends = documents.offsets().subspan(static_cast<std::size_t>(rows.first) + 1, rows.size());
  const auto end = static_cast<std::size_t>(ends.empty() ? 0 : ends.back());
  auto begin = static_cast<std::size_t>(rows.size() == 0 ? 0 : documents.offsets()[static_cast<std::size_t>(rows.first)]);
  std::size_t used = 0;
  std::size_t row = 0;
  for (; row < rows.size() && static_cast<std::size_t>(ends[row]) == begin; ++row) restricted.ends[row] = 0;
  Piece piece;
  while (begin < end) {
    const std::size_t size = std::min(end - begin, PassedEntries::most_entries);
    piece.entries = {documents.features().subspan(begin, size), documents.values().subspan(begin, size)};
    pass_entries(bits_, piece.entries, method_, piece.passed);
    look_up(piece, used, restricted);
    for (; row < rows.size() && static_cast<std::size_t>(ends[row]) <= begin + size; ++row) {
      restricted.ends[row] =
          static_cast<std::uint32_t>(used + piece.found_before_entry(static_cast<std::size_t>(ends[row]) - begin));
    }
    used += piece.found_before[piece.passed.count];
    begin += size;
  }
}

}  // namespace inkling
