#include "bench/report/svg_look.hpp"

#include <array>
#include <initializer_list>

#include <fmt/format.h>

namespace inkling {
namespace {

// A colour by the name that a page may give it another value under.
struct Tint {
  std::string_view name;
  std::string_view on_white;
  std::string_view on_black;
};

// In the order of SvgInk.
constexpr std::array<Tint, 5> inks = {{{"paper", "#ffffff", "#14171a"},
                                       {"ink", "#1c2126", "#e8ebee"},
                                       {"muted", "#5b6470", "#a3adb8"},
                                       {"grid", "#e4e7eb", "#2b3137"},
                                       {"axis", "#8a939e", "#717b86"}}};

// After Okabe and Ito, told apart with every kind of colour vision; darkened where white paper wants it, and
// lightened where black does.
constexpr std::array<Tint, 6> colours = {{{"1", "#0072B2", "#5AB4E5"},
                                          {"2", "#D55E00", "#F08A3C"},
                                          {"3", "#00875F", "#2FBF93"},
                                          {"4", "#B0467F", "#DB86B2"},
                                          {"5", "#2E93C9", "#8CCBEB"},
                                          {"6", "#A87500", "#E0B33C"}}};
constexpr std::array<std::string_view, 3> colour_dashes = {"", "7 4", "2 4"};

// Each lightness but once, neighbours far apart: grey copies keep them apart. The lightest still has three
// times the contrast that a line needs on white.
constexpr std::array<Tint, 10> print_colours = {{{"print-1", "#0069A8", "#5AB4E5"},
                                                 {"print-2", "#E2762A", "#F79A52"},
                                                 {"print-3", "#004B36", "#2FA37A"},
                                                 {"print-4", "#C8558F", "#E58CBB"},
                                                 {"print-5", "#1F2229", "#E8EBEE"},
                                                 {"print-6", "#4D9A2A", "#9AD873"},
                                                 {"print-7", "#673491", "#B48CE8"},
                                                 {"print-8", "#68737F", "#B4BDC8"},
                                                 {"print-9", "#620D2B", "#E0607F"},
                                                 {"print-10", "#70500A", "#C99A3E"}}};
// Of round ends, which make each dash longer by the width of the line.
constexpr std::array<std::string_view, 4> print_dashes = {"", "7 5", "0.1 4.5", "10 5 0.1 5"};
constexpr std::size_t symbols = static_cast<std::size_t>(SvgSymbol::plus) + 1;

std::string colour_of(const Tint& tint, SvgUse use) {
  return use == SvgUse::file ? std::string(tint.on_white)
                             : fmt::format("var(--chart-{}, {})", tint.name, tint.on_white);
}

std::string closed_path(Point at, std::initializer_list<Point> corners) {
  std::string data;
  for (const Point& corner : corners) {
    data += fmt::format("{}{:.2f} {:.2f}", data.empty() ? "M" : "L", at.x + corner.x, at.y + corner.y);
  }
  return data + "Z";
}

std::string path_of(SvgSymbol symbol, Point at) {
  switch (symbol) {
    case SvgSymbol::square:
    case SvgSymbol::hollow_square:
      return closed_path(at, {{-3, -3}, {3, -3}, {3, 3}, {-3, 3}});
    case SvgSymbol::triangle:
      return closed_path(at, {{0, -4.2}, {3.9, 2.8}, {-3.9, 2.8}});
    case SvgSymbol::hollow_triangle:
      return closed_path(at, {{0, 4.2}, {3.9, -2.8}, {-3.9, -2.8}});
    case SvgSymbol::diamond:
    case SvgSymbol::hollow_diamond:
      return closed_path(at, {{0, -4.4}, {4.4, 0}, {0, 4.4}, {-4.4, 0}});
    case SvgSymbol::cross:
      return closed_path(at, {{-3.2, -3.2}, {3.2, 3.2}, {0, 0}, {3.2, -3.2}, {-3.2, 3.2}, {0, 0}});
    case SvgSymbol::plus:
    case SvgSymbol::disc:
    case SvgSymbol::ring:
      break;
  }
  return closed_path(at, {{-4.2, 0}, {4.2, 0}, {0, 0}, {0, -4.2}, {0, 4.2}, {0, 0}});
}

bool is_hollow(SvgSymbol symbol) {
  return symbol == SvgSymbol::ring || symbol == SvgSymbol::hollow_square ||
         symbol == SvgSymbol::hollow_triangle || symbol == SvgSymbol::hollow_diamond;
}

bool is_strokes(SvgSymbol symbol) { return symbol == SvgSymbol::cross || symbol == SvgSymbol::plus; }

}  // namespace

std::string svg_colour(SvgInk ink, SvgUse use) {
  return colour_of(inks.at(static_cast<std::size_t>(ink)), use);
}

std::string SvgLook::stroke() const {
  return dash.empty() ? fmt::format(R"(stroke="{}")", colour)
                      : fmt::format(R"(stroke="{}" stroke-dasharray="{}")", colour, dash);
}

SvgLook svg_look(std::size_t series, SeriesLooks looks, SvgUse use) {
  if (looks == SeriesLooks::colours) {
    return {colour_of(colours[series % colours.size()], use),
            colour_dashes[series / colours.size() % colour_dashes.size()], SvgSymbol::disc};
  }
  return {colour_of(print_colours[series % print_colours.size()], use),
          print_dashes[series % print_dashes.size()], static_cast<SvgSymbol>(series % symbols)};
}

std::string svg_symbol(const SvgLook& look, Point at, SvgUse use) {
  if (look.symbol == SvgSymbol::disc) {
    return fmt::format(R"(<circle cx="{:.2f}" cy="{:.2f}" r="3" fill="{}"/>)", at.x, at.y, look.colour);
  }
  if (look.symbol == SvgSymbol::ring) {
    return fmt::format(
        R"(<circle cx="{:.2f}" cy="{:.2f}" r="3.2" fill="{}" stroke="{}" stroke-width="1.5"/>)", at.x, at.y,
        svg_colour(SvgInk::paper, use), look.colour);
  }
  const std::string fill = is_hollow(look.symbol) ? svg_colour(SvgInk::paper, use) : look.colour;
  return fmt::format(R"(<path d="{}" fill="{}" stroke="{}" stroke-width="{}"/>)", path_of(look.symbol, at),
                     fill, look.colour, is_strokes(look.symbol) ? "2" : "1.5");
}

std::string svg_colours_on_black() {
  std::string declarations;
  const auto declare = [&](const Tint& tint) {
    declarations += fmt::format("--chart-{}: {}; ", tint.name, tint.on_black);
  };
  for (const Tint& tint : inks) declare(tint);
  for (const Tint& tint : colours) declare(tint);
  for (const Tint& tint : print_colours) declare(tint);
  return declarations;
}

}  // namespace inkling
