#include "engine/policy/remaining_documents.hpp"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

TEST_CASE("all documents remain at first") {
  const RemainingDocuments remaining(4);
  CHECK(remaining.size() == 4);
  for (DocumentId document = 0; document < 4; ++document) CHECK(remaining.contains(document));
  CHECK(RemainingDocuments(0).empty());
}

TEST_CASE("picks are uniform over what remains") {
  RemainingDocuments remaining(10);
  for (const DocumentId gone : {0, 9, 4}) remaining.remove(gone);
  RandomStream random = test::stream_for(131);
  std::vector<int> seen(10, 0);
  for (int n = 0; n < 70'000; ++n) ++seen.at(static_cast<std::size_t>(remaining.pick(random)));
  double chi_square = 0.0;
  for (DocumentId document = 0; document < 10; ++document) {
    const double count = seen.at(static_cast<std::size_t>(document));
    if (remaining.contains(document))
      chi_square += (count - 10'000.0) * (count - 10'000.0) / 10'000.0;
    else
      CHECK(count == 0.0);
  }
  CHECK(chi_square < 38.3);  // the 1 - 1e-6 quantile at 6 degrees of freedom
}

TEST_CASE("the last document takes the place of a removed one") {
  RemainingDocuments remaining(5);
  std::vector<DocumentId> plain = {0, 1, 2, 3, 4};
  for (const DocumentId gone : {1, 4, 0}) {
    remaining.remove(gone);
    *std::ranges::find(plain, gone) = plain.back();
    plain.pop_back();
    CHECK_FALSE(remaining.contains(gone));
    CHECK(remaining.size() == static_cast<std::int32_t>(plain.size()));
    RandomStream picks = test::stream_for(132);
    RandomStream draws = test::stream_for(132);
    for (int n = 0; n < 50; ++n) CHECK(remaining.pick(picks) == plain[draws.below(plain.size())]);
  }
}

TEST_CASE("removing every document in random order leaves none") {
  test::each_case(133, 100, [&](RandomStream& random) {
    RemainingDocuments remaining(20);
    while (!remaining.empty()) {
      const DocumentId gone = remaining.pick(random);
      REQUIRE(remaining.contains(gone));
      remaining.remove(gone);
      REQUIRE_FALSE(remaining.contains(gone));
    }
    CHECK(remaining.size() == 0);
  });
}

TEST_CASE("a pool with documents left out picks as a pool that never held them") {
  test::each_case(134, 300, [&](RandomStream& random) {
    std::vector<DocumentId> left_out;
    std::vector<DocumentId> held;
    const std::int32_t documents = test::between(1, 40, random);
    const double share = random.uniform();
    for (DocumentId document = 0; document < documents; ++document) (random.coin(share) ? left_out : held).push_back(document);
    RemainingDocuments remaining(documents, left_out);
    RemainingDocuments without(static_cast<std::int32_t>(held.size()));
    for (const DocumentId document : left_out) REQUIRE_FALSE(remaining.contains(document));
    while (!without.empty()) {
      REQUIRE(remaining.size() == without.size());
      RandomStream same = random;
      const DocumentId drawn = without.pick(random);
      const DocumentId document = remaining.pick(same);
      REQUIRE(document == held[static_cast<std::size_t>(drawn)]);
      remaining.remove(document);
      without.remove(drawn);
      for (DocumentId n = 0; n < std::ssize(held); ++n)
        REQUIRE(remaining.contains(held[static_cast<std::size_t>(n)]) == without.contains(n));
    }
    CHECK(remaining.empty());
  });
}

}  // namespace
}  // namespace inkling
