#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "io/corpus/source/record_parser.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

struct Cut {
  std::vector<std::string> chunks;
  std::int64_t dropped = 0;
};

Cut chunks_of(const std::string& text, RecordEnd rule, const ReadingOptions& limits) {
  MemoryStream stream(text);
  RecordChunks chunks(stream, rule, limits);
  Cut cut;
  std::int64_t dropped = 0;
  for (PaddedText bytes; chunks.read(bytes, dropped); cut.dropped += dropped) cut.chunks.emplace_back(bytes.view());
  return cut;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

using Texts = std::vector<std::string>;

TEST_CASE("chunks end with a line wherever the size of a chunk falls") {
  CHECK(chunks_of("ab\ncd\nef\n", RecordEnd::every_line, {.chunk_bytes = 4}).chunks == Texts{"ab\n", "cd\n", "ef\n"});
  CHECK(chunks_of("ab\ncd\nef\n", RecordEnd::every_line, {.chunk_bytes = 6}).chunks == Texts{"ab\ncd\n", "ef\n"});
  CHECK(chunks_of("a long line\nb", RecordEnd::every_line, {.chunk_bytes = 3}).chunks == Texts{"a long line\n", "b"});
  CHECK(chunks_of("", RecordEnd::every_line, {}).chunks.empty());
}

TEST_CASE("a line end within quotes does not end a record in formats with quotes") {
  const std::string text = "\"a\nb\",c\nd\n";
  CHECK(chunks_of(text, RecordEnd::outside_quotes, {.chunk_bytes = 1}).chunks == Texts{"\"a\nb\",c\n", "d\n"});
  CHECK(chunks_of(text, RecordEnd::every_line, {.chunk_bytes = 1}).chunks == Texts{"\"a\n", "b\",c\n", "d\n"});
  CHECK(first_record(text, RecordEnd::outside_quotes) == 8);
  CHECK(first_record(text, RecordEnd::every_line) == 3);
  CHECK(first_record("\"a\nb", RecordEnd::outside_quotes) == std::string::npos);
}

TEST_CASE("a byte order mark is left out at the beginning and nowhere else") {
  CHECK(joined(chunks_of("\xEF\xBB\xBFx\n\xEF\xBB\xBFy\n", RecordEnd::every_line, {}).chunks) == "x\n\xEF\xBB\xBFy\n");
  CHECK(joined(chunks_of("\xEF\xBB", RecordEnd::every_line, {}).chunks) == "\xEF\xBB");
  CHECK(chunks_of("\xEF\xBB\xBF", RecordEnd::every_line, {}).chunks.empty());
}

TEST_CASE("a record that is too long is cut and what follows it is not") {
  const std::string text = "ab\n" + std::string(1000, 'x') + "\ncd\n";
  const Cut cut = chunks_of(text, RecordEnd::every_line, {.chunk_bytes = 8, .most_document_bytes = 20});
  REQUIRE(cut.chunks.size() == 3);
  CHECK(cut.chunks[1] == std::string(23, 'x'));
  CHECK(cut.chunks[2] == "cd\n");
  CHECK(cut.dropped == 1);
}

TEST_CASE("a quote within a field that does not begin with one encloses no line end") {
  const Texts records = {"1,5\" x,y\n", "2;\"a\nb\";\"c \"\"d\"\"\n\"\n", "3,\"\",\"\"\"\n\"\"\"\n", "4\t\"e\"f\"\n", "5,6\"\n"};
  for (std::uint64_t chunk = 1; chunk < 60; ++chunk)
    CHECK(joined(chunks_of(joined(records), RecordEnd::outside_quotes, {.chunk_bytes = chunk}).chunks) == joined(records));
  CHECK(chunks_of(joined(records), RecordEnd::outside_quotes, {.chunk_bytes = 1}).chunks == records);
}

TEST_CASE("a quoted record that is too long is skipped to its end and its lines are counted") {
  std::string text = "\"";
  for (int line = 0; line < 100; ++line) text += "xyz\n";
  text += "\",b\nnext,c\n";
  for (std::uint64_t chunk = 1; chunk < 60; ++chunk) {
    CAPTURE(chunk);
    const Cut cut = chunks_of(text, RecordEnd::outside_quotes, {.chunk_bytes = chunk, .most_document_bytes = 10});
    REQUIRE(cut.chunks.size() == 2);
    CHECK(cut.chunks[1] == "next,c\n");
    CHECK(std::ranges::count(cut.chunks[0], '\n') + cut.dropped == 101);
  }
}

TEST_CASE("a quoted record that is too long is found even if it is cut within a line end") {
  const std::string text = "\"12345678\r\nmore\nlines\n\",b\nnext\n";
  for (std::uint64_t most = 1; most < 16; ++most) {
    CAPTURE(most);
    const Cut cut = chunks_of(text, RecordEnd::outside_quotes, {.chunk_bytes = 1, .most_document_bytes = most});
    REQUIRE(!cut.chunks.empty());
    CHECK(without_line_end(cut.chunks[0]).size() > most);
  }
}

TEST_CASE("a line that begins a record ends the record before it whatever the line end") {
  struct Case {
    RecordEnd rule;
    std::string text;
    Texts records;
  };
  const std::vector<Case> cases = {
      {RecordEnd::before_ris,
       "TY  - A\nTI  - b\n\nTY  - C\r\nTY  - D\rTY  - E",
       {"TY  - A\nTI  - b\n\n", "TY  - C\r\n", "TY  - D\r", "TY  - E"}},
      {RecordEnd::before_ris, "head\nTY  - A\n TY  - B\nTY - C\n", {"head\n", "TY  - A\n TY  - B\nTY - C\n"}},
      {RecordEnd::before_nbib, "\nPMID- 1\nTI  - PMID- 2\n\nPMID- 3\n", {"\n", "PMID- 1\nTI  - PMID- 2\n\n", "PMID- 3\n"}},
      {RecordEnd::before_bibtex, "@a{x}\n@b (y)\n@c\n@d{\n  @e{}\nx@f{}\n", {"@a{x}\n", "@b (y)\n@c\n", "@d{\n  @e{}\nx@f{}\n"}},
      {RecordEnd::before_mail,
       "From a Thu Nov 12 09:30:00 2020\nx\nFrom here on\nFrom b@c Thu Nov 12 09:30 2020\n>From d 10:00 "
       "2020\n",
       {"From a Thu Nov 12 09:30:00 2020\nx\nFrom here on\n", "From b@c Thu Nov 12 09:30 2020\n>From d 10:00 2020\n"}}};
  for (const Case& one : cases) {
    CAPTURE(one.text);
    CHECK(chunks_of(one.text, one.rule, {.chunk_bytes = 1}).chunks == one.records);
    CHECK(joined(chunks_of(one.text, one.rule, {.chunk_bytes = 30}).chunks) == one.text);
  }
}

TEST_CASE("a record that is too long before the next one begins is cut and its lines are counted") {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    std::string text = "TY  - A" + end;
    for (int line = 0; line < 300; ++line) text += "AU  - x" + end;
    const std::string last = "TY  - B" + end;
    for (std::uint64_t chunk = 1; chunk < 700; chunk = chunk * 3 + 1) {
      for (const std::uint64_t most : {1U, 7U, 8U, 9U, 20U}) {
        CAPTURE(chunk);
        CAPTURE(most);
        const Cut cut = chunks_of(text + last, RecordEnd::before_ris, {.chunk_bytes = chunk, .most_document_bytes = most});
        REQUIRE(cut.chunks.size() == 2);
        CHECK(cut.chunks[1] == last);
        LineCount count(RecordEnd::before_ris);
        count.add(cut.chunks[0]);
        CHECK(count.lines() + cut.dropped == 301);
      }
    }
  }
}

