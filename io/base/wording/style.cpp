#include "io/base/wording/style.hpp"

#include <array>

#include <fmt/format.h>

namespace inkling {
namespace {

// Six of the 256 colours, which can be read on dark and on light backgrounds.
constexpr std::array<std::string_view, Style::series_colours> kPalette = {"38;5;32",  "38;5;208", "38;5;35",
                                                                          "38;5;169", "38;5;74",  "38;5;136"};

}  // namespace

std::string Style::series(std::string_view text, std::size_t index) const {
  return wrap(kPalette[index % kPalette.size()], text);
}

std::string Style::wrap(std::string_view code, std::string_view text) const {
  if (colour_ == Colour::off) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

}  // namespace inkling
