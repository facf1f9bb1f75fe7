// The best documents by a model that keeps V^-1, from the postings of the features in use.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/model/ridge_model.hpp"
#include "engine/scoring/live/best_kept.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling {

/// As `fresh_ranking`. With s_a^2 = (V^-1)_aa, the triangle inequality gives width <= sum |x_a| s_a, and so
///   score <= sum x_a theta_a + radius |x_a| s_a,
/// one product with the postings. Only documents whose bound is not below the scores found so far are scored, exactly.
/// Requires: InverseUse::kept.
[[nodiscard]] std::vector<Ranked> ranked_by_postings(const RidgeModel& model, PoolView pool, double radius,
                                                     std::size_t count, const Remains& remains);

}  // namespace inkling
