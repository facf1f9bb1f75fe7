#include "bench/studies/search_measures.hpp"

#include <doctest/doctest.h>

namespace inkling::bench {
namespace {

/// A trial of this many rounds, in which wanted documents were shown in the rounds `at`.
TrialResult searched(std::int64_t there, std::int64_t rounds, std::vector<std::int64_t> at) {
  TrialResult trial;
  trial.finds = Finds{there, rounds, std::move(at)};
  return trial;
}

EntrantResult searches(std::vector<TrialResult> trials) {
  EntrantResult result;
  result.trials = std::move(trials);
  return result;
}

TEST_CASE("documents are found in the rounds that show them") {
  const TrialResult trial = searched(20, 10, {1, 4, 5, 9});
  CHECK(found_among(trial, 0) == 0.0);
  CHECK(found_among(trial, 4) == 2.0);
  CHECK(found_among(trial, 10) == 4.0);
  CHECK(recall_among(trial, 5) == doctest::Approx(0.15));
  CHECK(recall_among(searched(0, 10, {}), 10) == 0.0);
}

TEST_CASE("the documents to read for a share end with the find that reaches it") {
  std::vector<std::int64_t> at;
  for (std::int64_t n = 1; n <= 20; ++n) at.push_back(2 * n);
  const TrialResult trial = searched(20, 40, at);
  CHECK(documents_until(trial, 0.95) == 38);  // the 19th of 20, though 0.95 * 20 is more than 19 in floating point
  CHECK(documents_until(trial, 0.8) == 32);
  CHECK(documents_until(trial, 1.0) == 40);
  CHECK(documents_until(trial, 0.0) == 0);
  CHECK(documents_until(searched(21, 40, at), 0.96) == std::nullopt);
  CHECK(least_documents_until(searched(21, 40, at), 0.96) == 41.0);
  CHECK(documents_until(searched(0, 5, {}), 0.95) == 0);
  CHECK(share_reaching(searches({trial, searched(21, 40, at)}), 1.0).mean == 0.5);
}

TEST_CASE("a search failed where it found less than half of the median") {
  const EntrantResult result =
      searches({searched(50, 10, {1, 2, 3, 4}), searched(50, 10, {1, 2, 3, 4, 5, 6}), searched(50, 10, {1, 2, 3, 4}),
                searched(50, 10, {7}), searched(50, 10, {1, 2})});  // exactly half is no failure
  CHECK(share_failed(result, 10).mean == doctest::Approx(0.2));
  // The second topic has few documents, and most were found.
  CHECK(share_failed(
            searches({searched(100, 10, {1, 2, 3, 4, 5, 6}), searched(2, 10, {1, 3}), searched(100, 10, {1, 2, 3, 4, 5, 6})}), 10)
            .mean == 0.0);
}

TEST_CASE("a search for a hard topic is compared with other searches for it") {
  const EntrantResult result =
      searches({searched(50, 10, {1, 2, 3, 4, 5, 6}), searched(50, 10, {9}), searched(50, 10, {1, 2, 3, 4, 5, 6}),
                searched(50, 10, {8}), searched(50, 10, {1, 2}), searched(50, 10, {7})});
  CHECK(share_failed(result, 10, 2).mean == doctest::Approx(1.0 / 6.0));
  CHECK(share_failed(result, 10, 1).mean == doctest::Approx(0.0));
  CHECK(share_failed(result, 10, 100).mean == 0.0);  // each search is compared with itself alone
}

TEST_CASE("quantiles are interpolated between ordered values") {
  CHECK(quantile({5.0, 1.0, 3.0}, 0.5) == 3.0);
  CHECK(quantile({5.0, 1.0, 3.0}, 0.25) == 2.0);
  CHECK(quantile({5.0, 1.0, 3.0}, 0.0) == 1.0);
  CHECK(quantile({5.0, 1.0, 3.0}, 1.0) == 5.0);
  CHECK(quantile({2.0}, 0.9) == 2.0);
}

}  // namespace
}  // namespace inkling::bench
