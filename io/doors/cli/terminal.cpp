#include "io/doors/cli/terminal.hpp"

#include <cstdio>
#include <cstdlib>

#include <stdio_ext.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace inkling {

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

}  // namespace inkling
