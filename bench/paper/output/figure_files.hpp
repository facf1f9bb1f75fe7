// A figure's numbers and pictures as files that other programs read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/paper/figure.hpp"
#include "bench/report/line_chart.hpp"

namespace inkling::bench {

/// The name of a chart's file without its ending: "two-stage", "two-stage-tuning".
[[nodiscard]] std::string chart_name(const Figure& figure, const FigureChart& chart);

/// The chart as paper and page show it: its series told apart without colour.
[[nodiscard]] LineChart printable(LineChart chart);

/// Every point of every chart in a line of its own, under the head chart,series,x,y,low,high: the chart by
/// `chart_name`, numbers in the fewest digits that read back the same. A field is empty where there is no
/// band, no x (of a reference), or no finite number; one that holds a comma, a quote or a line end is quoted
/// (RFC 4180). Deterministic.
[[nodiscard]] std::string figure_csv(const Figure& figure, const FigureReport& report);

struct FigureFile {
  std::string name;  ///< in the folder of all results
  std::string text;
};

/// The CSV and a picture for each chart. Requires: suffixes that differ.
[[nodiscard]] std::vector<FigureFile> figure_files(const Figure& figure, const FigureReport& report);

/// Writes them all; each appears whole or not at all. Throws SystemError. Requires: the folder exists.
void write_figure_files(std::string_view folder, const Figure& figure, const FigureReport& report);

}  // namespace inkling::bench
