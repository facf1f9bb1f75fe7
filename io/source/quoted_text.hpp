// Pieces of an input as messages show them.
#pragma once

#include <string>
#include <string_view>

namespace inkling {

/// The text in quotes: short, valid UTF-8, and without characters that would do something to a terminal.
[[nodiscard]] std::string quoted_text(std::string_view text);

}  // namespace inkling
