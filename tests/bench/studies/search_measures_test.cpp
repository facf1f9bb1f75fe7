#include "bench/studies/search_measures.hpp"

#include <algorithm>
#include <iterator>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"

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

TEST_CASE("found and useless documents among the first ones add up") {
  const TrialResult trial = searched(20, 10, {1, 4, 5, 9});
  CHECK(found_among(trial, 0) == 0.0);
  CHECK(found_among(trial, 4) == 2.0);
  CHECK(found_among(trial, 10) == 4.0);
  CHECK(useless_among(trial, 4) == 2.0);
  CHECK(useless_among(trial, 10) == 6.0);
  CHECK(recall_among(trial, 5) == doctest::Approx(0.15));
}

TEST_CASE("useless documents that even a perfect search would show do not count") {
  const TrialResult perfect = searched(3, 10, {1, 2, 3});
  CHECK(useless_among(perfect, 3) == 0.0);
  CHECK(useless_among(perfect, 10) == 0.0);
  CHECK(useless_among(searched(3, 10, {1, 9}), 10) == 1.0);
  CHECK(useless_among(searched(0, 10, {}), 10) == 0.0);
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
  CHECK(first_find(trial) == 2);
  CHECK(first_find(searched(5, 40, {})) == std::nullopt);
}

double measured(std::string_view name, const TrialResult& trial, std::int64_t documents) {
  const auto found = std::ranges::find(screening_measures(), name, &ScreeningMeasure::name);
  REQUIRE(found != screening_measures().end());
  return found->of(trial, documents);
}

TEST_CASE("the measures of a screening of ten records with three relevant ones equal a calculation by hand") {
  const TrialResult trial = searched(3, 6, {1, 2, 6});
  CHECK(measured("ATD %", trial, 10) == doctest::Approx(30.0));  // the mean of the ranks 1, 2 and 6 is 3
  // Found after each record: 1 2 2 2 2 3 3 3 3 3, the sum is 24. The best sum, of 1 2 3 3 ..., is 27; the worst is 3 * 7 less.
  CHECK(measured("loss", trial, 10) == doctest::Approx(3.0 / 21.0));
  CHECK(measured("useless of 25", trial, 10) == 7.0);
  CHECK(measured("95 % at %", trial, 10) == doctest::Approx(60.0));
  CHECK(measured("all at %", trial, 10) == doctest::Approx(60.0));
}

TEST_CASE("a perfect screening has loss 0 and the worst one has loss 1") {
  CHECK(measured("loss", searched(3, 3, {1, 2, 3}), 10) == doctest::Approx(0.0));
  CHECK(measured("loss", searched(3, 10, {8, 9, 10}), 10) == doctest::Approx(1.0));
}

/// ASReview's formula, with the curve written out.
double loss_of_labels(const std::vector<int>& labels) {
  double wanted = 0.0;
  double area = 0.0;
  for (const int label : labels) {
    wanted += label;
    area += wanted;
  }
  const auto all = static_cast<double>(labels.size());
  return (wanted * (all - (wanted - 1.0) / 2.0) - area) / (wanted * (all - wanted));
}

TEST_CASE("the measures of random screenings are those of the plain sequence of labels") {
  RandomStream random(3, 0, RandomRole::documents);
  for (int round = 0; round < 50; ++round) {
    std::vector<int> labels(40, 0);
    for (int& label : labels) label = random.coin(0.2) ? 1 : 0;
    labels[3] = 1;
    labels[30] = 0;
    std::vector<std::int64_t> at;
    double ranks = 0.0;
    for (std::size_t n = 0; n < labels.size(); ++n) {
      if (labels[n] == 0) continue;
      at.push_back(static_cast<std::int64_t>(n) + 1);
      ranks += static_cast<double>(at.back());
    }
    const TrialResult trial = searched(std::ssize(at), at.back(), at);
    const auto useless = std::count(labels.begin(), labels.begin() + 25, 0);
    CHECK(measured("loss", trial, 40) == doctest::Approx(loss_of_labels(labels)));
    CHECK(measured("ATD %", trial, 40) == doctest::Approx(100.0 * ranks / static_cast<double>(at.size()) / 40.0));
    CHECK(measured("useless of 25", trial, 40) == static_cast<double>(useless));
    CHECK(measured("all at %", trial, 40) == doctest::Approx(2.5 * static_cast<double>(at.back())));
  }
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
