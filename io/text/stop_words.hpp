// Words that are left out because they say nothing of a text.
#pragma once

#include <span>
#include <string_view>

namespace inkling {

/// Ascending, lower case.
[[nodiscard]] std::span<const std::string_view> english_stop_words();

}  // namespace inkling
