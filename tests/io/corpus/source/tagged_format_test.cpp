// RIS as its specification (Research Information Systems, 2001) defines it and as programs write it, and NBIB as PubMed
// describes its fields.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/corpus/source/record_format.hpp"
#include "tests/support/io/written_files.hpp"

namespace inkling {
namespace {

using test::check_broken_files;
using test::check_written_files;
using test::documents_in;
using test::left_out;
using test::ReadDocument;
using test::ReadDocuments;
using test::WrittenFile;
using Documents = std::vector<ReadDocument>;
using Texts = std::vector<std::string>;

SourceOptions ris() { return {.format = "ris"}; }
SourceOptions nbib() { return {.format = "nbib"}; }

SourceOptions wos() { return {.format = "wos"}; }
SourceOptions enw() { return {.format = "enw"}; }

TEST_CASE("RIS is read as the programs write it") {
  const std::vector<WrittenFile> files = {
      {"the specification",
       "TY  - JOUR\nA1  - Baldwin,S.A.\nA1  - Fugaccia,I.\nT1  - Blood-brain barrier\nY1  - 1996///\n"
       "N2  - Cerebral ischemia.\nJO  - J.Neurosurg.\nVL  - 85\nER  - \n",
       {{"Blood-brain barrier\nCerebral ischemia.", "", "", 19,
         R"({"TY":"JOUR","authors":["Baldwin,S.A.","Fugaccia,I."],"title":"Blood-brain barrier","year":"1996",)"
         R"("journal":"J.Neurosurg.","VL":"85"})"}}},
      {"Zotero",
       "\xEF\xBB\xBFTY  - JOUR\r\nTI  - Active learning\r\nAU  - Doe, Jane\r\nAB  - We learn.\r\nDA  - "
       "2019/05/03/\r\n"
       "PY  - 2019\r\nDO  - 10.1/x\r\nT2  - Journal of X\r\nJ2  - JX\r\nUR  - https://a.org\r\nUR  - "
       "https://b.org\r\n"
       "ER  - \r\n\r\n",
       {{"Active learning\nWe learn.", "10.1/x", "", 15,
         R"({"TY":"JOUR","title":"Active learning","authors":"Doe, Jane","DA":"2019/05/03/","year":"2019",)"
         R"("doi":"10.1/x","journal":"Journal of X","J2":"JX","url":["https://a.org","https://b.org"]})"}}},
      {"EndNote, with keywords and abstracts over lines",
       "TY  - JOUR\nAN  - WOS:0001\nTI  - One title\nover lines\nAB  - First line\nsecond line\n\nnew "
       "paragraph\n"
       "KW  - alpha\nbeta\ngamma delta\nPY  - 2001\nER  - \n\n\n",
       {{"One title over lines\nFirst line\nsecond line\n\nnew paragraph", "WOS:0001", "", 20,
         R"({"TY":"JOUR","title":"One title over lines","keywords":["alpha","beta","gamma delta"],"year":"2001"})"}}},
      {"Mendeley, without the last ER",
       "TY  - JOUR\nT1  - First\nJF  - Journal\nER  - \nTY  - CONF\nT1  - Second\nAB  - Two",
       {{"First", "", "", 5, R"({"TY":"JOUR","title":"First","journal":"Journal"})"},
        {"Second\nTwo", "", "", 6, R"({"TY":"CONF","title":"Second"})"}}},
      {"Scopus",
       "Provider: Scopus\nContent: text/plain; charset=\"UTF-8\"\n\n\nTY  - JOUR\nTI  - T\nN1  - Cited By: "
       "3\n"
       "N1  - Export Date: 1 May\nM3  - Article\nDB  - Scopus\nER  - \n",
       {{"T", "", "", 1, R"({"TY":"JOUR","title":"T","N1":["Cited By: 3","Export Date: 1 May"],"M3":"Article","DB":"Scopus"})"}}},
      {"Ovid (Embase), with numbers before records",
       "1. \nTY  - JOUR\nID  - 2005\nT1  - A\nY1  - 2020//\nN2  - B\nER  - \n\n2. \nTY  - JOUR\nID  - "
       "2006\nT1  - C\nER  - \n",
       {{"A\nB", "2005", "", 1, R"({"TY":"JOUR","title":"A","year":"2020"})"},
        {"C", "2006", "", 1, R"({"TY":"JOUR","title":"C"})"}}},
      {"Web of Science",
       "TY  - JOUR\nAU  - Ng, A\nTI  - Deep\nT2  - NATURE\nSN  - 0028-0836\nDA  - MAY\nPY  - 2015\nAN  - "
       "WOS:7\nER  -\n",
       {{"Deep", "WOS:7", "", 4,
         R"({"TY":"JOUR","authors":"Ng, A","title":"Deep","journal":"NATURE","SN":"0028-0836","DA":"MAY","year":"2015"})"}}},
      {"Rayyan",
       "TY  - JOUR\nID  - rayyan-1\nTI  - A\nN1  - RAYYAN-INCLUSION: {\"Ann\"=>\"Included\"}\nER  - \n",
       {{"A", "rayyan-1", "", 1, R"({"TY":"JOUR","title":"A","N1":"RAYYAN-INCLUSION: {\"Ann\"=>\"Included\"}"})"}}},
      {"ASReview",
       "TY  - JOUR\nTI  - A\nN1  - ASReview_relevant\nN1  - ASReview_time: 1\nER  - \n",
       {{"A", "", "", 1, R"({"TY":"JOUR","title":"A","N1":["ASReview_relevant","ASReview_time: 1"]})"}}},
      {"Embase",
       "TY  - JOUR\nM3  - Article\nC1  - diabetes\nAU  - Müller K.\nAU  - Roe R.\nT1  - Insulin\nN2  - "
       "Background: a. "
       "Results: b.\nKW  - *insulin\nKW  - human\nJO  - Diabetes\nPY  - 2018\nVL  - 7\nAN  - L2001\nDO  - "
       "10.1/e\n"
       "L2  - https://a.org\nUR  - https://www.embase.com/x?id=L2001\nER  - \n",
       {{"Insulin\nBackground: a. Results: b.", "L2001", "", 7,
         R"({"TY":"JOUR","M3":"Article","C1":"diabetes","authors":["Müller K.","Roe R."],"title":"Insulin",)"
         R"("keywords":["*insulin","human"],"journal":"Diabetes","year":"2018","VL":"7","doi":"10.1/e",)"
         R"("L2":"https://a.org","url":"https://www.embase.com/x?id=L2001"})"}}},
      {"this program, and Zotero after it",
       "TY  - JOUR\nID  - 7\nTI  - A\nN1  - seen\nN1  - inkling_fields: "
       "{\"label\":\"x\",\"year\":1999,\"list\":[\"a\",\"b\"],"
       "\"TI\":\"other\",\"empty\":\"\",\"lines\":\"a\\nb\"}\nER  - \n"
       "TY  - JOUR\nTI  - B\nN1  - <p>inkling_fields: {\"rating\":0.5}</p>\nER  - \n"
       "TY  - JOUR\nTI  - C\nN1  - inkling_fields: {\"rating\":0.5\nN1  - inkling_fields: [1]\nER  - \n",
       {{"A", "7", "x", 1,
         R"({"TY":"JOUR","title":"A","N1":"seen","label":"x","year":1999,"list":["a","b"],"TI":"other","lines":"a\nb"})"},
        {"B", "", "", 1, R"({"TY":"JOUR","title":"B","rating":0.5})"},
        {"C", "", "", 1, R"({"TY":"JOUR","title":"C","N1":["inkling_fields: {\"rating\":0.5","inkling_fields: [1]"]})"}}},
      {"an old Macintosh",
       "TY  - JOUR\rTI  - A\rAB  - B\rER  - \r\rTY  - JOUR\rTI  - C\rER  - \r",
       {{"A\nB", "", "", 1, R"({"TY":"JOUR","title":"A"})"}, {"C", "", "", 1, R"({"TY":"JOUR","title":"C"})"}}},
      {"both kinds of titles and abstracts",
       "TY  - BOOK\nT1  - Second choice\nTI  - First choice\nN2  - other\nAB  - chosen\nER  - \n",
       {{"First choice\nchosen", "", "", 12, R"({"TY":"BOOK","T1":"Second choice","title":"First choice","N2":"other"})"}}},
      {"an abstract alone", "TY  - GEN\nAB  - only this\nTI  -\nER  - \n", {{"only this", "", "", 0, R"({"TY":"GEN"})"}}},
      {"no records", "", {}},
      {"nothing but blank lines", "\n\n", {}},
  };
  check_written_files(files, ris());
}

TEST_CASE("RIS in Latin-1 is decoded and its bad bytes are reported with their place") {
  SourceOptions options = ris();
  options.encoding = TextEncoding::latin1;
  CHECK(documents_in("TY  - JOUR\nTI  - caf\xE9\nAU  - M\xFCller\nER  - \n", options).documents ==
        Documents{{"café", "", "", 4 + 1, R"({"TY":"JOUR","title":"café","authors":"Müller"})"}});
  options = ris();
  options.bad_bytes = BadBytes::refuse;
  CHECK(documents_in("TY  - JOUR\r\nTI  - caf\xE9\r\n", options).problem == "in:2:10: expected UTF-8, found the byte 0xE9");
}

TEST_CASE("options name fields of references by tag or by common name") {
  const std::string bytes = "TY  - JOUR\nTI  - A\nAB  - B\nKW  - k\nKW  - l\nM3  - Article\nID  - 7\nER  - \n";
  SourceOptions options = ris();
  options.text_field = "TI,KW";
  options.label_field = "M3";
  CHECK(documents_in(bytes, options).documents ==
        Documents{{"A\nk; l", "7", "Article", 1, R"({"TY":"JOUR","title":"A","abstract":"B","M3":"Article"})"}});
  options = ris();
  options.text_field = "abstract";
  options.id_field = "title";
  CHECK(documents_in(bytes, options).documents ==
        Documents{{"B", "A", "", 0, R"({"TY":"JOUR","title":"A","keywords":["k","l"],"M3":"Article","ID":"7"})"}});
  options.text_field = "abstrct";
  CHECK(documents_in(bytes, options).problem ==
        "in:1:1: expected the field \"abstrct\" (did you mean abstract?), found TY, title, abstract, "
        "keywords, M3, ID");
  options = ris();
  options.labels = {"Article"};
  options.label_field = "M3";
  CHECK(documents_in(bytes + "TY  - JOUR\nTI  - other\nER  - \n", options).texts() == std::vector<std::string>{"A\nB"});
}

TEST_CASE("RIS that is broken is refused with its place, and left out on request") {
  struct Broken {
    std::string bytes;
    std::string problem;
    std::size_t others = 0;  // records that are read if bad ones are left out
    std::int64_t left_out = 1;
  };
  const std::string good = "TY  - JOUR\nTI  - good\nER  - \n";
  const std::string begin = "expected \"TY  - \" to begin a record, found ";
  const std::vector<Broken> all = {
      {"TI  - A\nER  - \n", "in:1:1: " + begin + "\"TI  - A\""},
      {"prose\n", "in:1:1: " + begin + "\"prose\""},
      {"\n\nprose\n" + good, "in:3:1: " + begin + "\"prose\"", 1},
      {"AU  - A\nTY  - JOUR\nTI  - B\nER  - \n", "in:1:1: " + begin + "\"AU  - A\"", 1},
      {"TY - JOUR\nTI  - B\n", "in:1:1: " + begin + "\"TY - JOUR\""},
      {"ty  - JOUR\n", "in:1:1: " + begin + "\"ty  - JOUR\""},
      {"ER  - \n" + good, "in:1:1: " + begin + "\"ER  - \"", 1, 0},
      {good + "TI  - after the end\n", "in:4:1: " + begin + "\"TI  - after the end\"", 1},
      {good + "text after the end\n" + good, "in:4:1: " + begin + "\"text after the end\"", 2, 0},
      {good + "ER  - \n", "in:4:1: " + begin + "\"ER  - \"", 1, 0},
      {good + "\r\n\rtext\r", "in:6:1: " + begin + "\"text\"", 1, 0},
      {good + "NL  - http://ovid/1\n\nLink to the Ovid Full Text or citation: http://ovid/2\n\n" + good,
       "in:4:1: " + begin + "\"NL  - http://ovid/1\"", 2, 0},
      {"C1  - a source\n" + good + "C1  - a source\n" + good, "in:1:1: " + begin + "\"C1  - a source\"", 2, 0},
      {"TY  - JOUR\nER  - \n", "in:1:1: expected a title or an abstract in the record, found neither"},
      {good + "TY  - JOUR\nAU  - A\nER  - \n" + good, "in:4:1: expected a title or an abstract in the record, found neither", 2},
      {"TY  - JOUR\nTI  - \nAB  -\nER  - \n", "in:1:1: expected a title or an abstract in the record, found neither"},
      {"TY  - JOUR\nTX  - A\n", "in:1:1: expected a title or an abstract in the record, found neither"},
  };
  for (const Broken& broken : all) {
    CAPTURE(broken.bytes);
    for (const std::uint64_t chunk : {1U, 10U, 1000U}) {
      SourceOptions options = ris();
      options.reading.chunk_bytes = chunk;
      CHECK(documents_in(broken.bytes, options).problem == broken.problem);
      options.reading.skip_bad = true;
      const ReadDocuments read = documents_in(broken.bytes, options);
      CHECK(read.documents.size() == broken.others);
      CHECK(read.skipped == broken.left_out);
      CHECK(read.remarks == (broken.left_out == 0 ? Texts() : Texts{left_out(broken.problem)}));
    }
  }
}

TEST_CASE("NBIB is read as PubMed writes it") {
  const std::vector<WrittenFile> files = {
      {"a record with lines that go on",
       "\nPMID- 12345\nOWN - NLM\nTI  - A long\n      title.\nLID - 10.1/x [doi]\nLID - S1 [pii]\nAB  - "
       "BACKGROUND: one\n"
       "      two.\nFAU - Doe, Jane\nAU  - Doe J\nFAU - Roe, R\nAU  - Roe R\nDP  - 2019 May 3\nTA  - J X\n"
       "JT  - Journal of X\nAID - 10.1/x [doi]\nMH  - *Humans\nMH  - Learning\nOT  - ai\nOT  - ml\n"
       "SO  - J X. 2019.\n\n",
       {{"A long title.\nBACKGROUND: one two.", "12345", "", 13,
         R"({"OWN":"NLM","title":"A long title.","doi":"10.1/x","LID":"S1 [pii]","authors":["Doe, Jane","Roe, R"],)"
         R"("AU":["Doe J","Roe R"],"year":"2019","DP":"2019 May 3","TA":"J X","journal":"Journal of X",)"
         R"("AID":"10.1/x [doi]","MH":["*Humans","Learning"],"keywords":["ai","ml"],"SO":"J X. 2019."})"}}},
      {"a record of MEDLINE with all its numbers",
       "PMID- 31\nOWN - NLM\nSTAT- MEDLINE\nDCOM- 20200101\nLR  - 20210101\nIS  - 1234-5678 (Electronic)\nVI "
       " - 7\n"
       "DP  - 2019 Jul-Aug\nTI  - Größe of a\n      thing: a - trial.\nPG  - 1-9\nLID - e1 [pii]\nLID - "
       "10.2/y [doi]\n"
       "AB  - A: x.\n      B: y.\nCI  - (c) 2019.\nFAU - Núñez, José\nAU  - Nunez J\nAD  - Dept, "
       "City.\nAUID- ORCID: "
       "0000\nLA  - eng\nPT  - Journal Article\nPL  - England\nTA  - BMJ\nJT  - BMJ (ed.)\nJID - 1\nPMC - "
       "PMC9\n"
       "MHDA- 2020/01/01 06:00\nPHST- 2019/01/01 00:00 [received]\nAID - e1 [pii]\nAID - 10.2/y [doi]\nPST - "
       "epublish\n",
       {{"Größe of a thing: a - trial.\nA: x. B: y.", "31", "", 30,
         R"x({"OWN":"NLM","STAT":"MEDLINE","DCOM":"20200101","LR":"20210101","IS":"1234-5678 (Electronic)","VI":"7",)x"
         R"x("year":"2019","DP":"2019 Jul-Aug","title":"Größe of a thing: a - trial.","PG":"1-9","LID":"e1 [pii]","doi":"10.2/y",)x"
         R"x("CI":"(c) 2019.","authors":"Núñez, José","AU":"Nunez J","AD":"Dept, City.","AUID":"ORCID: 0000","LA":"eng",)x"
         R"x("PT":"Journal Article","PL":"England","TA":"BMJ","journal":"BMJ (ed.)","JID":"1","PMC":"PMC9",)x"
         R"x("MHDA":"2020/01/01 06:00","PHST":"2019/01/01 00:00 [received]","AID":["e1 [pii]","10.2/y [doi]"],"PST":"epublish"})x"}}},
      {"two records with Windows' line ends",
       "\r\nPMID- 1\r\nTI  - A\r\n\r\nPMID- 2\r\nTI  - B\r\nAU  - X Y\r\nTA  - J\r\n\r\n",
       {{"A", "1", "", 1, R"({"title":"A"})"}, {"B", "2", "", 1, R"({"title":"B","authors":"X Y","journal":"J"})"}}},
      {"a book",
       "PMID- 3\nBTI - Gene Reviews\nAB  - About genes\nDP  - 1993\n",
       {{"Gene Reviews\nAbout genes", "3", "", 12, R"({"title":"Gene Reviews","year":"1993"})"}}},
      {"a title in its own language",
       "PMID- 4\nTI  - [Title].\nTT  - Titel.\nDP  - Spring 2001\nOAB - Resumen\nOABL- spa\n",
       {{"[Title].\nResumen", "4", "", 8,
         R"({"title":"[Title].","TT":"Titel.","year":"2001","DP":"Spring 2001","OABL":"spa"})"}}},
      {"a byte order mark and no line end", "\xEF\xBB\xBFPMID- 5\nAB  - x", {{"x", "5", "", 0, ""}}},
      {"an old Macintosh",
       "PMID- 6\rTI  - x\r\rPMID- 7\rTI  - y\r",
       {{"x", "6", "", 1, R"({"title":"x"})"}, {"y", "7", "", 1, R"({"title":"y"})"}}},
  };
  check_written_files(files, nbib());
}

TEST_CASE("NBIB that is broken is refused with its place") {
  const std::string begin = "expected \"PMID- \" to begin a record, found ";
  const std::string tag = "expected a tag such as \"TI  - \", or six blanks, found ";
  const std::vector<std::pair<std::string, std::string>> all = {
      {"TI  - A\n", "in:1:1: " + begin + "\"TI  - A\""},
      {"prose\n", "in:1:1: " + begin + "\"prose\""},
      {"\nOWN - NLM\nPMID- 1\nTI  - a\n", "in:2:1: " + begin + "\"OWN - NLM\""},
      {"PMID- x1\nTI  - a\n", "in:1:7: expected a number of PubMed, found \"x1\""},
      {"PMID- \nTI  - a\n", "in:1:7: expected a number of PubMed, found \"\""},
      {"PMID- 1.5\nTI  - a\n", "in:1:7: expected a number of PubMed, found \"1.5\""},
      {"PMID- 1\nTI  - a\nstray\n", "in:3:1: " + tag + "\"stray\""},
      {"PMID- 1\nTI  - a\n  two blanks\n", "in:3:1: " + tag + "\"  two blanks\""},
      {"PMID- 1\nTI - a\n", "in:2:1: " + tag + "\"TI - a\""},
      {"PMID- 1\nTITLE- a\n", "in:2:1: " + tag + "\"TITLE- a\""},
      {"PMID- 1\nti  - a\n", "in:2:1: " + tag + "\"ti  - a\""},
      {"PMID- 1\nTI  : a\n", "in:2:1: " + tag + "\"TI  : a\""},
      {"PMID- 1\n\nPMID- 2\nTI  - a\n", "in:1:1: expected a title or an abstract in the record, found neither"},
      {"PMID- 1\nTI  - a\n\nPMID- 2\nAU  - B\n", "in:4:1: expected a title or an abstract in the record, found neither"},
  };
  check_broken_files(all, nbib());
}

// The tags are those in the help of Web of Science.
TEST_CASE("the plain text of Web of Science is read as it is written") {
  check_written_files(
      {{"two records",
        "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nAU Doe, J\n   Muller, K\nAF Doe, Jane\n   "
        "Müller, Karl\n"
        "TI One title\n   over lines\nSO NATURE\nDE deep; wide\nID OTHER WORDS\nAB We\n   learn.\nCR A, "
        "2001\n   B, 2002\n"
        "TC 3\nDI 10.1/w\nPY 2015\nUT WOS:0001\nER\n\nPT C\nTI Second\nUT WOS:0002\nER\n\nEF\n",
        {{"One title over lines\nWe learn.", "WOS:0001", "", 20,
          R"({"PT":"J","AU":["Doe, J","Muller, K"],"authors":["Doe, Jane","Müller, Karl"],"title":"One title over lines",)"
          R"("journal":"NATURE","keywords":"deep; wide","ID":"OTHER WORDS","CR":["A, 2001","B, 2002"],"TC":"3","doi":"10.1/w",)"
          R"("year":"2015"})"},
         {"Second", "WOS:0002", "", 6, R"({"PT":"C","title":"Second"})"}}},
       {"without its last line", "FN x\nVR 1.0\nPT J\nTI A", {{"A", "", "", 1, R"({"PT":"J","title":"A"})"}}},
       {"no record", "FN x\nVR 1.0\nEF\n", {}}},
      wos());
  const std::string begin = "expected \"PT \" to begin a record, found ";
  const std::string tag = "expected a tag such as \"TI \", or three blanks, found ";
  check_broken_files({{"TI A\n", "in:1:1: " + begin + "\"TI A\""},
                      {"FN x\nVR 1.0\nTI A\n", "in:3:1: " + begin + "\"TI A\""},
                      {"PT J\nTI A\nER\nTI B\n", "in:4:1: " + begin + "\"TI B\""},
                      {"PT J\nTI A\nER\ntext\n", "in:4:1: " + begin + "\"text\""},
                      {"PT J\nTI A\nstray line\n", "in:3:1: " + tag + "\"stray line\""},
                      {"PT J\nTITLE A\n", "in:2:1: " + tag + "\"TITLE A\""},
                      {"PT J\nti A\n", "in:2:1: " + tag + "\"ti A\""},
                      {"PT J\nER\n", "in:1:1: expected a title or an abstract in the record, found neither"}},
                     wos(), "PT J\nTI good\nER\n");
  check_broken_files({{"PT J\nTI A\n  two blanks\n", "in:3:1: " + tag + "\"  two blanks\""}}, wos());  // unless read leniently
}

// The tags are those of Refer in the manual of EndNote.
TEST_CASE("references in the tags of EndNote are read as they are written") {
  check_written_files(
      {{"EndNote",
        "%0 Journal Article\n%A Doe, Jane\n%A Müller, Karl\n%D 2010\n%T One title\n%J Journal of X\n%V 7\n%P "
        "1-9\n%X We "
        "learn.\n%K deep\nwide\n%R 10.1/n\n%U https://a.org\n%M WOS:1\n%@ 1234-5678\n\n%0 Book\n%T "
        "Second\n\n",
        {{"One title\nWe learn.", "WOS:1", "", 9,
          R"({"%0":"Journal Article","authors":["Doe, Jane","Müller, Karl"],"year":"2010","title":"One title",)"
          R"("journal":"Journal of X","%V":"7","%P":"1-9","keywords":["deep","wide"],"doi":"10.1/n","url":"https://a.org",)"
          R"("%@":"1234-5678"})"},
         {"Second", "", "", 6, R"({"%0":"Book","title":"Second"})"}}},
       {"Google Scholar",
        "%0 Conference Proceedings\n%T On\nlines\n%A Ng, A\n%B Advances\n%D 2001\n",
        {{"On lines", "", "", 8,
          R"({"%0":"Conference Proceedings","title":"On lines","authors":"Ng, A","journal":"Advances","year":"2001"})"}}}},
      enw());
  const std::string begin = "expected \"%0 \" to begin a record, found ";
  check_broken_files({{"%T A\n", "in:1:1: " + begin + "\"%T A\""},
                      {"prose\n", "in:1:1: " + begin + "\"prose\""},
                      {"%0 Book\n%A B\n", "in:1:1: expected a title or an abstract in the record, found neither"}},
                     enw());
}

TEST_CASE("Embase files that break the format are refused with their place") {
  check_broken_files(
      {{"\"PUI\",\"L1\"\n",
        "in:1:1: expected \"TITLE\" and its value in quotes, with commas between them, "
        "found \"\"PUI\",\"L1\"\""},
       {"\"TITLE\",\"a\"\n\n\"PUI\",\"L1\"x\n",
        "in:3:1: expected the name of a field and its values in quotes, with commas between them, "
        "found \"\"PUI\",\"L1\"x\""},
       {"\"TITLE\"\n\"PUI\",\"L1\"\n",
        "in:2:1: expected \"TITLE\" and its value in quotes, with commas "
        "between them, found \"\"PUI\",\"L1\"\""},
       {"\"TITLE\",\"\"\n\"PUI\",\"L1\"\n", "in:1:1: expected a title or an abstract in the record, found neither"}},
      {.format = "embase"});
}

}  // namespace
}  // namespace inkling
