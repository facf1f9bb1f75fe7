#include "io/search/events/answer_table.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "io/base/file/csv_cell.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/corpus/source/record_format.hpp"

namespace inkling {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";

// What a cell says: a quote within it is written twice, and our writer guards what could be run as a formula.
std::string text_of_cell(std::string_view field) {
  std::string text;
  append_single_quotes(field, text);
  return unguarded_text(text);
}

// "soil", "soil (0.5)", "soil (+1)" or "#7": a member of `features` in a line of events.
void write_word(JsonWriter& json, std::string_view word) {
  const std::size_t bracket = word.ends_with(')') ? word.rfind(" (") : std::string_view::npos;
  std::string_view number = bracket == std::string_view::npos ? std::string_view() : word.substr(bracket + 2);
  if (!number.empty()) number.remove_suffix(1);
  const bool is_rating = number.starts_with('+') || number.starts_with('-');
  const std::optional<double> size = parse_real(number.starts_with('+') ? number.substr(1) : number);
  if (size) word = word.substr(0, bracket);
  if (size) json.begin_object().key("feature");
  const std::optional<std::int64_t> feature = word.starts_with('#') ? parse_integer(word.substr(1)) : std::nullopt;
  if (feature)
    json.value(*feature);
  else
    json.value(word);
  if (size) json.member(is_rating ? "reward" : "confidence", *size).end_object();
}

void write_words(JsonWriter& json, std::string_view name, std::string_view cell) {
  json.key(name).begin_array();
  while (!cell.empty()) {
    const std::size_t end = std::min(cell.find(';'), cell.size());
    std::string_view word = cell.substr(0, end);
    cell.remove_prefix(std::min(end + 1, cell.size()));
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    if (!word.empty()) write_word(json, word);
  }
  json.end_array();
}

}  // namespace

bool AnswerTable::may_begin_with(std::string_view text) {
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  const std::string_view first = text.substr(0, text.find('\n'));
  return !first.empty() && first.front() != '{' && first.front() != '[' && first.find(',') != std::string_view::npos;
}

RecordVerdict AnswerTable::take(std::string_view record, std::string& line) {
  line.clear();
  if (!columns_ && record.starts_with(kMark)) record.remove_prefix(kMark.size());
  const std::optional<std::vector<std::string_view>> written = csv_fields(record, ',');
  if (!written) return RecordProblem{"expected quotes as CSV has them"};
  std::vector<std::string> fields;
  std::ranges::transform(*written, std::back_inserter(fields), text_of_cell);
  if (!columns_) return take_columns(fields);
  if (fields.size() != columns_->size())
    return RecordProblem{fmt::format("expected {} fields, found {}", columns_->size(), fields.size())};
  const std::string_view rating = cell(fields, "rating");
  const std::string_view words_for = cell(fields, "words_for");
  const std::string_view words_against = cell(fields, "words_against");
  const std::string_view looked_for = cell(fields, "looked_for");
  const bool separates = cell(fields, "separated") == "1";
  if (rating.empty() && looked_for.empty() && !separates) return std::nullopt;
  if (!rating.empty() && !parse_real(rating)) return RecordProblem{"expected a number as the rating"};
  JsonWriter json;
  json.begin_object();
  if (const std::string_view id = cell(fields, "id"); !id.empty()) {
    json.member("id", id);
  } else if (const std::string_view row = cell(fields, "document"); !row.empty()) {
    const std::optional<std::int64_t> number = parse_integer(row);
    if (!number) return RecordProblem{"expected the number of a row as the document"};
    json.member("document", *number);
  }
  if (separates) json.member("separated", true);
  json.key("rating");
  if (rating.empty())
    json.null();
  else
    json.value(*parse_real(rating));
  write_words(json, "words_for", words_for);
  write_words(json, "words_against", words_against);
  write_words(json, "looked_for", looked_for);
  line = json.end_object().take();
  return std::nullopt;
}

RecordVerdict AnswerTable::take_columns(const std::vector<std::string>& names) {
  if (std::ranges::find(names, "rating") == names.end())
    return RecordProblem{"expected events as JSON lines, or a table that inkling search exported, with a column rating"};
  columns_ = names;
  return std::nullopt;
}

std::string_view AnswerTable::cell(const std::vector<std::string>& fields, std::string_view name) const {
  const auto column = std::ranges::find(*columns_, name);
  if (column == columns_->end()) return {};
  return fields[static_cast<std::size_t>(column - columns_->begin())];
}

}  // namespace inkling
