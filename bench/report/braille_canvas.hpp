// A grid of dots drawn with braille characters, two dots wide and four high in each character cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace inkling {

/// Each cell remembers the ink that was last drawn in it, for a cell has one colour.
class BrailleCanvas {
 public:
  /// Requires: columns >= 1, rows >= 1.
  BrailleCanvas(int columns, int rows);

  [[nodiscard]] int width() const { return 2 * columns_; }
  [[nodiscard]] int height() const { return 4 * rows_; }

  /// Sets the dots of the straight line between two dots, ends included; (0, 0) is the top left.
  /// Requires: both within width() and height().
  void line(int from_x, int from_y, int to_x, int to_y, std::size_t ink);

  /// The cell's braille character in UTF-8; a space where no dot is set.
  [[nodiscard]] std::string character(int column, int row) const;

  /// Requires: the cell holds a dot.
  [[nodiscard]] std::size_t ink(int column, int row) const { return cells_[index(column, row)].ink; }

 private:
  struct Cell {
    std::uint8_t dots = 0;
    std::size_t ink = 0;
  };

  [[nodiscard]] std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(column);
  }
  void dot(int x, int y, std::size_t ink);

  int columns_;
  int rows_;
  std::vector<Cell> cells_;
};

}  // namespace inkling
