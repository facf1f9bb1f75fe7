#include "io/base/file/reading_budget.hpp"

#include <doctest/doctest.h>

namespace inkling {
namespace {

using Limits = ReadingBudget::Limits;

TEST_CASE("a budget is spent byte by byte, level by level and step by step, and says what to do") {
  ReadingBudget budget(Limits{.bytes = 10, .more_for_each_byte = 2, .option = "--most", .otherwise = "cut it"}, "a.txt");
  budget.take(10);
  CHECK_THROWS_WITH_AS(
      budget.take(1),
      "a.txt: expected to read it in 10 bytes of memory (--most), found that it needs 11 or more: allow more, or cut it",
      OverBudget);
  budget.give_back(3);
  budget.take(3);
  budget.renew(5);
  budget.take(20);
  CHECK_THROWS_AS(budget.take(1), OverBudget);
  for (std::size_t n = 0; n < ReadingBudget::kMostLevels; ++n) budget.enter();
  CHECK_THROWS_WITH_AS(budget.enter(), "a.txt: expected at most 256 levels within one another, found more: cut it", OverBudget);
  budget.leave();
  budget.go_to("b.txt");
  { const ReadingBudget::Level last(budget); }
  budget.work(256 * (5 + 65536));
  CHECK_THROWS_WITH_AS(budget.work(1),
                       doctest::Contains("b.txt: expected to read it in 16778496 steps, found that it needs more"), OverBudget);
}

}  // namespace
}  // namespace inkling
