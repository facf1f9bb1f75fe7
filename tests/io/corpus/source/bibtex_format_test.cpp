// BibTeX as "BibTeXing" (Patashnik, 1988) defines it and as programs write it.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "io/corpus/pages/tex_text.hpp"
#include "io/corpus/source/format_detection.hpp"
#include "io/corpus/source/record_format.hpp"
#include "tests/support/io/written_files.hpp"

namespace inkling {
namespace {

using test::documents_in;
using test::ReadDocument;
using test::ReadDocuments;
using Documents = std::vector<ReadDocument>;

SourceOptions bibtex() { return {.format = "bibtex"}; }

std::string text_of_tex(const std::string& tex, TexText kind = TexText::prose) {
  std::string text;
  ReadingBudget budget;
  append_tex(tex, kind, text, budget);
  return text;
}

std::string with_indent(const std::string& text, const std::string& indent) {
  std::string indented;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if ((at == 0 || text[at - 1] == '\n') && text[at] != '\n') indented += indent;
    indented += text[at];
  }
  return indented;
}

TEST_CASE("accents and commands of TeX become letters") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({\"o})", "ö"},
      {R"(\"{o})", "ö"},
      {R"(\"o)", "ö"},
      {R"(\'e\`e\^e)", "éèê"},
      {R"({\'{\i}})", "í"},
      {R"(\'\i x)", "íx"},
      {R"(\~{n}\=a\.z)", "ñāż"},
      {R"(\c{c}\c c \v{s}\H{o}\u{g}\r{a}\k{e})", "çç šőğåę"},
      {R"(\ss\o\O)", "ßøØ"},
      {R"({\ss}\"at \L\'od\'z)", "ßät Łódź"},
      {R"(stra{\ss}e, \ae sop, {\AA}ngstr\"om)", "straße, æsop, Ångström"},
      {R"(M\"uller {\&} S\o{}n \% \$ \# \_ \{ \})", "Müller & Søn % $ # _ { }"},
      {R"({Title} {W}ith {{braces}})", "Title With braces"},
      {R"(\textit{in vitro} \emph{very} {\bf bold})", "in vitro very bold"},
      {R"(\enquote{a {b} \enquote{c}} {d} \enquote {\'{e}} \enquote f)", R"("a b "c"" d "é" f)"},
      {R"(a~b\ c\\d \- x\-y)", "a b c d xy"},
      {"  two\n\t lines  ", "two lines"},
      {R"($\alpha$-helix \unknown x)", R"($\alpha$-helix \unknown x)"},
      {R"(\pkg{Matrix} in \proglang{C++}, Newton{\textquotesingle}s)", "Matrix in C++, Newton's"},
      {"", ""},
      {R"(\)", R"(\)"},
      {R"(\"{})", ""},
      {R"(\c{ş})", "ş\xCC\xA7"},
  };
  for (const auto& [tex, text] : cases) {
    CAPTURE(tex);
    CHECK(text_of_tex(tex) == text);
  }
  CHECK(text_of_tex(R"(http://x.org/~me/a\_b?c=\%20)", TexText::address) == "http://x.org/~me/a_b?c=%20");
}

TEST_CASE("accents without end are read in one walk, and those that no letter has stay as they are") {
  constexpr int many = 200'000;
  std::string tex;
  for (int n = 0; n < many; ++n) tex += n % 2 == 0 ? "\\'" : "\\c{";
  const std::string text = text_of_tex(tex + "e soil");
  CHECK(text.ends_with(" soil"));
  CHECK(text.size() > many);
  CHECK(text_of_tex(tex).size() < tex.size());
  CHECK(text_of_tex(R"(\'\é)") == "é\xCC\x81");
  CHECK(text_of_tex(R"(\'\^\o)") == "ø\xCC\x82\xCC\x81");
  CHECK(text_of_tex(R"(\'\~x)", TexText::address) == "~\xCC\x81x");
}

