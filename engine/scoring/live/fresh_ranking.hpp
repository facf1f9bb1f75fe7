// The best documents by a model as it is now; keeps nothing between calls.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/scoring/ranked.hpp"

namespace inkling {

class LinearModel;
struct PoolView;

/// The `count` documents of highest mean + radius * width among those that remain, best first, ties to the lowest row.
/// With a model that keeps V^-1 these are the scores that SublinearScores compares, to the last bit; with any other,
/// those of ModelScan, by which ScoredModel decides between scores that are nearly equal. Cost: one pass over
/// the postings of the features in use, or over all rows for a model without V^-1. The same at any number of threads.
/// Requires: radius >= 0 and finite, count below 2^31.
[[nodiscard]] std::vector<Ranked> fresh_ranking(const LinearModel& model, PoolView pool, double radius, std::size_t count,
                                                const Remains& remains);

}  // namespace inkling
