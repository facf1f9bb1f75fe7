// Searches by another program. A shell script stands for the package, which may not be installed.
#include "bench/studies/asreview_search.hpp"

#include <doctest/doctest.h>

#include "bench/worlds/screening_world.hpp"
#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::bench {
namespace {

using inkling::test::InFolder, inkling::test::TemporaryFolder;

/// Eight records of one word each, 0 to 3 of them relevant; records 0 and 4 are given.
struct EightRecords {
  PoolMatrix pool = rows();
  World world = {.pool = pool.view(),
                 .rewards = RewardModel::rated({1, 1, 1, 1, -1, -1, -1, -1}, {1, 1, 1, 1, -1, -1, -1, -1}),
                 .marks = MarkModel(8),
                 .relevant = {},
                 .pool_owner = nullptr,
                 .start = {{}, {0, 4}}};

  static PoolMatrix rows() {
    CsrMatrix matrix(8);
    for (FeatureId n = 0; n < 8; ++n) matrix.append_row({std::vector<FeatureId>{n}, std::vector<float>{1.0F}});
    return PoolMatrix(std::move(matrix));
  }
};

AsreviewPackage package_of(const TemporaryFolder& folder, const std::string& script) {
  write_file(folder.file("screen_with_asreview.py"), script);
  return find_asreview({.python = "sh", .folder = folder.path().string()}, [] {});
}

constexpr const char* kVersion = R"([ "$1" = --version ] && echo '{"version": "asreview 9"}' && exit
)";

TEST_CASE_FIXTURE(InFolder, "a missing package or file is reported with what to do") {
  const AsreviewPackage nothing = find_asreview({.python = "sh", .folder = folder.file("nowhere")}, [] {});
  CHECK(nothing.version.empty());
  CHECK(nothing.missing.find("is not there: say where it is with --peer-folder") != std::string::npos);
  const AsreviewPackage skipped = package_of(folder, R"(echo '{"skipped": "asreview is not installed"}')");
  CHECK(skipped.version.empty());
  CHECK(skipped.missing == "asreview is not installed");
  CHECK(package_of(folder, "echo no >&2; exit 3").missing == "screen_with_asreview.py ended with 3: 'no'");
  const AsreviewPackage unknown = find_asreview({.python = folder.file("no-python"), .folder = folder.path().string()}, [] {});
  CHECK(unknown.missing.find("no-python: cannot run") != std::string::npos);
}

TEST_CASE_FIXTURE(InFolder, "another program's search is a trial with its finds, regret and reward") {
  const AsreviewPackage package = package_of(
      folder, std::string(kVersion) + R"([ "$2 $3" = "--given 0,4" ] && echo '{"found_at": [1, 3, 5], "seconds": 0.5}')");
  CHECK(package.version == "asreview 9");
  const EightRecords records;
  const TrialResult result = run_trial(records.world, asreview_entrant(package, "eight.jsonl", 6), 0);
  REQUIRE(result.finds);
  CHECK(result.finds->there == 3);
  CHECK(result.finds->rounds == 5);
  CHECK(result.finds->at == std::vector<std::int64_t>{1, 3, 5});
  CHECK(result.decision_seconds == 0.5);
  CHECK(result.curve == std::vector<double>{0.0, 2.0, 2.0, 2.0, 0.0, 0.0});
  CHECK(result.regret == 0.0);
  CHECK(result.reward == 1.0);
}

TEST_CASE_FIXTURE(InFolder, "impossible ranks and failures end the run with the script's name") {
  const EightRecords records;
  for (const char* line : {"nonsense", R"({"found_at": [1, 2], "seconds": 0})", R"({"found_at": [1, 2, 7], "seconds": 0})",
                           R"({"found_at": [0, 2, 3], "seconds": 0})", R"({"found_at": [2, 2, 3], "seconds": 0})"}) {
    CAPTURE(line);
    CHECK_THROWS_AS(static_cast<void>(search_printed(line, records.world, "script.py")), FormatError);
  }
  const AsreviewPackage package = package_of(folder, std::string(kVersion) + "echo bad >&2; exit 1\n");
  CHECK_THROWS_WITH_AS(static_cast<void>(run_trial(records.world, asreview_entrant(package, "x", 6), 0)),
                       doctest::Contains("ended with 1: 'bad'"), FormatError);
}

}  // namespace
}  // namespace inkling::bench
