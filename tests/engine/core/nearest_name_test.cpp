#include "engine/core/nearest_name.hpp"

#include <vector>

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("the edit distance counts inserted, deleted, replaced and swapped characters") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("roudns", "rounds") == 1);
  CHECK(edit_distance("ab", "ba") == 1);
}

TEST_CASE("the nearest name begins with what was written or differs from it a little") {
  const std::vector<std::string> names = {"rounds", "trials", "trace"};
  CHECK(nearest_name("round", names) == "rounds");
  CHECK(nearest_name("tr", names) == "trials");
  CHECK(nearest_name("trase", names) == "trace");
  CHECK_FALSE(nearest_name("noise", names));
  CHECK_FALSE(nearest_name("", names));
  CHECK_FALSE(nearest_name(std::string(100000, 'r'), names));
}

}  // namespace
}  // namespace inkling
