// The export of a search: the records as they came, with what was said of each.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/enum_names.hpp"
#include "io/corpus/pool/format/row_copies.hpp"
#include "io/search/service/shown_pool.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling {

enum class WorkFormat { csv, jsonl, ris, xlsx };
inline constexpr EnumName<WorkFormat> kWorkFormats[] = {
    {WorkFormat::csv, "csv"}, {WorkFormat::jsonl, "jsonl"}, {WorkFormat::ris, "ris"}, {WorkFormat::xlsx, "xlsx"}};

enum class WorkChoice {
  all,         ///< every answer, in order; with the first one, the words that were rated apart from documents
  good,        ///< the good documents, the best first
  unread,      ///< the documents without a rating, by what was learned, the best first
  everything,  ///< `all`, then `unread`
};
inline constexpr EnumName<WorkChoice> kWorkChoices[] = {
    {WorkChoice::all, "all"}, {WorkChoice::good, "good"}, {WorkChoice::unread, "unread"}, {WorkChoice::everything, "everything"}};

enum class WorkColumns {
  all,
  decision,  ///< id, title, authors, year, journal, DOI and what was decided
};
inline constexpr EnumName<WorkColumns> kWorkColumns[] = {{WorkColumns::all, "all"}, {WorkColumns::decision, "decision"}};

/// The format by the ending of a file's name. Throws FormatError for any other ending.
[[nodiscard]] WorkFormat work_format_of(const std::string& path);
/// "text/csv"
[[nodiscard]] std::string_view media_type_of(WorkFormat format) noexcept;

/// A document with what was said of it. It has no document if only words apart from documents were rated.
struct WorkRow {
  std::optional<DocumentId> document = {};
  std::optional<double> rating = {};
  std::vector<SaidWord> words = {};
  std::vector<SaidWord> looked_for = {};  ///< rated apart from documents
  std::string note = {};
  std::vector<std::string> tags = {};
  std::optional<std::int64_t> at_ms = {};
  std::string_view chosen = {};                                ///< random, score, named (by the reader) or imported
  std::optional<double> score = {};                            ///< only of an unread document
  std::optional<DocumentId> same_as = {};                      ///< only of a copy: the document of its text that was offered
  bool separated = false;                                      ///< a copy that was taken apart
  std::string by = {};                                         ///< who rated it, in a search of several people
  std::vector<std::pair<std::string, std::string>> more = {};  ///< more columns, if two people are compared
};

/// With rows of copies. `owner` is the name of the owner, if others rated in the search, too. Requires: the choice is not `unread`;
/// of `everything` it gives the answers.
[[nodiscard]] std::vector<WorkRow> answered_work(const SearchHistory& history, WorkChoice choice, const std::string& owner = {});
[[nodiscard]] std::vector<WorkRow> work_of(Searcher& searcher, WorkChoice choice, const std::string& owner = {});

/// The rows, that of each document followed by those of its copies, with the same rating.
[[nodiscard]] std::vector<WorkRow> with_copies(std::vector<WorkRow> rows, RowCopies copies);

/// Takes a file in pieces.
using AppendWork = std::function<void(std::string_view)>;

/// Columns are the id, the label and the fields of the records, the text (as `abstract`, without its title, if it begins with
/// one), and then rating, included, words_for, words_against, looked_for, tags, note, rated_at, chosen, score, same_as, separated and by. io/search/service/EXPORTS.md says what each is.
/// Throws FormatError if a sheet of XLSX cannot hold them; the pieces that were taken until then are no valid file. Thread
/// safety: that of the pool.
void write_work(const ShownPool& pool, std::span<const WorkRow> rows, WorkFormat format, const AppendWork& append,
                WorkColumns columns = WorkColumns::all);
[[nodiscard]] std::string work_text(const ShownPool& pool, std::span<const WorkRow> rows, WorkFormat format,
                                    WorkColumns columns = WorkColumns::all);

}  // namespace inkling
