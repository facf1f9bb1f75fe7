#include "io/doors/cli/terminal.hpp"

#include <cstdio>
#include <cstdlib>

#include "io/base/system/terminal.hpp"

namespace inkling {

TerminalFacts terminal_facts(Stream stream) {
  const StandardStream of_system = stream == Stream::output ? StandardStream::output : StandardStream::error;
  TerminalFacts facts;
  facts.is_terminal = is_terminal(of_system);
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing in these programs changes the environment.
  facts.colour = colour_for(facts.is_terminal, std::getenv("NO_COLOR"), std::getenv("TERM"));
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  facts.styling = styling_for(facts.is_terminal, std::getenv("NO_COLOR"), std::getenv("TERM"));
  const TerminalSize size = facts.is_terminal ? terminal_size(of_system) : TerminalSize();
  if (size.columns > 0) facts.columns = size.columns;
  if (size.rows > 0) facts.rows = size.rows;
  return facts;
}

void tell(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

bool print_summary(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  drop_unwritten_output();
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
