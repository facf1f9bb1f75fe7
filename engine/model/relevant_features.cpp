#include "engine/model/relevant_features.hpp"

#include <cassert>
#include <cstddef>
#include <numeric>

namespace inkling {
namespace {
constexpr std::int32_t kNotRelevant = -1;
}

double dot(RestrictedRow row, std::span<const double> dense) noexcept {
  double sum = 0.0;
  for (std::size_t n = 0; n < row.size(); ++n) {
    assert(static_cast<std::size_t>(row.positions[n]) < dense.size());
    sum += row.values[n] * dense[static_cast<std::size_t>(row.positions[n])];
  }
  return sum;
}

double squared_norm(RestrictedRow row) noexcept {
  return std::inner_product(row.values.begin(), row.values.end(), row.values.begin(), 0.0);
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

RestrictedRow RelevantFeatures::restrict_row(SparseRow row, RestrictedRowBuffer& buffer) const {
  buffer.positions.clear();
  buffer.values.clear();
  for_each_relevant(row, [&](std::int32_t position, float value) {
    buffer.positions.push_back(position);
    buffer.values.push_back(static_cast<double>(value));
  });
  return {buffer.positions, buffer.values};
}

}  // namespace inkling
