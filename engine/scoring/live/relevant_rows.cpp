#include "engine/scoring/live/relevant_rows.hpp"

#include <algorithm>

namespace inkling {
namespace {

/// Spare entries of a row, so that it can grow in place.
constexpr std::uint32_t kSpare = 3;
/// Cost of finding a feature in a row, in comparisons.
constexpr std::size_t kFinding = 8;
constexpr std::size_t kLineBytes = 64;

}  // namespace

void restrict_row(SparseRow row, const RelevantFeatures& features, std::vector<RelevantEntry>& entries) {
  const std::size_t begin = entries.size();
  features.for_each_relevant(row, [&](std::int32_t position, float value) { entries.push_back({position, value}); });
  // They come in order of feature.
  std::ranges::sort(std::span(entries).subspan(begin), {}, &RelevantEntry::position);
}

std::span<const RelevantEntry> RelevantRows::row(DocumentId document, const RelevantFeatures& features) {
  std::int32_t number = place_of_.find(document);
  if (number == IdMap<DocumentId>::kNone) {
    number = static_cast<std::int32_t>(places_.size());
    remember(document, features);
  }
  Place& place = places_[static_cast<std::size_t>(number)];
  if (place.features != features.size()) look_up(document, features, place);
  return std::span(entries_).subspan(place.begin, place.size);
}

void RelevantRows::remember(DocumentId document, const RelevantFeatures& features) {
  const std::size_t begin = entries_.size();
  restrict_row(documents_.row(document), features, entries_);
  const auto size = static_cast<std::uint32_t>(entries_.size() - begin);
  place_of_.set(document, static_cast<std::int32_t>(places_.size()));
  places_.push_back({begin, size, size + kSpare, features.size()});
  entries_.resize(entries_.size() + kSpare);
}

void RelevantRows::prefetch_place(DocumentId document) const noexcept {
  const std::int32_t number = place_of_.find(document);
  if (number != IdMap<DocumentId>::kNone) __builtin_prefetch(&places_[static_cast<std::size_t>(number)]);
  __builtin_prefetch(&documents_.offsets()[static_cast<std::size_t>(document)]);
}

void RelevantRows::prefetch_row(DocumentId document, const RelevantFeatures& features) const noexcept {
  const std::int32_t number = place_of_.find(document);
  if (number != IdMap<DocumentId>::kNone) {
    const Place& place = places_[static_cast<std::size_t>(number)];
    if (place.begin < entries_.size()) __builtin_prefetch(&entries_[place.begin]);
    if (place.features == features.size()) return;
  }
  const std::span<const FeatureId> row = documents_.row(document).features.unchecked();
  for (std::size_t n = 0; n < row.size(); n += kLineBytes / sizeof(FeatureId)) __builtin_prefetch(&row[n]);
}

void RelevantRows::look_up(DocumentId document, const RelevantFeatures& features, Place& place) {
  const SparseRow row = documents_.row(document);
  const std::span<const FeatureId> later = features.in_order().subspan(static_cast<std::size_t>(place.features));
  if (kFinding * later.size() < row.size()) {
    for (const FeatureId feature : later) {
      const auto found = std::ranges::lower_bound(row.features, feature);
      if (found != row.features.end() && *found == feature)
        append({place.features, row.values[static_cast<std::size_t>(found - row.features.begin())]}, place);
      ++place.features;
    }
    return;
  }
  found_.clear();
  restrict_row(row, features, found_);
  for (const RelevantEntry& entry : found_)
    if (entry.position >= place.features) append(entry, place);
  place.features = features.size();
}

void RelevantRows::append(const RelevantEntry& entry, Place& place) {
  if (place.size == place.room) {
    const std::size_t to = entries_.size();
    place.room = 2 * place.size;
    entries_.resize(to + place.room);
    std::copy_n(entries_.begin() + static_cast<std::ptrdiff_t>(place.begin), place.size,
                entries_.begin() + static_cast<std::ptrdiff_t>(to));
    place.begin = to;
  }
  entries_[place.begin + place.size] = entry;
  ++place.size;
}

}  // namespace inkling
