// A record of a library of references (RIS, NBIB, BibTeX), and the document that it makes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/fields/record_fields.hpp"
#include "io/corpus/source/record_parser.hpp"

namespace inkling {

/// What a tag of a format is for. If a record has several tags of one role, the one that comes first in the table counts.
struct ReferenceTag {
  std::string_view tag;
  FieldRole role;
};

/// How the note begins into which our export to RIS writes all fields that have no tag; a JSON object follows.
inline constexpr std::string_view kNoteOfFields = "inkling_fields: ";

/// Collects the tags of one record after another. The text of the document is its title, a line end and its abstract, or
/// what the options name; its id is the first identifier of the table that it has, else its DOI. All else is kept in its
/// fields, under one name for all formats (title, authors, year, journal, doi, url, keywords). A value is kept under its
/// tag if there is no such name for it, or another value has that name. Thread safety: one thread at a time. Lifetime:
/// lends table and options.
class ReferenceRecord {
 public:
  ReferenceRecord(std::span<const ReferenceTag> known, const SourceOptions& options);

  /// Begins the next record, of so many bytes.
  void begin(std::size_t bytes);
  [[nodiscard]] ReadingBudget& budget() { return budget_; }
  [[nodiscard]] bool empty() const noexcept { return values_.empty(); }
  /// `tag` is copied; empty values count as none.
  void add(std::string_view tag, std::string_view value);
  /// The same with a JSON value, which has no role.
  void add_json(std::string_view tag, std::string_view json);
  /// Appends to the value that was added last, with `separator` before `more` unless that value is empty.
  void extend(std::string_view separator, std::string_view more);
  /// Replaces each note under `tag` that begins with kNoteOfFields by the fields in it.
  void unfold_notes(std::string_view tag);

  /// Hands the document over, if its label is wanted. What it hands over is valid until the next change.
  [[nodiscard]] RecordVerdict visit(const DocumentVisitor& visit);
  /// Notes in the options' `seen` the fields of all records.
  void report();

 private:
  struct Value {
    std::size_t tag_begin = 0;  // in `bytes_`, where its text follows
    std::size_t text_begin = 0;
    std::size_t end = 0;
    std::optional<std::size_t> known;  // row of the table
    bool is_chosen = false;            // is kept under the name of its role
    bool is_json = false;              // a JSON value, not a text
  };

  [[nodiscard]] std::string_view tag_of(const Value& value) const;
  [[nodiscard]] std::string_view text_of(const Value& value) const;
  [[nodiscard]] std::string_view name_of(const Value& value) const;
  void choose();
  [[nodiscard]] const Value* chosen(FieldRole role) const;
  [[nodiscard]] bool has_name(const Value& value, std::string_view name) const;
  [[nodiscard]] bool append_named(std::string_view name);
  [[nodiscard]] RecordVerdict take_text(SourceDocument& document);
  [[nodiscard]] bool has_wos_tags() const;
  [[nodiscard]] std::string_view take_named(const std::string& name, const Value* usual, bool& found);
  [[nodiscard]] RecordProblem missing_field(std::string_view name) const;
  [[nodiscard]] bool is_elsewhere(const Value& value) const;
  void add_field(const Value& value);

  std::span<const ReferenceTag> known_;
  const SourceOptions* options_;
  ReadingBudget budget_;
  std::vector<std::string> text_fields_;
  bool usual_text_;
  std::string bytes_;
  std::vector<Value> values_;
  PaddedText text_;
  RecordFields fields_;
  SeenFields seen_;
};

/// The records of a chunk by a parser of one format, which hands each to `visit`.
template <typename Parser>
[[nodiscard]] ChunkOutcome parse_references(const Chunk& chunk, RecordEnd end, std::span<const ReferenceTag> tags,
                                            const SourceOptions& options, const DocumentVisitor& visit) {
  Parser parser(chunk, tags, options, visit);
  ChunkOutcome outcome = parse_chunk(chunk, end, options.reading, [&](std::string_view record) { return parser.parse(record); });
  outcome.bad_bytes = parser.replaced();
  parser.report();
  return outcome;
}

}  // namespace inkling
