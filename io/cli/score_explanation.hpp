// The words that made a document's score.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/scoring/batch_scan.hpp"
#include "engine/sparse/sparse_row.hpp"
#include "io/cli/score_format.hpp"

namespace inkling {

/// What each relevant word of a document adds to its mean and to its squared width; the largest contribution,
/// of either sign, first. `word_of` names a feature, by nothing where there are no words.
[[nodiscard]] std::vector<WordShare> explain_score(const BatchScan& model, SparseRow document,
                                                   const std::function<std::string(FeatureId)>& word_of);

}  // namespace inkling
