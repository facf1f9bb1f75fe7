// Man pages, made from the tables of a program's commands, in the language of man(7).
#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include <boost/algorithm/string/replace.hpp>
#include <fmt/format.h>

#include "io/base/file/utf8.hpp"
#include "io/base/process/build_info.hpp"
#include "io/doors/cli/help_text.hpp"
#include "io/doors/help/program_help.hpp"

namespace inkling {
namespace {

// Characters with a meaning in roff are written by name, and those outside ASCII by number.
std::string roff_character(std::string_view character) {
  if (character == "\\") return "\\e";
  if (character == "-") return "\\-";
  if (character == "'") return "\\(aq";
  if (character == "`") return "\\(ga";
  if (character == "^") return "\\(ha";
  if (character == "~") return "\\(ti";
  if (character.size() == 1) return std::string(character);
  return fmt::format("\\[u{:04X}]", static_cast<std::uint32_t>(code_point(character)));
}

std::string roff(std::string_view text) {
  std::string escaped = text.starts_with('.') ? "\\&" : "";
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(utf8_character_length(text), 1);
    escaped += roff_character(text.substr(0, length));
    text.remove_prefix(length);
  }
  return escaped;
}

std::string roff_bold(std::string_view text) { return fmt::format("\\fB{}\\fR", roff(text)); }
std::string roff_italic(std::string_view text) { return text.empty() ? "" : fmt::format("\\fI{}\\fR", roff(text)); }

// "INKLING-BUILD": names of pages are in capitals.
std::string capitals(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return text;
}

std::string page_of(const Program& program, const Command& command) {
  return program.name + "-" + boost::replace_all_copy(command.name, " ", "-");
}

// The sections that all pages begin with.
std::string page_opening(const Program& program, const std::string& page, std::string_view purpose) {
  return fmt::format(".TH \"{}\" \"1\" \"{}\" \"{} {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", capitals(page), release_date,
                     program.name, program.version, roff(page), roff(first_sentence(purpose)));
}

std::string exit_section() {
  std::string text = ".SH \"EXIT STATUS\"\n";
  for (const auto& [code, meaning] : kExitMeanings)
    text += fmt::format(".TP\n{}\n{}\n", roff_bold(std::to_string(code)), meaning);
  return text;
}

std::string reference(std::string_view page) { return roff_bold(page) + "(1)"; }

std::string option_entry(const Option& option) {
  const std::optional<char> letter = letter_of(option);
  const std::string first = letter ? roff_bold(fmt::format("-{}", *letter)) + ", " : std::string();
  const std::string value = option.value_name.empty() ? "" : " " + roff_italic(option.value_name);
  return fmt::format(".TP\n{}{}{}\n{}\n", first, roff_bold("--" + option.name), value, roff(sentence_of(option)));
}

std::string options_section(const OptionTable::Description& table) {
  std::string text = ".SH OPTIONS\n";
  for (const OptionGroup& group : groups_for_help(table, HelpExtent::all)) {
    text += fmt::format(".SS \"{}\"\n", roff(group.heading));
    for (const Option& option : group.options) text += option_entry(option);
  }
  return text + fmt::format(".SS Help\n.TP\n{}, {}\nshow the most used options\n.TP\n{}\nshow every option\n", roff_bold("-h"),
                            roff_bold("--help"), roff_bold("--help-all"));
}

std::string text_of_command(const Program& program, const Command& command) {
  std::string text = page_opening(program, page_of(program, command), command.purpose);
  const std::string typed = roff_bold(program.name + " " + command.name);
  if (!command.table) return text + fmt::format(".SH SYNOPSIS\n{}\n", typed);
  const OptionTable::Description& table = command.table->description();
  const Positionals& arguments = table.positionals;
  text += fmt::format(".SH SYNOPSIS\n{} {} [{}]...\n", typed, roff_italic(arguments.name), roff_italic("OPTION"));
  text += fmt::format(".SH DESCRIPTION\n{}\n", roff(table.purpose));
  if (arguments.max > 0) text += fmt::format(".TP\n{}\n{}\n", roff_italic(arguments.name), roff(arguments.help));
  text += options_section(table) + exit_section();
  text += fmt::format(".SH EXAMPLE\n.nf\n{}\n.fi\n", roff(table.example));
  return text + fmt::format(".SH \"SEE ALSO\"\n{}\n", reference(program.name));
}

std::string text_of_program(const Program& program) {
  std::string text = page_opening(program, program.name, program.purpose);
  text += fmt::format(".SH SYNOPSIS\n{} {} [{}]...\n.PP\n{} [{}]\n", roff_bold(program.name), roff_italic("COMMAND"),
                      roff_italic("OPTION"), roff_bold(program.name + " help"), roff_italic("COMMAND"));
  text += fmt::format(".SH DESCRIPTION\n{}\n.SH COMMANDS\n", roff(program.purpose));
  std::string pages;
  std::string task;
  for (const CommandGroup& group : program.groups) {
    if (group.task != std::exchange(task, group.task)) text += fmt::format(".SS \"{}\"\n", roff(group.task));
    if (!group.word.empty()) text += roff(group.purpose) + "\n";
    for (const Command& command : group.commands) {
      text += fmt::format(".TP\n{}\n{}\n", reference(page_of(program, command)), roff(command.purpose));
      pages += (pages.empty() ? "" : ",\n") + reference(page_of(program, command));
    }
  }
  text += fmt::format(".SH OPTIONS\n.TP\n{}, {}\nshow the commands\n.TP\n{}, {}\nshow the version\n", roff_bold("-h"),
                      roff_bold("--help"), roff_bold("-V"), roff_bold("--version"));
  return text + exit_section() + fmt::format(".SH \"SEE ALSO\"\n{}\n", pages);
}

}  // namespace

std::vector<ManualPage> manual_pages(const Program& program) {
  std::vector<ManualPage> pages = {{program.name + ".1", text_of_program(program)}};
  for (const Command& command : commands_of(program))
    pages.push_back({page_of(program, command) + ".1", text_of_command(program, command)});
  return pages;
}

}  // namespace inkling