TEST_CASE("BibTeX is read as the programs write it") {
  const std::vector<test::WrittenFile> files = {
      {"Zotero",
       "\n@article{doe_active_2019,\n\ttitle = {Active {Learning}},\n\tvolume = {3},\n\tdoi = {10.1/x\\_y},\n"
       "\tabstract = {We\n learn.},\n\tjournal = {J. of {X}},\n\tauthor = {Doe, Jane and M{\\\"u}ller, "
       "Karl},\n"
       "\tmonth = may,\n\tyear = {2019},\n\tkeywords = {ai, active learning},\n}\n",
       {{"Active Learning\nWe learn.", "doe_active_2019", "", 15,
         R"({"entrytype":"article","title":"Active Learning","volume":"3","doi":"10.1/x_y","journal":"J. of X",)"
         R"("authors":["Doe, Jane","Müller, Karl"],"month":"May","year":"2019","keywords":["ai","active learning"]})"}}},
      {"Google Scholar",
       "@inproceedings{ng2001,\n  title={On \"spectral\" clustering},\n  author={Ng, Andrew and Jordan, "
       "Michael},\n"
       "  booktitle={Advances},\n  pages={849--856},\n  year={2001}\n}\n\n@book{b,\n  title={B}\n}\n",
       {{"On \"spectral\" clustering", "ng2001", "", 24,
         R"({"entrytype":"inproceedings","title":"On \"spectral\" clustering","authors":["Ng, Andrew","Jordan, Michael"],)"
         R"("journal":"Advances","pages":"849--856","year":"2001"})"},
        {"B", "b", "", 1, R"({"entrytype":"book","title":"B"})"}}},
      {"Scopus",
       "Scopus\nEXPORT DATE: 12 November 2020\n\n@ARTICLE{Smith2020,\nauthor={Smith, J.},\ntitle={T},\n"
       "note={cited By 0},\nurl={https://www.scopus.com/x?a=1&b=~2},\nabstract={A},\nauthor_keywords={Deep; "
       "Wide},\n}\n",
       {{"T\nA", "Smith2020", "", 1,
         R"({"entrytype":"article","authors":"Smith, J.","title":"T","note":"cited By 0",)"
         R"("url":"https://www.scopus.com/x?a=1&b=~2","keywords":["Deep","Wide"]})"}}},
      {"Mendeley",
       "@article{Roe2010,\nauthor = {Roe, R},\nmendeley-groups = {G},\ntitle = {{Whole title}},\nfile = "
       "{:C$\\backslash$:/a.pdf:pdf}\n}\n",
       {{"Whole title", "Roe2010", "", 11,
         R"({"entrytype":"article","authors":"Roe, R","mendeley-groups":"G","title":"Whole title",)"
         R"("file":":C$\\backslash$:/a.pdf:pdf"})"}}},
      {"Mendeley, with tags",
       "@article{Roe2011,\nauthor = {Roe, R and {World Health Organization}},\ntitle = {{T\\'{i}tulo {\\&} "
       "\\o}},\nmendeley-tags = "
       "{one,two},\nmonth = {mar},\nyear = 2011\n}\n",
       {{"Título & ø", "Roe2011", "", 12,
         R"({"entrytype":"article","authors":["Roe, R","World Health Organization"],"title":"Título & ø",)"
         R"("keywords":["one","two"],"month":"mar","year":"2011"})"}}},
      {"Web of Science",
       "\n@article{ WOS:0001,\nAuthor = {Doe, Jane and\n   Roe, Richard},\nTitle = {{A title\n   over "
       "lines}},\nJournal = "
       "{{NATURE}},\nYear = {{2015}},\nMonth = {{MAY}},\nAbstract = {{We\n   learn.}},\nDOI = "
       "{{10.1/x}},\nUnique-ID = "
       "{{WOS:0001}},\n}\n",
       {{"A title over lines\nWe learn.", "WOS:0001", "", 18,
         R"({"entrytype":"article","authors":["Doe, Jane","Roe, Richard"],"title":"A title over lines","journal":"NATURE",)"
         R"("year":"2015","month":"MAY","doi":"10.1/x","unique-id":"WOS:0001"})"}}},
      {"bibliometrix",
       "@article{doe,\ntitle = {A title},\nid = {SOIL; GROWTH},\nde = {plants}\n}\n",
       {{"A title", "doe", "", 7, R"({"entrytype":"article","title":"A title","id":"SOIL; GROWTH","de":"plants"})"}}},
      {"a person, with names, joins and quotes",
       "@string{jn = \"J. of \" # {Names}}\n@ STRING(pub = {Press})\n@preamble{\"\\newcommand{\\x}{y}\" # "
       "jn}\n"
       "@comment{nothing @here}\n% a line, {braces}\nsome text\n"
       "@Article(key:1, title = \"A {\"}quoted{\"} title\", journal = jn # \", \" # 7, publisher=pub, year = "
       "1999)\n",
       {{"A \"quoted\" title", "key:1", "", 16,
         R"({"entrytype":"article","title":"A \"quoted\" title","journal":"J. of Names, 7","publisher":"Press","year":"1999"})"}}},
      {"JabRef",
       "% Encoding: UTF-8\n\n@Misc{a,\n  title = {X},\n}\n\n@Comment{jabref-meta: databaseType:bibtex;}\n",
       {{"X", "a", "", 1, R"({"entrytype":"misc","title":"X"})"}}},
      {"Windows' line ends and a byte order mark",
       "\xEF\xBB\xBF@misc{a,\r\n title = {X\r\n  Y},\r\n}\r\n@misc{b, title = {Z}}",
       {{"X Y", "a", "", 3, R"({"entrytype":"misc","title":"X Y"})"}, {"Z", "b", "", 1, R"({"entrytype":"misc","title":"Z"})"}}},
      {"entries on one line and indented ones",
       "@misc{a, title = 1}@misc{b, title = {2}}\n  @misc{c, title = {3}}\n",
       {{"1", "a", "", 1, R"({"entrytype":"misc","title":"1"})"},
        {"2", "b", "", 1, R"({"entrytype":"misc","title":"2"})"},
        {"3", "c", "", 1, R"({"entrytype":"misc","title":"3"})"}}},
      {"a name that nothing defines",
       "@misc{a, title = undefined}\n",
       {{"undefined", "a", "", 9, R"({"entrytype":"misc","title":"undefined"})"}}},
      {"an empty key", "@misc{, title = {x},,}\n", {{"x", "", "", 1, R"({"entrytype":"misc","title":"x"})"}}},
      {"biblatex",
       "@online{k, title={T}, date={2020-01-02}, journaltitle={J}}\n",
       {{"T", "k", "", 1, R"({"entrytype":"online","title":"T","year":"2020","date":"2020-01-02","journal":"J"})"}}},
  };
  test::check_written_files(files, bibtex());
}

TEST_CASE("BibTeX in Latin-1 is decoded before its accents are put together") {
  SourceOptions options = bibtex();
  options.encoding = TextEncoding::latin1;
  CHECK(documents_in("@misc{a, title = {caf\xE9 na\\\"ive}}\n", options).texts() == std::vector<std::string>{"café naïve"});
}

TEST_CASE("BibTeX that is broken is refused with its place, and left out on request") {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"@misc{a, title = {x}\n", "in:1:1: expected \"}\" to end this entry, found none"},
      {"@misc{a, title = {x\n}\n", "in:1:1: expected \"}\" to end this entry, found none"},
      {"@misc{a,\n title = {x\n", "in:2:10: expected \"}\" for this brace, found none"},
      {"@misc{a,\n title = \"x\n}\n", "in:2:10: expected a closing quote for this one, found none"},
      {"@misc(a, title = {x}}\n", "in:1:21: expected \",\" or \")\", found \"}\""},
      {"@misc{a, title {x}}\n", "in:1:16: expected \"=\" after a name, found \"{x}}\""},
      {"@misc{a, title = }\n", "in:1:18: expected a value in braces or quotes, found \"}\""},
      {"@misc{a, title = , year = 1}\n", "in:1:18: expected a value in braces or quotes, found \", year = 1}\""},
      {"@misc{a, title = {x} # }\n", "in:1:24: expected a value in braces or quotes, found \"}\""},
      {"@misc{a,\n title = {x}\n year = 1}\n", "in:3:2: expected \",\" or \"}\", found \"year = 1}\""},
      {"@misc{title = {x}}\n", "in:1:7: expected a key and a comma, found \"title = {x}}\""},
      {"@misc{a title = {x}}\n", "in:1:7: expected a key and a comma, found \"a title = {x}}\""},
      {"@misc{a, = {x}}\n", "in:1:10: expected the name of a field, found \"= {x}}\""},
      {"@misc{a, \"title\" = {x}}\n", "in:1:10: expected the name of a field, found \"\"title\" = {x}}\""},
      {"@misc a, title = {x}}\n", "in:1:7: expected \"{\" after the type of an entry, found \"a, title = {x}}\""},
      {"@ {a, title = {x}}\n", "in:1:3: expected a type of entry after \"@\", found \"{a, title = {x}}\""},
      {"misc{a, title = {x}}\n", "in:1:5: expected \"@\" before an entry, found \"{a, title = {x}}\""},
      {"@misc{a, title = {x}}\n}\n\narticle{b,\n", "in:4:8: expected \"@\" before an entry, found \"{b,\""},
      {"@string{ = {x}}\n", "in:1:10: expected a name to define, found \"= {x}}\""},
      {"@string{a {x}}\n", "in:1:11: expected \"=\" after a name, found \"{x}}\""},
      {"@string{a = {x}\n", "in:1:1: expected \"}\" to end this entry, found none"},
      {"x @string{a = {x}}\n", "in:1:3: expected @string at the begin of a line, found text before it"},
      {"@\nstring{a = {x}}\n", "in:1:1: expected @string in one line, found a line end in it"},
      {"@preamble{x y}\n", "in:1:13: expected \",\" or \"}\", found \"y}\""},
      {"@misc{a}\n", "in:1:1: expected a title or an abstract in the record, found neither"},
      {"@misc{a, title = {}}\n", "in:1:1: expected a title or an abstract in the record, found neither"},
      {"@misc{a, year = 1}\n", "in:1:1: expected a title or an abstract in the record, found neither"},
  };
  test::check_broken_files(all, bibtex(), "@misc{good, title = {good}}\n");
  std::vector<std::pair<std::string, std::string>> indented;
  for (const auto& [bytes, problem] : all) {
    const std::size_t column = problem.find(':', 3) + 1;
    const std::size_t end = problem.find(':', column);
    indented.emplace_back(
        with_indent(bytes, "\t"),
        problem.substr(0, column) + std::to_string(std::stoi(problem.substr(column)) + 1) + problem.substr(end));
  }
  test::check_broken_files(indented, bibtex(), "@misc{good, title = {good}}\n");
}

TEST_CASE("indented BibTeX is read as the same file without indentation") {
  const std::string plain =
      "@string{nat = {Nature}}\n% @misc{not, title = {not}}\n@string(sci = \"Science\")\n"
      "@article{a,\ntitle = {The first},\njournal = nat,\nabstract = {Write to us @ misc{x}\nor to\n@ home (today)}\n}\n\n"
      "@comment{jabref}\n@book ( b, title = \"The second\", note = {100 % sure @book{c, title = {no}}}, year = 2001 )\n"
      "@article{c, title = {The third}, journal = sci,\n}\n@article{d, title = {Not closed},\n@misc{e, title = {The last}}";
  SourceOptions options = bibtex();
  options.reading.skip_bad = true;
  const ReadDocuments expected = documents_in(plain, options);
  REQUIRE(expected.texts().size() == 4);
  CHECK(expected.skipped == 1);
  for (const std::string indent : {"", " ", "\t", "   \t", "        "}) {
    CAPTURE(indent);
    const std::string bytes = with_indent(plain, indent);
    CHECK(look_at_content(bytes, {}).format == "bibtex");
    for (const std::uint64_t chunk : {1U, 7U, 100U, 1000U}) {
      options.reading.chunk_bytes = chunk;
      const ReadDocuments read = documents_in(bytes, options);
      CHECK(read.skipped == 1);
      CHECK(read.documents == expected.documents);
    }
  }
}

// Definitions a0, a1, ... each of which holds the one before twice.
std::string doubled_definitions(int count) {
  std::string bytes = "@string{a0 = {" + std::string(64, 'x') + "}}\n";
  for (int n = 1; n <= count; ++n) bytes += fmt::format("@string{{a{0} = a{1} # a{1}}}\n", n, n - 1);
  return bytes;
}

TEST_CASE("names that stand for other names several times take no more memory than a limit") {
  const std::string entry = "@misc{b, title = {good}, note = a40}\n";
  const ReadDocuments refused = documents_in(doubled_definitions(40) + entry, bibtex());
  CHECK(refused.problem.find("expected to read it in 4194304 bytes of memory (for the names of @string)") != std::string::npos);

  std::string used = doubled_definitions(14) + "@misc{b, title = {good}, note = a14";
  for (int n = 0; n < 300; ++n) used += " # a14";
  SourceOptions options = bibtex();
  const ReadDocuments too_long = documents_in(used + "}\n", options);
  CHECK(too_long.problem.find("(for the texts of names in an entry), found that it needs ") != std::string::npos);

  std::string many = doubled_definitions(6);
  for (int n = 0; n < 1000; ++n) many += "@misc{b, title = {good}, note = a6}\n";
  options.reading.chunk_bytes = many.size() + 1;
  const ReadDocuments too_many = documents_in(many, options);
  CHECK(too_many.problem.find("(for the texts of names in neighbouring entries), found that it needs ") != std::string::npos);
  CHECK(too_many.documents.size() > 200);
}

TEST_CASE("a record of more values than any has is refused") {
  std::string keywords = "a";
  for (int n = 0; n < 600'000; ++n) keywords += ",a";
  const ReadDocuments refused = documents_in("@misc{b, title = {t}, keywords = {" + keywords + "}}\n", bibtex());
  CHECK(refused.problem.find("or more: allow more, or leave this record out") != std::string::npos);
}

}  // namespace
}  // namespace inkling
