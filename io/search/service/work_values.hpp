// The values of one row of an export, the same for all formats.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/search/service/work_export.hpp"

namespace inkling {

/// A value of a record or of an answer, as text; if it is not a text, also as JSON.
struct WorkValue {
  std::string name;
  std::string text;
  std::string json = {};
};

/// The values in the order of the columns, each name once.
[[nodiscard]] std::vector<WorkValue> values_of(const ShownPool& pool, const WorkRow& row);
/// The columns of all rows: first the fields in the order of the records, then what was said.
[[nodiscard]] std::vector<std::string> columns_of(const ShownPool& pool, std::span<const WorkRow> rows);

}  // namespace inkling
