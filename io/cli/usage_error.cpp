#include "io/cli/usage_error.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace inkling {

UsageError UsageError::option(std::string_view name, std::string_view problem) {
  return UsageError(fmt::format("--{}: {}", name, problem));
}

std::string in_quotes(std::string_view typed) {
  constexpr std::size_t longest = 60;
  const auto continues_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(typed[at]) & 0xC0U) == 0x80U;
  };
  std::size_t length = std::min(typed.size(), longest);
  while (length > 0 && length < typed.size() && continues_character(length)) --length;

  std::string shown = "'";
  for (const char character : typed.substr(0, length)) {
    const bool control = static_cast<unsigned char>(character) < 0x20 || character == 0x7F;
    shown += control ? '?' : character;
  }
  shown += length < typed.size() ? "...'" : "'";
  return shown;
}

}  // namespace inkling
