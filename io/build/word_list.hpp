// Lists of words that people keep in files.
#pragma once

#include <string>
#include <vector>

namespace inkling {

/// One word a line, in order; spaces around it, blank lines and what follows a '#' at the start of a line are
/// left out. Throws SystemError, and FormatError for a line that is not UTF-8.
[[nodiscard]] std::vector<std::string> read_word_list(const std::string& path);

}  // namespace inkling
