#include "engine/scoring/live/packed_line.hpp"

#include <vector>

#include <doctest/doctest.h>

#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

constexpr std::uint64_t kPackedLineSeed = 20'261'125;

TEST_CASE("a number of any size is rounded up by little") {
  RandomStream random = test::stream_for(kPackedLineSeed);
  for (int n = 0; n < 100'000; ++n) {
    const double value = std::ldexp(random.normal(), test::between(-160, 126, random));
    const auto rounded = static_cast<double>(rounded_up(value));
    REQUIRE(rounded >= value);
    REQUIRE(rounded <= value + 4e-7 * std::fabs(value) + 1e-37);
  }
}

TEST_CASE("a number beyond the range of floats is rounded up to infinity or to the lowest float") {
  CHECK(rounded_up(1e300) == std::numeric_limits<float>::infinity());
  CHECK(rounded_up(-1e300) == std::numeric_limits<float>::lowest());
  CHECK(rounded_up(0.0) > 0.0F);
}

TEST_CASE("a packed line is bare or retired or counts and may be listed if it counts") {
  const PackedLine bare;
  CHECK_FALSE(bare.counts());
  CHECK_FALSE(bare.is_retired());
  CHECK_FALSE(bare.is_listed());

  const PackedLine retired = PackedLine::retired();
  CHECK_FALSE(retired.counts());
  CHECK(retired.is_retired());

  for (const ReachLine& line : {ReachLine{-2.5, 0.25}, ReachLine{0.0, 0.0}, ReachLine{-1e300, 3.0}}) {
    PackedLine packed(line);
    CHECK(packed.counts());
    CHECK_FALSE(packed.is_retired());
    CHECK_FALSE(packed.is_listed());
    const ReachLine before = packed.line();
    packed.set_listed(true);
    CHECK(packed.is_listed());
    CHECK(packed.width() == before.width);
    CHECK(packed.mean() == before.mean);
    packed.set_listed(false);
    CHECK_FALSE(packed.is_listed());
    CHECK(before.mean >= line.mean);
    CHECK(before.width >= line.width);
  }
}

TEST_CASE("a width is between the limits of its step") {
  CHECK(WidthSteps::of(0.0F) == 0);
  CHECK(WidthSteps::of(1e30F) == WidthSteps::kCount - 1);
  RandomStream random = test::stream_for(kPackedLineSeed + 1);
  for (int n = 0; n < 100'000; ++n) {
    const auto width = static_cast<float>(std::ldexp(1.0 + random.uniform(), test::between(-40, 40, random)));
    const std::int32_t step = WidthSteps::of(width);
    REQUIRE(step >= 0);
    REQUIRE(step < WidthSteps::kCount);
    REQUIRE(WidthSteps::narrowest(step) <= static_cast<double>(width));
    REQUIRE(static_cast<double>(width) <= WidthSteps::widest(step));
    if (step > 0 && step < WidthSteps::kCount - 1) REQUIRE(WidthSteps::widest(step) <= 1.25 * WidthSteps::narrowest(step));
  }
}

/// Lines of each kind, with floats of all sizes.
std::vector<PackedLine> lines_of_all_kinds(std::size_t count, RandomStream& random) {
  std::vector<PackedLine> lines(count);
  for (PackedLine& line : lines) {
    const double kind = random.uniform();
    if (kind < 0.1) continue;
    if (kind < 0.2) {
      line = PackedLine::retired();
      continue;
    }
    const int power = random.coin(0.2) ? test::between(-140, 126, random) : test::between(-3, 3, random);
    line = PackedLine({std::ldexp(random.normal(), power), std::ldexp(random.uniform(), power)});
    line.set_listed(random.coin(0.3));
  }
  return lines;
}

TEST_CASE("bounds taken together are at most rounding above those taken one by one") {
  RandomStream random = test::stream_for(kPackedLineSeed + 2);
  for (int run = 0; run < 2000; ++run) {
    const std::vector<PackedLine> lines = lines_of_all_kinds(static_cast<std::size_t>(test::between(0, 16, random)), random);
    const double reach = random.coin(0.1) ? 0.0 : std::exp2(3.0 * random.normal());
    PackedLine::Bounds bounds;
    const double largest = PackedLine::bound_all(lines, reach, bounds);
    double plain_largest = 0.0;
    for (std::size_t n = 0; n < lines.size(); ++n) {
      const auto bound = static_cast<double>(bounds.most[n]);
      if (!lines[n].counts()) {
        REQUIRE(std::isnan(bound));
        continue;
      }
      const ReachLine line = lines[n].line();
      const double size = std::fabs(line.mean) + reach * line.width;
      plain_largest = std::max(plain_largest, size);
      REQUIRE(bound >= line.at_most(reach));
      if (size < 1e37) REQUIRE(bound <= line.at_most(reach) + 1e-6 * size + 1e-36);
      REQUIRE(bounds.width_step[n] == WidthSteps::of(static_cast<float>(line.width)));
    }
    REQUIRE(largest >= plain_largest * (1.0 - 1e-6));
  }
}

TEST_CASE("a change added to many means is rounded up and leaves out lines that do not count") {
  RandomStream random = test::stream_for(kPackedLineSeed + 3);
  for (int run = 0; run < 2000; ++run) {
    const std::vector<PackedLine> before = lines_of_all_kinds(static_cast<std::size_t>(test::between(0, 40, random)), random);
    std::vector<PackedLine> after = before;
    std::vector<float> values;
    for (std::size_t n = 0; n < before.size(); ++n) values.push_back(static_cast<float>(random.normal()));
    const double change = std::ldexp(random.normal(), random.coin(0.2) ? test::between(-140, 127, random) : 0);
    PackedLine::add_to_means(after, values, change);
    for (std::size_t n = 0; n < before.size(); ++n) {
      REQUIRE(after[n].width() == before[n].width());
      REQUIRE(after[n].is_listed() == before[n].is_listed());
      REQUIRE(after[n].is_retired() == before[n].is_retired());
      if (!before[n].counts()) {
        REQUIRE(after[n].mean() == before[n].mean());
        continue;
      }
      const double product = static_cast<double>(values[n]) * change;
      const double exact = before[n].mean() + product;
      REQUIRE(after[n].mean() >= exact);
      const double size = std::fabs(before[n].mean()) + std::fabs(product);
      if (size < 1e37) REQUIRE(after[n].mean() <= exact + 2e-6 * size + 1e-36);
    }
  }
}

TEST_CASE("lines updated together equal those updated one by one and retired ones stay retired") {
  RandomStream random = test::stream_for(kPackedLineSeed + 4);
  for (int run = 0; run < 2000; ++run) {
    const std::vector<PackedLine> before = lines_of_all_kinds(static_cast<std::size_t>(test::between(0, 40, random)), random);
    std::vector<PackedLine> after = before;
    std::vector<float> values;
    for (std::size_t n = 0; n < before.size(); ++n) values.push_back(static_cast<float>(random.normal()));
    const auto update = [](const ReachLine& line, double value) {
      return ReachLine{line.mean - value, std::hypot(line.width, value)};
    };
    PackedLine::update_all(after, values, update);
    for (std::size_t n = 0; n < before.size(); ++n) {
      if (before[n].is_retired()) {
        REQUIRE(after[n].is_retired());
        continue;
      }
      const PackedLine plain(update(before[n].line(), static_cast<double>(values[n])));
      REQUIRE(after[n].mean() == plain.mean());
      REQUIRE(after[n].width() == plain.width());
      REQUIRE_FALSE(after[n].is_listed());
    }
  }
}

}  // namespace
}  // namespace inkling
