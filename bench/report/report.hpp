// Hands results to the Python script that draws pictures and pages: see README.md.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/report/line_chart.hpp"
#include "io/base/file/json_writer.hpp"

namespace inkling::bench {

/// The first line of every figure's CSV.
inline constexpr std::string_view kChartCsvHead = "chart,series,x,y,low,high\n";

/// One line for each point of the chart, below `kChartCsvHead`: numbers in the fewest digits that read
/// back the same, an empty field where there is no band, no x (of a reference) or no finite number; fields are
/// quoted as RFC 4180 says.
[[nodiscard]] std::string chart_csv(std::string_view name, const LineChart& chart);

/// Writes one object of a figure's "charts" in summary.json: everything about the chart that is not in the CSV.
void write_chart(JsonWriter& json, std::string_view name, const LineChart& chart, std::string_view caption = "");

/// Whether a table is shown at once, or after a click on its title.
enum class TableView { folded, open };

/// Rows as long as the head; columns from `first_number` on are aligned right.
struct FigureTable {
  std::string line;  ///< says what it holds
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows = {};
  std::size_t first_number = 1;
  TableView view = TableView::folded;
};

/// The member "tables" of a figure.
void write_tables(JsonWriter& json, const std::vector<FigureTable>& tables);

/// Names and values of settings, or of facts, as a reader sees them.
using SettingRows = std::vector<std::pair<std::string, std::string>>;

/// A member of a run or of a figure: an array of objects with "name" and "value".
void write_pairs(JsonWriter& json, std::string_view name, const SettingRows& pairs);

/// Draws index.html and a picture for each chart from the summary.json and the CSVs in this folder. Where Python,
/// matplotlib or Jinja2 is absent, a line on standard error says what to install, and the result is false.
bool draw_report(const std::string& folder);

/// Draws one chart into one file (SVG, PNG or PDF, by the end of its name). `facts` is the text below the chart:
/// "ff-oful on stories, 20 trials, seed 1". The result is as above. Throws SystemError if a temporary folder
/// cannot be written.
bool draw_picture(const LineChart& chart, std::string_view facts, const std::string& path);

}  // namespace inkling::bench
