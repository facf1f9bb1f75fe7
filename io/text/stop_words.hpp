// Words to leave out, because they tell little about a text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inkling {

/// Ascending, lower case.
[[nodiscard]] std::span<const std::string_view> english_stop_words();

/// One word a line, in order; spaces around it, blank lines and what follows a '#' at the start of a line are
/// left out. Throws SystemError, and FormatError for a line that is not UTF-8.
[[nodiscard]] std::vector<std::string> read_word_list(const std::string& path);

}  // namespace inkling
