#include "io/doors/commands/kept/work_file.hpp"

#include <vector>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/system/folder.hpp"
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

// The format that the ending of a name says; `of_stream` for "-", a device or a pipe.
template <typename Format>
Format format_at(const std::string& path, Format of_stream, Format (*of_name)(const std::string&)) {
  const std::optional<FileStatus> found = status_at(path.c_str());
  if (path == "-" || (found && !found->is_file() && !found->is_folder())) return of_stream;
  try {
    return of_name(path);
  } catch (const FormatError& error) {
    throw UsageError::option("out", error.what());
  }
}

}  // namespace

WorkFormat work_format_at(const std::string& path) { return format_at(path, WorkFormat::jsonl, work_format_of); }

ReportFormat report_format_at(const std::string& path) { return format_at(path, ReportFormat::json, report_format_of); }

void write_report_file(const std::string& path, const WholePool& whole, const SessionFacts& facts,
                       std::span<const SearchEvent> events, const SessionFile& searches, Language language) {
  const RowCopies copies = whole.pool().copies();
  const ReviewOf review = {&facts, &whole.members(), [&] { return pairs_drawn_from(searches, facts.id, copies); }};
  OutputFile file = OutputFile::at(path);
  file.append(report_text(review_report(history_of(events, copies), review), report_format_at(path), language));
  whole.pool().check_unchanged();
  file.close();
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
