// Scripts with which shells complete commands, options and values, made from the tables of a program's commands.
#include <algorithm>
#include <ranges>
#include <string_view>
#include <variant>

#include <boost/algorithm/string/replace.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/doors/help/program_help.hpp"

namespace inkling {
namespace {

auto options_in(const Command& command) {
  static const std::vector<OptionGroup> none;
  const std::vector<OptionGroup>& groups = command.table ? command.table->description().groups : none;
  return groups | std::views::transform(&OptionGroup::options) | std::views::join;
}

// What the value of an option may be.
enum class ValueForm { none, name, list_of_names, file, anything };

ValueForm form_of(const Option& option) {
  if (std::holds_alternative<Flag>(option.kind)) return ValueForm::none;
  if (std::holds_alternative<Choice>(option.kind)) return ValueForm::name;
  if (std::holds_alternative<ChoiceList>(option.kind)) return ValueForm::list_of_names;
  const bool is_path = std::holds_alternative<Path>(option.kind) || std::holds_alternative<Paths>(option.kind);
  return is_path ? ValueForm::file : ValueForm::anything;
}

// Separated by spaces; empty where any value is allowed.
std::string names_of_values(const Option& option) {
  if (const auto* choice = std::get_if<Choice>(&option.kind)) return fmt::format("{}", fmt::join(choice->names, " "));
  const auto* list = std::get_if<ChoiceList>(&option.kind);
  return list == nullptr ? std::string() : fmt::format("{}", fmt::join(list->names, " "));
}

// Help text up to its first pause, without characters that need quoting in a shell or in a description of zsh.
std::string summary_of(std::string_view help) {
  std::size_t end = help.size();
  for (const std::string_view pause : {": ", "; ", ". ", " ("}) end = std::min(end, help.find(pause));
  std::string summary(help.substr(0, end));
  if (summary.ends_with('.')) summary.pop_back();
  std::erase_if(summary, [](char letter) { return std::string_view("'\\[]:`\"").find(letter) != std::string_view::npos; });
  return summary;
}

// If the help explains the allowed names one after the other, lists them all instead of only the first one.
std::string summary_of(const Option& option) {
  const std::string summary = summary_of(option.help);
  const bool is_a_name = (" " + names_of_values(option) + " ").find(" " + summary + " ") != std::string::npos;
  return is_a_name ? "one of " + boost::replace_all_copy(names_of_values(option), " ", ", ") : summary;
}

std::string command_words(const Program& program) {
  std::string words;
  for (const CommandGroup& group : program.groups) {
    if (group.word.empty())
      for (const Command& command : group.commands) words += command.name + " ";
    else
      words += group.word + " ";
  }
  return words + "help";
}

// The group's commands without the word that they share.
std::string step_words(const CommandGroup& group) {
  std::string words;
  for (const Command& command : group.commands) words += (words.empty() ? "" : " ") + command.name.substr(group.word.size() + 1);
  return words;
}

// The words of a command joined to one, as scripts compare them: "parts-plan".
std::string key_of(const Command& command) { return boost::replace_all_copy(command.name, " ", "-"); }

// The name of a shell function; a hyphen, as in "inkling-bench", becomes an underscore.
std::string function_of(const Program& program) { return "_" + boost::replace_all_copy(program.name, "-", "_"); }

// One branch for each option that takes a value: "COMMAND:--OPTION".
std::string bash_values(const Command& command) {
  std::string branches;
  for (const Option& option : options_in(command)) {
    const ValueForm form = form_of(option);
    if (form == ValueForm::none) continue;
    std::string pattern = fmt::format("{}:--{}", key_of(command), option.name);
    if (const std::optional<char> letter = letter_of(option)) pattern += fmt::format("|{}:-{}", key_of(command), *letter);
    std::string offer = "return";
    if (form == ValueForm::name) offer = fmt::format("offer '{}'", names_of_values(option));
    if (form == ValueForm::list_of_names) offer = fmt::format("offer_list '{}'", names_of_values(option));
    if (form == ValueForm::file) offer = "offer_files";
    branches += fmt::format("    {}) {}; return ;;\n", pattern, offer);
  }
  return branches;
}

std::string bash_options(const Command& command) {
  std::string words = "--help --help-all";
  for (const Option& option : options_in(command)) words += " --" + option.name;
  return fmt::format("      {}) offer '{}' ;;\n", key_of(command), words);
}

constexpr std::string_view kBashScript =
    R"(# Completion of @PROGRAM@ in bash; made by '@PROGRAM@ help --completion bash'.
@FUNCTION@() {
  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD - 1]}" command="${COMP_WORDS[1]}"
  offer() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }
  offer_list() {
    local last="${current##*,}"
    mapfile -t COMPREPLY < <(compgen -P "${current%"$last"}" -W "$1" -- "$last")
  }
  offer_files() { mapfile -t COMPREPLY < <(compgen -f -- "$current"); }
  COMPREPLY=()
  if [[ "$current" == '=' ]]; then
    current=''
  elif [[ "$before" == '=' ]]; then
    before="${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  if ((COMP_CWORD == 1)); then
    offer '@COMMANDS@ --help --version'
    return
  fi
