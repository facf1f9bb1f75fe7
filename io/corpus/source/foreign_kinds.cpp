#include "io/corpus/source/foreign_kinds.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace inkling {
namespace {

constexpr std::string_view kByPandas =
    "write it as JSONL first, with pandas for example: to_json(FILE, orient=\"records\", lines=True)";
constexpr std::string_view kByPdftotext = "\"pdftotext FILE\" writes its text";
constexpr std::string_view kByOffice =
    "\"libreoffice --headless --convert-to txt:Text FILE\" writes its text";
constexpr std::array kForeignKinds = {
    ForeignKind{"PAR1\x15", "a Parquet file", kByPandas},
    ForeignKind{{"ARROW1\0\0", 8}, "an Arrow file", kByPandas},
    ForeignKind{{"Obj\x01", 4}, "an Avro file", kByPandas},
    ForeignKind{{"SQLite format 3\0", 16}, "an SQLite database", kByPandas},
    ForeignKind{"\x89HDF", "an HDF5 file", kByPandas},
    ForeignKind{"\x93NUMPY", kArrayName, "scipy.sparse.save_npz writes a matrix that can be read"},
    ForeignKind{"%PDF-", "a PDF file", kByPdftotext, true},
    ForeignKind{"{\\rtf", "an RTF file", kByOffice, true},
    ForeignKind{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "a file of an old Office program", kByOffice, true},
    ForeignKind{"<?xml", "XML of EndNote", "export it with the output style RefMan (RIS)", false,
                "<records>"},
    ForeignKind{"<?xml", "XML of PubMed", "save it in the format PubMed, which is .nbib", false,
                "PubmedArticle"},
};

}  // namespace

const ForeignKind* foreign_kind_of(std::string_view head) {
  const auto* const found = std::ranges::find_if(kForeignKinds, [&](const ForeignKind& kind) {
    return head.starts_with(kind.beginning) && head.find(kind.part) != std::string_view::npos;
  });
  return found == kForeignKinds.end() ? nullptr : found;
}

RecordVerdict foreign_document(std::string_view content) {
  const ForeignKind* const kind = foreign_kind_of(content);
  if (kind == nullptr || !kind->is_document) return std::nullopt;
  return RecordProblem{fmt::format("expected a text, found {}; {}", kind->name, kind->remedy)};
}

}  // namespace inkling
