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
/// left out. A pipe is read to its end. Throws SystemError, and FormatError for a line that is not UTF-8 and for what is
/// too long for a list of words: 500,000 words, 16 MiB, 64 KiB a line.
[[nodiscard]] std::vector<std::string> read_word_list(const std::string& path);

}  // namespace inkling
