// How good a search was: useless documents among the first, documents to read for a share of all, and how often
// a search failed. All are of results whose trials have `finds`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bench/studies/study.hpp"

namespace inkling::bench {

/// Wanted documents among the first `documents` shown, and the same as a share of all wanted documents (0 if there were none).
[[nodiscard]] double found_among(const TrialResult& trial, std::int64_t documents);
[[nodiscard]] double recall_among(const TrialResult& trial, std::int64_t documents);

/// How many of the first `documents` were shown in place of a wanted one: those not wanted, less those that even a
/// perfect search shows because it has run out of wanted ones.
[[nodiscard]] double useless_among(const TrialResult& trial, std::int64_t documents);

/// Documents shown until this share of all wanted documents was found, or nothing if the trial ended before. 0 if there were no
/// wanted documents. Requires: 0 <= share <= 1.
[[nodiscard]] std::optional<std::int64_t> documents_until(const TrialResult& trial, double share);

/// The same, but if the share was not reached, one more than the documents shown: a lower bound.
[[nodiscard]] double least_documents_until(const TrialResult& trial, double share);

/// Share of the trials that reached it.
[[nodiscard]] Estimate share_reaching(const EntrantResult& result, double share);

/// The first round that showed a wanted document, or nothing.
[[nodiscard]] std::optional<std::int64_t> first_find(const TrialResult& trial);

/// Share of the trials that found less than half of the median among as many documents. Trial n is of kind n % kinds,
/// such as a search for one of so many topics, and each kind has a median of its own, because one topic may be harder
/// than another. What was there differs between trials, so that shares of what a perfect search finds are compared.
/// Requires: kinds >= 1.
[[nodiscard]] Estimate share_failed(const EntrantResult& result, std::int64_t documents, std::size_t kinds = 1);

/// A number of a search that continued until everything was found, among `documents` that could be shown.
struct ScreeningMeasure {
  std::string_view name;
  double (*of)(const TrialResult&, std::int64_t documents);
};

/// What is measured of systematic reviews; less is better. "ATD %": the mean, over what was found, of the share of the documents
/// shown by then. "loss": what ASReview calls so, the area between the recall curve and a perfect one; 0 is perfect, 0.5 the
/// order of chance. "useless of 25": those that are not wanted among the first 25 documents, or among all if there are fewer. "95
/// % at %" and "all at %": the share of the documents shown until 95 % and all were found.
/// Requires: there were wanted and other documents, and all wanted ones were found.
[[nodiscard]] std::span<const ScreeningMeasure> screening_measures();

/// Interpolates linearly between the ordered values; share 0.5 gives the median. Requires: at least one value, 0 <= share <= 1.
[[nodiscard]] double quantile(std::vector<double> values, double share);

}  // namespace inkling::bench
