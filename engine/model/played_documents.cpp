#include "engine/model/played_documents.hpp"

#include <algorithm>

namespace inkling {

void PlayedDocuments::record(std::int64_t document, SparseRow row, double reward, double base, double weight) {
  std::int32_t entry = entry_of_.find(document);
  if (entry == IdMap<std::int64_t>::kNone) {
    entry = static_cast<std::int32_t>(entries_.size());
    rows_.append(row);
    entries_.push_back({.document = document, .plays = 0, .reward_sum = {}, .weight = 0.0, .base = base});
    entry_of_.set(document, entry);
  }
  PlayedDocument& played = entries_[static_cast<std::size_t>(entry)];
  ++played.plays;
  ++plays_;
  played.reward_sum.add(weight * reward);
  played.weight += weight;
  played.reward_squares += weight * reward * reward;
}

void PlayedDocuments::replace_rewards(std::size_t place, double weight, double sum, double squares) {
  entries_[place].weight = weight;
  entries_[place].reward_sum = CompensatedSum(sum);
  entries_[place].reward_squares = squares;
}

void PlayedDocuments::erase(std::size_t place) {
  plays_ -= entries_[place].plays;
  entry_of_.erase(entries_[place].document);
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(place));
  rows_.erase(place);
  for (std::size_t later = place; later < entries_.size(); ++later)
    entry_of_.set(entries_[later].document, static_cast<std::int32_t>(later));
}

std::vector<PlayedEntry> PlayedDocuments::column(FeatureId feature) const {
  std::vector<PlayedEntry> column;
  for (std::size_t place = 0; place < entries_.size(); ++place) {
    const SparseRow held = row(place);
    const auto found = std::ranges::lower_bound(held.features, feature);
    if (found == held.features.end() || *found != feature) continue;
    const float value = held.values[static_cast<std::size_t>(found - held.features.begin())];
    column.push_back({place, static_cast<double>(value)});
  }
  std::ranges::sort(column, {}, [&](const PlayedEntry& entry) { return entries_[entry.place].document; });
  return column;
}

}  // namespace inkling
