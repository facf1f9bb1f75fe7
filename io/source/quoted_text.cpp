#include "io/source/quoted_text.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "io/file/utf8.hpp"

namespace inkling {

std::string quoted_text(std::string_view text) {
  constexpr std::size_t most_shown = 40;
  std::string shown = "\"";
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == most_shown) {
      shown += "…";
      break;
    }
    const std::size_t length = utf8_character_length(text);
    const auto byte = static_cast<unsigned char>(text.front());
    if (length == 0 || (length == 1 && (byte < 0x20 || byte == 0x7F)))
      shown += fmt::format("\\x{:02X}", byte);
    else
      shown += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown + "\"";
}

}  // namespace inkling
