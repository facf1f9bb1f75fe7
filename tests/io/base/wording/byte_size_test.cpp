#include "io/base/wording/byte_size.hpp"

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("a size is digits with at most one unit that is a power of 1024") {
  CHECK(parse_byte_size("0") == 0);
  CHECK(parse_byte_size("4096") == 4096);
  CHECK(parse_byte_size("007") == 7);
  CHECK(parse_byte_size("3K") == 3U * 1024);
  CHECK(parse_byte_size("200M") == 200U << 20U);
  CHECK(parse_byte_size("4G") == std::uint64_t{4} << 30U);
  CHECK(parse_byte_size("2T") == std::uint64_t{2} << 40U);
}

TEST_CASE("the largest size that fits is read and the next one is not") {
  CHECK(parse_byte_size("18446744073709551615") == UINT64_MAX);
  CHECK_FALSE(parse_byte_size("18446744073709551616"));
  CHECK(parse_byte_size("16777215T") == UINT64_MAX - ((std::uint64_t{1} << 40U) - 1));
  CHECK_FALSE(parse_byte_size("16777216T"));
  CHECK_FALSE(parse_byte_size("18014398509481984K"));
}

TEST_CASE("other texts are not sizes") {
  for (const std::string_view text :
       {"", "K", "-1", "+1", " 1", "1 ", "1k", "1KB", "1KK", "1.5G", "1e3", "0x10", "1P", "M1", "nan"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_byte_size(text));
  }
  CHECK_FALSE(parse_byte_size(std::string_view("1\0", 2)));
}

TEST_CASE("a size is shown in its largest unit and is exact where it has no point") {
  CHECK(byte_size_text(0) == "0");
  CHECK(byte_size_text(1023) == "1023");
  CHECK(byte_size_text(1024) == "1K");
  CHECK(byte_size_text(64U << 20U) == "64M");
  CHECK(byte_size_text(1536) == "1.5K");
  CHECK(byte_size_text((1U << 20U) - 1) == "1023.9K");
  CHECK(byte_size_text((1U << 20U) + 1) == "1.0M");
  CHECK(byte_size_text(std::uint64_t{3} << 40U) == "3T");
  CHECK(byte_size_text(UINT64_MAX) == "16777215.9T");
}

TEST_CASE("a size without a point reads back the same") {
  for (unsigned shift = 0; shift < 64; ++shift) {
    const std::uint64_t bytes = std::uint64_t{1} << shift;
    CHECK(parse_byte_size(byte_size_text(bytes)) == bytes);
  }
}

}  // namespace
}  // namespace inkling
