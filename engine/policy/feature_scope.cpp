#include "engine/policy/feature_scope.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

std::vector<FeatureId> all_of(std::int32_t features) {
  std::vector<FeatureId> all(static_cast<std::size_t>(features));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void check_given(const std::vector<FeatureId>& given, std::int32_t features) {
  std::vector<FeatureId> sorted = given;
  std::ranges::sort(sorted);
  if (!sorted.empty() && (sorted.front() < 0 || sorted.back() >= features)) {
    throw FormatError("the given features",
                      "expected features from 0 to " + std::to_string(features - 1) + ", got " +
                          std::to_string(sorted.front() < 0 ? sorted.front() : sorted.back()));
  }
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    throw FormatError("the given features", "expected each once, got " + std::to_string(*twice) + " twice");
  }
}

}  // namespace

std::vector<FeatureId> FeatureScope::at_start(std::int32_t features) const {
  if (kind == Kind::all) return all_of(features);
  if (kind != Kind::given) return {};
  check_given(given, features);
  return given;
}

bool FeatureScope::accepts_mark(std::int64_t round) const noexcept {
  return kind == Kind::marked || (kind == Kind::marked_in_first_rounds && round <= first_rounds);
}

}  // namespace inkling