// The twin of ObjectEnds: a byte after the other.
std::vector<std::size_t> plain_object_ends(std::string_view text) {
  std::vector<std::size_t> ends;
  std::size_t depth = 0;
  bool in_string = false;
  bool is_escaped = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char next = text[at];
    const bool was_escaped = std::exchange(is_escaped, false);
    if (was_escaped && next != '\n') continue;
    if (in_string) {
      is_escaped = next == '\\';
      in_string = next != '"' && next != '\n';
    } else if (next == '"') {
      in_string = true;
    } else if (next == '{') {
      ++depth;
    } else if (next == '}') {
      depth -= depth > 0 ? 1 : 0;
      if (depth == 0) ends.push_back(at + 1);
    }
  }
  return ends;
}

TEST_CASE("objects of JSON end where a walk over each byte finds their ends, however a text is cut") {
  test::each_case(33, 3000, [&](RandomStream& random) {
    std::string text;
    for (std::int32_t left = test::between(0, 40, random); left > 0; --left) text += "a\"\"\\\n{}}"[random.below(8)];
    std::vector<std::size_t> found;
    ObjectEnds ends;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::string_view piece = std::string_view(text).substr(begin, 1 + random.below(12));
      for (std::size_t at = 0; (at = ends.next(piece, at)) != std::string_view::npos;) found.push_back(begin + at);
      begin += piece.size();
    }
    CAPTURE(text);
    CHECK(found == plain_object_ends(text));
  });
}

