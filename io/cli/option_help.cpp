// The help text of an option table.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "io/cli/option_table.hpp"

namespace inkling {
namespace {

constexpr std::size_t kWidestLine = 100;
constexpr std::size_t kHelpColumn = 34;

// Appends the words of `text`, broken before the widest column; every new line starts at `indent`. The text
// so far stands at column `at` of the current line.
void append_wrapped(std::string& out, std::string_view text, std::size_t at, std::size_t indent) {
  std::size_t column = at;
  bool first_of_line = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!first_of_line && column + 1 + word.size() > kWidestLine) {
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
    column += word.size();
    first_of_line = false;
  }
  out += '\n';
}

// "a whole number from 1 to 9; default 3"; nothing for a flag.
std::string value_text(const Option& option) {
  if (std::holds_alternative<Flag>(option.kind)) return {};
  const bool says_nothing = std::holds_alternative<Text>(option.kind) ||
                            std::holds_alternative<Path>(option.kind) ||
                            std::holds_alternative<Paths>(option.kind);
  std::string text = says_nothing ? std::string() : expectation(option.kind);
  const auto add = [&](std::string_view more) {
    if (!text.empty()) text += "; ";
    text += more;
  };
  if (option.otherwise) add("default " + *option.otherwise);
  if (option.need == Option::Need::required) add("required");
  return text;
}

void append_entry(std::string& out, std::string_view left, std::string_view help) {
  out += "  ";
  out += left;
  std::size_t column = 2 + left.size();
  if (column + 2 > kHelpColumn) {
    out += '\n';
    column = 0;
  }
  out.append(kHelpColumn - column, ' ');
  append_wrapped(out, help, kHelpColumn, kHelpColumn);
}

void append_option(std::string& out, const Option& option) {
  const std::string separator = option.value_name.empty() ? "" : " ";
  const std::string values = value_text(option);
  append_entry(out, fmt::format("--{}{}{}", option.name, separator, option.value_name),
               values.empty() ? option.help : fmt::format("{} ({})", option.help, values));
}

// A command line that can be pasted into a shell: where it is too long, broken before an option with a
// backslash.
void append_example(std::string& out, std::string_view example) {
  constexpr std::size_t widest_part = kWidestLine - 6;
  std::string_view indent = "  ";
  while (example.size() > widest_part) {
    const std::size_t end = example.rfind(" --", widest_part);
    if (end == std::string_view::npos) break;
    out += fmt::format("{}{} \\\n", indent, example.substr(0, end));
    example.remove_prefix(end + 1);
    indent = "    ";
  }
  out += fmt::format("{}{}\n", indent, example);
}

}  // namespace

std::string OptionTable::help() const {
  const Positionals& positionals = description_.positionals;
  std::string out = fmt::format("Usage: {}{}{} [OPTION]...\n\n", description_.command,
                                positionals.max > 0 ? " " : "", positionals.name);
  append_wrapped(out, description_.purpose, 0, 0);
  if (positionals.max > 0) {
    out += "\nArguments:\n";
    append_entry(out, positionals.name, positionals.help);
  }
  for (const OptionGroup& group : description_.groups) {
    out += fmt::format("\n{}:\n", group.heading);
    for (const Option& option : group.options) append_option(out, option);
  }
  out += "\nHelp:\n";
  append_entry(out, "-h, --help", "show this text");
  out += "\nExample:\n";
  append_example(out, description_.example);
  return out;
}

}  // namespace inkling
