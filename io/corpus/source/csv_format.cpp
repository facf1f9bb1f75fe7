// Fields between commas, tabs or other separators, one record after another.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/core/nearest_name.hpp"
#include "io/base/file/csv_cell.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/fields/record_fields.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/source/record_parser.hpp"

namespace inkling {
namespace {

constexpr char kQuote = '"';
constexpr std::size_t kBytesOfField = 128;  // with its name and its place among the fields that are kept

// CSV as RFC 4180 has it: a field in quotes may hold commas, line ends, and quotes written twice; a quote anywhere
// else is refused, or text. TSV as IANA has it: only tabs and line ends mean anything, quotes do not.
struct FieldStyle {
  char delimiter = ',';
  bool quotes = true;     // whether quotes may enclose fields
  bool is_loose = false;  // as pandas reads it: a quote within a field that does not begin with one is text
};

struct CsvField {
  std::string_view text;      // without its quotes
  std::size_t position = 0;   // of the text in its record
  bool quotes_twice = false;  // each quote within it is written twice
};

std::string delimiter_name(char delimiter) {
  if (delimiter == ',') return "a comma";
  return delimiter == '\t' ? "a tab" : fmt::format("'{}'", delimiter);
}

// Reads the field in quotes that begins at `position`, and moves `position` behind its closing quote.
RecordVerdict quoted_field(std::string_view record, char delimiter, std::size_t& position, CsvField& field) {
  const std::size_t opening = position;
  field.position = opening + 1;
  for (std::size_t at = field.position;;) {
    const std::size_t closing = record.find(kQuote, at);
    if (closing == std::string_view::npos) return RecordProblem{"expected a closing quote for this one, found none", opening};
    at = closing + 1;
    if (at < record.size() && record[at] == kQuote) {
      field.quotes_twice = true;
      ++at;
      continue;
    }
    if (at < record.size() && record[at] != delimiter)
      return RecordProblem{fmt::format("expected {} after the closing quote, found more text", delimiter_name(delimiter)), at};
    field.text = record.substr(field.position, closing - field.position);
    position = at;
    return std::nullopt;
  }
}

// ="19326203", by which tables keep a program from taking a text for a number.
bool is_formula_of_text(std::string_view text) {
  return text.size() > 2 && text.starts_with("=\"") && text.find(kQuote, 2) == text.size() - 1;
}

RecordVerdict plain_field(std::string_view record, FieldStyle style, std::size_t& position, CsvField& field) {
  const std::size_t end = std::min(record.find(style.delimiter, position), record.size());
  field.position = position;
  field.text = record.substr(position, end - position);
  position = end;
  if (!style.quotes) return std::nullopt;
  const std::size_t stray = field.text.find(kQuote);
  if (stray == std::string_view::npos || is_formula_of_text(field.text)) return std::nullopt;
  if (style.is_loose && field.text.find('\n') == std::string_view::npos) return std::nullopt;
  return RecordProblem{"expected quotes only around a whole field, found one within", field.position + stray};
}

// Cuts a record without its line end into `fields`, of which there is at least one.
RecordVerdict split_fields(std::string_view record, FieldStyle style, std::vector<CsvField>& fields, ReadingBudget& budget) {
  fields.clear();
  budget.renew(record.size());
  for (std::size_t position = 0;; ++position) {
    CsvField field;
    const bool quoted = style.quotes && position < record.size() && record[position] == kQuote;
    RecordVerdict problem =
        quoted ? quoted_field(record, style.delimiter, position, field) : plain_field(record, style, position, field);
    if (problem) return problem;
    budget.take(kBytesOfField);
    fields.push_back(field);
    if (position == record.size()) return std::nullopt;
  }
}

// Where the fields of a document are in each record.
struct Columns {
  std::size_t count = 0;
  std::vector<std::size_t> texts;
  std::optional<std::size_t> id;
  std::optional<std::size_t> label;
  std::vector<std::size_t> others = {};  // kept beside the text
  std::vector<std::string> names = {};   // of all, as UTF-8
  std::int64_t replaced = 0;             // bytes of these names that were no characters
  bool are_guarded = false;              // csv_cell.hpp
};

std::optional<std::size_t> numbered_column(const std::string& field) {
  const std::optional<std::int64_t> number = parse_integer(field);
  if (!number || *number < 1) return std::nullopt;
  return static_cast<std::size_t>(*number) - 1;
}

std::optional<std::size_t> place_in(const std::vector<std::string>& names, const auto& fits) {
  const auto found = std::ranges::find_if(names, fits);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

// The column of exactly that name, else one whose name differs only in case, accents and signs.
std::optional<std::size_t> named_column(const std::vector<std::string>& names, const std::string& field) {
  if (const auto same = place_in(names, [&](const std::string& name) { return name == field; })) return same;
  const std::string plain = plain_field_name(field);
  return plain.empty() ? std::nullopt : place_in(names, [&](const std::string& name) { return plain_field_name(name) == plain; });
}

std::optional<std::size_t> column_for(const std::vector<std::string>& names, FieldRole role) {
  return place_in(names, [&](const std::string& name) { return role_of_field(name) == role; });
}

// What to try: a separator with which the header has the field, if there is one; else another field.
std::string delimiter_hint(std::string_view header, const std::string& field, FieldStyle style) {
  for (const auto& [delimiter, name] : kDelimiterNames) {
    const std::optional<std::vector<std::string_view>> fields = csv_fields(header, delimiter);
    const bool fits = fields && fields->size() > 1 && std::ranges::find(*fields, field) != fields->end();
    if (fits && delimiter != style.delimiter) return fmt::format("; --format csv --delimiter {} would find it", name);
  }
  return "; --text-field names another";
}

// Notes in `options.seen` what the header has.
void report_columns(const Columns& columns, const SourceOptions& options) {
  SeenFields seen;
  seen.found.insert(options.text_field);
  if (columns.id) seen.found.insert(options.id_field);
  if (columns.label) seen.found.insert(options.label_field);
  seen.names = columns.names;
  options.seen->add(seen);
}

RecordProblem missing_column(std::string_view header, const std::vector<std::string>& names, const std::string& field,
                             FieldStyle style) {
  constexpr std::size_t most_shown = 500;
  std::vector<std::string> shown;
  for (std::size_t n = 0; n < std::min(names.size(), most_shown); ++n) shown.push_back(quoted_text(names[n]));
  return {fmt::format("expected a header line with the field \"{}\"{}, found {}{}{}", field, did_you_mean("", field, names),
                      fmt::join(shown, ", "), names.size() > most_shown ? ", ..." : "", delimiter_hint(header, field, style))};
}

// Finds the columns of the text: the column that is named like the whole option, else those that the option lists. If the
// option is the default and no column has that name, they are title and abstract.
template <typename FindColumn>
RecordVerdict find_text_columns(std::string_view header, const SourceOptions& options, FieldStyle style, const FindColumn& column,
                                Columns& columns) {
  if (const std::optional<std::size_t> whole = column(options.text_field)) {
    columns.texts = {*whole};
    return std::nullopt;
  }
  if (options.text_field == SourceOptions().text_field) {
    for (const FieldRole role : {FieldRole::title, FieldRole::abstract})
      if (const auto found = column_for(columns.names, role)) columns.texts.push_back(*found);
    if (!columns.texts.empty()) return std::nullopt;
  }
  for (const std::string& field : fields_listed_in(options.text_field)) {
    const std::optional<std::size_t> found = column(field);
    if (!found) return missing_column(header, columns.names, field, style);
    columns.texts.push_back(*found);
  }
  return std::nullopt;
}

// Finds the columns to keep: all but text, id and label. A title that was found by its role is kept, too, although it is
// part of the text, because an export needs it.
void find_other_columns(const SourceOptions& options, Columns& columns) {
  for (std::size_t n = 0; n < columns.count; ++n) {
    const bool is_text = std::ranges::find(columns.texts, n) != columns.texts.end();
    const bool is_title =
        is_text && options.text_field == SourceOptions().text_field && role_of_field(columns.names[n]) == FieldRole::title;
    if ((!is_text || is_title) && columns.id != n && columns.label != n) columns.others.push_back(n);
  }
}

// Finds the names of the columns, as UTF-8.
RecordVerdict name_columns(std::string_view line, const std::vector<CsvField>& header, const SourceOptions& options,
                           Columns& columns) {
  TextDecoder decoder(line, options.encoding, options.bad_bytes);
  PaddedText scratch;
  for (const CsvField& field : header) {
    const std::optional<std::string_view> decoded = decoder.decode(field.text, scratch);
    if (!decoded) {
      RecordProblem problem = bad_byte(field.text, decoder.bad_at(), options.encoding);
      problem.position += field.position;
      return problem;
    }
    std::string name;
    if (field.quotes_twice)
      append_single_quotes(*decoded, name);
    else
      name = *decoded;
    columns.names.push_back(std::move(name));
  }
  columns.replaced = decoder.replaced();
  return std::nullopt;
}

// Without a header line its columns are named by their numbers.
void number_columns(Columns& columns) {
  for (std::size_t n = 1; n <= columns.count; ++n) columns.names.push_back(std::to_string(n));
}

RecordVerdict find_columns(std::string_view header, const SourceOptions& options, FieldStyle style, Columns& columns) {
  const std::string_view line = without_line_end(header);
  if (line.size() > options.reading.most_document_bytes) return too_long_record(options.reading);
  std::vector<CsvField> names;
  ReadingBudget budget = budget_of_records(options.reading);
  if (RecordVerdict problem = split_fields(line, style, names, budget)) return problem;
  columns.count = names.size();
  const bool named = has_header_line(options);
  if (!named)
    number_columns(columns);
  else if (RecordVerdict problem = name_columns(line, names, options, columns))
    return problem;
  columns.are_guarded = style.quotes && named && std::ranges::any_of(columns.names, marks_guarded_table);
  if (columns.are_guarded)
    for (std::string& name : columns.names) name = unguarded_text(name);
  const auto column = [&](const std::string& field) {
    return named ? named_column(columns.names, field) : numbered_column(field);
  };
  columns.id = column(options.id_field);
  // Among the tags of Web of Science, as R's bibliometrix writes them, "ID" holds keywords.
  const auto place_of = [&](std::string_view tag) {
    return place_in(columns.names, [&](const std::string& name) { return name == tag; });
  };
  if (columns.id && columns.id == place_of("ID") && options.id_field == SourceOptions().id_field &&
      (place_of("DE") || place_of("UT") || place_of("SR")))
    columns.id = place_of("UT");
  columns.label = column(options.label_field);
  if (RecordVerdict problem = find_text_columns(line, options, style, column, columns)) return problem;
  if (named && !column(options.id_field) && options.id_field == SourceOptions().id_field)
    columns.id = column_for(columns.names, FieldRole::identifier);
  const std::size_t last =
      std::max({*std::ranges::max_element(columns.texts), columns.id.value_or(0), columns.label.value_or(0)});
  if (last >= columns.count) return RecordProblem{fmt::format("expected at least {} fields, found {}", last + 1, columns.count)};
  find_other_columns(options, columns);
  if (options.seen && named) report_columns(columns, options);
  return std::nullopt;
}

// Only the number of fields can show that quotes enclose fields of TSV and are not part of them, so the message says what
// to try.
std::string_view quotes_hint(std::string_view record) {
  return record.find(kQuote) == std::string_view::npos ? "" : "; --format csv --delimiter tab reads fields in quotes";
}

// Reads one record after another. What it hands over is valid until the next one.
class CsvRecordParser {
 public:
  CsvRecordParser(std::string_view bytes, const SourceOptions& options, FieldStyle style, Columns columns,
                  const DocumentVisitor& visit)
      : options_(&options),
        style_(style),
        columns_(std::move(columns)),
        visit_(&visit),
        decoder_(bytes, options.encoding, options.bad_bytes),
        budget_(budget_of_records(options.reading)) {}

  RecordVerdict parse(std::string_view record) {
    if (record.empty() && columns_.count != 1) return std::nullopt;
    RecordVerdict problem = split(record);
    if (!problem) return visit_fields();
    return style_.is_loose ? visit_short(*problem) : problem;
  }

  [[nodiscard]] std::int64_t replaced() const { return decoder_.replaced(); }

 private:
  struct Scratch {
    PaddedText decoded;
    PaddedText unquoted;
    PaddedText unguarded;
  };

  RecordVerdict split(std::string_view record) {
    is_short_ = false;
    if (RecordVerdict problem = split_fields(record, style_, fields_, budget_)) return problem;
    // Web of Science ends its records with a tab, but not its header; PubMed did so with a comma.
    if ((style_.delimiter == '\t' || style_.is_loose) && fields_.size() == columns_.count + 1 && fields_.back().text.empty())
      fields_.pop_back();
    if (fields_.size() == columns_.count) return std::nullopt;
    is_short_ = fields_.size() < columns_.count && fields_.size() > *std::ranges::max_element(columns_.texts);
    return RecordProblem{
        fmt::format("expected {} fields, found {}{}", columns_.count, fields_.size(), style_.quotes ? "" : quotes_hint(record))};
  }

  // Takes the last fields as empty if all of the text is there: Abstrackr ends records so that nobody has read.
  RecordVerdict visit_short(const RecordProblem& problem) {
    if (!is_short_ || fields_.empty()) return problem;
    fields_.resize(columns_.count);
    if (RecordVerdict other = visit_fields()) return other;
    return RecordProblem{.expectation = problem.expectation + ": the others are empty", .is_kept = true};
  }

  // Hands over the document of the fields.
  RecordVerdict visit_fields() {
    SourceDocument document;
    if (columns_.texts.size() > 1) {
      if (auto problem = take_lines(document)) return problem;
    } else if (auto problem = take(columns_.texts.front(), document.text, text_)) {
      return problem;
    }
    if (auto problem = take(columns_.id, document.id, id_)) return problem;
    if (document.id.find_first_not_of(' ') == std::string_view::npos) document.id = {};
    if (auto problem = take(columns_.label, document.label, label_)) return problem;
    if (auto problem = unstorable_label(document.label)) return problem;
    if (!keeps_label(*options_, document.label)) return std::nullopt;
    if (auto problem = take_others(document)) return problem;
    (*visit_)(document);
    return std::nullopt;
  }

  RecordVerdict take(std::optional<std::size_t> column, std::string_view& text, Scratch& scratch) {
    if (!column) return std::nullopt;
    const CsvField& field = fields_[*column];
    const std::optional<std::string_view> decoded = decoder_.decode(field.text, scratch.decoded);
    if (!decoded) {
      RecordProblem problem = bad_byte(field.text, decoder_.bad_at(), options_->encoding);
      problem.position += field.position;
      return problem;
    }
    text = field.quotes_twice ? with_single_quotes(*decoded, scratch.unquoted) : *decoded;
    if (is_formula_of_text(text)) text = text.substr(2, text.size() - 3);
    if (columns_.are_guarded && text.find('\'') != std::string_view::npos) {
      scratch.unguarded = PaddedText(unguarded_text(text));
      text = scratch.unguarded.view();
    }
    return std::nullopt;
  }

  // Several fields, a line each.
  RecordVerdict take_lines(SourceDocument& document) {
    lines_.clear();
    for (const std::size_t column : columns_.texts) {
      std::string_view line;
      if (auto problem = take(column, line, text_)) return problem;
      if (column == columns_.texts.front())
        document.title_bytes = line.size();
      else
        lines_.append("\n");
      lines_.append(line);
    }
    document.text = lines_.view();
    return std::nullopt;
  }

  RecordVerdict take_others(SourceDocument& document) {
    kept_.clear();
    for (const std::size_t column : columns_.others) {
      std::string_view value;
      if (auto problem = take(column, value, other_)) return problem;
      if (!value.empty()) kept_.add(columns_.names[column], value);
    }
    document.fields = kept_.json();
    return std::nullopt;
  }

  static std::string_view with_single_quotes(std::string_view text, PaddedText& out) {
    out.clear();
    append_single_quotes(text, out);
    return out.view();
  }

  const SourceOptions* options_;
  FieldStyle style_;
  Columns columns_;
  const DocumentVisitor* visit_;
  TextDecoder decoder_;
  ReadingBudget budget_;
  std::vector<CsvField> fields_;
  bool is_short_ = false;  // they are fewer than the header has, but the text is among them
  PaddedText lines_;
  Scratch text_;
  Scratch id_;
  Scratch label_;
  Scratch other_;
  RecordFields kept_;
};

// Archives of Rayyan hold, beside the records, a table of what people did.
void leave_out_table(const Chunk& chunk, ChunkOutcome& outcome) {
  outcome.lines = line_ends_in(chunk.bytes.view(), RecordEnd::every_line);
  remark(outcome, {.expectation = "left out, all of it: " + outcome.problem->expectation, .is_of_file = true});
  outcome.problem.reset();
}

// Records must have as many fields as the header. A blank line is not a record, unless records have one field.
// Requires: the chunk's header.
ChunkOutcome parse_fields(const Chunk& chunk, const SourceOptions& options, FieldStyle style, const DocumentVisitor& visit) {
  Columns columns;
  if (const RecordVerdict problem = within_budget([&] { return find_columns(*chunk.header, options, style, columns); })) {
    ChunkOutcome outcome = {.problem = problem_at(*chunk.header, *problem)};
    if (chunk.is_within && options.reading.skip_bad) leave_out_table(chunk, outcome);
    return outcome;
  }
  const std::int64_t replaced = chunk.header_bytes > 0 ? columns.replaced : 0;
  CsvRecordParser parser(chunk.bytes.view(), options, style, std::move(columns), visit);
  const RecordEnd end = style.quotes ? RecordEnd::outside_quotes : RecordEnd::every_line;
  ChunkOutcome outcome = parse_chunk(chunk, end, options.reading, [&](std::string_view record) { return parser.parse(record); });
  outcome.bad_bytes = replaced + parser.replaced();
  return outcome;
}

}  // namespace

bool has_header_line(const SourceOptions& options) {
  return !std::ranges::all_of(fields_listed_in(options.text_field),
                              [](const std::string& field) { return numbered_column(field).has_value(); });
}

bool has_text_fields(const std::vector<std::string_view>& header, const SourceOptions& options) {
  const auto is_there = [&](const std::string& field) { return std::ranges::find(header, field) != header.end(); };
  if (is_there(options.text_field)) return true;
  if (options.text_field != SourceOptions().text_field)
    return std::ranges::all_of(fields_listed_in(options.text_field), is_there);
  const auto known = std::ranges::count_if(header, [](std::string_view name) { return role_of_field(name).has_value(); });
  const auto has_role = [&](FieldRole role) {
    return std::ranges::any_of(header, [&](std::string_view name) { return role_of_field(name) == role; });
  };
  return known >= 2 && (has_role(FieldRole::abstract) || (has_role(FieldRole::title) && known >= 3));
}

bool is_header_line(std::string_view record, const SourceOptions& options, bool is_later) {
  const auto fields = csv_fields(without_line_end(record), options.format == "tsv" ? '\t' : options.delimiter);
  if (!fields || is_later) return fields && fields->size() > 1 && has_text_fields(*fields, options);
  // People write remarks about some of the columns above a header.
  if (fields->size() < 2 * static_cast<std::size_t>(std::ranges::count(*fields, ""))) return false;
  const auto may_be_text = [&](std::string_view name) {
    const std::optional<FieldRole> role = role_of_field(name);
    return name == options.text_field || role == FieldRole::title || role == FieldRole::abstract;
  };
  const bool is_default = options.text_field == SourceOptions().text_field;
  return is_default ? std::ranges::any_of(*fields, may_be_text) : has_text_fields(*fields, options);
}

std::optional<std::vector<std::string_view>> csv_fields(std::string_view record, char delimiter) {
  std::vector<CsvField> fields;
  ReadingBudget budget;
  if (split_fields(record, {.delimiter = delimiter}, fields, budget)) return std::nullopt;
  std::vector<std::string_view> texts;
  texts.reserve(fields.size());
  for (const CsvField& field : fields) texts.push_back(field.text);
  return texts;
}

ChunkOutcome parse_csv(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  return parse_fields(chunk, options, {.delimiter = options.delimiter, .is_loose = options.reading.skip_bad}, visit);
}

ChunkOutcome parse_tsv(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  return parse_fields(chunk, options, {.delimiter = '\t', .quotes = false}, visit);
}

}  // namespace inkling
