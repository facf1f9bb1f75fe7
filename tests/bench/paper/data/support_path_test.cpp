#include <doctest/doctest.h>

#include "bench/paper/data/sparse_logistic.hpp"
#include "tests/bench/paper/data/topical_rows.hpp"

namespace inkling::bench {
namespace {

TEST_CASE("the size of a support is the nearest to the wanted one that neighbouring penalties allow") {
  const test::TopicalRows data = test::topical_rows(3, 15, 20, 150);
  SupportPath path({data.rows.view(), data.labels, 1});
  for (const std::size_t wanted : {1U, 5U, 10U, 20U}) {
    CAPTURE(wanted);
    const SparseLogisticFit* fit = path.support_between({1, 40}, wanted);
    REQUIRE(fit != nullptr);
    CHECK(fit->support.size() + 2 >= wanted);
    CHECK(fit->support.size() <= wanted + 2);
  }
}

TEST_CASE("there is no support if no size lies within the range") {
  const test::TopicalRows data = test::topical_rows(2, 3, 2, 40);
  SupportPath path({data.rows.view(), data.labels, 0});
  CHECK(path.support_between({9, 100}, 9) == nullptr);  // there are 8 words
  CHECK(path.support_between({2, 8}, 4) != nullptr);
}

TEST_CASE("the same size gives the same fit") {
  const test::TopicalRows data = test::topical_rows(2, 10, 5, 60);
  SupportPath path({data.rows.view(), data.labels, 0});
  const SparseLogisticFit* first = path.support_between({2, 20}, 8);
  static_cast<void>(path.support_between({2, 20}, 3));
  CHECK(path.support_between({2, 20}, 8) == first);
  SupportPath fresh({data.rows.view(), data.labels, 0});
  CHECK(fresh.support_between({2, 20}, 8)->support == first->support);
}

}  // namespace
}  // namespace inkling::bench
