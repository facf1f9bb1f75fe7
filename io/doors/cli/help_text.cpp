#include "io/doors/cli/help_text.hpp"

#include <algorithm>
#include <ranges>
#include <variant>

#include <fmt/format.h>

#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

constexpr std::size_t kMeaningColumn = 26;

// Whether the help explains each of these names, as in "csv: fields between commas; npz, mtx: a matrix".
bool explains_all(std::string_view help, const std::vector<std::string>& names) {
  const auto is_explained = [&](std::string_view name) {
    for (std::size_t at = help.find(name); at != std::string_view::npos; at = help.find(name, at + 1)) {
      const bool begins = at == 0 || help[at - 1] == ' ';
      const std::string_view after = help.substr(at + name.size(), 1);
      if (begins && (after == ":" || after == ",")) return true;
    }
    return false;
  };
  return std::ranges::all_of(names, is_explained);
}

// What the option accepts, unless its help says so already.
std::string accepted(const Option& option) {
  const auto* const one = std::get_if<Choice>(&option.kind);
  const auto* const several = std::get_if<ChoiceList>(&option.kind);
  const bool is_explained = (one != nullptr && explains_all(option.help, one->names)) ||
                            (several != nullptr && explains_all(option.help, several->names));
  const bool says_nothing = std::holds_alternative<Text>(option.kind) || std::holds_alternative<Path>(option.kind) ||
                            std::holds_alternative<Paths>(option.kind);
  return is_explained || says_nothing ? std::string() : expectation(option.kind);
}

// "a whole number from 1 to 9; default 3"; nothing for a flag.
std::string value_text(const Option& option) {
  if (std::holds_alternative<Flag>(option.kind)) return {};
  std::string text = accepted(option);
  const auto add = [&](std::string_view more) {
    if (!text.empty()) text += "; ";
    text += more;
  };
  if (option.otherwise && option.help.find("(default: ") == std::string::npos) add("default " + *option.otherwise);
  if (option.need == Option::Need::required) add("required");
  return text;
}

// "-o, --out FILE"
std::string names_of_option(const Option& option) {
  const std::optional<char> letter = letter_of(option);
  const std::string first = letter ? fmt::format("-{}, ", *letter) : std::string();
  return fmt::format("{}--{}{}{}", first, option.name, option.value_name.empty() ? "" : " ", option.value_name);
}

bool is_common(const OptionTable::Description& table, const Option& option) {
  return option.need == Option::Need::required || std::ranges::count(table.common, option.name) > 0;
}

// The options that are required and not among the common ones, then the common ones in their order.
OptionGroup common_group(const OptionTable::Description& table) {
  OptionGroup group{"Most used options", {}};
  const auto all = table.groups | std::views::transform(&OptionGroup::options) | std::views::join;
  for (const Option& option : all) {
    const bool is_named = std::ranges::count(table.common, option.name) > 0;
    if (option.need == Option::Need::required && !is_named) group.options.push_back(option);
  }
  for (const std::string& name : table.common) {
    for (const Option& option : all)
      if (option.name == name) group.options.push_back(option);
  }
  return group;
}

std::size_t number_of_options(const OptionTable::Description& table) {
  std::size_t options = 0;
  for (const OptionGroup& group : table.groups) options += group.options.size();
  return options;
}

void append_help_options(std::string& out, const OptionTable::Description& table, HelpExtent extent) {
  out += "\nHelp:\n";
  append_help_entry(out, "-h, --help", "show this text");
  if (table.common.empty()) return;
  append_help_entry(out, "--help-all",
                    extent == HelpExtent::all ? std::string("show every option")
                                              : fmt::format("show all {} options", number_of_options(table)));
}

}  // namespace

void append_wrapped(std::string& out, std::string_view text, std::size_t at, std::size_t indent) {
  std::size_t column = at;
  bool first_of_line = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t width = utf8_count(word);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!first_of_line && column + 1 + width > kHelpColumns) {
      out += '\n';
      out.append(indent, ' ');
      column = indent;
      first_of_line = true;
    }
    if (!first_of_line) {
      out += ' ';
      ++column;
    }
    out += word;
    column += width;
    first_of_line = false;
  }
  out += '\n';
}

void append_help_entry(std::string& out, std::string_view left, std::string_view meaning) {
  out += "  ";
  out += left;
  std::size_t column = 2 + utf8_count(left);
  if (column + 2 > kMeaningColumn) {
    out += '\n';
    column = 0;
  }
  out.append(kMeaningColumn - column, ' ');
  append_wrapped(out, meaning, kMeaningColumn, kMeaningColumn);
}

void append_example(std::string& out, std::string_view example) {
  constexpr std::size_t widest_part = kHelpColumns - 6;
  std::string_view indent = "  ";
  while (example.size() > widest_part) {
    const std::size_t end = example.rfind(" --", widest_part);
    if (end == std::string_view::npos || end == 0) break;
    out += fmt::format("{}{} \\\n", indent, example.substr(0, end));
    example.remove_prefix(end + 1);
    indent = "    ";
  }
  out += fmt::format("{}{}\n", indent, example);
}

std::string sentence_of(const Option& option) {
  const std::string values = value_text(option);
  return values.empty() ? option.help : fmt::format("{} ({})", option.help, values);
}

std::vector<OptionGroup> groups_for_help(const OptionTable::Description& table, HelpExtent extent) {
  if (table.common.empty()) return table.groups;
  std::vector<OptionGroup> groups = {common_group(table)};
  if (extent == HelpExtent::common) return groups;
  for (const OptionGroup& group : table.groups) {
    OptionGroup rest = group;
    std::erase_if(rest.options, [&](const Option& option) { return is_common(table, option); });
    if (!rest.options.empty()) groups.push_back(std::move(rest));
  }
  return groups;
}

std::string help_text(const OptionTable::Description& table, HelpExtent extent) {
  const Positionals& positionals = table.positionals;
  std::string out = fmt::format("Usage: {}{}{} [OPTION]...\n\n", table.command, positionals.max > 0 ? " " : "", positionals.name);
  append_wrapped(out, table.purpose, 0, 0);
  if (positionals.max > 0) {
    out += "\nArguments:\n";
    append_help_entry(out, positionals.name, positionals.help);
  }
  for (const OptionGroup& group : groups_for_help(table, extent)) {
    out += fmt::format("\n{}:\n", group.heading);
    for (const Option& option : group.options) append_help_entry(out, names_of_option(option), sentence_of(option));
  }
  append_help_options(out, table, extent);
  out += "\nExample:\n";
  append_example(out, table.example);
  return out;
}

}  // namespace inkling
