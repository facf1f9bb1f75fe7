#include "io/search/service/work_export.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/source/record_head.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

constexpr std::array<std::string_view, 10> kOwnColumns = {
    "rating", "included", "words_for", "words_against", "looked_for",
    "note",   "rated_at", "chosen",    "score",         "same_as"};

// "2026-11-25T15:33:26Z"
std::string time_text(std::int64_t milliseconds) {
  constexpr std::int64_t largest = 253'402'300'799'000;  // the end of the year 9999
  const std::chrono::sys_time<std::chrono::milliseconds> at(
      std::chrono::milliseconds(std::clamp<std::int64_t>(milliseconds, 0, largest)));
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at - day).count();
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), seconds / 3600,
                     seconds / 60 % 60, seconds % 60);
}

std::string_view how_chosen(const SearchStep& step) {
  if (step.offer) return step.offer->explored ? "random" : "score";
  return step.batch ? "imported" : "named";
}

// A value of a record or of an answer: its characters, and as JSON where it is no text.
struct WorkValue {
  std::string name;
  std::string text;
  std::string json = {};
};

// What stands in one row, in the order of the columns.
class RowValues {
 public:
  RowValues(const ShownPool& pool, const WorkRow& row) : pool_(pool), row_(row) {
    if (row.document) add_record(*row.document);
    add_answer();
  }

  [[nodiscard]] std::vector<WorkValue> taken() && { return std::move(values_); }

 private:
  // The first of a name counts.
  void add(std::string_view name, std::string text, std::string json = {}) {
    if (std::ranges::find(values_, name, &WorkValue::name) != values_.end()) return;
    values_.push_back({std::string(name), std::move(text), std::move(json)});
  }

  void add_record(DocumentId document) {
    const Pool& pool = pool_.pool();
    add_name(has_id(document) ? "id" : "document", document);
    if (const std::optional<std::size_t> label = pool.label(document))
      add("label", pool.label_names()[*label]);
    const std::vector<KeptField> fields =
        kept_fields(pool.fields() ? (*pool.fields())[document] : std::string_view());
    if (pool.texts()) {
      std::string_view text = (*pool.texts())[document];
      const bool has_title = std::ranges::any_of(fields, [&text](const KeptField& field) {
        return field.role() == FieldRole::title && take_title(text, field.text());
      });
      add(has_title ? "abstract" : "text", std::string(text));
    }
    for (const KeptField& field : fields) add_field(field);
  }

  [[nodiscard]] bool has_id(DocumentId document) const {
    const std::optional<std::string> id = pool_.pool().id(document);
    return id && !id->empty();
  }

  // Its id, or its row where it has none.
  void add_name(std::string_view name, DocumentId document) {
    if (has_id(document))
      add(name, *pool_.pool().id(document));
    else
      add(name, std::to_string(document), std::to_string(document));
  }

  // Whether the text began with this title, which is taken from it.
  static bool take_title(std::string_view& text, std::string_view title) {
    if (title.empty() || !text.starts_with(title)) return false;
    if (text.size() > title.size() && text[title.size()] != '\n') return false;
    text.remove_prefix(std::min(title.size() + 1, text.size()));
    return true;
  }

  // What was said replaces what the record said of the same; others of these names stay under another one.
  void add_field(const KeptField& field) {
    if (field.name == "included") return;
    const bool is_own = std::ranges::find(kOwnColumns, field.name) != kOwnColumns.end();
    add(is_own ? field.name + "_before" : field.name, field.text(), std::string(field.json));
  }

