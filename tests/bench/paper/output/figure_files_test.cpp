#include "bench/paper/output/figure_files.hpp"

#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/bench/paper/output/sample_run.hpp"
#include "tests/support/temporary_folder.hpp"

namespace inkling::bench {
namespace {

constexpr Figure kFigure = {.name = "sparse", .title = "Sparse", .paper_place = "somewhere"};

FigureReport small_report() {
  FigureReport report;
  report.charts = {
      {.suffix = "",
       .chart = {.title = "",
                 .x_label = "",
                 .y_label = "",
                 .series =
                     {{.name = "ff-oful", .x = {1, 2}, .y = {0.1, 1e300}, .low = {0, 1}, .high = {0.25, 2}},
                      {.name = "level, \"half\"", .x = {}, .y = {1.0 / 3}, .style = SeriesStyle::reference}}},
       .caption = ""},
      {.suffix = "tuning",
       .chart =
           {.title = "",
            .x_label = "",
            .y_label = "",
            .series = {{.name = "oful", .x = {0.0078125}, .y = {std::numeric_limits<double>::quiet_NaN()}}}},
       .caption = ""}};
  return report;
}

TEST_CASE("A figure's CSV holds each point in a line, empty where there is nothing") {
  CHECK(figure_csv(kFigure, small_report()) ==
        "chart,series,x,y,low,high\n"
        "sparse,ff-oful,1,0.1,0,0.25\n"
        "sparse,ff-oful,2,1e+300,1,2\n"
        "sparse,\"level, \"\"half\"\"\",,0.3333333333333333,,\n"
        "sparse-tuning,oful,0.0078125,,,\n");
}

TEST_CASE("Every chart has a picture that is told apart without colour, beside the CSV of all") {
  const std::vector<FigureFile> files = figure_files(kFigure, small_report());
  REQUIRE(files.size() == 3);
  CHECK(files[0].name == "sparse.csv");
  CHECK(files[1].name == "sparse.svg");
  CHECK(files[2].name == "sparse-tuning.svg");
  CHECK(files[1].text.starts_with("<svg "));
  CHECK(printable({}).looks == SeriesLooks::shapes);
}

TEST_CASE("Files are written into the folder, and a folder that is missing is named") {
  const test::TemporaryFolder folder;
  write_figure_files(folder.path().string(), kFigure, small_report());
  CHECK(folder.entries() == 3);
  CHECK(test::text_of(folder.file("sparse.csv")) == figure_csv(kFigure, small_report()));
  CHECK_THROWS_AS(write_figure_files(folder.file("missing"), kFigure, small_report()), SystemError);
}

TEST_CASE("The files of a whole run are the same however often they are made") {
  for (const FigureOutcome& outcome : sample_run().figures) {
    const std::vector<FigureFile> once = figure_files(*outcome.figure, outcome.report);
    const std::vector<FigureFile> again = figure_files(*outcome.figure, outcome.report);
    REQUIRE(once.size() == outcome.report.charts.size() + 1);
    for (std::size_t n = 0; n < once.size(); ++n) CHECK(once[n].text == again[n].text);
    for (const FigureFile& file : once) {
      CHECK(file.text.find("nan") == std::string::npos);
      CHECK(file.text.find("inf") == std::string::npos);
    }
  }
}

}  // namespace
}  // namespace inkling::bench
