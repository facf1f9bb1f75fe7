#include "engine/scoring/relevant_rows.hpp"

#include <algorithm>

namespace inkling {

RelevantRows::RelevantRows(CsrView documents)
    : documents_(documents), places_(static_cast<std::size_t>(documents.rows())) {}

std::span<const RelevantEntry> RelevantRows::row(DocumentId document, const RelevantFeatures& features) {
  Place& place = places_[static_cast<std::size_t>(document)];
  if (place.generation != generation_) {
    place = {generation_, 0, entries_.size()};
    features.for_each_relevant(documents_.row(document), [&](std::int32_t position, float value) {
      entries_.push_back({position, value});
    });
    place.size = static_cast<std::uint32_t>(entries_.size() - place.begin);
  }
  return std::span(entries_).subspan(place.begin, place.size);
}

void RelevantRows::forget_all() noexcept {
  entries_.clear();
  if (++generation_ != 0) return;
  std::ranges::fill(places_, Place{});
  generation_ = 1;
}

}  // namespace inkling
