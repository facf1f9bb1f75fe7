// Wrong and unusual input, in one place for the tests of every parser.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace inkling::test {

/// Values that every parser refuses, as text.
inline constexpr std::array<std::string_view, 28> bad_values = {
    "nan",  "NaN", "-nan", "inf", "-inf", "Infinity", "1e999", "-1e999", "1e-999", "1e-60", "1e-40", "-1e-45", "3.5e38", "0x1p3",
    "0x10", "1,5", "",     "+1",  "++1",  "--1",      "1e",    "1e+",    ".",      "-",     "1.5.2", "1_000",  "1f",     "one"};

/// Values that every parser takes, and the numbers that they give.
struct GoodValue {
  std::string_view text;
  float value;
};
inline constexpr std::array<GoodValue, 12> good_values = {{{"1", 1.0F},
                                                           {"-2.5", -2.5F},
                                                           {".5", 0.5F},
                                                           {"1.", 1.0F},
                                                           {"1e-3", 1e-3F},
                                                           {"1E3", 1e3F},
                                                           {"0.1", 0.1F},
                                                           {"16777217", 16777216.0F},
                                                           {"3.4028235e38", 3.4028235e38F},
                                                           {"-3.4028235e38", -3.4028235e38F},
                                                           {"1.17549435e-38", 1.17549435e-38F},
                                                           {"123456789012345678901234567890", 1.2345679e29F}}};

/// Zeros, which every parser takes and leaves out of the matrix.
inline constexpr std::array<std::string_view, 7> zero_values = {"0", "-0", "0.0", "-0.0", "0e999", "0e-999", "00"};

/// Indices that every parser refuses, whether it counts from 0 or from 1.
inline constexpr std::array<std::string_view, 13> bad_indices = {
    "-1",  "-0x1", "2147483648", "4294967296", "4294967297", "9223372036854775808", "18446744073709551616", "1.5",
    "1e3", "a",    "",           "+1",         "0x1"};

/// Bytes that are not UTF-8, and what they become. All bytes except those in `good` are bad.
struct BrokenText {
  std::string_view bytes, replaced;
  std::int64_t bad;
};
inline constexpr std::array<BrokenText, 15> broken_texts = {{
    {"a\xFF"
     "b",
     "a\xEF\xBF\xBD"
     "b",
     1},
    {"\x80", "\xEF\xBF\xBD", 1},
    {"\xC3", "\xEF\xBF\xBD", 1},
    {"\xC3(", "\xEF\xBF\xBD(", 1},
    {"\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD", 2},
    {"\xE2\x82", "\xEF\xBF\xBD", 2},
    {"\xE2\x82x", "\xEF\xBF\xBDx", 2},
    {"\xE0\x80\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", 3},
    {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", 3},
    {"\xF0\x9F\x98", "\xEF\xBF\xBD", 3},
    {"\xF0\x9F\x98z", "\xEF\xBF\xBDz", 3},
    {"\xF0\x80\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", 4},
    {"\xF4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", 4},
    {"\xF8\x88\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", 4},
    {"\xC3\xA9\xE9", "\xC3\xA9\xEF\xBF\xBD", 1},
}};

}  // namespace inkling::test
