// The file to which a search is exported, or its report.
#pragma once

#include <span>
#include <string>

#include "io/corpus/pool/open/joined_pool.hpp"
#include "io/search/service/review_report.hpp"
#include "io/search/service/work_export.hpp"
#include "io/search/session/session_file.hpp"

namespace inkling {

/// The format by the ending of the name; JSON lines for "-", a device or a pipe. Throws UsageError, which names --out.
[[nodiscard]] WorkFormat work_format_at(const std::string& path);

/// Throws as the searcher does where these are no events of the pool. Requires: a format at this path.
void write_work_file(const std::string& path, const WholePool& whole, const SessionFacts& facts,
                     std::span<const SearchEvent> events, WorkChoice choice);

/// By the ending of the name; JSON for "-", a device or a pipe. Throws UsageError, which names --out.
[[nodiscard]] ReportFormat report_format_at(const std::string& path);
/// The report of this search of a file, as a page in this language. Requires: a format at this path.
void write_report_file(const std::string& path, const WholePool& whole, const SessionFacts& facts,
                       std::span<const SearchEvent> events, const SessionFile& searches, Language language);

/// The same for rows that exist already.
void write_work_rows(const std::string& path, const WholePool& whole, std::span<const WorkRow> rows);

}  // namespace inkling
