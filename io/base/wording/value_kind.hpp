// The kinds of values that a person may give, as plain data, and their names in help and messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/enum_names.hpp"

namespace inkling {

/// Given or not; takes no value.
struct Flag {};

/// A whole number from min to max, both included.
struct Integer {
  std::int64_t min = 0;
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
};

/// A finite number. An infinite end means no limit.
struct Real {
  enum class End { included, excluded };

  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  End low_end = End::included;
  End high_end = End::included;

  [[nodiscard]] bool contains(double value) const;

  [[nodiscard]] static constexpr Real any() { return {}; }
  [[nodiscard]] static constexpr Real at_least(double low) { return {.low = low}; }
  [[nodiscard]] static constexpr Real above(double low) { return {.low = low, .low_end = End::excluded}; }
  [[nodiscard]] static constexpr Real from_to(double low, double high) { return {.low = low, .high = high}; }
  /// Both ends excluded.
  [[nodiscard]] static constexpr Real between(double low, double high) {
    return {.low = low, .high = high, .low_end = End::excluded, .high_end = End::excluded};
  }
  [[nodiscard]] static constexpr Real above_up_to(double low, double high) {
    return {.low = low, .high = high, .low_end = End::excluded};
  }
};

inline constexpr std::int64_t kMebibyte = std::int64_t{1} << 20U;

/// A number of bytes from min to max, as a person types it: 4096, 64M, 4G.
struct Size {
  std::int64_t min = 0;
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
};

/// The names of a table, for a Choice or a ChoiceList.
template <typename Enum, std::size_t size>
[[nodiscard]] std::vector<std::string> names_of(const EnumName<Enum> (&table)[size]) {
  std::vector<std::string> names;
  for (const EnumName<Enum>& row : table) names.emplace_back(row.name);
  return names;
}

/// Exactly one of the names. ParsedOptions::choice reads the value of an enum back.
struct Choice {
  std::vector<std::string> names;
};

/// One or more of the names, separated by commas, none twice.
struct ChoiceList {
  std::vector<std::string> names;
};

/// "LOW,HIGH" with LOW <= HIGH, both within the range.
struct RealPair {
  Real each;
};

/// One or more whole numbers, separated by commas.
struct IntegerList {
  Integer each;
};

/// Any text that is not empty.
struct Text {};

/// A file or folder; any text that is not empty, said as "a path" in messages.
struct Path {};

/// The same, but the option may be given several times.
struct Paths {};

using OptionKind = std::variant<Flag, Integer, Real, Size, Choice, ChoiceList, RealPair, IntegerList, Text, Path, Paths>;

/// "a whole number from 1 to 40", "oful or random": what the kind expects, for help and for messages.
[[nodiscard]] std::string expectation(const OptionKind& kind);

}  // namespace inkling
