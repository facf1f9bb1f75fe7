#include "bench/paper/output/figure_files.hpp"

#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "bench/report/svg_chart.hpp"
#include "io/file/output_file.hpp"

namespace inkling::bench {
namespace {

/// A column of a printed page shows it at half its size, with letters of 6 points.
constexpr SvgSize kPictureSize = {.width = 480, .height = 340};

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char character : text) {
    if (character == '"') field += '"';
    field += character;
  }
  return field + '"';
}

std::string csv_number(const std::vector<double>& numbers, std::size_t index) {
  if (index >= numbers.size() || !std::isfinite(numbers[index])) return "";
  return fmt::format("{}", numbers[index]);
}

}  // namespace

std::string chart_name(const Figure& figure, const FigureChart& chart) {
  return chart.suffix.empty() ? std::string(figure.name) : fmt::format("{}-{}", figure.name, chart.suffix);
}

LineChart printable(LineChart chart) {
  chart.looks = SeriesLooks::shapes;
  return chart;
}

std::string figure_csv(const Figure& figure, const FigureReport& report) {
  std::string csv = "chart,series,x,y,low,high\n";
  for (const FigureChart& chart : report.charts) {
    const std::string name = csv_field(chart_name(figure, chart));
    for (const Series& series : chart.chart.series) {
      const std::string who = csv_field(series.name);
      for (std::size_t n = 0; n < series.y.size(); ++n) {
        csv += fmt::format("{},{},{},{},{},{}\n", name, who, csv_number(series.x, n), csv_number(series.y, n),
                           csv_number(series.low, n), csv_number(series.high, n));
      }
    }
  }
  return csv;
}

std::vector<FigureFile> figure_files(const Figure& figure, const FigureReport& report) {
  std::vector<FigureFile> files = {{fmt::format("{}.csv", figure.name), figure_csv(figure, report)}};
  for (const FigureChart& chart : report.charts) {
    files.push_back({chart_name(figure, chart) + ".svg", svg_chart(printable(chart.chart), kPictureSize)});
  }
  return files;
}

void write_figure_files(std::string_view folder, const Figure& figure, const FigureReport& report) {
  for (const FigureFile& file : figure_files(figure, report)) {
    write_file(fmt::format("{}/{}", folder, file.name), file.text);
  }
}

}  // namespace inkling::bench
