#include "io/corpus/source/record_format.hpp"

#include <algorithm>
#include <cassert>

namespace inkling {
namespace {

constexpr std::array kRecordFormats = {
    RecordFormat{.name = "lines",
                 .shown = "lines",
                 .help = "each line is a document",
                 .endings = {".txt", ".lines", ".text"},
                 .record_end = RecordEnd::every_line,
                 .has_fields = false,
                 .parse = parse_lines},
    RecordFormat{.name = "jsonl",
                 .shown = "JSONL",
                 .help = "a JSON object a line",
                 .endings = {".jsonl", ".ndjson", ".json"},
                 .record_end = RecordEnd::every_line,
                 .parse = parse_jsonl},
    RecordFormat{.name = "csv",
                 .shown = "CSV",
                 .help = "fields between commas, or a sheet of XLSX or XLS",
                 .endings = {".csv", ".xlsx", ".xlsm", ".xls"},
                 .record_end = RecordEnd::outside_quotes,
                 .has_columns = true,
                 .parse = parse_csv},
    RecordFormat{.name = "tsv",
                 .shown = "TSV",
                 .help = "fields between tabs",
                 .endings = {".tsv"},
                 .record_end = RecordEnd::every_line,
                 .has_columns = true,
                 .parse = parse_tsv},
    RecordFormat{.name = "ris",
                 .shown = "RIS",
                 .help = "references",
                 .endings = {".ris"},
                 .record_end = RecordEnd::before_ris,
                 .parse = parse_ris,
                 .last_tag = "ER"},
    RecordFormat{.name = "ris-untyped",
                 .shown = "RIS without types",
                 .help = "RIS without TY",
                 .record_end = RecordEnd::before_ris_end,
                 .parse = parse_untyped_ris},
    RecordFormat{.name = "nbib",
                 .shown = "NBIB",
                 .help = "of PubMed",
                 .endings = {".nbib"},
                 .record_end = RecordEnd::before_nbib,
                 .parse = parse_nbib,
                 .last_tag = "SO"},
    RecordFormat{.name = "medline",
                 .shown = "NBIB of ERIC or PMC",
                 .help = "ERIC's, PMC's",
                 .record_end = RecordEnd::before_medline,
                 .parse = parse_medline},
    RecordFormat{.name = "wos",
                 .shown = "Web of Science",
                 .help = "of Web of Science",
                 .endings = {".ciw"},
                 .record_end = RecordEnd::before_wos,
                 .parse = parse_wos},
    RecordFormat{.name = "enw",
                 .shown = "EndNote",
                 .help = "of EndNote",
                 .endings = {".enw"},
                 .record_end = RecordEnd::before_enw,
                 .parse = parse_enw},
    RecordFormat{.name = "refer",
                 .shown = "EndNote with blank lines between records",
                 .help = "of EndNote, between blank lines",
                 .record_end = RecordEnd::before_refer,
                 .parse = parse_refer},
    RecordFormat{.name = "ovid",
                 .shown = "text of Ovid",
                 .help = "Ovid's text",
                 .record_end = RecordEnd::before_ovid,
                 .parse = parse_ovid},
    RecordFormat{.name = "embase",
                 .shown = "Embase",
                 .help = "Embase's rows",
                 .record_end = RecordEnd::before_embase,
                 .parse = parse_embase},
    RecordFormat{.name = "endnote-xml",
                 .shown = "XML of EndNote",
                 .help = "EndNote's XML",
                 .record_end = RecordEnd::before_endnote,
                 .parse = parse_endnote_xml},
    RecordFormat{.name = "pubmed-xml",
                 .shown = "XML of PubMed",
                 .help = "of PubMed, as XML",
                 .record_end = RecordEnd::before_pubmed,
                 .parse = parse_pubmed_xml},
    RecordFormat{
        .name = "csl", .shown = "CSL-JSON", .help = "CSL-JSON", .record_end = RecordEnd::after_object, .parse = parse_csl},
    RecordFormat{.name = "bibtex",
                 .shown = "BibTeX",
                 .help = "of LaTeX",
                 .endings = {".bib", ".bibtex"},
                 .record_end = RecordEnd::before_bibtex,
                 .parse = parse_bibtex,
                 .definitions = take_bibtex_definitions},
    RecordFormat{.name = "mbox",
                 .shown = "a mailbox",
                 .help = "letters in one file",
                 .endings = {".mbox", ".mbx"},
                 .record_end = RecordEnd::before_mail,
                 .parse = parse_mbox},
};

}  // namespace

// Each line is a document without id and label, the empty ones too, so that row n is line n + 1. A line ends in
// "\n" or "\r\n"; the last one may lack it.
ChunkOutcome parse_lines(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  return parse_lines_of_text(chunk, options, [&](std::string_view text) -> RecordVerdict {
    if (keeps_label(options, "")) visit({.text = text, .id = {}, .label = {}});
    return std::nullopt;
  });
}

std::vector<std::string> fields_listed_in(std::string_view names) {
  std::vector<std::string> fields;
  for (std::size_t comma = names.find(','); comma != std::string_view::npos; comma = names.find(',')) {
    fields.emplace_back(names.substr(0, comma));
    names.remove_prefix(comma + 1);
  }
  fields.emplace_back(names);
  return fields;
}

std::span<const RecordFormat> record_formats() { return kRecordFormats; }

const RecordFormat& record_format(std::string_view name) {
  const auto* const found = std::ranges::find(kRecordFormats, name, &RecordFormat::name);
  assert(found != kRecordFormats.end());
  return *found;
}

std::vector<std::string> document_formats() {
  std::vector<std::string> names;
  names.reserve(std::size(kFileFormats) + std::size(kRecordFormats));
  for (const FileFormat& format : kFileFormats) names.emplace_back(format.name);
  for (const RecordFormat& format : kRecordFormats) names.emplace_back(format.name);
  return names;
}

bool is_file_format(std::string_view name) {
  return std::ranges::find(kFileFormats, name, &FileFormat::name) != kFileFormats.end();
}

bool has_fields(std::string_view format) {
  const auto* const found = std::ranges::find(kRecordFormats, format, &RecordFormat::name);
  return found != kRecordFormats.end() && found->has_fields;
}

}  // namespace inkling
