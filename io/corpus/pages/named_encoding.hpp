// Text in an encoding that a page or letter names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/corpus/text/decoding.hpp"

namespace inkling {

/// Appends the bytes as UTF-8. `name`: as MIME and HTML have it ("iso-8859-1" is read as Windows-1252, as browsers do).
/// If the name is empty or unknown, bytes that are UTF-8 stay as they are, and others are decoded by `otherwise`. Returns
/// how many bytes were no characters and became U+FFFD.
std::int64_t append_in_encoding(std::string_view bytes, std::string_view name, TextEncoding otherwise, std::string& out);

}  // namespace inkling
