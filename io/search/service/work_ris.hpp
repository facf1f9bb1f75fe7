// A record of the work of a search as RIS.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "io/search/service/work_values.hpp"

namespace inkling {

/// As ASReview and Zotero read it. What has no tag of its own stands in one note, which our reader of RIS unfolds again.
/// io/search/service/EXPORTS.md says what stands where. Thread safety: pure.
[[nodiscard]] std::string ris_record(std::span<const WorkValue> values, std::optional<double> rating);

}  // namespace inkling
