// A record of the work of a search as RIS.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "io/search/service/work_values.hpp"

namespace inkling {

/// Writes it so that ASReview and Zotero can read it. All values without a tag are in one note, from which our reader of RIS
/// makes fields again. io/search/service/EXPORTS.md says which value is where. Thread safety: pure.
[[nodiscard]] std::string ris_record(std::span<const WorkValue> values, std::optional<double> rating);

}  // namespace inkling