@STEPS@  case "$command:$before" in
@VALUES@    help:*) offer '@COMMANDS@ --all'; return ;;
  esac
  if [[ "$current" == -* ]]; then
    case "$command" in
@OPTIONS@    esac
  else
    offer_files
  fi
}
complete -o filenames -F @FUNCTION@ @PROGRAM@
)";

// The second word of a command that has two.
std::string bash_steps(const CommandGroup& group) {
  if (group.word.empty()) return {};
  return fmt::format(
      "  if [[ \"$command\" == {0} ]]; then\n"
      "    if ((COMP_CWORD == 2)); then\n      offer '{1} --help'\n      return\n    fi\n"
      "    command=\"{0}-${{COMP_WORDS[2]}}\"\n  fi\n"
      "  if [[ \"$command:$before\" == help:{0} ]]; then\n    offer '{1}'\n    return\n  fi\n",
      group.word, step_words(group));
}

std::string bash_script(const Program& program) {
  std::string steps;
  std::string values;
  std::string options;
  for (const CommandGroup& group : program.groups) steps += bash_steps(group);
  for (const Command& command : commands_of(program)) {
    values += bash_values(command);
    options += bash_options(command);
  }
  std::string script(kBashScript);
  boost::replace_all(script, "@STEPS@", steps);
  boost::replace_all(script, "@VALUES@", values);
  boost::replace_all(script, "@OPTIONS@", options);
  boost::replace_all(script, "@COMMANDS@", command_words(program));
  boost::replace_all(script, "@FUNCTION@", function_of(program));
  boost::replace_all(script, "@PROGRAM@", program.name);
  return script;
}

// What _arguments reads for one option.
std::string zsh_option(const Option& option) {
  std::string action;
  const std::string message = option.value_name.empty() ? std::string("value") : summary_of(option.value_name);
  switch (form_of(option)) {
    case ValueForm::none: break;
    case ValueForm::name: action = fmt::format(":{}:({})", message, names_of_values(option)); break;
    case ValueForm::list_of_names:
      action = fmt::format(":{}:_values -s , {} {}", message, message, names_of_values(option));
      break;
    case ValueForm::file: action = fmt::format(":{}:_files", message); break;
    case ValueForm::anything: action = fmt::format(":{}: ", message); break;
  }
  const std::string_view again = std::holds_alternative<Paths>(option.kind) ? "*" : "";
  const std::string_view adjacent = action.empty() ? "" : "=";
  std::string line = fmt::format("        '{}--{}{}[{}]{}'", again, option.name, adjacent, summary_of(option), action);
  if (const std::optional<char> letter = letter_of(option))
    line += fmt::format(" \\\n        '-{}[{}]{}'", *letter, summary_of(option), action);
  return line;
}

std::string zsh_branch(const Command& command) {
  std::string branch = fmt::format("    {})\n      _arguments \\\n", key_of(command));
  for (const Option& option : options_in(command)) branch += zsh_option(option) + " \\\n";
  branch += "        '(- *)'{-h,--help}'[show the most used options]' '(- *)--help-all[show every option]' \\\n";
  return branch + "        '*:file:_files' ;;\n";
}

constexpr std::string_view kZshScript = R"(#compdef @PROGRAM@
# Completion of @PROGRAM@ in zsh; made by '@PROGRAM@ help --completion zsh'.
@FUNCTION@() {
  local -a commands
  commands=(
@COMMANDS@  )
  if ((CURRENT == 2)); then
    _describe -t commands command commands
    return
  fi
  local command="${words[2]}"
  shift words
  ((CURRENT -= 1))
@STEPS@  case "$command" in
    help) _describe -t commands command commands ;;
@BRANCHES@  esac
}
if [[ "${funcstack[1]}" == _@PROGRAM@ ]]; then
  @FUNCTION@ "$@"
else
  compdef @FUNCTION@ @PROGRAM@
fi
)";

