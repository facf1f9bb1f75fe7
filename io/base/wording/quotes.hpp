// What a person typed, as messages repeat it.
#pragma once

#include <string>
#include <string_view>

namespace inkling {

/// A text that a person typed, in quotes, for a message to them. It is shortened if it is long, and made visible
/// (io/base/file/utf8.hpp), so that the message stays one line.
[[nodiscard]] std::string in_quotes(std::string_view typed);

}  // namespace inkling
