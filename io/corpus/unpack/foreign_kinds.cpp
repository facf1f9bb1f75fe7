#include "io/corpus/unpack/foreign_kinds.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "io/corpus/unpack/zip_directory.hpp"

namespace inkling {
namespace {

using enum ForeignKind::Sign;

constexpr std::string_view kByPandas =
    "write it as JSONL first, with pandas for example: to_json(FILE, orient=\"records\", lines=True)";
constexpr std::string_view kByPdftotext = "\"pdftotext FILE\" writes its text";
constexpr std::string_view kByOffice =
    "\"libreoffice --headless --convert-to txt:Text FILE\" writes its text, with csv for txt:Text its table";
constexpr std::string_view kAsTable = "\"libreoffice --headless --convert-to csv FILE\" writes its table as CSV";
constexpr std::string_view kByPandoc = "\"pandoc -t plain FILE -o FILE.txt\" writes its text";
constexpr std::string_view kAsRis = "export it as RIS";
constexpr std::string_view kAsPubmed = "save it in the format PubMed, which is .nbib";
constexpr std::string_view kUnpacked = "save it by itself, or as CSV: it can be read neither from a pipe nor in an archive";

constexpr std::string_view kByMsgconvert = "\"msgconvert FILE\" writes it as .eml";
// Names in the directory of such a file are UTF-16.
constexpr std::string_view kOldOffice = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
constexpr std::string_view kOfOutlook = {"_\0s\0u\0b\0s\0t\0g\0001\0", 16};
constexpr std::string_view kOldWorkbook = {"W\0o\0r\0k\0b\0o\0o\0k\0", 16};
constexpr std::string_view kEncrypted = {"E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0", 24};

constexpr std::array kForeignKinds = {
    ForeignKind{first_bytes, "PAR1\x15", "a Parquet file", kByPandas},
    ForeignKind{first_bytes, {"ARROW1\0\0", 8}, "an Arrow file", kByPandas},
    ForeignKind{first_bytes, {"Obj\x01", 4}, "an Avro file", kByPandas},
    ForeignKind{first_bytes, {"SQLite format 3\0", 16}, "an SQLite database", kByPandas},
    ForeignKind{first_bytes, "\x89HDF", "an HDF5 file", kByPandas},
    ForeignKind{first_bytes, "\x93NUMPY", kArrayName, "scipy.sparse.save_npz writes a matrix that can be read"},
    ForeignKind{first_bytes, "%PDF-", "a PDF file", kByPdftotext, true},
    ForeignKind{first_bytes, "{\\rtf", "an RTF file", kByOffice, true},
    ForeignKind{
        .mark = kOldOffice, .name = "a letter of Outlook", .remedy = kByMsgconvert, .is_document = true, .second = kOfOutlook},
    ForeignKind{.mark = kOldOffice,
                .name = "an Office file with a password",
                .remedy = "open it with the password and save it without one, a table as CSV",
                .is_document = true,
                .second = kEncrypted},
    ForeignKind{.mark = kOldOffice, .name = "an XLS file", .remedy = kUnpacked, .is_document = true, .second = kOldWorkbook},
    ForeignKind{first_bytes, kOldOffice, "a file of an old Office program, or one with a password", kByOffice, true},
    ForeignKind{first_bytes, "!BDN", "a mailbox of Outlook", "\"readpst FILE\" writes its letters as mailboxes"},
    ForeignKind{.mark = "<?xml", .name = "XML with MODS", .remedy = kAsRis, .second = "<modsCollection"},
    ForeignKind{first_bytes, "<rdf:RDF", "RDF of Zotero", kAsRis},
    ForeignKind{.mark = "Record #1 of ", .name = "text of Cochrane", .remedy = kAsRis, .second = "\nID: "},
    ForeignKind{.mark = "RT ", .name = "references of RefWorks", .remedy = kAsRis, .second = "\nT1 "},
    ForeignKind{.mark = "1. ", .name = "abstracts of PubMed", .remedy = kAsPubmed, .second = "\nPMID: "},
    ForeignKind{.mark = "1: ", .name = "a summary of PubMed", .remedy = kAsPubmed, .second = " PMID: "},
    ForeignKind{type, "application/epub+zip", "an EPUB file", kByPandoc},
    ForeignKind{type, "application/vnd.oasis.opendocument.spreadsheet", "an ODS file", kAsTable},
    ForeignKind{type, "application/vnd.oasis.opendocument.text", "an ODT file", kByPandoc},
    ForeignKind{type, "application/vnd.oasis.opendocument.presentation", "an ODP file", kByOffice},
    ForeignKind{type, "application/vnd.oasis.opendocument", "an OpenDocument file", kByOffice},
    ForeignKind{part, "META-INF/container.xml", "an EPUB file", kByPandoc},
    ForeignKind{.sign = part,
                .mark = "META-INF/manifest.xml",
                .name = "an OpenDocument file",
                .remedy = kByOffice,
                .second = "content.xml"},
    ForeignKind{.sign = part,
                .mark = "xl/workbook.xml",
                .name = "an XLSX file",
                .remedy = kUnpacked,
                .is_workbook = true,
                .second = "[Content_Types].xml"},
    ForeignKind{
        .sign = part, .mark = "xl/workbook.bin", .name = "an XLSB file", .remedy = kAsTable, .second = "[Content_Types].xml"},
    ForeignKind{
        .sign = part, .mark = "word/document.xml", .name = "a DOCX file", .remedy = kByPandoc, .second = "[Content_Types].xml"},
    ForeignKind{.sign = part,
                .mark = "ppt/presentation.xml",
                .name = "a PPTX file",
                .remedy = kByOffice,
                .second = "[Content_Types].xml"},
};
// In a stream, only the first file is known: it shows that an office program wrote this, but not what kind of file it is.
constexpr ForeignKind kSomeOfficeFile = {part, {}, "an Office file", kUnpacked};

constexpr std::size_t kLocalHeader = 30;

const ForeignKind* kind_by(ForeignKind::Sign sign, std::string_view looked_at) {
  const auto* const found = std::ranges::find_if(kForeignKinds, [&](const ForeignKind& kind) {
    const bool is_marked = kind.sign == sign && (sign == part ? looked_at.find(kind.mark) != std::string_view::npos
                                                              : looked_at.starts_with(kind.mark));
    return is_marked && looked_at.find(kind.second) != std::string_view::npos;
  });
  return found == kForeignKinds.end() ? nullptr : found;
}

// The kind by the content of the first file, which is the type and is not packed. Further parts of the header may follow
// the file's name.
const ForeignKind* kind_by_type(std::string_view head) {
  constexpr std::string_view name = "mimetype";
  if (head.size() < kLocalHeader || !head.substr(kLocalHeader).starts_with(name)) return nullptr;
  const auto more = static_cast<std::size_t>(static_cast<unsigned char>(head[28])) |
                    static_cast<std::size_t>(static_cast<unsigned char>(head[29])) << 8U;
  return kind_by(type, head.substr(std::min(kLocalHeader + name.size() + more, head.size())));
}

}  // namespace

const ForeignKind* foreign_kind_of(std::string_view head) { return kind_by(first_bytes, head); }

const ForeignKind* zipped_kind_at(std::string_view head) {
  if (const ForeignKind* const found = kind_by_type(head)) return found;
  constexpr std::array<std::string_view, 6> first = {"[Content_Types].xml", "_rels/.rels", "docProps/", "xl/", "word/", "ppt/"};
  if (head.size() < kLocalHeader || !head.starts_with("PK\x03\x04")) return nullptr;
  for (const std::string_view name : first)
    if (head.substr(kLocalHeader).starts_with(name)) return &kSomeOfficeFile;
  return nullptr;
}

const ForeignKind* zipped_kind_in(const FileStream& file) {
  if (const ForeignKind* const found = kind_by_type(file.head())) return found;
  const std::optional<ZipDirectory> directory = find_zip_directory(file, kLongestZipComment);
  constexpr std::uint64_t most = std::uint64_t{1} << 20U;  // an office file has few parts
  if (!directory || directory->bytes > most) return nullptr;
  std::string list(static_cast<std::size_t>(directory->bytes), '\0');
  list.resize(file.read_at(directory->begin, list));
  return kind_by(part, list);
}

}  // namespace inkling