// The first words that are shown: commands of one word, and the words that begin commands of two.
std::vector<std::pair<std::string, std::string>> first_words(const Program& program) {
  std::vector<std::pair<std::string, std::string>> words;
  for (const CommandGroup& group : program.groups) {
    if (!group.word.empty())
      words.emplace_back(group.word, summary_of(group.purpose));
    else
      for (const Command& command : group.commands) words.emplace_back(command.name, summary_of(command.purpose));
  }
  return words;
}

std::string zsh_steps(const CommandGroup& group) {
  if (group.word.empty()) return {};
  return fmt::format(
      "  if [[ \"$command\" == {0} ]]; then\n"
      "    if ((CURRENT == 2)); then\n      compadd {1}\n      return\n    fi\n"
      "    command=\"{0}-${{words[2]}}\"\n    shift words\n    ((CURRENT -= 1))\n  fi\n",
      group.word, step_words(group));
}

std::string zsh_script(const Program& program) {
  std::string commands;
  std::string branches;
  std::string steps;
  for (const auto& [word, summary] : first_words(program)) commands += fmt::format("    '{}:{}'\n", word, summary);
  for (const CommandGroup& group : program.groups) steps += zsh_steps(group);
  for (const Command& command : commands_of(program)) branches += zsh_branch(command);
  commands += "    'help:Shows what a command does and its options'\n";
  std::string script(kZshScript);
  boost::replace_all(script, "@COMMANDS@", commands);
  boost::replace_all(script, "@STEPS@", steps);
  boost::replace_all(script, "@BRANCHES@", branches);
  boost::replace_all(script, "@FUNCTION@", function_of(program));
  boost::replace_all(script, "@PROGRAM@", program.name);
  return script;
}

std::string fish_value(const Option& option) {
  switch (form_of(option)) {
    case ValueForm::none: return "";
    case ValueForm::name: return fmt::format(" -x -a '{}'", names_of_values(option));
    case ValueForm::list_of_names:
      return fmt::format(" -x -a '(__fish_complete_list , \"printf %s\\\\\\\\n {}\")'", names_of_values(option));
    case ValueForm::file: return " -r -F";
    case ValueForm::anything: return " -x";
  }
  return "";
}

// True if all words of the command were typed and it is not the last word of a longer command.
std::string fish_condition(const Program& program, const Command& command) {
  const std::string both = boost::replace_all_copy(command.name, " ", "; and __fish_seen_subcommand_from ");
  std::string condition = "__fish_seen_subcommand_from " + both;
  if (both != command.name) return condition;
  for (const CommandGroup& group : program.groups)
    if (!group.word.empty()) condition += "; and not __fish_seen_subcommand_from " + group.word;
  return condition;
}

std::string fish_options(const Program& program, const Command& command) {
  const std::string start = fmt::format("complete -c {} -n '{}'", program.name, fish_condition(program, command));
  std::string lines;
  for (const Option& option : options_in(command)) {
    const std::optional<char> letter = letter_of(option);
    lines += fmt::format("{} -l {}{}{} -d '{}'\n", start, option.name, letter ? fmt::format(" -s {}", *letter) : "",
                         fish_value(option), summary_of(option));
  }
  return lines +
         fmt::format("{} -l help -s h -d 'show the most used options'\n{} -l help-all -d 'show every option'\n", start, start);
}

std::string fish_script(const Program& program) {
  std::string script = fmt::format("# Completion of {0} in fish; made by '{0} help --completion fish'.\n", program.name);
  const std::string start = fmt::format("complete -c {} -n __fish_use_subcommand", program.name);
  for (const auto& [word, summary] : first_words(program)) script += fmt::format("{} -f -a {} -d '{}'\n", start, word, summary);
  for (const CommandGroup& group : program.groups)
    if (!group.word.empty())
      script += fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}' -f -a '{}'\n", program.name, group.word,
                            step_words(group));
  script += fmt::format("{} -f -a help -d 'Shows what a command does and its options'\n", start);
  script += fmt::format("{0} -l help -s h -d 'show the commands'\n{0} -l version -s V -d 'show the version'\n", start);
  script +=
      fmt::format("complete -c {} -n '__fish_seen_subcommand_from help' -f -a '{}'\n", program.name, command_words(program));
  for (const Command& command : commands_of(program)) script += fish_options(program, command);
  return script;
}

}  // namespace

std::string completion_script(const Program& program, Shell shell) {
  switch (shell) {
    case Shell::bash: return bash_script(program);
    case Shell::zsh: return zsh_script(program);
    case Shell::fish: return fish_script(program);
  }
  return {};
}

}  // namespace inkling
