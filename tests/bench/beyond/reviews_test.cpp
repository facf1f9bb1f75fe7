// The figure of systematic reviews, with small reviews, and a shell script in place of ASReview's package.
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/beyond/review_results.hpp"
#include "bench/studies/programme_output.hpp"
#include "io/base/file/output_file.hpp"
#include "tests/bench/paper/data/small_archives.hpp"
#include "tests/bench/paper/made_up_results.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::bench {
namespace {

using inkling::test::TemporaryFolder;

/// Reviews of 24 records, six of them relevant. Lifetime: the context refers to them.
struct SmallReviews {
  TemporaryFolder folder;
  ReviewCollection reviews;

  explicit SmallReviews(const std::vector<std::string>& names, const std::string& script = "") {
    test::ArchivedFiles files;
    for (const std::string& name : names) files.emplace_back(name + ".jsonl", test::small_screened_review());
    test::write_folder(folder.file("data"), files);
    if (!script.empty()) write_file(folder.file("screen_with_asreview.py"), script);
    reviews = {prepare_screened_reviews(
                   folder.file("data"), folder.file("work"), [](std::string_view) {}, [] {}),
               find_asreview({.python = "sh", .folder = folder.path().string()}, [] {})};
  }
  [[nodiscard]] PaperContext context() const {
    PaperContext context = test::tiny_context(5);
    context.settings.effort = PaperEffort::full;
    context.settings.trials = 10;
    context.reviews = &reviews;
    return context;
  }
};

/// Finds the last of the five remaining relevant records in round 22, which is the last round.
constexpr const char* kSlowScript =
    R"([ "$1" = --version ] && echo '{"version": "asreview 9"}' && exit
echo '{"found_at": [18, 19, 20, 21, 22], "seconds": 1}')";

TEST_CASE("every method starts from the same records and finds all relevant ones, and the tables have a row for each") {
  const SmallReviews small({"one", "two"}, kSlowScript);
  const PaperContext context = small.context();
  const std::vector<Study> studies = test::studies_of(reviews_figure(), context);
  CHECK(studies.size() == 8);
  std::set<std::vector<DocumentId>> starts;
  for (const Study& study : studies) {
    CAPTURE(study.name);
    CHECK(study.trials == 2);
    if (study.name.starts_with("one")) starts.insert(study.world(1).start.documents);
    for (const EntrantResult& result : run_study(study).entrants) {
      for (const TrialResult& trial : result.trials) {
        CHECK(trial.finds->there == 5);
        CHECK(trial.finds->at.size() == 5);
      }
    }
  }
  CHECK(starts.size() == 1);

  const FigureReport report = test::run_report(reviews_figure(), small.context(), 2);
  REQUIRE(report.tables.size() == 4);
  CHECK(report.tables[0].rows.size() == 5);
  CHECK(report.tables[1].rows.size() == 4);
  CHECK(report.tables[3].rows.size() == 10);
  const Claim& claim = test::claim_of(report, "reviews-loss");
  CHECK(test::number_of(claim, "loss, asreview elas_u4").mean == doctest::Approx(1.0));
  CHECK(test::number_of(claim, "loss, asreview elas_u4").standard_error == doctest::Approx(0.0));
  CHECK(claim.verdict == Verdict::holds);
  REQUIRE(report.charts.size() == 1);
  for (const Series& series : report.charts.front().chart.series) CHECK(series.y.back() == doctest::Approx(100.0));
}

TEST_CASE("without the package its row is left out with a message and nothing is compared with it") {
  const SmallReviews small({"one"}, R"(echo '{"skipped": "asreview is not installed: pip install asreview"}')");
  const FigureReport report = test::run_report(reviews_figure(), small.context(), 1);
  CHECK(report.tables[0].rows.size() == 4);
  CHECK(report.tables[0].line.find("asreview is not installed: pip install asreview; its row is missing") != std::string::npos);
  CHECK(test::claim_of(report, "reviews-loss").verdict == Verdict::not_comparable);
  CHECK(test::claim_of(report, "reviews-autotar").verdict != Verdict::not_comparable);
}

TEST_CASE("the figure is the same at 1 and 8 threads and a quick one has three reviews") {
  const SmallReviews small({"a", "b", "c", "d"});
  PaperContext context = small.context();
  CHECK(reviews_of_run(context).size() == 4);
  context.settings.effort = PaperEffort::quick;
  CHECK(reviews_of_run(context).size() == 3);
  const Figure figure = reviews_figure();
  CHECK(figure_csv(figure, test::run_report(figure, context, 1)) == figure_csv(figure, test::run_report(figure, context, 8)));
}

}  // namespace
}  // namespace inkling::bench
