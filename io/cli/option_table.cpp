#include "io/cli/option_table.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include "io/cli/nearest_name.hpp"

namespace inkling {
namespace {

namespace po = boost::program_options;

constexpr int kTokenStyle = po::command_line_style::allow_long | po::command_line_style::long_allow_adjacent |
                            po::command_line_style::long_allow_next | po::command_line_style::allow_short |
                            po::command_line_style::allow_dash_for_short |
                            po::command_line_style::short_allow_next;

bool is_flag(const Option& option) { return std::holds_alternative<Flag>(option.kind); }

// What Program_options needs to cut the arguments into tokens: the names, and which options take a value.
po::options_description tokens_of(const OptionTable::Description& description) {
  po::options_description tokens;
  for (const OptionGroup& group : description.groups) {
    for (const Option& option : group.options) {
      if (is_flag(option))
        tokens.add_options()(option.name.c_str(), "");
      else
        tokens.add_options()(option.name.c_str(), po::value<std::string>(), "");
    }
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

[[noreturn]] void fail_missing_value(const Option& option) {
  throw UsageError::option(option.name, fmt::format("expected {}, got nothing", expectation(option.kind)));
}

std::logic_error table_mistake(std::string_view name, std::string_view problem) {
  return std::logic_error(fmt::format("option table: {}: {}", name, problem));
}

}  // namespace

template <typename Value>
const Value& ParsedOptions::get(std::string_view name) const {
  const auto entry = entries_.find(name);
  if (entry == entries_.end()) throw table_mistake(name, "no such option, or it has no value");
  const Value* value = std::get_if<Value>(&entry->second.value);
  if (value == nullptr) throw table_mistake(name, "is of another kind");
  return *value;
}

bool ParsedOptions::given(std::string_view name) const {
  const auto entry = entries_.find(name);
  return entry != entries_.end() && entry->second.given;
}

bool ParsedOptions::has(std::string_view name) const { return entries_.contains(name); }

bool ParsedOptions::flag(std::string_view name) const { return get<bool>(name); }

std::int64_t ParsedOptions::integer(std::string_view name) const { return get<std::int64_t>(name); }

double ParsedOptions::real(std::string_view name) const { return get<double>(name); }

const std::string& ParsedOptions::text(std::string_view name) const { return get<std::string>(name); }

const std::vector<std::string>& ParsedOptions::paths(std::string_view name) const {
  return get<std::vector<std::string>>(name);
}

const std::vector<std::string>& ParsedOptions::choices(std::string_view name) const {
  return get<std::vector<std::string>>(name);
}

std::pair<double, double> ParsedOptions::real_pair(std::string_view name) const {
  return get<std::pair<double, double>>(name);
}

const std::vector<std::int64_t>& ParsedOptions::integers(std::string_view name) const {
  return get<std::vector<std::int64_t>>(name);
}

OptionTable::OptionTable(Description description) : description_(std::move(description)) {
  std::set<std::string, std::less<>> seen = {"help"};
  for (const OptionGroup& group : description_.groups) {
    for (const Option& option : group.options) {
      if (option.name.size() < 2) throw table_mistake(option.name, "a name has two characters or more");
      if (!seen.insert(option.name).second) throw table_mistake(option.name, "is there twice");
      if (option.otherwise && option.need == Option::Need::required) {
        throw table_mistake(option.name, "is required and has a default");
      }
    }
  }
  ParsedOptions defaults;
  try {
    add_defaults(defaults);
  } catch (const UsageError& error) {
    throw table_mistake("default", error.what());
  }
}

const Option* OptionTable::find(std::string_view name) const {
  for (const OptionGroup& group : description_.groups) {
    const auto option = std::ranges::find(group.options, name, &Option::name);
    if (option != group.options.end()) return &*option;
  }
  return nullptr;
}

std::vector<std::string> OptionTable::names() const {
  std::vector<std::string> names = {"help"};
  for (const OptionGroup& group : description_.groups) {
    for (const Option& option : group.options) names.push_back(option.name);
  }
  return names;
}

std::vector<OptionTable::Token> OptionTable::tokenise(std::span<const std::string> args) const {
  const po::options_description known = tokens_of(description_);
  try {
    const auto parsed = po::command_line_parser(std::vector<std::string>(args.begin(), args.end()))
                            .options(known)
                            .style(kTokenStyle)
                            .allow_unregistered()
                            .run();
    std::vector<Token> tokens;
    tokens.reserve(parsed.options.size());
    for (const po::option& option : parsed.options) {
      tokens.push_back(
          {.name = option.string_key,
           .value = option.value.empty() ? std::string() : option.value.front(),
           .as_typed = option.original_tokens.empty() ? std::string() : option.original_tokens[0],
           .words = option.original_tokens.size()});
    }
    return tokens;
  } catch (const po::invalid_command_line_syntax& error) {
    const std::string name = without_dashes(error.get_option_name());
    const Option* const option = find(name);
    if (option == nullptr) fail_unknown(error.get_option_name());
    if (error.kind() == po::invalid_syntax::empty_adjacent_parameter) (void)read_option_value(*option, "");
    if (is_flag(*option)) throw UsageError::option(name, "takes no value");
    fail_missing_value(*option);
  }
}

void OptionTable::fail_unknown(const std::string& as_typed) const {
  const std::string typed = as_typed.substr(0, as_typed.find('='));
  throw UsageError(fmt::format("unknown option {}{}", in_quotes(typed),
                               did_you_mean("--", without_dashes(typed), names())));
}

ParsedOptions OptionTable::parse(std::span<const std::string> args) const {
  ParsedOptions parsed;
  if (asks_for_help(args)) {
    parsed.help_wanted_ = true;
    return parsed;
  }
  for (const Token& token : tokenise(args)) {
    if (token.name.empty()) {
      parsed.positionals_.push_back(token.value);
      continue;
    }
    const Option* const option = find(token.name);
    if (option == nullptr) fail_unknown(token.as_typed);
    const auto before = parsed.entries_.find(option->name);
    const bool again = before != parsed.entries_.end();
    if (again && !std::holds_alternative<Paths>(option->kind))
      throw UsageError::option(option->name, "is given twice");
    // In "--trace --json" the value is missing. "--trace=--json" would name a file.
    const bool next_option = token.words > 1 && token.value.starts_with("--") &&
                             find(without_dashes(token.value.substr(0, token.value.find('='))));
    if (next_option) fail_missing_value(*option);
    OptionValue value = is_flag(*option) ? OptionValue(true) : read_option_value(*option, token.value);
    if (again) {
      auto& paths = std::get<std::vector<std::string>>(before->second.value);
      paths.push_back(std::get<std::vector<std::string>>(value).front());
      continue;
    }
    parsed.entries_.insert({option->name, {.value = std::move(value), .given = true}});
  }
  check_positionals(parsed.positionals_);
  add_defaults(parsed);
  check_required(parsed);
  return parsed;
}

void OptionTable::check_positionals(const std::vector<std::string>& values) const {
  const Positionals& expected = description_.positionals;
  if (values.size() > expected.max) {
    throw UsageError(fmt::format("unexpected argument {}", in_quotes(values[expected.max])));
  }
  if (values.size() < expected.min) throw UsageError(fmt::format("missing argument {}", expected.name));
}

void OptionTable::add_defaults(ParsedOptions& parsed) const {
  for (const OptionGroup& group : description_.groups) {
    for (const Option& option : group.options) {
      if (parsed.has(option.name)) continue;
      if (is_flag(option)) parsed.entries_.insert({option.name, {.value = false, .given = false}});
      if (!option.otherwise) continue;
      OptionValue value = read_option_value(option, *option.otherwise);
      parsed.entries_.insert({option.name, {.value = std::move(value), .given = false}});
    }
  }
}

void OptionTable::check_required(const ParsedOptions& parsed) const {
  for (const OptionGroup& group : description_.groups) {
    for (const Option& option : group.options) {
      const bool missing = option.need == Option::Need::required && !parsed.has(option.name);
      if (missing) fail_missing_value(option);
    }
  }
}

}  // namespace inkling
