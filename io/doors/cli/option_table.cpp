#include "io/doors/cli/option_table.hpp"

#include <algorithm>
#include <ranges>
#include <set>
#include <stdexcept>

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include "engine/core/nearest_name.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/doors/cli/help_text.hpp"

namespace inkling {
namespace {

namespace po = boost::program_options;

constexpr int kTokenStyle = po::command_line_style::allow_long | po::command_line_style::long_allow_adjacent |
                            po::command_line_style::long_allow_next | po::command_line_style::allow_short |
                            po::command_line_style::allow_dash_for_short | po::command_line_style::short_allow_next;

// The options of all groups.
auto options_of(const OptionTable::Description& description) {
  return description.groups | std::views::transform(&OptionGroup::options) | std::views::join;
}

bool is_flag(const Option& option) { return std::holds_alternative<Flag>(option.kind); }

// What Program_options needs for cutting the arguments into tokens: the names, and which options take a value.
po::options_description tokens_of(const OptionTable::Description& description) {
  po::options_description tokens;
  for (const Option& option : options_of(description)) {
    const std::optional<char> letter = letter_of(option);
    const std::string names = letter ? fmt::format("{},{}", option.name, *letter) : option.name;
    if (is_flag(option))
      tokens.add_options()(names.c_str(), "");
    else
      tokens.add_options()(names.c_str(), po::value<std::string>(), "");
  }
  return tokens;
}

std::optional<HelpExtent> help_asked_for(std::span<const std::string> args) {
  for (const std::string& arg : args) {
    if (arg == "--") return std::nullopt;
    if (arg == "-h" || arg == "--help") return HelpExtent::common;
    if (arg == "--help-all") return HelpExtent::all;
  }
  return std::nullopt;
}

std::string without_dashes(const std::string& name) { return name.substr(std::min(name.find_first_not_of('-'), name.size())); }

const Option* option_named(const OptionTable::Description& table, std::string_view name) {
  for (const Option& option : options_of(table))
    if (option.name == name) return &option;
  return nullptr;
}

// Finds an option by its name, with or without dashes, or by its letter with one dash.
const Option* option_typed(const OptionTable::Description& table, std::string_view typed) {
  for (const Option& option : options_of(table)) {
    const std::optional<char> letter = letter_of(option);
    if (letter && typed == fmt::format("-{}", *letter)) return &option;
  }
  return option_named(table, without_dashes(std::string(typed)));
}

[[noreturn]] void fail_unknown_option(const OptionTable::Description& table, const std::string& as_typed) {
  const std::string typed = as_typed.substr(0, as_typed.find('='));
  std::vector<std::string> names = {"help", "help-all"};
  for (const Option& option : options_of(table)) names.push_back(option.name);
  throw UsageError(fmt::format("unknown option {}{}", in_quotes(typed), did_you_mean("--", without_dashes(typed), names)));
}

[[noreturn]] void fail_missing_value(const Option& option) {
  throw UsageError::option(option.name, fmt::format("expected {}, got nothing", expectation(option.kind)));
}

[[noreturn]] void fail_required(const Option& option) {
  throw UsageError::option(option.name, fmt::format("is required: expected {}", expectation(option.kind)));
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
    const Option* const option = option_typed(table, error.get_option_name());
    if (option == nullptr) fail_unknown_option(table, error.get_option_name());
    if (error.kind() == po::invalid_syntax::empty_adjacent_parameter) (void)read_option_value(*option, "");
    if (is_flag(*option)) throw UsageError::option(option->name, "takes no value");
    fail_missing_value(*option);
  }
}

// In "--trace --json" the value is missing; "--trace=--json" would name a file. In "-o=file" the sign would be part of
// the value.
void check_value_of_token(const OptionTable::Description& table, const Option& option, const po::option& token) {
  const std::string& typed = token.original_tokens.at(0);
  const std::string text = token.value.empty() ? std::string() : token.value.front();
  const bool next_option = token.original_tokens.size() > 1 && text.starts_with("--") &&
                           option_named(table, without_dashes(text.substr(0, text.find('='))));
  if (next_option) fail_missing_value(option);
  if (typed.starts_with("--") || typed.find('=') != 2) return;
  throw UsageError::option(
      option.name, fmt::format("expected {} VALUE or --{}=VALUE, got {}", typed.substr(0, 2), option.name, in_quotes(typed)));
}

void check_positionals(const Positionals& expected, const std::vector<std::string>& values) {
  if (values.size() > expected.max) throw UsageError(fmt::format("unexpected argument {}", in_quotes(values[expected.max])));
  if (values.size() < expected.min) throw UsageError(fmt::format("missing argument {}", expected.name));
}

std::logic_error table_mistake(std::string_view name, std::string_view problem) {
  return std::logic_error(fmt::format("option table: {}: {}", name, problem));
}

}  // namespace

const OptionValue& ParsedOptions::value_of_option(std::string_view name) const {
  const auto entry = entries_.find(name);
  if (entry == entries_.end()) fail_getter(name, "no such option, or it has no value");
  return entry->second.value;
}

void ParsedOptions::fail_getter(std::string_view name, std::string_view problem) { throw table_mistake(name, problem); }

bool ParsedOptions::given(std::string_view name) const {
  const auto entry = entries_.find(name);
  return entry != entries_.end() && entry->second.given;
}

OptionTable::OptionTable(Description description) : description_(std::move(description)) {
  std::set<std::string, std::less<>> seen = {"help", "help-all"};
  for (const Option& option : options_of(description_)) {
    if (option.name.size() < 2) throw table_mistake(option.name, "a name has two characters or more");
    if (!seen.insert(option.name).second) throw table_mistake(option.name, "is there twice");
    if (option.otherwise && option.need == Option::Need::required)
      throw table_mistake(option.name, "is required and has a default");
  }
  for (const std::string& name : description_.common)
    if (option_named(description_, name) == nullptr) throw table_mistake(name, "is common, but not there");
  ParsedOptions defaults;
  try {
    add_defaults(defaults);
  } catch (const UsageError& error) {
    throw table_mistake("default", error.what());
  }
}

ParsedOptions OptionTable::parse(std::span<const std::string> args) const {
  ParsedOptions parsed;
  parsed.help_wanted_ = help_asked_for(args);
  if (parsed.help_wanted_) return parsed;
  for (const po::option& token : tokens_in(description_, args)) {
    const std::string text = token.value.empty() ? std::string() : token.value.front();
    if (token.string_key.empty()) {
      parsed.positionals_.push_back(with_slashes(text));  // all are paths
      continue;
    }
    const Option* const option = option_named(description_, token.string_key);
    if (option == nullptr) fail_unknown_option(description_, token.original_tokens.at(0));
    const auto before = parsed.entries_.find(option->name);
    const bool again = before != parsed.entries_.end();
    if (again && !std::holds_alternative<Paths>(option->kind)) throw UsageError::option(option->name, "is given twice");
    check_value_of_token(description_, *option, token);
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
    if (option.need == Option::Need::required && !parsed.has(option.name)) fail_required(option);
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

std::string OptionTable::help(HelpExtent extent) const { return help_text(description_, extent); }

}  // namespace inkling
