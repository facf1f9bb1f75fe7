#include "io/doors/commands/search/search_screen.hpp"

#include <cerrno>
#include <cstddef>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/interruption.hpp"
#include "io/base/system/terminal.hpp"
#include "io/doors/cli/failure_report.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/screen/key_terminal.hpp"
#include "io/doors/screen/search_pages.hpp"
#include "io/doors/screen/styled_text.hpp"

namespace inkling {
namespace {

PageSize size_now() {
  const TerminalFacts facts = terminal_facts(Stream::output);
  return {static_cast<std::size_t>(facts.columns), static_cast<std::size_t>(facts.rows)};
}

// Handles one key after the other until the person quits or the terminal is gone. Keys that were typed before a document could be
// seen must not rate it.
void search_by_keys(SearchPages& pages) {
  const Styling styling = terminal_facts(Stream::output).styling;
  KeyTerminal terminal;
  while (!pages.has_ended()) {
    if (!terminal.show(frame_bytes(pages.screen(size_now()), styling))) {
      throw_if_interrupted();
      return;
    }
    const std::optional<DocumentId> before = pages.document();
    pages.press(terminal.read());
    if (pages.document() != before) terminal.drop_typed();
  }
}

// A line of standard input without its end; nothing where the input has ended.
std::optional<std::string> read_typed_line() {
  const File& typed = File::standard(StandardStream::input);
  std::string line;
  while (true) {
    await_input(typed);
    char c = '\0';
    const std::ptrdiff_t count = typed.read(std::as_writable_bytes(std::span(&c, 1)));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return line.empty() ? std::nullopt : std::optional(line);
    if (c == '\n') return line;
    line += c;
  }
}

void type(SearchPages& pages, std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(utf8_character_length(text), 1);
    pages.press({Key::Kind::character, std::string(text.substr(0, length))});
    text.remove_prefix(length);
  }
  pages.press({Key::Kind::enter});
}

// A line is a key, or a key and what would be typed after it: "w soil -rose", "g 17".
void press_line(SearchPages& pages, std::string_view line) {
  while (line.ends_with(' ') || line.ends_with('\r')) line.remove_suffix(1);
  if (pages.is_typing()) return type(pages, line);
  if (line.size() > 1 && line[1] != ' ') return pages.press({Key::Kind::pasted, std::string(line)});
  if (line.empty()) return pages.press({Key::Kind::enter});
  pages.press(Key::character(line.front()));
  line.remove_prefix(std::min(line.find_first_not_of(' ', 1), line.size()));
  if (line.empty() || !pages.is_typing()) return;
  const bool chooses = pages.is_choosing();
  type(pages, line);
  if (chooses && !pages.went_wrong()) pages.press({Key::Kind::enter});
}

void search_by_lines(SearchPages& pages) {
  const Styling styling = terminal_facts(Stream::output).styling;
  while (!pages.has_ended()) {
    std::string shown = "\n";
    for (const StyledLine& line : pages.whole(size_now().columns)) shown += rendered(line, styling) + "\n";
    shown += "A key and Enter: ";
    if (!print_summary(shown)) return;
    const std::optional<std::string> line = read_typed_line();
    if (!line) return;
    press_line(pages, *line);
  }
}

void say_how_to_continue(const Searcher& searcher, const ScreenOptions& options) {
  std::string said = counted(searcher.progress().rated, "document", "documents") + " rated.";
  if (!options.command.empty()) said += " Continue with: " + visible_text(options.command);
  said += "\n";
  if (!options.kept_in.empty()) said += fmt::format("Kept in {}\n", visible_text(options.kept_in));
  (void)print_summary(said);
}

}  // namespace

bool can_search_on_screen() { return is_terminal(StandardStream::input) && is_terminal(StandardStream::output); }

int search_on_screen(Searcher& searcher, const ShownPool& pool, const ScreenOptions& options) {
  SearchService service(searcher, pool);
  SearchPages pages(service, options.name);
  try {
    if (KeyTerminal::is_possible())
      search_by_keys(pages);
    else
      search_by_lines(pages);
  } catch (const InterruptedError&) {
    say_how_to_continue(searcher, options);
    throw;
  }
  say_how_to_continue(searcher, options);
  return ExitCode::ok;
}

}  // namespace inkling
