#include "io/search/service/work_export.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>

#include "engine/core/errors.hpp"
#include "io/base/file/csv_cell.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/fields/record_fields.hpp"
#include "io/corpus/sheets/workbook_writer.hpp"
#include "io/search/service/work_ris.hpp"
#include "io/search/service/work_values.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

std::string_view how_chosen(const SearchStep& step) {
  if (step.offer) return step.offer->explored ? "random" : "score";
  return step.batch ? "imported" : "named";
}

// Whether a column says which record it is, or what was decided.
bool is_of_decision(std::string_view name) {
  constexpr std::array<std::string_view, 9> own = {"id",   "document", "rating",    "included", "tags",
                                                   "note", "same_as",  "separated", "by"};
  constexpr std::array roles = {FieldRole::title, FieldRole::authors, FieldRole::year, FieldRole::journal, FieldRole::doi};
  const std::optional<FieldRole> role = role_of_field(name);
  return std::ranges::find(own, name) != own.end() || (role && std::ranges::find(roles, *role) != roles.end());
}

// Writes the names of the columns, and then each row in their order: calls `cell` for each value, and `end_row` after a row.
void write_table(const ShownPool& pool, std::span<const WorkRow> rows, WorkColumns chosen, const auto& cell,
                 const auto& end_row) {
  std::vector<std::string> columns = columns_of(pool, rows);
  if (chosen == WorkColumns::decision) std::erase_if(columns, [](const std::string& name) { return !is_of_decision(name); });
  for (const std::string& column : columns) cell(WorkValue{.name = column, .text = column});
  end_row();
  for (const WorkRow& row : rows) {
    const std::vector<WorkValue> values = values_of(pool, row);
    for (const std::string& column : columns) {
      const auto found = std::ranges::find(values, column, &WorkValue::name);
      cell(found != values.end() ? *found : WorkValue{.name = column, .text = {}});
    }
    end_row();
  }
}

void write_csv(const ShownPool& pool, std::span<const WorkRow> rows, WorkColumns columns, const AppendWork& append) {
  std::string line;
  write_table(
      pool, rows, columns, [&line](const WorkValue& value) { line += csv_cell(value.text) + ','; },
      [&] {
        line.back() = '\r';
        append(line + '\n');
        line.clear();
      });
}

// Whether programs for tables, and our reader of sheets, show the number as it is written here.
bool is_number_of_sheet(const WorkValue& value) {
  constexpr double most = 1e15;
  if (value.json != value.text) return false;
  const std::optional<double> number = parse_real(value.text);
  return number && std::abs(*number) < most && number_text(*number) == value.text;
}

// How many cells the values of a column take, if some value takes more than one.
std::map<std::string, std::size_t> long_columns(const ShownPool& pool, std::span<const WorkRow> rows) {
  std::map<std::string, std::size_t> cells;
  for (const WorkRow& row : rows)
    for (const WorkValue& value : values_of(pool, row))
      if (const std::size_t pieces = cell_pieces(value.text).size(); pieces > 1)
        cells[value.name] = std::max(cells[value.name], pieces);
  return cells;
}

void write_sheet(const ShownPool& pool, std::span<const WorkRow> rows, WorkColumns columns, const AppendWork& append) {
  const std::map<std::string, std::size_t> long_ones = long_columns(pool, rows);
  WorkbookWriter sheet(append);
  bool is_header = true;
  const auto add_rest = [&](const WorkValue& value, std::span<const std::string_view> pieces) {
    const auto found = long_ones.find(value.name);
    for (std::size_t n = 1; found != long_ones.end() && n < found->second; ++n)
      if (is_header)
        sheet.add_text(continued_column(value.name, n + 1));
      else
        sheet.add_text(n < pieces.size() ? pieces[n] : std::string_view());
  };
  write_table(
      pool, rows, columns,
      [&](const WorkValue& value) {
        const std::vector<std::string_view> pieces = cell_pieces(value.text);
        if (is_number_of_sheet(value))
          sheet.add_number(value.text);
        else
          sheet.add_text(pieces.front());
        add_rest(value, pieces);
      },
      [&] {
        sheet.end_row();
        is_header = false;
      });
  sheet.finish();
}

void write_jsonl(const ShownPool& pool, std::span<const WorkRow> rows, const AppendWork& append) {
  for (const WorkRow& row : rows) {
    std::string line;
    for (const WorkValue& value : values_of(pool, row)) {
      line += line.empty() ? '{' : ',';
      line += JsonWriter().value(value.name).take() + ':';
      line += value.json.empty() ? JsonWriter().value(value.text).take() : value.json;
    }
    append(line + "}\n");
  }
}

}  // namespace

