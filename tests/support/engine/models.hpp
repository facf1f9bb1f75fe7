// What tests of models share: both ways to store a factor, what a model learns, and whether two rankings are the same.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "engine/model/cholesky_factor.hpp"
#include "engine/model/linear_model.hpp"
#include "engine/scoring/ranking.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling::test {

inline constexpr std::array<FactorKind, 2> kFactorKinds = {FactorKind::cholmod, FactorKind::dense};

[[nodiscard]] constexpr const char* name_of(FactorKind kind) noexcept {
  return kind == FactorKind::cholmod ? "cholmod" : "dense";
}

/// The model learns a reward of a document of the pool.
inline RankOneChange learn(LinearModel& model, PoolView pool, DocumentId document, double reward) {
  return model.observe(document, pool.by_document.row(document), reward);
}

[[nodiscard]] inline bool same_ranking(const std::vector<Ranked>& left, const std::vector<Ranked>& right) {
  return std::ranges::equal(left, right, [](const Ranked& one, const Ranked& other) {
    return one.document == other.document && one.score == other.score;
  });
}

}  // namespace inkling::test
