#include "io/search/service/review_report.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "io/corpus/pool/open/joined_pool.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

// A pool of so many documents without copies; every third one is included, and the others have the reason "a" or none.
struct Reviewed {
  explicit Reviewed(std::int64_t documents, std::int64_t rated) {
    test::SmallPool small;
    small.columns = 1;
    small.rows.resize(static_cast<std::size_t>(documents));
    test::write_pool(small, folder.file("pool"));
    whole.emplace(folder.file("pool"), PoolTrust::checksums);
    history.append({.sequence = 1,
                    .kind = SearchEventKind::aimed,
                    .aim = {.question = "<script>&\"'", .rule = StopRule{.rated = rated, .without_good = 3}}});
    for (std::int64_t n = 0; n < rated; ++n)
      history.append({.sequence = n + 2,
                      .kind = SearchEventKind::rated,
                      .document = static_cast<DocumentId>(n),
                      .reward = n % 3 == 0 ? 1.0 : 0.0,
                      .tags = n % 3 == 1 ? std::vector<std::string>{"=a"} : std::vector<std::string>()});
  }
  [[nodiscard]] ReviewReport report() const { return review_report(history, {.facts = &facts, .pools = &whole->members()}); }

  test::TemporaryFolder folder;
  std::optional<WholePool> whole;
  SessionFacts facts = {
      .id = {}, .name = "<b>", .owner = "ada", .pool = {}, .fingerprint = {}, .policy = "inkling", .options = "{}"};
  SearchHistory history;
};

TEST_CASE("a report counts each document once, with its reason, and the parts add up") {
  const ReviewReport report = Reviewed(20, 9).report();
  CHECK(report.records == 20);
  CHECK(report.screened.included == 3);
  CHECK(report.screened.excluded == 6);
  CHECK(report.not_screened == 11);
  CHECK(report.without_reason == 3);
  CHECK(report.reasons == std::vector<TagCount>{{"=a", 3}});
  REQUIRE(report.by.size() == 1);
  CHECK(report.by.front().first == "ada");
  REQUIRE(report.rule.size() == 2);
  CHECK(report.rule.front().holds);
  CHECK_FALSE(report.rule.back().holds);
  CHECK(report.rule.back().now == 2);
  CHECK(report.progress.rule_reached == false);
}

TEST_CASE("a curve of any length has at most 300 points, from nothing to the last rating") {
  for (const std::int64_t rated : {0, 1, 2, 298, 299, 300, 301, 599, 1000}) {
    CAPTURE(rated);
    const ReviewReport report = Reviewed(1000, rated).report();
    CHECK(std::ssize(report.curve) <= kPointsOfCurve);
    if (rated < kPointsOfCurve) CHECK(std::ssize(report.curve) == rated + 1);
    CHECK(report.curve.front() == std::pair<std::int64_t, std::int64_t>{0, 0});
    CHECK(report.curve.back() == std::pair(rated, (rated + 2) / 3));
  }
}

TEST_CASE("the texts of people are escaped on the page, and are no formulas in CSV") {
  const ReviewReport report = Reviewed(5, 4).report();
  const std::string page = report_text(report, ReportFormat::html);
  CHECK(page.find("<title>&lt;b&gt;</title>") != std::string::npos);
  CHECK(page.find("&lt;script&gt;&amp;&quot;&#39;") != std::string::npos);
  CHECK(page.find("<script") == std::string::npos);
  CHECK(report_text(report, ReportFormat::csv).find("\r\nreason,'=a,excluded,1\r\n") != std::string::npos);
}

}  // namespace
}  // namespace inkling
