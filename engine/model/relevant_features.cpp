#include "engine/model/relevant_features.hpp"

#include <cassert>
#include <cstddef>

namespace inkling {
namespace {
constexpr std::int32_t kNotRelevant = -1;
}

RelevantFeatures::RelevantFeatures(std::int32_t features)
    : position_(static_cast<std::size_t>(features), kNotRelevant) {}

bool RelevantFeatures::contains(FeatureId feature) const noexcept {
  assert(feature >= 0 && static_cast<std::size_t>(feature) < position_.size());
  return position_[static_cast<std::size_t>(feature)] != kNotRelevant;
}

std::optional<std::int32_t> RelevantFeatures::position(FeatureId feature) const noexcept {
  if (!contains(feature)) return std::nullopt;
  return position_[static_cast<std::size_t>(feature)];
}

void RelevantFeatures::append(FeatureId feature) {
  assert(!contains(feature));
  order_.push_back(feature);
  position_[static_cast<std::size_t>(feature)] = size() - 1;
}

std::int32_t RelevantFeatures::remove(FeatureId feature) {
  assert(contains(feature));
  const std::int32_t removed = position_[static_cast<std::size_t>(feature)];
  order_.erase(order_.begin() + removed);
  position_[static_cast<std::size_t>(feature)] = kNotRelevant;
  for (std::int32_t a = removed; a < size(); ++a) {
    position_[static_cast<std::size_t>(order_[static_cast<std::size_t>(a)])] = a;
  }
  return removed;
}

RestrictedRow RelevantFeatures::restrict_row(SparseRow row, RestrictedRows& buffer) const {
  buffer.clear();
  for_each_relevant(
      row, [&](std::int32_t position, float value) { buffer.add(position, static_cast<double>(value)); });
  return {buffer.positions, buffer.values};
}

}  // namespace inkling
