#include "io/cli/terminal.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <stdio_ext.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace inkling {
namespace {

// Of the 256 colours, six that can be read on dark and on light backgrounds.
constexpr std::array<std::string_view, Style::series_colours> kPalette = {"38;5;32",  "38;5;208", "38;5;35",
                                                                          "38;5;169", "38;5;74",  "38;5;136"};

}  // namespace

TerminalFacts terminal_facts(Stream stream) {
  const int descriptor = stream == Stream::output ? STDOUT_FILENO : STDERR_FILENO;
  TerminalFacts facts;
  facts.is_terminal = isatty(descriptor) == 1;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing in these programs changes the environment.
  facts.colour = colour_for(facts.is_terminal, std::getenv("NO_COLOR"), std::getenv("TERM"));
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  facts.styling = styling_for(facts.is_terminal, std::getenv("NO_COLOR"), std::getenv("TERM"));
  winsize size = {};
  if (facts.is_terminal && ioctl(descriptor, TIOCGWINSZ, &size) == 0) {
    if (size.ws_col > 0) facts.columns = size.ws_col;
    if (size.ws_row > 0) facts.rows = size.ws_row;
  }
  return facts;
}

void tell(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

bool print_summary(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  __fpurge(stdout);
  std::clearerr(stdout);
  return false;
}

Colour colour_for(bool is_terminal, const char* no_color, const char* term) {
  const bool refused = no_color != nullptr && *no_color != '\0';
  const bool dumb = term == nullptr || std::string_view(term) == "dumb";
  return is_terminal && !refused && !dumb ? Colour::on : Colour::off;
}

Styling styling_for(bool is_terminal, const char* no_color, const char* term) {
  if (colour_for(is_terminal, no_color, term) == Colour::on) return Styling::colours;
  return colour_for(is_terminal, nullptr, term) == Colour::on ? Styling::shapes : Styling::none;
}

std::string Style::series(std::string_view text, std::size_t index) const {
  return wrap(kPalette[index % kPalette.size()], text);
}

std::string Style::wrap(std::string_view code, std::string_view text) const {
  if (colour_ == Colour::off) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

}  // namespace inkling