  void add_answer() {
    const std::string rating = row_.rating ? number_text(*row_.rating) : std::string();
    add("rating", rating, row_.rating ? rating : "null");
    if (row_.document) {
      const std::string_view included = !row_.rating ? "" : *row_.rating >= kGoodRating ? "1" : "0";
      add("included", std::string(included), included.empty() ? "null" : std::string(included));
    }
    add_words("words_for", row_.words, [](double lean) { return lean > 0.0; });
    add_words("words_against", row_.words, [](double lean) { return lean < 0.0; });
    if (!row_.looked_for.empty()) add_words("looked_for", row_.looked_for, [](double) { return true; });
    add("note", row_.note);
    add("rated_at", row_.at_ms ? time_text(*row_.at_ms) : std::string());
    add("chosen", std::string(row_.chosen));
    if (row_.score) add("score", number_text(*row_.score), number_text(*row_.score));
    if (row_.same_as) add_name("same_as", *row_.same_as);
  }

  // Those that lean so. A word alone is a mark, -1 among words against a document, and 1 among words that are looked for; a
  // number in brackets is the confidence of a mark, and with a sign a rating.
  void add_words(std::string_view name, std::span<const SaidWord> words, bool (*leans)(double)) {
    const std::optional<double> alone = name == "words_for"       ? std::nullopt
                                        : name == "words_against" ? std::optional(-1.0)
                                                                  : std::optional(1.0);
    std::string text;
    JsonWriter json;
    json.begin_array();
    for (const SaidWord& said : words) {
      if (!leans(leaning(said))) continue;
      text += (text.empty() ? "" : "; ") + word(said.feature);
      const bool is_plain = said.reward == alone && said.confidence == 1.0;
      const bool is_good_rating = said.reward && leaning(said) > 0.0;
      if (!is_plain) text += fmt::format(" ({}{})", is_good_rating ? "+" : "", number_text(leaning(said)));
      write_word(json, said, is_plain);
    }
    add(name, std::move(text), json.end_array().take());
  }

  void write_word(JsonWriter& json, const SaidWord& said, bool is_plain) const {
    if (!is_plain) json.begin_object().key("feature");
    if (pool_.pool().vocabulary())
      json.value(pool_.word(said.feature));
    else
      json.value(said.feature);
    if (is_plain) return;
    if (said.reward) json.member("reward", *said.reward);
    if (!said.reward || said.confidence != 1.0) json.member("confidence", said.confidence);
    json.end_object();
  }

  [[nodiscard]] std::string word(FeatureId feature) const {
    return pool_.pool().vocabulary() ? pool_.word(feature) : fmt::format("#{}", feature);
  }

  const ShownPool& pool_;
  const WorkRow& row_;
  std::vector<WorkValue> values_;
};

std::vector<WorkValue> values_of(const ShownPool& pool, const WorkRow& row) {
  return RowValues(pool, row).taken();
}

// What is said of a document is said of all documents of its text.
std::vector<WorkRow> with_copies(const Pool& pool, std::span<const WorkRow> rows) {
  std::vector<std::pair<DocumentId, DocumentId>> copies;  // by original
  for (std::size_t n = 0; n < pool.copies().rows.size(); ++n)
    copies.emplace_back(pool.copies().originals[n], pool.copies().rows[n]);
  std::ranges::sort(copies);
  std::vector<WorkRow> all;
  all.reserve(rows.size());
  for (const WorkRow& row : rows) {
    all.push_back(row);
    if (!row.document) continue;
    const auto of_it =
        std::ranges::equal_range(copies, *row.document, {}, &std::pair<DocumentId, DocumentId>::first);
    for (const auto& [original, copy] : of_it) {
      all.push_back(row);
      all.back().document = copy;
      all.back().same_as = original;
      all.back().looked_for.clear();
    }
  }
  return all;
}

// A program for tables takes a cell that begins so for a formula: an apostrophe before it says that it is text.
bool could_act(std::string_view text) {
  if (text.empty()) return false;
  const char first = text.front();
  if (first == '-') return text.size() == 1 || !((text[1] >= '0' && text[1] <= '9') || text[1] == '.');
  return first == '=' || first == '+' || first == '@' || first == '\t' || first == '\r';
}

