// One self-contained HTML page: words, tables and charts, without scripts or anything from elsewhere.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/report/line_chart.hpp"

namespace inkling::bench {

/// Text is escaped wherever it is given. The page follows the reader's choice of light or dark, and reads on
/// a phone and on paper. Anchors name places on the page; they hold letters, digits and hyphens, and each is
/// given once. Deterministic.
class HtmlPage {
 public:
  /// The summary stands below the title, larger than the rest.
  HtmlPage(std::string_view title, std::string_view summary);

  void heading(std::string_view text);
  /// One that links lead to.
  void heading(std::string_view text, std::string_view anchor);
  void subheading(std::string_view text);
  void paragraph(std::string_view text);
  /// Smaller, for what qualifies the rest.
  void note(std::string_view text);
  /// What one would type, letter by letter.
  void code(std::string_view text);

  /// Leads to a place on the page.
  struct Link {
    std::string text;
    std::string anchor;
    std::string remark = {};  ///< after the link, smaller
  };
  /// In columns where there is room.
  void contents(const std::vector<Link>& links);

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

  /// Gives a verdict its sign and its colour; the words beside it say the same.
  enum class Tone { good, bad, neutral };

  /// Large numbers side by side.
  struct Tally {
    Tone tone = Tone::neutral;
    std::size_t count = 0;
    std::string words;
  };
  void tallies(const std::vector<Tally>& tallies);

  /// A sentence, what became of it, and why.
  struct Statement {
    Tone tone = Tone::neutral;
    std::string verdict;
    std::string sentence;
    std::vector<std::pair<std::string, std::string>> numbers = {};  ///< name and value
    std::string remark = {};
  };
  void statements(const std::vector<Statement>& statements);

  /// The same in short, one a row; each leads to where more is said of it.
  struct StatementRow {
    Tone tone = Tone::neutral;
    std::string verdict;
    std::string sentence;
    Link place;
  };
  void statement_table(const std::vector<StatementRow>& rows);

  /// The whole document.
  [[nodiscard]] std::string text() const;

 private:
  std::string title_;
  std::string body_;
};

}  // namespace inkling::bench