WorkFormat work_format_of(const std::string& path) {
  const std::string ending = ascii_lower_case(std::filesystem::path(path).extension().string());
  for (const EnumName<WorkFormat>& format : kWorkFormats)
    if (ending == "." + std::string(format.name)) return format.value;
  throw FormatError(quoted_text(path),
                    "expected a name that ends in .csv, .jsonl, .ris or .xlsx, which says what is "
                    "written; programs for tables open .xlsx and .csv");
}

std::string_view media_type_of(WorkFormat format) noexcept {
  switch (format) {
    case WorkFormat::csv: return "text/csv";
    case WorkFormat::jsonl: return "application/x-ndjson";
    case WorkFormat::xlsx: return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    case WorkFormat::ris: break;
  }
  return "application/x-research-info-systems";
}

std::vector<WorkRow> with_copies(std::vector<WorkRow> rows, RowCopies copies) {
  if (copies.size() == 0) return rows;
  std::vector<std::pair<DocumentId, DocumentId>> by_original;
  for (std::size_t n = 0; n < copies.rows.size(); ++n) by_original.emplace_back(copies.originals[n], copies.rows[n]);
  std::ranges::sort(by_original);
  std::vector<WorkRow> all;
  all.reserve(rows.size());
  for (WorkRow& row : rows) {
    all.push_back(std::move(row));
    if (!all.back().document) continue;
    const auto of_it = std::ranges::equal_range(by_original, *all.back().document, {}, &std::pair<DocumentId, DocumentId>::first);
    for (const auto& [original, copy] : of_it) {
      all.push_back(all.back());
      all.back().document = copy;
      all.back().same_as = original;
      all.back().looked_for.clear();
    }
  }
  return all;
}

std::vector<WorkRow> answered_work(const SearchHistory& history, WorkChoice choice, const std::string& owner) {
  std::vector<WorkRow> rows;
  std::vector<SaidWord> looked_for;
  for (const SearchStep& step : said_in(history)) {
    if (!step.is_rating()) looked_for.insert(looked_for.end(), step.words.begin(), step.words.end());
    if (!step.is_rating() || (choice == WorkChoice::good && step.reward < kGoodRating)) continue;
    const SearchEvent& event = history.at(step.sequence);
    rows.push_back({.document = step.document,
                    .rating = step.reward,
                    .words = words_to_learn(step.words, true),
                    .note = event.note,
                    .tags = event.tags,
                    .at_ms = event.at_ms,
                    .chosen = how_chosen(step),
                    .separated = history.is_separated(step.document)});
    if (!owner.empty()) rows.back().by = event.actor.empty() ? owner : event.actor;
  }
  if (choice == WorkChoice::good) {
    std::ranges::stable_sort(rows, {}, [](const WorkRow& row) { return std::pair(-*row.rating, *row.document); });
  } else if (!looked_for.empty()) {
    if (rows.empty()) rows.emplace_back();
    rows.front().looked_for = std::move(looked_for);
  }
  return with_copies(std::move(rows), history.copies());
}

std::vector<WorkRow> work_of(Searcher& searcher, WorkChoice choice, const std::string& owner) {
  std::vector<WorkRow> rows;
  if (choice != WorkChoice::unread) rows = answered_work(searcher.history(), choice, owner);
  if (choice == WorkChoice::all || choice == WorkChoice::good) return rows;
  const auto documents = static_cast<std::size_t>(searcher.progress().documents);
  std::vector<WorkRow> unread;
  for (const Ranked& one : searcher.ranking(documents))
    unread.push_back({.document = one.document, .score = one.score, .separated = searcher.history().is_separated(one.document)});
  unread = with_copies(std::move(unread), searcher.history().copies());
  rows.insert(rows.end(), std::make_move_iterator(unread.begin()), std::make_move_iterator(unread.end()));
  return rows;
}

void write_work(const ShownPool& pool, std::span<const WorkRow> rows, WorkFormat format, const AppendWork& append,
                WorkColumns columns) {
  if (format == WorkFormat::csv) return write_csv(pool, rows, columns, append);
  if (format == WorkFormat::jsonl) return write_jsonl(pool, rows, append);
  if (format == WorkFormat::xlsx) return write_sheet(pool, rows, columns, append);
  for (const WorkRow& row : rows)
    if (row.document) append(ris_record(values_of(pool, row), row.rating));
}

std::string work_text(const ShownPool& pool, std::span<const WorkRow> rows, WorkFormat format, WorkColumns columns) {
  std::string text;
  write_work(
      pool, rows, format, [&text](std::string_view piece) { text += piece; }, columns);
  return text;
}

}  // namespace inkling
