#include <algorithm>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "io/source/archive_reader.hpp"

namespace inkling {
namespace {

bool is_broken(std::string_view packed, std::string_view unpacked) {
  bool broken = false;
  for (std::size_t cut = 0; cut <= packed.size(); ++cut) {
    GzipCheck check;
    check.note_packed(packed.substr(0, cut));
    check.note_packed(packed.substr(cut));
    check.note_unpacked(unpacked.substr(0, cut));
    check.note_unpacked(unpacked.substr(std::min(cut, unpacked.size())));
    if (cut > 0) CHECK(broken == check.is_broken());
    broken = check.is_broken();
  }
  return broken;
}

using namespace std::string_literals;
const std::string begin = "\x1F\x8B\x08 what comes before ";
const std::string end = "\x26\x39\xF4\xCB\x09\0\0\0"s;

TEST_CASE("a file of one part is broken where its length or its checksum is wrong") {
  CHECK_FALSE(is_broken(begin + end, "123456789"));
  CHECK(is_broken(begin + end, "123456780"));
  CHECK(is_broken(begin + end, "12345678"));
  CHECK(is_broken(begin + "\x27\x39\xF4\xCB\x09\0\0\0"s, "123456789"));
  CHECK(is_broken(begin + "\x26\x39\xF4\xCB\x08\0\0\0"s, "123456789"));
}

TEST_CASE("several parts and files that are filled up are left alone") {
  CHECK_FALSE(is_broken(begin + "........" + begin + end, "first part and 123456789"));
  CHECK_FALSE(is_broken(begin + end + std::string(100, '\0'), "123456789"));
}

}  // namespace
}  // namespace inkling
