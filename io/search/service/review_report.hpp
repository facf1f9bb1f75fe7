// The report of a review: the numbers of its search as PRISMA 2020 counts them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/enum_names.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/search/people/reading_set.hpp"
#include "io/search/service/compared_work.hpp"
#include "io/search/session/kept_search_form.hpp"
#include "io/search/session/search_tally.hpp"
#include "io/search/session/session_file.hpp"

namespace inkling {

enum class ReportFormat { json, html, csv };
inline constexpr EnumName<ReportFormat> kReportFormats[] = {
    {ReportFormat::json, "json"}, {ReportFormat::html, "html"}, {ReportFormat::csv, "csv"}};
enum class Language { en, de, es };
inline constexpr EnumName<Language> kLanguages[] = {{Language::en, "en"}, {Language::de, "de"}, {Language::es, "es"}};
/// The format by the ending of a file's name. Throws FormatError for any other ending.
[[nodiscard]] ReportFormat report_format_of(const std::string& path);
/// "text/html"
[[nodiscard]] std::string_view media_type_of(ReportFormat format) noexcept;

/// Two people who read documents of the search without seeing each other.
struct PairOfReaders {
  ReadingSet set;  ///< of the first one
  /// What both answered for good; nothing as long as either may not see the other's answers.
  std::optional<ComparedWork> compared;

  /// How many of the conflicts the decider has decided.
  [[nodiscard]] std::int64_t decided() const;
};

/// The pairs whose documents were drawn from this search, in the order in which they were begun. Throws as SessionFile does.
[[nodiscard]] std::vector<PairOfReaders> pairs_drawn_from(const SessionFile& file, const std::string& search, RowCopies copies);

/// What a report needs beside the events. Lifetime: lends both.
struct ReviewOf {
  const SessionFacts* facts = nullptr;
  const PoolSet* pools = nullptr;
  std::function<std::vector<PairOfReaders>()> pairs = [] { return std::vector<PairOfReaders>(); };
};

struct ReportSource {
  std::string name;
  std::string format;
  std::int64_t identified = 0;  ///< all records of the file
  std::int64_t left_out = 0;    ///< that could not be read
  std::int64_t within = 0;      ///< duplicates of records of the same file
  std::int64_t across = 0;      ///< of records of other files, or of records that were there before

  [[nodiscard]] std::string shown_name() const { return name.empty() ? "other files" : name; }
};

/// How many documents were included and excluded.
struct ReportCounts {
  std::int64_t included = 0;
  std::int64_t excluded = 0;
};

/// Documents count as one with their copies, unless these are separated. Invariants:
/// - identified - left out - within - across = records = screened + not screened, each summed over the sources;
/// - screened = included + excluded + awaiting; `by` and `imported` together have what is included and excluded.
struct ReviewReport {
  SessionFacts facts;
  std::string question;
  std::int64_t events = 0;
  std::int64_t taken_back = 0;                ///< answers that do not hold
  std::optional<std::int64_t> first_ms = {};  ///< when the first and the last event came
  std::optional<std::int64_t> last_ms = {};

  std::vector<ReportSource> sources;
  ReportSource all;            ///< the sums
  std::int64_t separated = 0;  ///< duplicates that were taken apart again; they are in none of the above
  std::int64_t records = 0;

  ReportCounts screened;
  std::int64_t awaiting = 0;                             ///< two readers differ, and nobody decided
  std::vector<std::pair<std::string, ReportCounts>> by;  ///< who, in the order of their first answers that hold
  ReportCounts imported;                                 ///< rated by labels that came with the records, or by a file
  std::vector<TagCount> reasons;                         ///< of excluded documents
  std::int64_t without_reason = 0;                       ///< excluded documents
  std::int64_t several_reasons = 0;

  std::int64_t not_screened = 0;
  std::int64_t with_readers = 0;  ///< of them: two readers have them
  std::int64_t put_off = 0;       ///< of them: skipped
  std::int64_t outside = 0;       ///< of them: not in the part that the reader of this search was given

  std::int64_t marked_words = 0;  ///< said of words with documents
  std::int64_t rated_words = 0;   ///< said of words apart from documents
  /// How many documents were read, and how many good ones were found by then; at most `kPointsOfCurve`, the last one among them.
  std::vector<std::pair<std::int64_t, std::int64_t>> curve;
  std::vector<RuleCondition> rule;  ///< empty without a rule; it is met if all hold
  SearchProgress progress;          ///< its bound of what is left
  std::vector<PairOfReaders> pairs;

  [[nodiscard]] std::int64_t all_screened() const noexcept { return screened.included + screened.excluded + awaiting; }
};
inline constexpr std::int64_t kPointsOfCurve = 300;

/// Requires: facts and pools, of which this is the history.
[[nodiscard]] ReviewReport review_report(const SearchHistory& history, const ReviewOf& review);

/// An object, as openapi.json describes it.
void write_report(JsonWriter& json, const ReviewReport& report);
/// A file of this format, of which HTML is in this language. HTML has no script, loads nothing, and is also printed on A4.
[[nodiscard]] std::string report_text(const ReviewReport& report, ReportFormat format, Language language = Language::en);

}  // namespace inkling
