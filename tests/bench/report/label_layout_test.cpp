#include "bench/report/label_layout.hpp"

#include <vector>

#include <doctest/doctest.h>

namespace inkling {
namespace {

using Places = std::vector<double>;

TEST_CASE("Labels with room stay where they want to be") {
  CHECK(spread_labels(Places{30, 10, 50}, 10, 0, 100) == Places{30, 10, 50});
}

TEST_CASE("Labels that would overlap move apart evenly") {
  CHECK(spread_labels(Places{50, 50}, 10, 0, 100) == Places{45, 55});
  CHECK(spread_labels(Places{52, 50, 10}, 10, 0, 100) == Places{56, 46, 10});
}

TEST_CASE("Labels stay within the ends, and push others before them") {
  CHECK(spread_labels(Places{0, 1, 15}, 10, 0, 100) == Places{0, 10, 20});
  CHECK(spread_labels(Places{100, 99, 85}, 10, 0, 100) == Places{100, 90, 80});
}

TEST_CASE("Labels that do not fit start at the low end") {
  CHECK(spread_labels(Places{5, 5, 5}, 10, 0, 15) == Places{0, 10, 20});
  CHECK(spread_labels(Places{}, 10, 0, 15).empty());
}

}  // namespace
}  // namespace inkling
