// Files as programs write them that no specification foresees: each is recognized and read, and what is left out is named.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/corpus/source/format_detection.hpp"
#include "tests/support/io/read_documents.hpp"

namespace inkling {
namespace {

using test::documents_in;
using test::ReadDocuments;
using Texts = std::vector<std::string>;

struct OddFile {
  std::string program;
  std::string bytes;
  std::string format;
  Texts texts;
  Texts remarks = {};
  Texts ids = {};
};

const std::string kRecord = "TY  - JOUR\nTI  - good\nER  - \n";

const std::vector<OddFile> kOddFiles = {
    {"Ovid as text",
     "<1>\nUnique Identifier\n  123\nTitle\n  A long\n  title.\nAuthors\n  Doe J.\nAbstract\n  Text.\n\n<2>\nTitle\n  B\n\n",
     "ovid",
     {"A long title.\nText.", "B"},
     {},
     {"123", ""}},
    {"Ovid as text with tags",
     "<1>\nUI  - 7\nTI  - A\nAB  - Text\n  goes on\n<2>\nAU  - Doe\n",
     "ovid",
     {"A\nText goes on"},
     {"in:6: left out: expected a title or an abstract in the record, found neither"},
     {"7"}},
    {"Ovid as text, a name of a field without its value",
     "<1>\nTitle\n  A\nAbstract\n\n<2>\nTI  - B\n  more\n",
     "ovid",
     {"A", "B more"}},
    {"AIS", "%T One\n%A Doe\n%0 Journal Article\n\n%T Two\n%0 Journal Article\n", "refer", {"One", "Two"}},
    {"Web of Science", "\nFN\n\nPT J\nTI One\nER\n\nEF\n", "wos", {"One"}},
    {"Excel, text with tabs",
     "id\ttext\n1\t\"one, \"\"two\"\"\"\n2\t\"of two\nlines\"\n",
     "csv",
     {"one, \"two\"", "of two\nlines"}},
    {"quotes that are text", "id\ttext\n1\t\"one\" and two\n2\t\"three\"\n", "tsv", {"\"one\" and two", "\"three\""}},
    {"a RIS download that was cut",
     kRecord + "TY  - JOUR\nTI  - last\nAB  - cut in",
     "ris",
     {"good", "last\ncut in"},
     {"in:4: the last record has no end (ER), as others have: the file may be cut"}},
    {"RIS without ends", "TY  - JOUR\nTI  - a\n\nTY  - JOUR\nTI  - b\n", "ris", {"a", "b"}},
    {"an NBIB download that was cut",
     "PMID- 1\nTI  - a\nSO  - J\n\nPMID- 2\nTI  - b\n",
     "nbib",
     {"a", "b"},
     {"in:5: the last record has no end (SO), as others have: the file may be cut"}},
    {"Embase, CSV",
     "\"Search\",\"x\"\n\"Date\",\"2020\"\n\nTitle,Abstract,PUI\nA,a,L1\n",
     "csv",
     {"A\na"},
     {"in:4: this is the header; 3 lines were before it left out"},
     {"L1"}},
    {"Excel, with its separator",
     "sep=;\r\nid;text\r\n7;a, b\r\n",
     "csv",
     {"a, b"},
     {"in:2: this is the header; 1 line was before it left out"},
     {"7"}},
    {"Dimensions",
     "\"About the data: x\"\nRank,Title,Abstract\n1,A,a\n",
     "csv",
     {"A\na"},
     {"in:2: this is the header; 1 line was before it left out"}},
    {"CINAHL", "Article Title,Abstract,ISSN,Accession Number\nA,a,=\"19326203\",\"=\"\"12\"\"\"\n", "csv", {"A\na"}, {}, {"12"}},
    {"Springer", "Item Title,Publication Title,Item DOI,Authors,Publication Year\nA,J,10.1/x,Doe,2020\n", "csv", {"A"}},
    {"RefWorks", "Title\tAbstract\tID\nA\ta\t \nB\tb\t \n", "tsv", {"A\na", "B\nb"}, {}, {"", ""}},
    {"ERIC",
     "\r\nOWN - ERIC\r\nTI  - A test\r\nAU  - Doe, J\r\nDP  - Apr 1990\r\nISSN - EISSN-2375-5636\r\nOID - EJ410320\r\nAB  - "
     "Why.\r\n\r\n"
     "OWN - ERIC\r\nTI  - B\r\nOID - ED1\r\n\r\n",
     "medline",
     {"A test\nWhy.", "B"},
     {},
     {"EJ410320", "ED1"}},
    {"a table that holds a reference", "title,abstract,year\nA,\"\nTY  - B\n\",2020\n", "csv", {"A\n\nTY  - B\n"}},
    {"CiteSource",
     "C1  - 1001\nAU  - Doe, J\nTI  - A\nAB  - Why.\nC8  - \nER  - \n\nC1  - 1002\nTI  - B\nER  - \n\n",
     "ris-untyped",
     {"A\nWhy.", "B"}},
    {"PMC", "\nPMC - PMC7\nPMID- 31\nTI  - A\n      b\n\nPMC - PMC8\nTI  - C\n", "medline", {"A b", "C"}, {}, {"31", "PMC8"}},
    {"Abstrackr",
     "(internal) id,(source) id,pubmed id,keywords,abstract,title,journal,authors,tags,consensus,labeled_at\n"
     "1,7,31,\"k\",\"Why.\",\"A 'b'\",\"J\",\"Doe\",\"\",1,2015\ncitations that are not yet labeled by anyone\n"
     "2,8,none,\"\",\"How.\",\"C\",\"J\",\"Roe\"\n",
     "csv",
     {"A 'b'\nWhy.", "C\nHow."},
     {"in:3: left out: expected 11 fields, found 1", "in:4: expected 11 fields, found 8: the others are empty"}},
    {"quotes within fields, as pandas reads them",
     "id,title,abstract\n1,a 5\" pipe,x\n2,b,\"y, \"\"z\"\"\n2\"\n3,a \"good\" c,w\n4,6\" pipe,v\n5,\"d\"e,u\n",
     "csv",
     {"a 5\" pipe\nx", "b\ny, \"z\"\n2", "a \"good\" c\nw", "6\" pipe\nv"},
     {"in:7: left out: expected a comma after the closing quote, found more text"}},
    {"Excel for Mac, which ends rows with a return", "id;title;abstract\r1;a;\"x\ny\"\r2;b;z\r", "csv", {"a\nx\ny", "b\nz"}},
    {"PubMed before 2020, which ended records with a comma",
     "title,abstract,year\n\"a\",\"x\",\"2019\",\n\"b\",\"y\",\"2019\",\"\"\n",
     "csv",
     {"a\nx", "b\ny"}},
    {"DSpace", "id,dc.contributor.author,dc.description.abstract[en],dc.title[en]\n1,Doe,Why.,A\n", "csv", {"A\nWhy."}},
    {"remarks above some columns",
     ",Title,,,,\nKey,TI,AB,PY,SO,AU\n1,A,Why.,2020,J,Doe\n",
     "csv",
     {"A\nWhy."},
     {"in:2: this is the header; 1 line was before it left out"}},
    {"Web of Science as BibTeX",
     "@article{ WOS:1,\nTitle = {{A}},\nEarly Access Date = {{NOV 2021}},\n% of a person\nYear = {{2021}}\n}\n",
     "bibtex",
     {"A"}},
    {"Web of Science after another program, one blank before a line",
     "FN X\nVR 1.0\nPT J\nAU Doe, J\n Roe, R\nTI A\nER\n\nEF\n",
     "wos",
     {"A"}},
    {"keywords after one blank", "TY  - JOUR\nTI  - a\nKW - soil\nKW  - sea\nER  - \n", "ris", {"a"}},
};

TEST_CASE("files that no specification foresees are recognized and read, wherever chunks are cut") {
  for (const OddFile& odd : kOddFiles)
    for (const std::uint64_t chunk : {1U, 40U, 100'000U}) {
      CAPTURE(odd.program);
      CAPTURE(chunk);
      SourceOptions options = {.reading = {.skip_bad = true, .chunk_bytes = chunk}};
      const ContentLook look = look_at_content(odd.bytes, options);
      CHECK(look.format == odd.format);
      options.format = look.format.empty() ? "lines" : look.format;
      options.delimiter = look.delimiter;
      const ReadDocuments read = documents_in(odd.bytes, options);
      CHECK(read.problem == "");
      CHECK(read.texts() == odd.texts);
      CHECK(read.remarks == odd.remarks);
      for (std::size_t n = 0; n < odd.ids.size() && n < read.documents.size(); ++n) CHECK(read.documents[n].id == odd.ids[n]);
    }
}

TEST_CASE("kinds of Outlook and Office that cannot be read are told apart") {
  const std::string old = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
  const auto wide = [](const std::string& text) {
    std::string bytes;
    for (const char letter : text) bytes += {letter, '\0'};
    return bytes;
  };
  CHECK(look_at_content(old + wide("__substg1.0_001A001E"), {}).foreign == "a letter of Outlook");
  CHECK(look_at_content(old + wide("EncryptedPackage"), {}).foreign == "an Office file with a password");
  CHECK(look_at_content(old + wide("Workbook"), {}).foreign == "an XLS file");
  CHECK(look_at_content(old + wide("WordDocument"), {}).foreign == "a file of an old Office program, or one with a password");
  CHECK(look_at_content("!BDN\x01", {}).foreign == "a mailbox of Outlook");
}

}  // namespace
}  // namespace inkling
