// `inkling search`: one search of one person, on a terminal or on a pipe.
#include <cerrno>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/interruption.hpp"
#include "io/corpus/pool/open/joined_pool.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/commands/kept/work_file.hpp"
#include "io/doors/commands/search/kept_search.hpp"
#include "io/doors/commands/search/search_options.hpp"
#include "io/doors/commands/search/search_screen.hpp"
#include "io/doors/protocol/search_protocol.hpp"
#include "io/search/events/field_ratings.hpp"
#include "io/search/score/event_scope.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

// Tells the person if a search begins without ratings although the records hold some.
void tell_of_ratings(const SearchOptions& options, const Pool& pool, const SearchHistory& history) {
  if (!history.events().empty()) return;
  if (const std::optional<std::string> field = rating_field_of(pool))
    tell(fmt::format("inkling search: the field {0} holds ratings; --rated-by {0} begins a search{1} with them\n",
                     visible_text(*field), options.name ? "" : " (--name NEW)"));
}

// Everything that was answered is kept already, so a signal between two lines ends the work as the end of input does.
void answer_lines(SearchService& service) {
  RequestLines lines(File::standard(StandardStream::input), kLongestRequest);
  while (const std::optional<std::string_view> line = lines.next()) {
    const std::string answer = answer_line(service, *line) + "\n";
    if (std::fwrite(answer.data(), 1, answer.size(), stdout) == answer.size() && std::fflush(stdout) == 0) continue;
    if (errno == EPIPE) return;  // the reader has ended
    throw SystemError("standard output", errno, "cannot write");
  }
}

int search_on_pipe(Searcher& searcher, const ShownPool& shown, ReviewOf review) {
  SearchService service(searcher, shown, {}, std::move(review));
  try {
    answer_lines(service);
  } catch (const InterruptedError&) {
    return ExitCode::ok;
  }
  shown.pool().check_unchanged();
  return ExitCode::ok;
}

// A word of a command line, in quotes if a shell would interpret one of its characters.
std::string shell_word(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=:,@%";
  if (word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char letter : word) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

std::string command_to_continue(const SearchOptions& options) {
  std::string command = "inkling search " + shell_word(options.pool);
  if (options.searches_given) command += " --searches " + shell_word(options.searches_file);
  if (options.name) command += " --name " + shell_word(*options.name);
  return command;
}

int search(const ParsedOptions& given) {
  const SearchOptions options = search_options_of(given);
  const WholePool whole(options.pool, options.trust);
  if (whole.members().has_uncompared_texts()) tell(fmt::format("inkling search: {}\n", kUncomparedTexts));
  const EventScope scope = event_scope_of(whole.members());
  const Pool& pool = whole.pool();
  if (options.export_to) {
    const ReadSearch read = read_search(options, scope);
    write_work_file(*options.export_to, whole, read.facts, read.events, options.which);
    return ExitCode::ok;
  }
  const KeptSearch kept = open_search(options, pool, scope);
  tell_of_ratings(options, pool, kept.searcher->history());
  const ShownPool shown(pool, scope);
  if (options.json || !can_search_on_screen()) {
    const auto pairs = [&] {
      return pairs_drawn_from(SessionFile(options.searches_file, SessionAccess::read), kept.facts.id, pool.copies());
    };
    return search_on_pipe(*kept.searcher, shown, {&kept.facts, &whole.members(), pairs});
  }
  const int code = search_on_screen(
      *kept.searcher, shown,
      {.command = command_to_continue(options), .kept_in = options.searches_file, .name = options.name.value_or("")});
  pool.check_unchanged();
  return code;
}

}  // namespace

Command search_command() { return command_of(search_option_table(), search); }

}  // namespace inkling
