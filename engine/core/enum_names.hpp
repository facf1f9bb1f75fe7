// Names of the values of an enum, kept in one table beside the enum.
#pragma once

#include <cassert>
#include <cstddef>
#include <optional>
#include <string_view>

namespace inkling {

/// One row of a table of names, for example
/// `inline constexpr EnumName<Norm> kNormNames[] = {{Norm::l1, "l1"}, {Norm::l2, "l2"}};`
template <typename Enum>
struct EnumName {
  Enum value;
  std::string_view name;
};

/// Requires: the table names `value`.
template <typename Enum, std::size_t size>
[[nodiscard]] constexpr std::string_view name_of(Enum value, const EnumName<Enum> (&table)[size]) noexcept {
  for (const EnumName<Enum>& row : table)
    if (row.value == value) return row.name;
  assert(false);
  return {};
}

/// The value of that name, or nothing.
template <typename Enum, std::size_t size>
[[nodiscard]] constexpr std::optional<Enum> value_of(std::string_view name, const EnumName<Enum> (&table)[size]) noexcept {
  for (const EnumName<Enum>& row : table)
    if (row.name == name) return row.value;
  return std::nullopt;
}

}  // namespace inkling
