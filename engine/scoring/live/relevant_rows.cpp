#include "engine/scoring/live/relevant_rows.hpp"

#include <algorithm>

namespace inkling {
namespace {

/// Entries that a row may still take in where it stands.
constexpr std::uint32_t kSpare = 3;

}  // namespace

RelevantRows::RelevantRows(CsrView documents)
    : documents_(documents), places_(static_cast<std::size_t>(documents.rows())) {}

void restrict_row(SparseRow row, const RelevantFeatures& features, std::vector<RelevantEntry>& entries) {
  const std::size_t begin = entries.size();
  features.for_each_relevant(row, [&](std::int32_t position, float value) {
    entries.push_back({position, value});
  });
  // They come in order of feature.
  std::ranges::sort(std::span(entries).subspan(begin), {}, &RelevantEntry::position);
}

std::span<const RelevantEntry> RelevantRows::row(DocumentId document, const RelevantFeatures& features) {
  const Place& place = places_[static_cast<std::size_t>(document)];
  if (place.generation != generation_) remember(document, features);
  return std::span(entries_).subspan(place.begin, place.size);
}

void RelevantRows::remember(DocumentId document, const RelevantFeatures& features) {
  const std::size_t begin = entries_.size();
  restrict_row(documents_.row(document), features, entries_);
  const auto size = static_cast<std::uint32_t>(entries_.size() - begin);
  places_[static_cast<std::size_t>(document)] = {generation_, size, size + kSpare, begin};
  entries_.resize(entries_.size() + kSpare);
}

void RelevantRows::append(SparseRow postings, std::int32_t position) {
  constexpr std::size_t ahead = 24;
  for (std::size_t n = 0; n < postings.size(); ++n) {
    if (n + ahead < postings.size()) {
      __builtin_prefetch(places_.data() + postings.features[n + ahead]);
    }
    Place& place = places_[static_cast<std::size_t>(postings.features[n])];
    if (place.generation != generation_) continue;
    if (place.size == place.room) move_to_more_room(place);
    entries_[place.begin + place.size] = {position, postings.values[n]};
    ++place.size;
  }
}

void RelevantRows::move_to_more_room(Place& place) {
  const std::size_t to = entries_.size();
  place.room = 2 * place.size;
  entries_.resize(to + place.room);
  std::copy_n(entries_.begin() + static_cast<std::ptrdiff_t>(place.begin), place.size,
              entries_.begin() + static_cast<std::ptrdiff_t>(to));
  place.begin = to;
}

void RelevantRows::forget_all() noexcept {
  entries_.clear();
  if (++generation_ != 0) return;
  std::ranges::fill(places_, Place{});
  generation_ = 1;
}

}  // namespace inkling
