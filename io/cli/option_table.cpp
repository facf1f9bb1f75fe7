#include "io/cli/option_table.hpp"

#include <algorithm>
#include <ranges>
#include <set>
#include <stdexcept>

#include <boost/program_options.hpp>
#include <fmt/format.h>

namespace inkling {
namespace {

namespace po = boost::program_options;

constexpr int kTokenStyle = po::command_line_style::allow_long | po::command_line_style::long_allow_adjacent |
                            po::command_line_style::long_allow_next | po::command_line_style::allow_short |
                            po::command_line_style::allow_dash_for_short |
                            po::command_line_style::short_allow_next;

// Those of all groups.
auto options_of(const OptionTable::Description& description) {
  return description.groups | std::views::transform(&OptionGroup::options) | std::views::join;
}

bool is_flag(const Option& option) { return std::holds_alternative<Flag>(option.kind); }

// What Program_options needs to cut the arguments into tokens: the names, and which options take a value.
po::options_description tokens_of(const OptionTable::Description& description) {
  po::options_description tokens;
  for (const Option& option : options_of(description)) {
    if (is_flag(option))
      tokens.add_options()(option.name.c_str(), "");
    else
      tokens.add_options()(option.name.c_str(), po::value<std::string>(), "");
  }
  return tokens;
}

bool asks_for_help(std::span<const std::string> args) {
  for (const std::string& arg : args) {
    if (arg == "--") return false;
    if (arg == "-h" || arg == "--help") return true;
  }
  return false;
}

std::string without_dashes(const std::string& name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

const Option* option_named(const OptionTable::Description& table, std::string_view name) {
  for (const Option& option : options_of(table))
    if (option.name == name) return &option;
  return nullptr;
}

[[noreturn]] void fail_unknown_option(const OptionTable::Description& table, const std::string& as_typed) {
  const std::string typed = as_typed.substr(0, as_typed.find('='));
  std::vector<std::string> names = {"help"};
  for (const Option& option : options_of(table)) names.push_back(option.name);
  throw UsageError(
      fmt::format("unknown option {}{}", in_quotes(typed), did_you_mean("--", without_dashes(typed), names)));
}

[[noreturn]] void fail_missing_value(const Option& option) {
  throw UsageError::option(option.name, fmt::format("expected {}, got nothing", expectation(option.kind)));
}

// Options with their values and positional arguments, as Program_options cuts them out.
std::vector<po::option> tokens_in(const OptionTable::Description& table, std::span<const std::string> args) {
  const po::options_description known = tokens_of(table);
  try {
    return po::command_line_parser(std::vector<std::string>(args.begin(), args.end()))
        .options(known)
        .style(kTokenStyle)
        .allow_unregistered()
        .run()
        .options;
  } catch (const po::invalid_command_line_syntax& error) {
    const std::string name = without_dashes(error.get_option_name());
    const Option* const option = option_named(table, name);
    if (option == nullptr) fail_unknown_option(table, error.get_option_name());
    if (error.kind() == po::invalid_syntax::empty_adjacent_parameter) (void)read_option_value(*option, "");
    if (is_flag(*option)) throw UsageError::option(name, "takes no value");
    fail_missing_value(*option);
  }
}

void check_positionals(const Positionals& expected, const std::vector<std::string>& values) {
  if (values.size() > expected.max)
    throw UsageError(fmt::format("unexpected argument {}", in_quotes(values[expected.max])));
  if (values.size() < expected.min) throw UsageError(fmt::format("missing argument {}", expected.name));
}

std::logic_error table_mistake(std::string_view name, std::string_view problem) {
  return std::logic_error(fmt::format("option table: {}: {}", name, problem));
}

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

const OptionValue& ParsedOptions::value_of_option(std::string_view name) const {
  const auto entry = entries_.find(name);
  if (entry == entries_.end()) fail_getter(name, "no such option, or it has no value");
  return entry->second.value;
}

void ParsedOptions::fail_getter(std::string_view name, std::string_view problem) {
  throw table_mistake(name, problem);
}

bool ParsedOptions::given(std::string_view name) const {
  const auto entry = entries_.find(name);
  return entry != entries_.end() && entry->second.given;
}

OptionTable::OptionTable(Description description) : description_(std::move(description)) {
  std::set<std::string, std::less<>> seen = {"help"};
  for (const Option& option : options_of(description_)) {
    if (option.name.size() < 2) throw table_mistake(option.name, "a name has two characters or more");
    if (!seen.insert(option.name).second) throw table_mistake(option.name, "is there twice");
    if (option.otherwise && option.need == Option::Need::required)
      throw table_mistake(option.name, "is required and has a default");
  }
  ParsedOptions defaults;
  try {
    add_defaults(defaults);
  } catch (const UsageError& error) {
    throw table_mistake("default", error.what());
  }
}

ParsedOptions OptionTable::parse(std::span<const std::string> args) const {
  ParsedOptions parsed;
  if (asks_for_help(args)) {
    parsed.help_wanted_ = true;
    return parsed;
  }
  for (const po::option& token : tokens_in(description_, args)) {
    const std::string text = token.value.empty() ? std::string() : token.value.front();
    if (token.string_key.empty()) {
      parsed.positionals_.push_back(text);
      continue;
    }
    const Option* const option = option_named(description_, token.string_key);
    if (option == nullptr) fail_unknown_option(description_, token.original_tokens.at(0));
    const auto before = parsed.entries_.find(option->name);
    const bool again = before != parsed.entries_.end();
    if (again && !std::holds_alternative<Paths>(option->kind))
      throw UsageError::option(option->name, "is given twice");
    // In "--trace --json" the value is missing. "--trace=--json" would name a file.
    const bool next_option = token.original_tokens.size() > 1 && text.starts_with("--") &&
                             option_named(description_, without_dashes(text.substr(0, text.find('='))));
    if (next_option) fail_missing_value(*option);
    OptionValue value = is_flag(*option) ? OptionValue(true) : read_option_value(*option, text);
    if (again) {
      auto& paths = std::get<std::vector<std::string>>(before->second.value);
      paths.push_back(std::get<std::vector<std::string>>(value).front());
      continue;
    }
    parsed.entries_.insert({option->name, {.value = std::move(value), .given = true}});
  }
  check_positionals(description_.positionals, parsed.positionals_);
  add_defaults(parsed);
  for (const Option& option : options_of(description_))
    if (option.need == Option::Need::required && !parsed.has(option.name)) fail_missing_value(option);
  return parsed;
}

void OptionTable::add_defaults(ParsedOptions& parsed) const {
  for (const Option& option : options_of(description_)) {
    if (parsed.has(option.name)) continue;
    if (is_flag(option)) parsed.entries_.insert({option.name, {.value = false, .given = false}});
    if (!option.otherwise) continue;
    OptionValue value = read_option_value(option, *option.otherwise);
    parsed.entries_.insert({option.name, {.value = std::move(value), .given = false}});
  }
}

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
