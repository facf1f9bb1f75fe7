// One option of a command, as plain data: a row of an option table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "io/base/wording/value_kind.hpp"

namespace inkling {

/// The value of an option after reading.
using OptionValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>, std::pair<double, double>,
                                 std::vector<std::int64_t>>;

struct Option {
  enum class Need { optional, required };

  std::string name;  // without the dashes
  OptionKind kind = Flag{};
  std::string value_name = {};                // as help shows it: "N", "FILE"
  std::optional<std::string> otherwise = {};  // the default, as a person would type it
  std::string help = {};
  Need need = Need::optional;
};

/// The option's name of one letter, as in "-o" for every option "out"; nothing for most.
[[nodiscard]] std::optional<char> letter_of(const Option& option);

/// The parts of a list, empty ones too; one empty part of an empty text.
[[nodiscard]] std::vector<std::string_view> split_at_commas(std::string_view text);

/// The text as a value of this option. Throws UsageError naming the option, what it expects and the text.
[[nodiscard]] OptionValue read_option_value(const Option& option, std::string_view text);

}  // namespace inkling
