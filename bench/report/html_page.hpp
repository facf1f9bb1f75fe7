// One self-contained HTML page: words, tables and charts, without scripts or anything from elsewhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/plot/line_chart.hpp"

namespace inkling::bench {

/// Text is escaped wherever it is given. The page follows the reader's choice of light or dark, and reads on
/// a phone and on paper. Deterministic.
class HtmlPage {
 public:
  /// The summary stands below the title, larger than the rest.
  HtmlPage(std::string_view title, std::string_view summary);

  void heading(std::string_view text);
  void paragraph(std::string_view text);
  /// Smaller, for what qualifies the rest.
  void note(std::string_view text);

  /// Charts side by side where there is room, each with a caption below it.
  struct Figure {
    LineChart chart;
    std::string caption;
  };
  void figures(const std::vector<Figure>& figures);

  /// Each row has as many cells as the head. Columns from `first_number` on hold numbers and stand right.
  struct Table {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;
    std::size_t first_number = 1;
  };
  void table(const Table& table);
  /// The same behind a line that opens it.
  void folded_table(std::string_view line, const Table& table);

  /// The whole document.
  [[nodiscard]] std::string text() const;

 private:
  std::string title_;
  std::string body_;
};

}  // namespace inkling::bench
