// A report as a page of HTML.
#pragma once

#include <string>

#include "io/search/service/review_report.hpp"

namespace inkling {

/// One file: no script, nothing loaded, in light and dark, for narrow windows and for A4. All texts are escaped, and each has the
/// direction of its own writing.
[[nodiscard]] std::string report_page(const ReviewReport& report, Language language);

}  // namespace inkling
