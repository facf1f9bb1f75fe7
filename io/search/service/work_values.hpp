// What stands in one row of the work of a search, whatever file it is written to.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/search/service/work_export.hpp"

namespace inkling {

/// A value of a record or of an answer: its characters, and as JSON where it is no text.
struct WorkValue {
  std::string name;
  std::string text;
  std::string json = {};
};

/// In the order of the columns, each name once.
[[nodiscard]] std::vector<WorkValue> values_of(const ShownPool& pool, const WorkRow& row);
/// Those of all rows: in the order in which records have them, and what was said last.
[[nodiscard]] std::vector<std::string> columns_of(const ShownPool& pool, std::span<const WorkRow> rows);

}  // namespace inkling
