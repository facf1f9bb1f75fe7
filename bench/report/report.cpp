#include "bench/report/report.hpp"

#include <cerrno>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/file/output_file.hpp"

namespace inkling::bench {
namespace {

/// What a shell, too, returns for a program that it cannot start.
constexpr int kNotStarted = 127;

std::string quoted_csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char character : text) {
    if (character == '"') field += '"';
    field += character;
  }
  return field + '"';
}

std::string csv_number_or_nothing(const std::vector<double>& numbers, std::size_t index) {
  if (index >= numbers.size() || !std::isfinite(numbers[index])) return "";
  return fmt::format("{}", numbers[index]);
}

std::string_view style_name(SeriesStyle style) {
  switch (style) {
    case SeriesStyle::line:
      return "line";
    case SeriesStyle::points:
      return "points";
    case SeriesStyle::reference:
      break;
  }
  return "reference";
}

/// Beside an installed program, else among the sources that it was built from.
std::string drawing_script() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path installed =
      program.parent_path().parent_path() / "share" / "inkling" / "report" / "draw";
  return std::filesystem::exists(installed, error) ? installed.string() : INKLING_REPORT_SCRIPT;
}

/// Its exit code. Standard output and standard error are those of this program.
int run_python(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "python3");
  std::vector<char*> lent;
  lent.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) lent.push_back(argument.data());
  lent.push_back(nullptr);
  pid_t child = 0;
  if (::posix_spawnp(&child, "python3", nullptr, nullptr, lent.data(), environ) != 0) return kNotStarted;
  int status = 0;
  while (::waitpid(child, &status, 0) != child) {
    if (errno != EINTR) return kNotStarted;  // a signal, such as Ctrl-C, is not an end
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : kNotStarted;
}

bool draw(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), drawing_script());
  const int code = run_python(std::move(arguments));
  if (code == kNotStarted) {
    fmt::print(stderr,
               "no picture was drawn: python3 was not found; install python3-matplotlib and "
               "python3-jinja2\n");
  }
  return code == 0;
}

/// A folder of its own, which goes with it.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "inkling-chart-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw SystemError(path_, errno, "cannot make the folder");
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

std::string chart_csv(std::string_view name, const LineChart& chart) {
  std::string csv;
  for (const Series& series : chart.series) {
    const std::string start = quoted_csv_field(name) + "," + quoted_csv_field(series.name);
    for (std::size_t n = 0; n < series.y.size(); ++n) {
      csv += fmt::format("{},{},{},{},{}\n", start, csv_number_or_nothing(series.x, n),
                         csv_number_or_nothing(series.y, n), csv_number_or_nothing(series.low, n),
                         csv_number_or_nothing(series.high, n));
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
    json.begin_object().member("name", series.name).member("style", style_name(series.style));
    if (!series.role.empty()) json.member("role", series.role);
    json.end_object();
  }
  json.end_array().end_object();
}

bool draw_report(const std::string& folder) { return draw({folder}); }

bool draw_picture(const LineChart& chart, std::string_view facts, const std::string& path) {
  const TemporaryFolder folder;
  JsonWriter json;
  json.begin_object().member("summary_version", 2).member("facts", facts);
  json.key("figures").begin_array().begin_object();
  json.member("name", "chart").member("csv", "chart.csv").key("charts").begin_array();
  write_chart(json, "chart", chart);
  json.end_array().end_object().end_array().end_object();
  write_file(folder.path() + "/summary.json", json.take());
  write_file(folder.path() + "/chart.csv", std::string(kChartCsvHead) + chart_csv("chart", chart));
  return draw({folder.path(), "--picture", path});
}

}  // namespace inkling::bench
