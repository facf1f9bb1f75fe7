// Help for a terminal of 80 columns, made from a table of options.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/doors/cli/option_table.hpp"

namespace inkling {

inline constexpr std::size_t kHelpColumns = 80;

/// Usage, purpose, the options with their ranges and defaults, example. With HelpExtent::all the common options come
/// first and the rest follows under its headings; with HelpExtent::common the rest is left out.
[[nodiscard]] std::string help_text(const OptionTable::Description& table, HelpExtent extent);

/// The options under the headings that help shows: common or required ones first, then the rest. If a table has no common
/// options, its groups unchanged.
[[nodiscard]] std::vector<OptionGroup> groups_for_help(const OptionTable::Description& table, HelpExtent extent);

/// Everything that help says of an option: "events to learn from (required)", "rounds (default 1024)".
[[nodiscard]] std::string sentence_of(const Option& option);

/// Appends the words of `text`, broken before the last column; every new line starts at `indent`. `at` is the column at
/// which the text so far ends.
void append_wrapped(std::string& out, std::string_view text, std::size_t at, std::size_t indent);

/// "  LEFT      what it means", wrapped.
void append_help_entry(std::string& out, std::string_view left, std::string_view meaning);

/// A command line that can be pasted into a shell: where it is too long, broken before options with a backslash.
void append_example(std::string& out, std::string_view example);

}  // namespace inkling
