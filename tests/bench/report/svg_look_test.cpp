#include "bench/report/svg_look.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace inkling {
namespace {

constexpr std::size_t kSeries = 10;

// Relative luminance of "#rrggbb", as WCAG defines it.
double luminance(const std::string& colour) {
  const auto channel = [&](std::size_t at) {
    const double value = std::stoi(colour.substr(at, 2), nullptr, 16) / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

TEST_CASE("With shapes, ten series are told apart by symbol and by lightness alone") {
  std::set<SvgSymbol> symbols;
  std::vector<double> lightness;
  for (std::size_t n = 0; n < kSeries; ++n) {
    const SvgLook look = svg_look(n, SeriesLooks::shapes, SvgUse::file);
    symbols.insert(look.symbol);
    lightness.push_back(116 * std::cbrt(luminance(look.colour)) - 16);
    CAPTURE(look.colour);
    CHECK(1.05 / (luminance(look.colour) + 0.05) >= 3.0);
    CHECK(look.dash != svg_look(n + 1, SeriesLooks::shapes, SvgUse::file).dash);
  }
  CHECK(symbols.size() == kSeries);
  for (std::size_t n = 1; n < kSeries; ++n) CHECK(std::abs(lightness[n] - lightness[n - 1]) > 10);
  std::ranges::sort(lightness);
  for (std::size_t n = 1; n < kSeries; ++n) CHECK(lightness[n] - lightness[n - 1] > 3);
}

TEST_CASE("A page can set every colour that a series may have there") {
  const std::string on_black = svg_colours_on_black();
  for (const SeriesLooks looks : {SeriesLooks::colours, SeriesLooks::shapes}) {
    for (std::size_t n = 0; n < 2 * kSeries; ++n) {
      const std::string colour = svg_look(n, looks, SvgUse::page).colour;
      REQUIRE(colour.starts_with("var("));
      CHECK(on_black.find(colour.substr(4, colour.find(',') - 4) + ": #") != std::string::npos);
    }
  }
}

TEST_CASE("Every symbol is one element around its point") {
  for (std::size_t n = 0; n < kSeries; ++n) {
    const std::string symbol =
        svg_symbol(svg_look(n, SeriesLooks::shapes, SvgUse::file), {50, 60}, SvgUse::file);
    CAPTURE(symbol);
    CHECK((symbol.starts_with("<circle cx=\"50.00\" cy=\"60.00\"") || symbol.starts_with("<path d=\"M")));
    CHECK(symbol.ends_with("/>"));
  }
}

}  // namespace
}  // namespace inkling
