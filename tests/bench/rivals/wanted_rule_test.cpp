#include "bench/rivals/wanted_rule.hpp"

#include <vector>

#include <doctest/doctest.h>

namespace inkling::bench {
namespace {

WantedRule rule_after(const std::vector<double>& rewards) {
  WantedRule rule;
  for (const double reward : rewards) rule.observe(reward);
  return rule;
}

TEST_CASE("a reward above the middle of what was seen is wanted") {
  CHECK(rule_after({-1.0, 1.0, 1.0, 1.0}).middle() == 0.0);
  CHECK(rule_after({0.0, 1.0}).middle() == 0.5);
  CHECK(rule_after({1.0, 5.0, 5.0}).middle() == 3.0);
  CHECK(rule_after({1.0, 5.0}).is_wanted(4.0));
  CHECK_FALSE(rule_after({1.0, 5.0}).is_wanted(3.0));  // the middle itself is not above it
  CHECK_FALSE(rule_after({1.0, 5.0}).is_wanted(2.0));
  CHECK(rule_after({-1e100, 1e100}).middle() == 0.0);
}

TEST_CASE("as long as all rewards were the same those above 0 are wanted") {
  CHECK(rule_after({}).middle() == 0.0);
  CHECK(rule_after({1.0}).is_wanted(1.0));
  CHECK(rule_after({5.0, 5.0}).is_wanted(5.0));
  CHECK_FALSE(rule_after({0.0}).is_wanted(0.0));
  CHECK_FALSE(rule_after({-1.0, -1.0}).is_wanted(-1.0));
}

}  // namespace
}  // namespace inkling::bench
