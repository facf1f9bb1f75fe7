// Exports as programs write them, read as a person gives them: a file with any name, whose format is detected.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/base/file/output_file.hpp"
#include "io/corpus/fields/record_head.hpp"
#include "io/corpus/source/format_detection.hpp"
#include "tests/support/io/temporary_folder.hpp"
#include "tests/support/io/written_files.hpp"

namespace inkling {
namespace {

struct ExportedRecord {
  std::string id;
  std::string title;
  std::string abstract;
  std::string authors;
  std::string year;
  std::string link;  // of its DOI, or its own
};

struct ExportedFile {
  std::string program;
  std::string format;
  std::string bytes;
  std::vector<ExportedRecord> records;
};

// Columns and tags as in the programs' own exports; tests/io/corpus/source/README.md says where they are described.
const std::vector<ExportedFile>& exported_files() {
  static const std::vector<ExportedFile> files = {
      {"PubMed, CSV",
       "csv",
       "PMID,Title,Authors,Citation,First Author,Journal/Book,Publication Year,Create Date,PMCID,NIHMS "
       "ID,DOI\n"
       "31,\"Größe, a trial\",\"Núñez J, Roe R.\",BMJ. 2019,Núñez J,BMJ,2019,2019/01/01,PMC9,,10.2/y\n"
       "32,Second,Roe R.,BMJ. 2020,Roe R,BMJ,2020,2020/01/01,,,\n",
       {{"31", "Größe, a trial", "", "Núñez J, Roe R.", "2019", "https://doi.org/10.2/y"},
        {"32", "Second", "", "Roe R.", "2020", ""}}},
      {"PubMed, PubMed format",
       "nbib",
       "\nPMID- 31\nOWN - NLM\nTI  - Größe of a\n      thing\nAB  - A: x.\n      B: y.\nFAU - Núñez, "
       "José\nAU  - Nunez J\n"
       "DP  - 2019 Jul\nLID - 10.2/y [doi]\nPMC - PMC9\nAID - 10.2/y [doi]\n\n",
       {{"31", "Größe of a thing", "A: x. B: y.", "Núñez, José", "2019", "https://doi.org/10.2/y"}}},
      {"Scopus, CSV",
       "csv",
       "Authors,Author full names,Author(s) ID,Title,Year,Source title,Volume,Cited "
       "by,DOI,Link,Abstract,Author Keywords,"
       "Index Keywords,Document Type,Source,EID\n"
       "\"Smith J.; Müller K.\",\"Smith, John (1); Müller, Karl (2)\",1; 2,\"A \"\"quoted\"\" "
       "title\",2020,Journal,7,3,10.3/s,"
       "https://www.scopus.com/x,\"First, line\",a; b,,Article,Scopus,2-s2.0-1\n",
       {{"2-s2.0-1", "A \"quoted\" title", "First, line", "Smith J.; Müller K.", "2020", "https://doi.org/10.3/s"}}},
      {"Scopus, RIS",
       "ris",
       "TY  - JOUR\nAU  - Smith, J.\nAU  - Müller, K.\nTI  - A title\nPY  - 2020\nT2  - Journal\nDO  - "
       "10.3/s\nUR  - "
       "https://www.scopus.com/x\nAB  - First line\nKW  - a\nN1  - Export Date: 1 May 2020; Cited By: 3\nDB  "
       "- Scopus\nER  - "
       "\n\n",
       {{"10.3/s", "A title", "First line", "Smith, J.; Müller, K.", "2020", "https://doi.org/10.3/s"}}},
      {"Embase, CSV by columns",
       "csv",
       "\"TITLE\",\"AUTHOR NAMES\",\"SOURCE TITLE\",\"PUBLICATION YEAR\",\"ABSTRACT\",\"DOI\",\"FULL TEXT "
       "LINK\",\"PUI\"\n"
       "\"Insulin\",\"Müller K., Roe R.\",\"Diabetes\",\"2018\",\"Background: "
       "a.\",\"10.1/e\",\"http://a.org/x\",\"L2001\"\n",
       {{"L2001", "Insulin", "Background: a.", "Müller K., Roe R.", "2018", "https://doi.org/10.1/e"}}},
      {"Embase, CSV by rows",
       "embase",
       "\"TITLE\",\"Insulin, \"\"new\"\"\"\n\"AUTHOR NAMES\",\"Müller K.\",\"Roe R.\"\n\"SOURCE\",\"Diabetes "
       "(2018) "
       "1:2\"\n\"PUBLICATION YEAR\",\"2018\"\n\"ABSTRACT\",\"Background: "
       "a.\"\n\"DOI\",\"10.1/e\"\n\"FULL TEXT LINK\",\"http://a.org/x\"\n\"PUI\",\"L2001\"\n\n"
       "\"TITLE\",\"Second\"\n\"SOURCE\",\"Diabetes\"\n\"LANGUAGE OF SUMMARY\"\n",
       {{"L2001", "Insulin, \"new\"", "Background: a.", "Müller K.; Roe R.", "2018", "https://doi.org/10.1/e"},
        {"", "Second", "", "", "", ""}}},
      {"Embase, RIS",
       "ris",
       "\nTY  - JOUR\nM3  - Article\nAU  - Müller K.\nT1  - Insulin\nN2  - Background: a.\nPY  - 2018\nAN  - "
       "L2001\nDO  - "
       "10.1/e\nER  - \n",
       {{"L2001", "Insulin", "Background: a.", "Müller K.", "2018", "https://doi.org/10.1/e"}}},
      {"Cochrane, RIS",
       "ris",
       "Record #1 of 2\nProvider: John Wiley & Sons, Ltd.\nContent: text/plain; charset=\"UTF-8\"\n\nTY  - "
       "JOUR\nAN  - CN-1\n"
       "AU  - Müller K\nTI  - Insulin\nAB  - Why.\nPY  - 2018\nER  - \n\n\nRecord #2 of 2\nProvider: John "
       "Wiley & Sons, "
       "Ltd.\n\nTY  - JOUR\nAN  - CN-2\nTI  - Second\nER  - \n",
       {{"CN-1", "Insulin", "Why.", "Müller K", "2018", ""}, {"CN-2", "Second", "", "", "", ""}}},
      {"Covidence, CSV",
       "csv",
       "Title,Authors,Abstract,Published Year,Published Month,Journal,Volume,Issue,Pages,Accession "
       "Number,DOI,Ref,Covidence #,Study,Notes,Tags\n"
       "A title,\"Müller, K; Roe, R\",We learn.,2013,5,Journal,1,2,3-4,,10.1/c,12,#7,Müller 2013,,\n",
       {{"", "A title", "We learn.", "Müller, K; Roe, R", "2013", "https://doi.org/10.1/c"}}},
      {"ClinicalTrials.gov, CSV",
       "csv",
       "NCT Number,Study Title,Study URL,Acronym,Study Status,Brief Summary,Conditions\n"
       "NCT01,A trial,https://clinicaltrials.gov/study/NCT01,,RECRUITING,We test.,\"Größe, x\"\n",
       {{"NCT01", "A trial", "We test.", "", "", "https://clinicaltrials.gov/study/NCT01"}}},
      {"Lens, CSV",
       "csv",
       "Lens ID,Title,Date Published,Publication Year,Publication Type,Source Title,Author/s,Abstract,DOI\n"
       "000-1,A title,2013-05-01,2013,journal article,Journal,Müller K; Roe R,We learn.,10.1/l\n",
       {{"000-1", "A title", "We learn.", "Müller K; Roe R", "2013", "https://doi.org/10.1/l"}}},
      {"IEEE Xplore, CSV",
       "csv",
       "\"Document Title\",Authors,\"Author Affiliations\",\"Publication Title\",\"Publication "
       "Year\",\"Abstract\",\"DOI\",PDF Link\n"
       "\"A title\",\"K. Müller; R. Roe\",\"x\",\"Conf\",\"2013\",\"We "
       "learn.\",\"10.1/i\",\"https://a.org\"\n",
       {{"", "A title", "We learn.", "K. Müller; R. Roe", "2013", "https://doi.org/10.1/i"}}},
      {"Scopus, BibTeX",
       "bibtex",
       "\nScopus\nEXPORT DATE: 01 May 2020\n\n@ARTICLE{Doe20201,\n\tauthor={Müller, K. and Roe, "
       "R.},\n\ttitle={A "
       "title},\n\tyear={2020},\n\tdoi={10.3/s},\n\tabstract={We learn.},\n\tsource={Scopus},\n}\n",
       {{"Doe20201", "A title", "We learn.", "Müller, K.; Roe, R.", "2020", "https://doi.org/10.3/s"}}},
      {"Web of Science, plain text",
       "wos",
       "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nAU Doe, J\n   Müller, K\nTI One\n   title\nSO "
       "NATURE\nAB We learn.\n"
       "PY 2015\nDI 10.1/w\nUT WOS:0001\nER\n\nEF\n",
       {{"WOS:0001", "One title", "We learn.", "Doe, J; Müller, K", "2015", "https://doi.org/10.1/w"}}},
      {"Web of Science, tab-delimited, whose records end with a tab",
       "tsv",
       "PT\tAU\tTI\tSO\tAB\tPY\tDI\tUT\nJ\tDoe, J; Müller, K\tOne \"title\"\tNATURE\tWe "
       "learn.\t2015\t10.1/w\tWOS:0001\t\n"
       "J\tRoe, R\tTwo\tNATURE\tAgain.\t2016\t\tWOS:0002\t\n",
       {{"WOS:0001", "One \"title\"", "We learn.", "Doe, J; Müller, K", "2015", "https://doi.org/10.1/w"},
        {"WOS:0002", "Two", "Again.", "Roe, R", "2016", ""}}},
      {"Web of Science, RIS",
       "ris",
       "TY  - JOUR\nAU  - Müller, K\nTI  - Deep\nT2  - NATURE\nAB  - We learn.\nDA  - MAY\nPY  - 2015\nAN  - "
       "WOS:7\nER  -\n",
       {{"WOS:7", "Deep", "We learn.", "Müller, K", "2015", ""}}},
      {"Web of Science, BibTeX",
       "bibtex",
       "@article{ WOS:0001,\nAuthor = {Doe, Jane and\n   Müller, Karl},\nTitle = {{A title\n   over "
       "lines}},\nYear = {{2015}},\n"
       "Abstract = {{We learn.}},\nDOI = {{10.1/w}},\n}\n",
       {{"WOS:0001", "A title over lines", "We learn.", "Doe, Jane; Müller, Karl", "2015", "https://doi.org/10.1/w"}}},
      {"Zotero, CSV",
       "csv",
       "\"Key\",\"Item Type\",\"Publication Year\",\"Author\",\"Title\",\"Publication "
       "Title\",\"ISBN\",\"ISSN\",\"DOI\",\"Url\","
       "\"Abstract Note\",\"Date\",\"Date Added\",\"Date Modified\",\"Access Date\",\"Pages\",\"Num "
       "Pages\",\"Issue\",\"Volume\","
       "\"Manual Tags\",\"Automatic Tags\",\"Editor\"\n"
       "\"AB12\",\"journalArticle\",\"2019\",\"Doe, Jane; Müller, Karl\",\"Active learning\",\"J. of "
       "X\",\"\",\"\",\"10.1/z\","
       "\"https://a.org\",\"We\nlearn.\",\"2019-05-03\",\"2020-01-01 "
       "00:00:00\",\"\",\"\",\"\",\"\",\"\",\"3\",\"\",\"\",\"\"\n",
       {{"AB12", "Active learning", "We\nlearn.", "Doe, Jane; Müller, Karl", "2019", "https://doi.org/10.1/z"}}},
      {"Zotero, RIS",
       "ris",
       "TY  - JOUR\nTI  - Active learning\nAU  - Doe, Jane\nAU  - Müller, Karl\nT2  - Journal of X\nAB  - We "
       "learn.\nDA  - "
       "2019/05/03/\nPY  - 2019\nDO  - 10.1/z\nUR  - https://a.org\nN1  - <p>seen</p>\nER  - \n\n",
       {{"10.1/z", "Active learning", "We learn.", "Doe, Jane; Müller, Karl", "2019", "https://doi.org/10.1/z"}}},
      {"Zotero, BibTeX",
       "bibtex",
       "\n@article{doe_active_2019,\n\ttitle = {Active {Learning}},\n\turl = {https://a.org},\n\tdoi = "
       "{10.1/z},\n\tabstract = {We\n"
       "learn.},\n\turldate = {2020-01-01},\n\tauthor = {Doe, Jane and M{\\\"u}ller, Karl and "
       "{\\'E}mile},\n\tmonth = may,\n\tyear = "
       "{2019},\n\tfile = {PDF:files/12/b.pdf:application/pdf},\n}\n",
       {{"doe_active_2019", "Active Learning", "We learn.", "Doe, Jane; Müller, Karl; Émile", "2019", "https://doi.org/10.1/z"}}},
      {"EndNote, RefMan (RIS)",
       "ris",
       "TY  - JOUR\nAU  - Doe, Jane\nAU  - Müller, Karl\nPY  - 2010\nDA  - 2010/05//\nTI  - One title\nT2  - "
       "Journal of X\nAB  - We\n"
       "learn.\nDO  - 10.1/n\nID  - 12\nER  - \n\n\n",
       {{"12", "One title", "We\nlearn.", "Doe, Jane; Müller, Karl", "2010", "https://doi.org/10.1/n"}}},
      {"EndNote, EndNote export",
       "enw",
       "%0 Journal Article\n%A Doe, Jane\n%A Müller, Karl\n%D 2010\n%T One title\n%X We learn.\n%R "
       "10.1/n\n%M 12\n\n",
       {{"12", "One title", "We learn.", "Doe, Jane; Müller, Karl", "2010", "https://doi.org/10.1/n"}}},
      {"Mendeley, BibTeX",
       "bibtex",
       "@article{Roe2011,\nabstract = {We learn.},\nauthor = {Roe, R and M{\\\"{u}}ller, K},\ndoi = "
       "{10.1/m},\nfile = "
       "{:C$\\backslash$:/a.pdf:pdf},\nmendeley-tags = {one,two},\ntitle = {{Whole title}},\nyear = "
       "{2011}\n}\n",
       {{"Roe2011", "Whole title", "We learn.", "Roe, R; Müller, K", "2011", "https://doi.org/10.1/m"}}},
      {"Mendeley, RIS",
       "ris",
       "TY  - JOUR\nT1  - Whole title\nA1  - Roe, R\nA1  - Müller, K\nY1  - 2011///\nN2  - We learn.\nJF  - "
       "Journal\nDO  - 10.1/m\n"
       "ER  - \n",
       {{"10.1/m", "Whole title", "We learn.", "Roe, R; Müller, K", "2011", "https://doi.org/10.1/m"}}},
      {"ASReview, CSV",
       "csv",
       "title,abstract,authors,year,doi,included,asreview_label,asreview_time,asreview_note\n"
       "A title,We learn.,\"['Roe, R', 'Müller, K']\",2012,10.1/a,,1,2025-01-01 10:00:00,\n",
       {{"", "A title", "We learn.", "['Roe, R', 'Müller, K']", "2012", "https://doi.org/10.1/a"}}},
      {"ASReview, RIS",
       "ris",
       "TY  - JOUR\nN1  - ASReview_relevant\nN1  - asreview_time: \"2025-01-01 10:00:00\"\nTI  - A title\nAB "
       " - We learn.\nAU  - "
       "Müller, K\nPY  - 2012\nDO  - 10.1/a\nER  - \n",
       {{"10.1/a", "A title", "We learn.", "Müller, K", "2012", "https://doi.org/10.1/a"}}},
      {"Rayyan, CSV",
       "csv",
       "key,title,year,month,day,journal,issn,volume,issue,pages,authors,url,language,publisher,location,"
       "abstract,notes,doi,keywords\n"
       "rayyan-1,A title,2013,,,Journal,,,,,\"Müller, K and Roe, R\",,,,,We learn.,\"RAYYAN-INCLUSION: "
       "{\"\"Ann\"\"=>\"\"Included\"\"} | "
       "RAYYAN-LABELS: x\",10.1/r,\n",
       {{"rayyan-1", "A title", "We learn.", "Müller, K and Roe, R", "2013", "https://doi.org/10.1/r"}}},
      {"Rayyan, RIS",
       "ris",
       "TY  - JOUR\nID  - rayyan-1\nTI  - A title\nAU  - Müller, K\nY1  - 2013///\nAB  - We learn.\nN1  - "
       "RAYYAN-INCLUSION: "
       "{\"Ann\"=>\"Excluded\"}\nDO  - 10.1/r\nER  - \n",
       {{"rayyan-1", "A title", "We learn.", "Müller, K", "2013", "https://doi.org/10.1/r"}}},
  };
  return files;
}

void check_record(const test::ReadDocument& read, const ExportedRecord& wanted) {
  const RecordHead head = record_head(read.fields);
  CHECK(read.id == wanted.id);
  CHECK(read.text == wanted.title + (wanted.abstract.empty() ? "" : "\n" + wanted.abstract));
  CHECK(head.authors == wanted.authors);
  CHECK(head.year == wanted.year);
  CHECK((head.links.empty() ? "" : head.links.front()) == wanted.link);
}

std::string as_latin1(const std::string& text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    bytes += lead < 0x80 ? text[at] : static_cast<char>((lead & 3U) << 6U | (static_cast<unsigned char>(text[++at]) & 0x3FU));
  }
  return bytes;
}

void check_export(const ExportedFile& file, const std::string& bytes, SourceOptions options) {
  const test::TemporaryFolder folder;
  write_file(folder.file("export.txt"), bytes);
  const SourceLook look = look_at_source(folder.file("export.txt"), options, [] {});
  REQUIRE(look.files.size() == 1);
  CHECK(look.files.front().content.format == file.format);
  options.format = file.format;
  options.delimiter = look.files.front().content.delimiter;
  const test::ReadDocuments read = test::read_documents({folder.file("export.txt")}, options);
  CHECK(read.problem == "");
  REQUIRE(read.documents.size() == file.records.size());
  for (std::size_t n = 0; n < file.records.size(); ++n) check_record(read.documents[n], file.records[n]);
}

TEST_CASE("exports of programs are detected and read in every encoding and with every line end") {
  for (const ExportedFile& file : exported_files()) {
    CAPTURE(file.program);
    const bool has_columns = file.format == "csv" || file.format == "tsv" || file.format == "embase";
    for (const std::string& bytes : test::ways_to_write(file.bytes, has_columns)) {
      CAPTURE(bytes);
      check_export(file, bytes, {});
    }
    check_export(file, as_latin1(file.bytes), {.encoding = TextEncoding::latin1});
  }
}

TEST_CASE("UTF-16 that is cut or broken is refused with the place of the byte") {
  const std::string whole = test::as_utf16("TY  - JOUR\nTI  - A\n", false);
  const std::string expected = "in: expected UTF-16, as its first two bytes say, found ";
  CHECK(test::documents_in(whole.substr(0, whole.size() - 1), {.format = "ris"}).problem ==
        expected + "its end within a character at byte " + std::to_string(whole.size() - 1));
  const auto with_unit = [&](const std::string& unit) { return whole.substr(0, 36) + unit + whole.substr(36); };
  CHECK(test::documents_in(with_unit("\x3D\xD8"), {.format = "ris"}).problem == expected + "half a character at byte 39");
  CHECK(test::documents_in(with_unit("\x01\xDC"), {.format = "ris"}).problem == expected + "half a character at byte 37");
  CHECK(test::documents_in(whole + "\x3D\xD8", {.format = "ris"}).problem ==
        expected + "its end within a character at byte " + std::to_string(whole.size() + 3));
  CHECK(test::documents_in(with_unit("\x3D\xD8\x01\xDE"), {.format = "ris"}).texts() == std::vector<std::string>{"😁A"});
  // A surrogate pair and a single unit, across the end of a block and at either side.
  for (const std::size_t before : {32760U, 32761U, 32766U, 32767U}) {
    const std::string text = "TY  - JOUR\nTI  - " + std::string(before - 17, 'x');
    const std::string bytes = test::as_utf16(text, true) + "\xD8\x3D\xDE\x01" + test::as_utf16("é\n", true).substr(2);
    CHECK(test::documents_in(bytes, {.format = "ris"}).texts() == std::vector<std::string>{text.substr(17) + "😁é"});
  }
}

}  // namespace
}  // namespace inkling
