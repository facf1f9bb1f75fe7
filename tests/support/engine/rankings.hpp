// Whether two rankings are the same.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/scoring/ranking.hpp"

namespace inkling::test {

[[nodiscard]] inline bool same_ranking(const std::vector<Ranked>& left, const std::vector<Ranked>& right) {
  return std::ranges::equal(left, right, [](const Ranked& one, const Ranked& other) {
    return one.document == other.document && one.score == other.score;
  });
}

}  // namespace inkling::test
