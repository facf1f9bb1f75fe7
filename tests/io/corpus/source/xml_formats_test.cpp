// XML of EndNote and PubMed, and CSL-JSON, by what their programs document: README.md says where.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/corpus/source/format_detection.hpp"
#include "tests/support/io/read_documents.hpp"

namespace inkling {
namespace {

using test::documents_in;
using test::ReadDocument;
using test::ReadDocuments;

struct NestedFile {
  std::string format;
  std::string bytes;
  std::vector<ReadDocument> documents;
  std::vector<std::string> remarks = {};
};

std::string styled(const std::string& text) {
  return "<style face=\"normal\" font=\"default\" size=\"100%\">" + text + "</style>";
}

const std::string kEndnoteBegin = "<?xml version=\"1.0\" encoding=\"UTF-8\" ?><xml><records>";
const std::string kPubmedBegin =
    "<?xml version=\"1.0\" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC \"-//NLM//DTD PubMedArticle, 1st January 2025//EN\" "
    "\"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd\">\n<PubmedArticleSet>\n";

const std::vector<NestedFile> kNestedFiles = {
    {"endnote-xml",
     kEndnoteBegin + "<record><database name=\"a.enl\" path=\"C:\\a.enl\">a.enl</database><source-app name=\"EndNote\">EndNote" +
         "</source-app><rec-number>19</rec-number><ref-type name=\"Journal "
         "Article\">17</ref-type><contributors><authors><author>" +
         styled("Núñez, J.") + "</author><author>" + styled("Roe, R.") + "</author></authors><secondary-authors><author>" +
         styled("Ed, E.") + "</author></secondary-authors></contributors><titles><title>" + styled("Gr&#xF6;&#223;e of ") +
         styled("P. vivax") + styled(" &lt;&amp;&gt;") + "</title><secondary-title>J</secondary-title></titles><periodical>" +
         "<full-title>Journal</full-title></periodical><keywords><keyword>a</keyword><keyword>b</keyword></"
         "keywords><dates><year>" +
         "2019</year><pub-dates><date>Aug 3</date></pub-dates></dates><accession-num>31366610</accession-num><abstract>" +
         styled("Why.&#xD;How.") + "</abstract><urls><related-urls><url>https://a.org</url></related-urls></urls>" +
         "<electronic-resource-num>10.1/a</electronic-resource-num></record><record><titles><title/></titles></record>" +
         "<record><titles><title><![CDATA[a < b]]><!-- no --></title></titles></record></records></xml>\n",
     {{"Größe of P. vivax <&>\nWhy.\nHow.", "31366610", "", 23,
       R"({"rec-number":"19","ref-type":"Journal Article","authors":["Núñez, J.","Roe, R."],"secondary-authors":"Ed, E.",)"
       R"("title":"Größe of P. vivax <&>","secondary-title":"J","journal":"Journal","keywords":["a","b"],"year":"2019",)"
       R"("pub-dates":"Aug 3","url":"https://a.org","doi":"10.1/a"})"},
      {"a < b", "", "", 5, R"({"title":"a < b"})"}},
     {"in:1: left out: expected a title or an abstract in the record, found neither"}},
    {"endnote-xml",
     kEndnoteBegin + "\n<record><titles><title>a</title></titles></record>\n<record><titles><title>b</titles></record>\n" +
         "<record><titles><title>c</title></titles></record>\n<record><titles><title>d</title>",
     {{"a", "", "", 1, R"({"title":"a"})"}, {"c", "", "", 1, R"({"title":"c"})"}},
     {"in:3: left out: expected the end of \"title\", found that of \"titles\"",
      "in:5: left out: expected the end of the record, found the end of the file"}},
    {"pubmed-xml",
     kPubmedBegin +
         "<PubmedArticle>\n  <MedlineCitation Status=\"MEDLINE\"><PMID Version=\"1\">31</PMID><Article "
         "PubModel=\"Print\"><Journal>"
         "<ISSN "
         "IssnType=\"Print\">0</ISSN><JournalIssue><Volume>7</Volume><PubDate><Year>2019</Year><Month>May</Month><Day>3</Day>"
         "</PubDate></JournalIssue><Title>Journal of A</Title></Journal><ArticleTitle>Size of <i>P. vivax</i>\n  in\n  "
         "H<sub>2</sub>O."
         "</ArticleTitle><ELocationID EIdType=\"pii\" ValidYN=\"Y\">S1</ELocationID><ELocationID "
         "EIdType=\"doi\">10.2/y</ELocationID>"
         "<Abstract><AbstractText Label=\"WHY &amp; HOW\">First.</AbstractText><AbstractText>Second.</AbstractText></Abstract>"
         "<AuthorList><Author><LastName>Núñez</LastName><ForeName>José</ForeName><Initials>J</Initials></Author><Author>"
         "<CollectiveName>A Group</CollectiveName></Author></AuthorList></Article><MeshHeadingList><MeshHeading><DescriptorName>"
         "Soil</DescriptorName><QualifierName>analysis</QualifierName></MeshHeading></MeshHeadingList><KeywordList><Keyword>x"
         "</Keyword><Keyword>y</Keyword></KeywordList></MedlineCitation><PubmedData><ArticleIdList><ArticleId "
         "IdType=\"pubmed\">31"
         "</ArticleId><ArticleId IdType=\"doi\">10.2/y</ArticleId><ArticleId IdType=\"pmc\">PMC9</ArticleId></ArticleIdList>"
         "<ReferenceList><Reference><ArticleIdList><ArticleId IdType=\"doi\">10.9/no</ArticleId></ArticleIdList></Reference>"
         "</ReferenceList></PubmedData></PubmedArticle>\n<PubmedBookArticle><BookDocument><PMID>32</PMID><Book><BookTitle>B"
         "</BookTitle></Book><ArticleTitle>Chapter</ArticleTitle></BookDocument></PubmedBookArticle></PubmedArticleSet>\n",
     {{"Size of P. vivax in H2O.\nWHY & HOW: First. Second.", "31", "", 24,
       R"({"IS":"0","VI":"7","year":"2019","DP":"2019 May 3","journal":"Journal of A","title":"Size of P. vivax in H2O.",)"
       R"("doi":"10.2/y","authors":"Núñez, José","CN":"A Group","MH":"Soil/analysis","keywords":["x","y"],"PMC":"PMC9"})"},
      {"Chapter", "32", "", 7, R"({"BTI":"B","title":"Chapter"})"}}},
    {"csl",
     "[\n\t{\n\t\t\"id\": \"http://zotero.org/1\",\n\t\t\"type\": \"article-journal\",\n\t\t\"title\": \"A {\\\"title\\\"}\",\n"
     "\t\t\"abstract\": \"Why.\",\n\t\t\"container-title\": \"J\",\n\t\t\"DOI\": \"10.1/a\",\n\t\t\"volume\": 7,\n"
     "\t\t\"author\": [{\"family\": \"Goethe\", \"given\": \"J. W.\", \"non-dropping-particle\": \"von\"}, {\"literal\": \"A "
     "Group\"}],\n"
     "\t\t\"issued\": {\"date-parts\": [[\"2019\", 5, 3]]},\n\t\t\"custom\": {\"a\": [1]}\n\t},\n"
     "\t{\"id\": 2, \"type\": \"book\", \"title\": \"B\", \"issued\": {\"raw\": \"1999\"}},\n\t{\"id\": 3, \"type\": \"book\"},\n"
     "\t{\"id\": 4, \"title\": \"broken,\n\t},\n\t{\"id\": 5, \"type\": \"book\", \"title\": \"E\"}\n]\n",
     {{"A {\"title\"}\nWhy.", "http://zotero.org/1", "", 11,
       R"({"type":"article-journal","title":"A {\"title\"}","journal":"J","doi":"10.1/a","volume":7,)"
       R"("authors":["von Goethe, J. W.","A Group"],"year":"2019","issued":"2019-05-03","custom":{"a":[1]}})"},
      {"B", "2", "", 1, R"({"type":"book","title":"B","year":"1999"})"},
      {"E", "5", "", 1, R"({"type":"book","title":"E"})"}},
     {"in:15: left out: expected a title or an abstract in the record, found neither",
      "in:16: left out: expected one JSON object"}},
};

TEST_CASE("nested formats give what is in them, and name what they leave out, wherever chunks are cut") {
  for (const NestedFile& file : kNestedFiles)
    for (const std::string& mark : {std::string(), std::string("\xEF\xBB\xBF")})
      for (const std::uint64_t chunk : {1U, 7U, 100'000U}) {
        CAPTURE(file.format);
        CAPTURE(chunk);
        SourceOptions options = {.reading = {.skip_bad = true, .chunk_bytes = chunk}};
        CHECK(look_at_content(mark + file.bytes, options).format == file.format);
        options.format = file.format;
        const ReadDocuments read = documents_in(mark + file.bytes, options);
        CHECK(read.problem == "");
        CHECK(read.documents == file.documents);
        REQUIRE(read.remarks.size() == file.remarks.size());
        for (std::size_t n = 0; n < file.remarks.size(); ++n) CHECK(read.remarks[n].starts_with(file.remarks[n]));
        if (file.remarks.empty()) continue;
        options.reading.skip_bad = false;
        CHECK(test::left_out(documents_in(mark + file.bytes, options).problem) == read.remarks.front());
      }
}

TEST_CASE("attributes that become text are decoded as text is, and refused with their place") {
  const auto endnote = [](const std::string& type) {
    return kEndnoteBegin + "<record><ref-type name=\"" + type + "\">17</ref-type><titles><title>A</title></titles></record>";
  };
  const auto pubmed = [](const std::string& label) {
    return kPubmedBegin +
           "<PubmedArticle><MedlineCitation><Article><ArticleTitle>A</ArticleTitle><Abstract><AbstractText Label=\"" + label +
           "\">b</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>\n";
  };
  const auto read = [](const std::string& format, const std::string& bytes, TextEncoding encoding, BadBytes bad) {
    return documents_in(bytes, {.format = format, .encoding = encoding, .bad_bytes = bad});
  };
  const auto fields_of = [&](const std::string& type, TextEncoding encoding) {
    return read("endnote-xml", endnote(type), encoding, BadBytes::replace).documents.at(0).fields;
  };
  const auto text_of = [&](const std::string& label, TextEncoding encoding) {
    return read("pubmed-xml", pubmed(label), encoding, BadBytes::replace).documents.at(0).text;
  };
  CHECK(fields_of("\xE9t &amp; x", TextEncoding::latin1) == R"({"ref-type":"ét & x","title":"A"})");
  CHECK(fields_of("\xE9t", TextEncoding::utf8) == "{\"ref-type\":\"\uFFFDt\",\"title\":\"A\"}");
  CHECK(text_of("\xE9t &amp; x", TextEncoding::latin1) == "A\nét & x: b");
  CHECK(text_of("\xE9t", TextEncoding::utf8) == "A\n\uFFFDt: b");
  for (const auto& [format, bytes] :
       {std::pair<std::string, std::string>("endnote-xml", endnote("\xE9")), {"pubmed-xml", pubmed("\xE9")}}) {
    CAPTURE(format);
    const ReadDocuments refused = read(format, bytes, TextEncoding::utf8, BadBytes::refuse);
    CHECK(refused.documents.empty());
    CHECK(refused.problem.find("expected UTF-8, found the byte 0xE9") != std::string::npos);
  }
}

TEST_CASE("a nested record that is too deep or too long is left out, and those after it are read") {
  const auto times = [](const std::string& piece, int count) {
    std::string all;
    for (int n = 0; n < count; ++n) all += piece;
    return all;
  };
  const auto xml = [](const std::string& title) { return "<record><titles><title>" + title + "</title></titles></record>"; };
  const auto csl = [](const std::string& more) { return "{\"id\":1,\"type\":\"book\",\"title\":\"good\"" + more + "},"; };
  const std::vector<std::pair<std::string, std::string>> files = {
      {"endnote-xml", kEndnoteBegin + xml(times("<style>", 300) + times("</style>", 300)) + xml("good")},
      {"endnote-xml", kEndnoteBegin + xml(std::string(5000, 'x')) + xml("good")},
      {"endnote-xml", kEndnoteBegin + "<record" + xml("<style a=\"") + xml("good")},
      {"csl", "[" + csl(",\"a\":" + times("[", 300) + times("]", 300)) + csl("")},
      {"csl", "[" + csl(",\"a\":\"" + std::string(5000, 'x') + "\"") + csl("")}};
  for (const auto& [format, bytes] : files)
    for (const std::uint64_t chunk : {1U, 1000U, 100'000U}) {
      CAPTURE(bytes.substr(0, 100));
      CAPTURE(chunk);
      const ReadDocuments read = documents_in(
          bytes, {.format = format, .reading = {.skip_bad = true, .chunk_bytes = chunk, .most_document_bytes = 4500}});
      CHECK(read.texts() == std::vector<std::string>{"good"});
      CHECK(read.skipped == 1);
      CHECK(read.remarks.size() == 1);
    }
}

}  // namespace
}  // namespace inkling
