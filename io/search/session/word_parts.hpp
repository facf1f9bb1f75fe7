// What each word of one document adds to its score, and how far off the weight of a word may be.
#pragma once

#include <span>
#include <vector>

#include "engine/model/linear_model.hpp"
#include "engine/scoring/ranking.hpp"

namespace inkling {

/// The parts of the features that the model has in use, in order of the row, with the bits of `BatchScan` and `DualScan`. Those
/// are not called here, because they copy the model first, which takes longer than one document does. The variances are left at
/// 0, because few of them are wanted (`variances_of`).
[[nodiscard]] std::vector<ScorePart> parts_of_document(const LinearModel& model, SparseRow row);

/// The entries of these features on the diagonal of V^-1; 0 for those not in use. Requires: features of the pool, each once.
[[nodiscard]] std::vector<double> variances_of(const LinearModel& model, std::span<const FeatureId> features);

}  // namespace inkling
