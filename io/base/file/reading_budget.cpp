#include "io/base/file/reading_budget.hpp"

#include <fmt/format.h>

namespace inkling {

void ReadingBudget::refuse_bytes(std::uint64_t bytes) const {
  throw OverBudget(
      where_, fmt::format("expected to read it in {} bytes of memory ({}), found that it needs {} or more: allow more, or {}",
                          most_bytes_, limits_.option, most_bytes_ - bytes_left_ + bytes, limits_.otherwise));
}

void ReadingBudget::refuse_steps() const {
  throw OverBudget(where_, fmt::format("expected to read it in {} steps, found that it needs more, because its parts enclose or "
                                       "repeat one another: {}",
                                       most_steps_, limits_.otherwise));
}

void ReadingBudget::refuse_levels() const {
  throw OverBudget(where_,
                   fmt::format("expected at most {} levels within one another, found more: {}", kMostLevels, limits_.otherwise));
}

}  // namespace inkling
