#include "io/doors/commands/kept/work_file.hpp"

#include <filesystem>
#include <system_error>
#include <vector>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/system/interruption.hpp"
#include "io/doors/cli/usage_error.hpp"
#include "io/search/score/event_scope.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

std::vector<WorkRow> work_rows(const Pool& pool, const SessionFacts& facts, std::span<const SearchEvent> events,
                               WorkChoice choice) {
  const SearchHistory history = history_of(events, pool.copies());
  const std::string owner = history.has_others() ? facts.owner : std::string();
  if (choice == WorkChoice::all || choice == WorkChoice::good) return answered_work(history, choice, owner);
  Searcher searcher(pool.view(), settings_of_search(facts, &pool), events, {}, throw_if_interrupted);
  return work_of(searcher, choice, owner);
}

}  // namespace

WorkFormat work_format_at(const std::string& path) {
  std::error_code none;
  const auto kind = std::filesystem::status(path, none).type();
  const bool is_stream = kind == std::filesystem::file_type::character || kind == std::filesystem::file_type::fifo;
  if (path == "-" || is_stream) return WorkFormat::jsonl;
  try {
    return work_format_of(path);
  } catch (const FormatError& error) {
    throw UsageError::option("out", error.what());
  }
}

void write_work_file(const std::string& path, const WholePool& whole, const SessionFacts& facts,
                     std::span<const SearchEvent> events, WorkChoice choice) {
  write_work_rows(path, whole, work_rows(whole.pool(), facts, events, choice));
}

void write_work_rows(const std::string& path, const WholePool& whole, std::span<const WorkRow> rows) {
  const EventScope scope = event_scope_of(whole.members());
  const ShownPool shown(whole.pool(), scope);
  OutputFile file = OutputFile::at(path);
  write_work(shown, rows, work_format_at(path), [&file](std::string_view piece) { file.append(piece); });
  whole.pool().check_unchanged();
  file.close();
}

}  // namespace inkling
