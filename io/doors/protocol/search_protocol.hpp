// A live search as JSON lines: one object in, one object out.
#pragma once

#include <string>
#include <string_view>

#include "io/search/service/search_service.hpp"

namespace inkling {

/// The answer to one line, without a line end. A mistake of the asker, numbers that cannot be learned from, and a failure to
/// keep the answer are answered by {"error": ..., "expected": ...} and change nothing. Throws what is none of these.
[[nodiscard]] std::string answer_line(SearchService& service, std::string_view line);

}  // namespace inkling
