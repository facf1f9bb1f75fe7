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
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    throw FormatError("the given features", "expected each once, got " + std::to_string(*twice) + " twice");
}

}  // namespace

std::vector<FeatureId> FeatureScope::at_start(std::int32_t features) const {
  switch (kind) {
    case Kind::none:
    case Kind::marked:
    case Kind::marked_in_first_rounds: break;
    case Kind::all: {
      std::vector<FeatureId> every(static_cast<std::size_t>(features));
      std::iota(every.begin(), every.end(), 0);
      return every;
    }
    case Kind::given: check_given(given, features); return given;
  }
  return {};
}

}  // namespace inkling
