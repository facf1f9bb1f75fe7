#include "io/corpus/unpack/office_files.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>

#include "io/corpus/unpack/zip_directory.hpp"

namespace inkling {
namespace {

constexpr std::string_view kAsTable =
    "\"libreoffice --headless --convert-to csv FILE\" writes its table as CSV";
constexpr std::string_view kAsPlain = "\"libreoffice --headless --convert-to txt:Text FILE\" writes its text";
constexpr std::string_view kByPandoc = "\"pandoc -t plain FILE -o FILE.txt\" writes its text";
constexpr std::string_view kUnpacked =
    "save it by itself, or as CSV: it can be read neither from a pipe nor in an archive";

struct KnownPart {
  std::string_view part;
  OfficeFile file;
};

// By a file that it holds (ECMA-376).
constexpr std::array kParts = {KnownPart{"xl/workbook.xml", {"an XLSX file", kUnpacked, true}},
                               KnownPart{"xl/workbook.bin", {"an XLSB file", kAsTable}},
                               KnownPart{"word/document.xml", {"a DOCX file", kByPandoc}},
                               KnownPart{"ppt/presentation.xml", {"a PPTX file", kAsPlain}}};

// By its type, which is in the first file (OpenDocument 1.2, part 3; EPUB 3).
constexpr std::array kTypes = {
    KnownPart{"application/epub+zip", {"an EPUB file", kByPandoc}},
    KnownPart{"application/vnd.oasis.opendocument.spreadsheet", {"an ODS file", kAsTable}},
    KnownPart{"application/vnd.oasis.opendocument.text", {"an ODT file", kByPandoc}},
    KnownPart{"application/vnd.oasis.opendocument.presentation", {"an ODP file", kAsPlain}},
    KnownPart{"application/vnd.oasis.opendocument", {"an OpenDocument file", kAsPlain}}};

constexpr std::size_t kLocalHeader = 30;

// The content of the first file, which is the type and not packed; its name may be followed by more of its header.
OfficeFile office_file_by_type(std::string_view head) {
  constexpr std::string_view type = "mimetype";
  if (head.size() < kLocalHeader || !head.substr(kLocalHeader).starts_with(type)) return {};
  const auto more = static_cast<std::size_t>(static_cast<unsigned char>(head[28])) |
                    static_cast<std::size_t>(static_cast<unsigned char>(head[29])) << 8U;
  const std::string_view rest = head.substr(std::min(kLocalHeader + type.size() + more, head.size()));
  for (const KnownPart& known : kTypes)
    if (rest.starts_with(known.part)) return known.file;
  return {};
}

}  // namespace

OfficeFile office_file_at(std::string_view head) {
  if (const OfficeFile found = office_file_by_type(head); !found.name.empty()) return found;
  constexpr std::array<std::string_view, 6> first = {
      "[Content_Types].xml", "_rels/.rels", "docProps/", "xl/", "word/", "ppt/"};
  if (head.size() < kLocalHeader || !head.starts_with("PK\x03\x04")) return {};
  for (const std::string_view name : first)
    if (head.substr(kLocalHeader).starts_with(name)) return {"an Office file", kUnpacked};
  return {};
}

OfficeFile office_file_in(const FileStream& file) {
  if (const OfficeFile found = office_file_by_type(file.head()); !found.name.empty()) return found;
  const std::optional<ZipDirectory> directory = find_zip_directory(file, kLongestZipComment);
  constexpr std::uint64_t most = std::uint64_t{1} << 20U;  // of an office file, which has few parts
  if (!directory || directory->bytes > most) return {};
  std::string list(static_cast<std::size_t>(directory->bytes), '\0');
  list.resize(file.read_at(directory->begin, list));
  if (list.find("META-INF/container.xml") != std::string::npos) return {"an EPUB file", kByPandoc};
  if (list.find("META-INF/manifest.xml") != std::string::npos &&
      list.find("content.xml") != std::string::npos)
    return {"an OpenDocument file", kAsPlain};
  if (list.find("[Content_Types].xml") == std::string::npos) return {};
  for (const KnownPart& known : kParts)
    if (list.find(known.part) != std::string::npos) return known.file;
  return {};
}

}  // namespace inkling