std::string csv_cell(std::string_view text) {
  std::string shown = (could_act(text) ? "'" : "") + std::string(text);
  if (shown.find_first_of(",\"\r\n") == std::string::npos && !shown.starts_with(' ') && !shown.ends_with(' '))
    return shown;
  std::string quoted = "\"";
  for (const char c : shown) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// In the order in which records have them, and what was said last.
std::vector<std::string> columns_of(const ShownPool& pool, std::span<const WorkRow> rows) {
  if (rows.empty())
    return {"id", "rating", "included", "words_for", "words_against", "note", "rated_at", "chosen"};
  std::vector<std::string> columns;
  std::vector<std::string> own;
  for (const WorkRow& row : rows) {
    for (const WorkValue& value : values_of(pool, row)) {
      const bool is_own = std::ranges::find(kOwnColumns, value.name) != kOwnColumns.end();
      std::vector<std::string>& names = is_own ? own : columns;
      if (std::ranges::find(names, value.name) == names.end()) names.push_back(value.name);
    }
  }
  std::ranges::sort(own, {}, [](const std::string& name) { return std::ranges::find(kOwnColumns, name); });
  // The text is the longest: it comes right before what was said.
  std::ranges::stable_partition(columns,
                                [](const std::string& name) { return name != "text" && name != "abstract"; });
  columns.insert(columns.end(), own.begin(), own.end());
  return columns;
}

void write_csv(const ShownPool& pool, std::span<const WorkRow> rows,
               const std::function<void(std::string_view)>& append) {
  const std::vector<std::string> columns = columns_of(pool, rows);
  std::string line;
  for (const std::string& column : columns) line += (line.empty() ? "" : ",") + csv_cell(column);
  append(line + "\r\n");
  for (const WorkRow& row : rows) {
    const std::vector<WorkValue> values = values_of(pool, row);
    line.clear();
    for (std::size_t n = 0; n < columns.size(); ++n) {
      const auto found = std::ranges::find(values, columns[n], &WorkValue::name);
      if (n > 0) line += ',';
      if (found != values.end()) line += csv_cell(found->text);
    }
    append(line + "\r\n");
  }
}

void write_jsonl(const ShownPool& pool, std::span<const WorkRow> rows,
                 const std::function<void(std::string_view)>& append) {
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

// A tag of RIS for each value of this purpose; nothing for the others.
std::string_view tag_of(FieldRole role) {
  constexpr std::pair<FieldRole, std::string_view> tags[] = {
      {FieldRole::title, "TI"},    {FieldRole::authors, "AU"}, {FieldRole::year, "PY"},
      {FieldRole::journal, "JO"},  {FieldRole::doi, "DO"},     {FieldRole::url, "UR"},
      {FieldRole::abstract, "AB"}, {FieldRole::keywords, "KW"}};
  const auto* const found = std::ranges::find(tags, role, [](const auto& tag) { return tag.first; });
  return found == std::end(tags) ? std::string_view() : found->second;
}

std::string ris_line(std::string_view tag, std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return text.empty() ? std::string() : fmt::format("{}  - {}\r\n", tag, text);
}

// One line for each of several names or words, which "; " divides.
std::string ris_lines(std::string_view tag, std::string_view values) {
  const bool may_be_several = tag == "AU" || tag == "KW" || tag == "UR";
  std::string lines;
  while (!values.empty()) {
    const std::size_t end = may_be_several ? std::min(values.find(';'), values.size()) : values.size();
    std::string_view one = values.substr(0, end);
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    lines += ris_line(tag, std::string(one));
    values.remove_prefix(std::min(end + 1, values.size()));
  }
  return lines;
}

// As ASReview reads and writes it (its documentation, "Data format", and asreview/data/ris of its source): what was said is
// a note, ASReview_relevant, ASReview_irrelevant or ASReview_not_seen, which Zotero shows and searches, too.
std::string ris_record(const ShownPool& pool, const WorkRow& row) {
  std::string record = "TY  - JOUR\r\n";
  for (const WorkValue& value : values_of(pool, row)) {
    const std::optional<FieldRole> role = role_of_field(value.name);
    const std::string_view tag = role ? tag_of(*role) : std::string_view();
    if (value.name == "id" || value.name == "document")
      record += ris_line("ID", value.text);
    else if (value.name == "text")
      record += ris_line("AB", value.text);
    else if (value.name == "same_as" || value.name.starts_with("words_") || value.name == "looked_for" ||
             value.name == "rating")
      record += value.text.empty() ? "" : ris_line("N1", fmt::format("{}: {}", value.name, value.text));
    else if (value.name == "note")
      record += ris_line("N1", value.text);
    else if (!tag.empty())
      record += ris_lines(tag, value.text);
  }
  const std::string_view said = !row.rating                  ? "ASReview_not_seen"
                                : *row.rating >= kGoodRating ? "ASReview_relevant"
                                                             : "ASReview_irrelevant";
  return record + ris_line("N1", std::string(said)) + "ER  - \r\n\r\n";
}

}  // namespace

WorkFormat work_format_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  for (const EnumName<WorkFormat>& format : kWorkFormats)
    if (ending == "." + std::string(format.name)) return format.value;
  throw FormatError(quoted_text(path),
                    "expected a name that ends in .csv, .jsonl or .ris, which says what is "
                    "written; programs for tables open .csv");
}