TEST_CASE("line ends are counted alike however a text is cut") {
  RandomStream random = test::stream_for(32, 0);
  for (int trial = 0; trial < 300; ++trial) {
    std::string text;
    for (std::int32_t left = test::between(0, 30, random); left > 0; --left) text += "a\n\r\r\n"[random.below(5)];
    LineCount pieces(RecordEnd::before_ris);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = 1 + random.below(5);
      pieces.add(std::string_view(text).substr(at, size));
      at += size;
    }
    CHECK(pieces.lines() == line_ends_in(text, RecordEnd::before_ris));
    std::int64_t one_by_one = 0;
    for (std::size_t at = 0; at < text.size(); ++at)
      if (text[at] == '\n' || (text[at] == '\r' && !std::string_view(text).substr(at + 1).starts_with('\n'))) ++one_by_one;
    CHECK(pieces.lines() == one_by_one);
  }
}

TEST_CASE("chunks of random text join to the text and each of them ends with a record") {
  const Texts pieces = {"a",     ",", "\"", "\n", "\n",       "\r\n",    "\nTY  - ", "\nER  - ",     "\nPMID- ",
                        "\n@a{", "{", "}",  "\\", "<record>", "<Pubmed", "Article>", "\nOWN - ERIC", "\nFrom a 10:00 2020\n"};
  const std::vector<RecordEnd> rules = {RecordEnd::every_line,     RecordEnd::outside_quotes, RecordEnd::after_object,
                                        RecordEnd::before_ris,     RecordEnd::before_ris_end, RecordEnd::before_nbib,
                                        RecordEnd::before_medline, RecordEnd::before_bibtex,  RecordEnd::before_mail,
                                        RecordEnd::before_endnote, RecordEnd::before_pubmed};
  test::each_case(31, 1500, [&](RandomStream& random) {
    std::string text;
    for (std::int32_t left = test::between(0, 60, random); left > 0; --left) text += pieces[random.below(pieces.size())];
    const RecordEnd rule = rules[random.below(rules.size())];
    const Cut cut = chunks_of(text, rule, {.chunk_bytes = random.below(20) + 1});
    CHECK(joined(cut.chunks) == text);
    std::size_t end = 0;
    for (const std::string& chunk : cut.chunks) {
      std::size_t in_chunk = 0;
      while (in_chunk < chunk.size())
        in_chunk += std::min(first_record(std::string_view(text).substr(end + in_chunk), rule), text.size());
      end += chunk.size();
      if (end != text.size()) CHECK(in_chunk == chunk.size());
    }
  });
}

}  // namespace
}  // namespace inkling
