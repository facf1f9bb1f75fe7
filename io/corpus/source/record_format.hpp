// The formats of files that hold many documents, in one table.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/enum_names.hpp"
#include "io/corpus/source/document_source.hpp"
#include "io/corpus/source/record_parser.hpp"

namespace inkling {

/// Hands over the documents of a chunk in order. Thread safety: pure.
using ParseChunk = ChunkOutcome(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit);

/// Each of them has its own file: NAME_format.cpp.
ParseChunk parse_lines, parse_jsonl, parse_csv, parse_tsv, parse_ris, parse_nbib, parse_wos, parse_enw, parse_refer, parse_ovid,
    parse_embase, parse_untyped_ris, parse_medline, parse_bibtex, parse_mbox, parse_endnote_xml, parse_pubmed_xml, parse_csl;

/// Appends what the records of a chunk define for later records: entries `@string` of BibTeX.
using TakeDefinitions = void(std::string_view bytes, std::string& found);
TakeDefinitions take_bibtex_definitions;

struct RecordFormat {
  std::string_view name;                         ///< as `--format` takes it
  std::string_view shown;                        ///< as messages name it
  std::string_view help;                         ///< what `--format` says of it
  std::array<std::string_view, 4> endings = {};  ///< of names of files, without that of a compression
  RecordEnd record_end = RecordEnd::every_line;
  bool has_columns = false;  ///< the first record of a file names its columns, or at least tells their number
  bool has_fields = true;    ///< that options can name
  ParseChunk* parse = nullptr;
  std::string_view last_tag = {};          ///< how the last line of every record begins, if its program always writes it
  TakeDefinitions* definitions = nullptr;  ///< null if records do not depend on earlier ones
};

[[nodiscard]] std::span<const RecordFormat> record_formats();

/// A format in which each file is a document.
struct FileFormat {
  std::string_view name;  ///< as `--format` takes it
  std::string_view shown;
  std::string_view help;
  std::array<std::string_view, 3> endings;
};
inline constexpr std::array kFileFormats = {
    FileFormat{kFilesFormat, "files", "each file is a document, its folder the label", {}},
    FileFormat{"html", "HTML", "of pages", {".html", ".htm", ".xhtml"}}, FileFormat{"eml", "letters", "of letters", {".eml"}}};
[[nodiscard]] bool is_file_format(std::string_view name);

/// The names of all formats of documents: those in which each file is one, then those of records.
[[nodiscard]] std::vector<std::string> document_formats();

/// Requires: there is a format of that name.
[[nodiscard]] const RecordFormat& record_format(std::string_view name);

/// Whether options can name fields of this format; false if it is not a record format.
[[nodiscard]] bool has_fields(std::string_view format);

/// Whether a record can be the header line of a table: it has the field of the text, or what may be the text. `is_later`: it is not
/// the first line, and must have more fields that are known.
[[nodiscard]] bool is_header_line(std::string_view record, const SourceOptions& options, bool is_later);

/// Whether the header has the fields that the options name. If they name the default, an abstract is enough, or a title among
/// other known fields.
[[nodiscard]] bool has_text_fields(const std::vector<std::string_view>& header, const SourceOptions& options);

/// Whether files have a header line: they have none if the options give the columns of the text by number.
[[nodiscard]] bool has_header_line(const SourceOptions& options);

/// What may separate the fields of CSV, by name and as a person types it.
inline constexpr EnumName<char> kDelimiterNames[] = {{',', "comma"}, {';', "semicolon"}, {'\t', "tab"}, {'|', "pipe"},
                                                     {',', ","},     {';', ";"},         {'|', "|"}};

/// "title,text" is two fields, in this order.
[[nodiscard]] std::vector<std::string> fields_listed_in(std::string_view names);

/// The fields of a CSV record without its line end, or nothing if its quotes break the rules of CSV.
[[nodiscard]] std::optional<std::vector<std::string_view>> csv_fields(std::string_view record, char delimiter);

/// Appends a text in which each quote is written twice with each of them once.
template <typename Out>
void append_single_quotes(std::string_view text, Out& out) {
  for (std::size_t quote = text.find('"'); quote != std::string_view::npos; quote = text.find('"')) {
    out.append(text.substr(0, quote + 1));
    text.remove_prefix(std::min(quote + 2, text.size()));
  }
  out.append(text);
}

}  // namespace inkling