std::string_view media_type_of(WorkFormat format) noexcept {
  switch (format) {
    case WorkFormat::csv:
      return "text/csv";
    case WorkFormat::jsonl:
      return "application/x-ndjson";
    default:
      return "application/x-research-info-systems";
  }
}

std::vector<WorkRow> answered_work(const SearchHistory& history, WorkChoice choice) {
  std::vector<WorkRow> rows;
  std::vector<SaidWord> looked_for;
  for (const SearchStep& step : said_in(history)) {
    if (!step.is_rating()) looked_for.insert(looked_for.end(), step.words.begin(), step.words.end());
    if (!step.is_rating() || (choice == WorkChoice::good && step.reward < kGoodRating)) continue;
    const SearchEvent& event = history.events()[static_cast<std::size_t>(step.sequence) - 1];
    rows.push_back({.document = step.document,
                    .rating = step.reward,
                    .words = told_words(step.words, true),
                    .note = event.note,
                    .at_ms = event.at_ms,
                    .chosen = how_chosen(step)});
  }
  if (choice == WorkChoice::good) {
    std::ranges::stable_sort(rows, {},
                             [](const WorkRow& row) { return std::pair(-*row.rating, *row.document); });
  } else if (!looked_for.empty()) {
    if (rows.empty()) rows.emplace_back();
    rows.front().looked_for = std::move(looked_for);
  }
  return rows;
}

std::vector<WorkRow> work_of(Searcher& searcher, WorkChoice choice) {
  if (choice != WorkChoice::unread) return answered_work(searcher.history(), choice);
  std::vector<WorkRow> rows;
  const auto documents = static_cast<std::size_t>(searcher.progress().documents);
  for (const Ranked& one : searcher.ranking(documents))
    rows.push_back({.document = one.document, .score = one.score});
  return rows;
}

void write_work(const ShownPool& pool, std::span<const WorkRow> offered, WorkFormat format,
                const std::function<void(std::string_view)>& append) {
  const std::vector<WorkRow> rows = with_copies(pool.pool(), offered);
  if (format == WorkFormat::csv) return write_csv(pool, rows, append);
  if (format == WorkFormat::jsonl) return write_jsonl(pool, rows, append);
  for (const WorkRow& row : rows)
    if (row.document) append(ris_record(pool, row));
}

std::string work_text(const ShownPool& pool, std::span<const WorkRow> rows, WorkFormat format) {
  std::string text;
  write_work(pool, rows, format, [&text](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace inkling
