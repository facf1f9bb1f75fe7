// Fields between commas or tabs, one record after the other.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "io/source/document_source.hpp"
#include "io/source/record_chunks.hpp"
#include "io/source/record_parser.hpp"

namespace inkling {

/// CSV as RFC 4180 has it: a field in quotes may hold commas, line ends, and quotes written twice; a quote
/// anywhere else is refused. TSV as IANA has it: nothing but tabs and line ends means anything, quotes
/// neither.
enum class FieldStyle { csv, tsv };

[[nodiscard]] constexpr RecordEnd record_end_of(FieldStyle style) {
  return style == FieldStyle::csv ? RecordEnd::outside_quotes : RecordEnd::every_line;
}

struct CsvField {
  std::string_view text;      // without its quotes
  std::size_t position = 0;   // of the text in its record
  bool quotes_twice = false;  // each quote within it is written twice
};

/// Cuts a record without its line end into `fields`, of which there is at least one.
[[nodiscard]] RecordVerdict split_fields(std::string_view record, FieldStyle style,
                                         std::vector<CsvField>& fields);

/// True where the options name the text's column by number, and files have no header line.
[[nodiscard]] bool has_header_line(const SourceOptions& options);

/// Records must have as many fields as the header. A blank line is no record, unless records have one field.
/// Requires: options.format is csv or tsv; the chunk's header. Thread safety: pure.
[[nodiscard]] ChunkOutcome parse_csv(const Chunk& chunk, const SourceOptions& options,
                                     const DocumentVisitor& visit);

}  // namespace inkling
