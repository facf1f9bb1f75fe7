#include "bench/report/report.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>

#include <fmt/format.h>

#include "bench/report/child_process.hpp"
#include "bench/report/program_file.hpp"
#include "engine/core/enum_names.hpp"
#include "engine/core/errors.hpp"
#include "io/base/file/csv_cell.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/doors/cli/terminal.hpp"

namespace inkling::bench {
namespace {

std::string csv_number_or_nothing(const std::vector<double>& numbers, std::size_t index) {
  if (index >= numbers.size() || !std::isfinite(numbers[index])) return "";
  return fmt::format("{}", numbers[index]);
}

constexpr EnumName<SeriesStyle> kStyleNames[] = {
    {SeriesStyle::line, "line"}, {SeriesStyle::points, "points"}, {SeriesStyle::reference, "reference"}};

void write_texts(JsonWriter& json, const std::vector<std::string>& texts) {
  json.begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

/// The lines of a text as a terminal may show them.
std::string visible_lines(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    shown += visible_text(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return shown;
}

/// If the script cannot draw, its message goes to standard error.
bool draw(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"python3", program_file("bench/report/draw")});
  try {
    const ChildResult result = run_child(std::move(arguments), {}, [] {});
    tell(visible_lines(result.err));
    return result.exit_code == 0;
  } catch (const SystemError& error) {
    const bool missing = error.error_number() == ENOENT && error.path() == "python3";
    tell(fmt::format("no picture was drawn: {}\n", missing ? "python3 was not found; install python3-matplotlib" : error.what()));
    return false;
  }
}

}  // namespace

std::string chart_csv(std::string_view name, const LineChart& chart) {
  std::string csv;
  for (const Series& series : chart.series) {
    const std::string start = csv_cell(name) + "," + csv_cell(series.name);
    for (std::size_t n = 0; n < series.y.size(); ++n) {
      csv += fmt::format("{},{},{},{},{}\n", start, csv_number_or_nothing(series.x, n), csv_number_or_nothing(series.y, n),
                         csv_number_or_nothing(series.low, n), csv_number_or_nothing(series.high, n));
    }
  }
  return csv;
}

void write_chart(JsonWriter& json, std::string_view name, const LineChart& chart, std::string_view caption) {
  json.begin_object().member("name", name).member("title", chart.title).member("caption", caption);
  json.member("x_label", chart.x_label).member("y_label", chart.y_label);
  json.member("x_log", chart.x_scale == AxisScale::logarithmic);
  json.member("y_log", chart.y_scale == AxisScale::logarithmic);
  json.member("points", chart.points == PointMarks::dots);
  json.key("series").begin_array();
  for (const Series& series : chart.series) {
    json.begin_object().member("name", series.name).member("style", name_of(series.style, kStyleNames));
    if (!series.role.empty()) json.member("role", series.role);
    json.end_object();
  }
  json.end_array().end_object();
}

void write_tables(JsonWriter& json, const std::vector<FigureTable>& tables) {
  json.key("tables").begin_array();
  for (const FigureTable& table : tables) {
    json.begin_object().member("title", table.line).key("head");
    write_texts(json, table.head);
    json.key("rows").begin_array();
    for (const std::vector<std::string>& row : table.rows) write_texts(json, row);
    json.end_array().member("first_number", table.first_number);
    json.member("open", table.view == TableView::open).end_object();
  }
  json.end_array();
}

void write_pairs(JsonWriter& json, std::string_view name, const SettingRows& pairs) {
  json.key(name).begin_array();
  for (const auto& [its_name, value] : pairs) json.begin_object().member("name", its_name).member("value", value).end_object();
  json.end_array();
}

bool draw_report(const std::string& folder) { return draw({folder}); }

bool draw_picture(const LineChart& chart, std::string_view facts, const std::string& path) {
  const WorkFolder folder;
  JsonWriter json;
  json.begin_object().member("summary_version", 2).member("facts", facts);
  json.key("figures").begin_array().begin_object();
  json.member("name", "chart").member("csv", "chart.csv").key("charts").begin_array();
  write_chart(json, "chart", chart);
  json.end_array().end_object().end_array().end_object();
  write_file(folder.path + "/summary.json", json.take());
  write_file(folder.path + "/chart.csv", std::string(kChartCsvHead) + chart_csv("chart", chart));
  return draw({folder.path, "--picture", path});
}

}  // namespace inkling::bench
