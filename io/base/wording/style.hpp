// The little styling that the programs use.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace inkling {

enum class Colour { off, on };

/// Wraps text in ANSI styles, or leaves it as it is where colour is off.
class Style {
 public:
  explicit Style(Colour colour) : colour_(colour) {}

  [[nodiscard]] std::string bold(std::string_view text) const { return wrap("1", text); }
  [[nodiscard]] std::string dim(std::string_view text) const { return wrap("2", text); }
  /// The colour of a chart's series; the palette repeats after series_colours.
  [[nodiscard]] std::string series(std::string_view text, std::size_t index) const;

  static constexpr std::size_t series_colours = 6;

 private:
  [[nodiscard]] std::string wrap(std::string_view code, std::string_view text) const;

  Colour colour_;
};

}  // namespace inkling
