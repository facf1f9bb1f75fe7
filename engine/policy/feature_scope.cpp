#include "engine/policy/feature_scope.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

void check_given(const std::vector<FeatureId>& given, std::int32_t features) {
  std::vector<FeatureId> sorted = given;
  std::ranges::sort(sorted);
  if (!sorted.empty() && (sorted.front() < 0 || sorted.back() >= features)) {
    throw FormatError("the given features", "expected features from 0 to " + std::to_string(features - 1) + ", got " +
                                                std::to_string(sorted.front() < 0 ? sorted.front() : sorted.back()));
  }
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    throw FormatError("the given features", "expected each once, got " + std::to_string(*twice) + " twice");
  }
}

}  // namespace

std::vector<FeatureId> FeatureScope::at_start(std::int32_t features) const {
  std::vector<FeatureId> first;
  if (kind == Kind::all) {
    first.resize(static_cast<std::size_t>(features));
    std::iota(first.begin(), first.end(), 0);
  } else if (kind == Kind::given) {
    check_given(given, features);
    first = given;
  }
  return first;
}

}  // namespace inkling
