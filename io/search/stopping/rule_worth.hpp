// Measured results of stopping after a number of bad documents in a row.
#pragma once

#include <cstdint>
#include <string_view>

namespace inkling {

/// The result of many searches that ended by one rule.
struct RuleWorth {
  std::int64_t without_good = 0;  ///< the rule: stop after this many ratings in a row that are not good
  std::string_view searched = {};
  std::int64_t searches = 0;  ///< how many were tried
  double found_95 = 0.0;      ///< percent of the searches that had found at least 95 % of the good documents when they ended
  double found = 0.0;         ///< percent of the good documents that had been found, on average
  double read = 0.0;          ///< percent of all documents that had been read, on average
};

/// Made by `./dev beyond stopping stopping-reviews --out DIR` and `bench/report/rule_worth.py DIR`.
inline constexpr RuleWorth kRuleWorth[] = {
#include "io/search/stopping/rule_worth.inc"
};

}  // namespace inkling
