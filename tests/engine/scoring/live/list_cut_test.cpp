#include "engine/scoring/live/list_cut.hpp"

#include <doctest/doctest.h>

namespace inkling {
namespace {

/// Documents with bounds of 1 to `count` at reach 1, which are all `count + 1` at reach 2.
std::vector<ReachLine> crossing_lines(int count) {
  std::vector<ReachLine> lines;
  for (int n = 1; n <= count; ++n) {
    const double width = count + 1.0 - n;
    lines.push_back({n - width, width});
  }
  return lines;
}

LineSample sample_of(const std::vector<ReachLine>& lines, std::size_t each) {
  LineSample sample(each);
  for (const ReachLine& line : lines) sample.consider(line);
  return sample;
}

std::ptrdiff_t kept(const std::vector<ReachLine>& lines, const ListCut& cut) {
  return std::ranges::count_if(lines, [&](const ReachLine& line) { return line.at_most(cut.reach) >= cut.level; });
}

TEST_CASE("without a best score a list has the documents with the highest bounds at the far reach") {
  const std::vector<ReachLine> lines = crossing_lines(1000);
  const ListCut cut = sample_of(lines, 1).cut({100}, 0.5, 1.0);
  CHECK(cut.reach == 1.0);
  CHECK(cut.level == doctest::Approx(900.0).epsilon(0.01));
  CHECK(kept(lines, cut) == doctest::Approx(100).epsilon(0.02));
}

TEST_CASE("with a best score a list is cut a quarter of the way to the reach at which the wanted number could beat it") {
  std::vector<ReachLine> lines;
  for (int n = 1; n <= 1000; ++n) lines.push_back({10.0 - 0.1 * n, 0.1});  // reaches 10 at a reach of n
  const ListCut cut = sample_of(lines, 1).cut({100, 10.0}, 4.0, 99.0);
  CHECK(cut.reach == doctest::Approx(4.0 + 0.25 * 96.0).epsilon(0.02));
  CHECK(cut.level < 10.0);
  CHECK(kept(lines, cut) == doctest::Approx(100).epsilon(0.02));
}

TEST_CASE("every document that can beat the best score now is on the list whatever their number") {
  const std::vector<ReachLine> lines = crossing_lines(1000);
  const ListCut cut = sample_of(lines, 1).cut({100, 500.0}, 1.0, 2.0);
  CHECK(cut.reach == 1.0);
  CHECK(kept(lines, cut) == 501);
}

TEST_CASE("a sampled document counts for all that it represents") {
  CHECK(sample_of(crossing_lines(1000), 10).cut({1000}, 1.0, 1.0).level == doctest::Approx(900.0).epsilon(0.01));
}

TEST_CASE("all documents are kept if there are few more than wanted") {
  for (const auto best : {std::optional<double>(), std::optional<double>(5.0)}) {
    CHECK(LineSample(1).cut({10, best}, 1.0, 1.0).level == -std::numeric_limits<double>::infinity());
    CHECK(sample_of(crossing_lines(15), 1).cut({10, best}, 1.0, 1.0).level == -std::numeric_limits<double>::infinity());
    CHECK(sample_of(crossing_lines(16), 1).cut({10, best}, 1.0, 1.0).level > 0.0);
  }
}

}  // namespace
}  // namespace inkling
