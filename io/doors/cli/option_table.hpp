// One table of options that feeds the parser, the help text and the validation of a command.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/doors/cli/option.hpp"
#include "io/doors/cli/usage_error.hpp"

namespace inkling {

/// Options that help shows under one heading.
struct OptionGroup {
  std::string heading;
  std::vector<Option> options;
};

/// The arguments without a name that the command takes; none by default.
struct Positionals {
  std::string name = {};  // as help shows it: "POOL", "SOURCE..."
  std::string help = {};
  std::size_t min = 0;
  std::size_t max = 0;
};

/// How much a help text shows: the options that are most used and those that are required, or every one.
enum class HelpExtent { common, all };

/// The values of one command line, checked. A getter throws std::logic_error, because it is a mistake in the
/// program, for an option that is not in the table, is of another kind, or has no value.
class ParsedOptions {
 public:
  /// The command line asks for help, and for how much of it; nothing else in it was read.
  [[nodiscard]] std::optional<HelpExtent> help_wanted() const { return help_wanted_; }

  /// Whether the command line itself gives it, rather than a default.
  [[nodiscard]] bool given(std::string_view name) const;
  /// Whether it was given or has a default.
  [[nodiscard]] bool has(std::string_view name) const { return entries_.contains(name); }

  [[nodiscard]] bool flag(std::string_view name) const { return get<bool>(name); }
  /// The value of an Integer or a Size.
  [[nodiscard]] std::int64_t integer(std::string_view name) const { return get<std::int64_t>(name); }
  [[nodiscard]] double real(std::string_view name) const { return get<double>(name); }
  /// The value of a Choice, a Text or a Path.
  [[nodiscard]] const std::string& text(std::string_view name) const { return get<std::string>(name); }
  /// The value of a Choice among the names of this table.
  template <typename Enum, std::size_t size>
  [[nodiscard]] Enum choice(std::string_view name, const EnumName<Enum> (&table)[size]) const {
    return value_of(text(name), table).value();
  }
  /// The values of Paths, in the order given.
  [[nodiscard]] const std::vector<std::string>& paths(std::string_view name) const { return choices(name); }
  [[nodiscard]] const std::vector<std::string>& choices(std::string_view name) const {
    return get<std::vector<std::string>>(name);
  }
  [[nodiscard]] std::pair<double, double> real_pair(std::string_view name) const { return get<std::pair<double, double>>(name); }
  [[nodiscard]] const std::vector<std::int64_t>& integers(std::string_view name) const {
    return get<std::vector<std::int64_t>>(name);
  }

  [[nodiscard]] const std::vector<std::string>& positionals() const { return positionals_; }

 private:
  friend class OptionTable;

  struct Entry {
    OptionValue value;
    bool given;
  };

  template <typename Value>
  [[nodiscard]] const Value& get(std::string_view name) const {
    const auto* value = std::get_if<Value>(&value_of_option(name));
    if (value == nullptr) fail_getter(name, "is of another kind");
    return *value;
  }
  [[nodiscard]] const OptionValue& value_of_option(std::string_view name) const;
  [[noreturn]] static void fail_getter(std::string_view name, std::string_view problem);

  std::map<std::string, Entry, std::less<>> entries_;
  std::vector<std::string> positionals_;
  std::optional<HelpExtent> help_wanted_;
};

/// Thread safety: const after construction, so any number of threads may use one.
class OptionTable {
 public:
  struct Description {
    std::string command;  // as typed: "inkling-bench simulate"
    std::string purpose;  // one sentence
    std::string example;  // one command line that works
    std::vector<OptionGroup> groups = {};
    Positionals positionals = {};
    /// The options that most people need, by name, in the order in which help shows them. Where there are none,
    /// help always shows every option.
    std::vector<std::string> common = {};
  };

  /// Throws std::logic_error where the table contradicts itself: a name twice, "help", a default that is not
  /// valid, a common option that is not there.
  explicit OptionTable(Description description);

  [[nodiscard]] const Description& description() const { return description_; }

  /// Throws UsageError, one line. `args` are those after the command's name.
  [[nodiscard]] ParsedOptions parse(std::span<const std::string> args) const;

  /// The text that help_text.hpp describes.
  [[nodiscard]] std::string help(HelpExtent extent) const;

 private:
  void add_defaults(ParsedOptions& parsed) const;

  Description description_;
};

}  // namespace inkling
