// How good a search was: what was found, documents to read for a share of all, and how often a search failed. All are of results whose trials have `finds`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bench/studies/study.hpp"

namespace inkling::bench {

/// Wanted documents among the first `documents` shown, and the same as a share of all wanted documents (0 if there were none).
[[nodiscard]] double found_among(const TrialResult& trial, std::int64_t documents);
[[nodiscard]] double recall_among(const TrialResult& trial, std::int64_t documents);

/// Documents shown until this share of all wanted documents was found, or nothing if the trial ended before. 0 if there were no
/// wanted documents. Requires: 0 <= share <= 1.
[[nodiscard]] std::optional<std::int64_t> documents_until(const TrialResult& trial, double share);

/// The same, but if the share was not reached, one more than the documents shown: a lower bound.
[[nodiscard]] double least_documents_until(const TrialResult& trial, double share);

/// Share of the trials that reached it.
[[nodiscard]] Estimate share_reaching(const EntrantResult& result, double share);

/// Share of the trials that found less than half of the median among as many documents. Trial n is of kind n % kinds,
/// such as a search for one of so many topics, and each kind has a median of its own, because one topic may be harder
/// than another. What was there differs between trials, so that shares of what a perfect search finds are compared.
/// Requires: kinds >= 1.
[[nodiscard]] Estimate share_failed(const EntrantResult& result, std::int64_t documents, std::size_t kinds = 1);

/// Interpolates linearly between the ordered values; share 0.5 gives the median. Requires: at least one value, 0 <= share <= 1.
[[nodiscard]] double quantile(std::vector<double> values, double share);

}  // namespace inkling::bench
