#include "bench/report/braille_canvas.hpp"

#include <array>
#include <cassert>
#include <cstdlib>

namespace inkling {

BrailleCanvas::BrailleCanvas(int columns, int rows)
    : columns_(columns),
      rows_(rows),
      cells_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {
  assert(columns >= 1 && rows >= 1);
}

void BrailleCanvas::dot(int x, int y, std::size_t ink) {
  assert(x >= 0 && x < width() && y >= 0 && y < height());
  // The bits of U+2800 ... U+28FF, by the dot's row and column within its cell.
  constexpr std::array<std::array<std::uint8_t, 2>, 4> bits = {
      {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};
  Cell& cell = cells_[index(x / 2, y / 4)];
  const std::uint8_t bit = bits[static_cast<std::size_t>(y % 4)][static_cast<std::size_t>(x % 2)];
  cell.dots = static_cast<std::uint8_t>(cell.dots | bit);
  cell.ink = ink;
}

void BrailleCanvas::line(int from_x, int from_y, int to_x, int to_y, std::size_t ink) {
  // Bresenham's algorithm for all directions.
  const int step_x = from_x < to_x ? 1 : -1;
  const int step_y = from_y < to_y ? 1 : -1;
  const int length_x = std::abs(to_x - from_x);
  const int length_y = -std::abs(to_y - from_y);
  int error = length_x + length_y;
  while (true) {
    dot(from_x, from_y, ink);
    if (from_x == to_x && from_y == to_y) return;
    const int twice = 2 * error;
    if (twice >= length_y) {
      error += length_y;
      from_x += step_x;
    }
    if (twice <= length_x) {
      error += length_x;
      from_y += step_y;
    }
  }
}

std::string BrailleCanvas::character(int column, int row) const {
  const unsigned dots = cells_[index(column, row)].dots;
  if (dots == 0) return " ";
  // U+2800 + dots, in three bytes.
  return {static_cast<char>(0xE2), static_cast<char>(0xA0U + (dots >> 6U)),
          static_cast<char>(0x80U + (dots & 0x3FU))};
}

}  // namespace inkling
