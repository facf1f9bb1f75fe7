// Files that are a letter or a page, and mailboxes (RFC 4155).
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/base/file/output_file.hpp"
#include "io/corpus/source/document_source.hpp"
#include "io/corpus/source/format_detection.hpp"
#include "tests/support/io/read_documents.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::documents_in;
using test::InFolder;
using test::read_documents;
using test::ReadDocument;
using test::ReadDocuments;
using Documents = std::vector<ReadDocument>;

const std::string kFrom = "From ann@example.org Thu Nov 12 09:30:00 2020\n";

SourceOptions mbox() { return {.format = "mbox"}; }

TEST_CASE("letters of a mailbox begin at a bare From line that follows a blank line and precedes a header") {
  const std::string two =
      "From \r\nSubject: a\r\n\r\nFrom here\r\nNote: it goes on\r\n\r\nFrom \r\nsubject: b\r\nX:\r\n\r\nb\r\n";
  const std::string three =
      "From -\nSubject: a\n\na\n\nFrom ann@example.org\nX-Mozilla-Status: 0001\nSubject: b\n\nFrom \nno header\n"
      "\nFrom two words\nNote: this\nFrom \nSubject: no blank line before\n\nFrom -  \nSubject: c\n\nc\n";
  const std::vector<std::pair<std::string, std::vector<std::string>>> boxes = {
      {two, {"a\nFrom here\r\nNote: it goes on", "b\nb"}},
      {three, {"a\na", "b\nFrom \nno header\n\nFrom two words\nNote: this\nFrom \nSubject: no blank line before", "c\nc"}}};
  for (const auto& [bytes, texts] : boxes)
    for (const std::uint64_t chunk : {1U, 7U, 40U, 1000U}) {
      SourceOptions options = mbox();
      options.reading.chunk_bytes = chunk;
      CHECK(documents_in(bytes, options).texts() == texts);
      CHECK(look_at_content(bytes, {}).format == "mbox");
    }
  CHECK(look_at_content("From here on\nNote: this is prose\n", {}).format.empty());
}

TEST_CASE("a mailbox is its letters with all headers except those of their transport") {
  const std::string text = kFrom +
                           "Message-ID: <1@x>\nFrom: Ann <ann@example.org>\nReceived: by y\nX-Spam: no\nX-GM-Labels: Inbox\nTo: "
                           "Bob\n"
                           "Subject: =?utf-8?q?caf=C3=A9?=\nDate: Thu, 12 Nov 2020\n\nFirst\n>From the start\n>>From far\n\n" +
                           kFrom + "subject: second\n\nFrom here on it is text\n" + kFrom + "\nno headers\n" + kFrom +
                           "To: nobody\n\n";
  for (const std::uint64_t chunk : {1U, 50U, 10000U}) {
    SourceOptions options = mbox();
    options.reading.chunk_bytes = chunk;
    const ReadDocuments read = documents_in(text, options);
    CHECK(read.problem == "");
    CHECK(
        read.documents ==
        Documents{
            {"café\nFirst\nFrom the start\n>From far", "1@x", "", 5,
             R"({"authors":"Ann <ann@example.org>","X-GM-Labels":"Inbox","To":"Bob","title":"café","Date":"Thu, 12 Nov 2020"})"},
            {"second\nFrom here on it is text", "", "", 6, R"({"title":"second"})"},
            {"no headers", "", "", 0, ""},
            {"(no subject)", "", "", 0, R"({"To":"nobody"})"}});
  }
}

TEST_CASE("a mailbox without its first line is refused with its place") {
  CHECK(documents_in("Subject: a\n\nb\n", mbox()).problem ==
        "in:1:1: expected \"From \", a sender and a date to begin a letter, found none");
  CHECK(documents_in("\n\n" + kFrom + "\nx\n", mbox()).texts() == std::vector<std::string>{"x"});
  SourceOptions options = mbox();
  options.bad_bytes = BadBytes::refuse;
  CHECK(documents_in(kFrom + "\nx\n" + kFrom + "Content-Type: text/plain; charset=utf-8\n\n\xFF\n", options).problem ==
        "in:4:1: expected characters of the encoding that it names, found 1 bytes that are none");
}

TEST_CASE("options name headers of letters") {
  SourceOptions options = mbox();
  options.label_field = "X-GM-Labels";
  options.text_field = "title";
  CHECK(documents_in(kFrom + "Subject: s\nX-GM-Labels: Work\n\nbody\n", options).documents ==
        Documents{{"s", "", "Work", 0, R"({"title":"s","X-GM-Labels":"Work","abstract":"body"})"}});
}

TEST_CASE_FIXTURE(InFolder, "files of folders are read as text, page or letter, by their name or their first tag") {
  std::filesystem::create_directories(folder.file("in/news"));
  write_file(folder.file("in/news/a.html"), "<title>T</title><p>One &amp; two");
  write_file(folder.file("in/news/b"), "<!DOCTYPE html><meta charset=iso-8859-1><p>caf\xE9");
  write_file(folder.file("in/c.EML"), "Subject: S\nMessage-ID: <9@y>\n\nbody\n");
  write_file(folder.file("in/d.txt"), "<p>stays & text");
  CHECK(read_documents({folder.file("in")}, {}).documents ==
        Documents{{"S\nbody", "c.EML", "", 1, R"({"title":"S","Message-ID":"9@y"})"},
                  {"<p>stays & text", "d.txt"},
                  {"T\nOne & two", "news/a.html", "news", 1, R"({"title":"T"})"},
                  {"café", "news/b", "news"}});
  CHECK(read_documents({folder.file("in/d.txt")}, {.format = "html"}).texts() == std::vector<std::string>{"stays & text"});
  CHECK(read_documents({folder.file("in/d.txt")}, {.format = "eml"}).texts() == std::vector<std::string>{"<p>stays & text"});
}

TEST_CASE_FIXTURE(InFolder, "documents of other programs are refused in folders, and left out on request") {
  for (const auto& [name, bytes] : std::vector<std::pair<std::string, std::string>>{
           {"a.pdf", "%PDF-1.7\n"}, {"b.rtf", "{\\rtf1 words}"}, {"c.doc", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"}}) {
    CAPTURE(name);
    std::filesystem::create_directories(folder.file("in"));
    write_file(folder.file("in/" + name), bytes);
    write_file(folder.file("in/z.txt"), "words");
    SourceOptions options;
    CHECK(read_documents({folder.file("in")}, options).problem.find(name + ":1:1: expected a text, found a") !=
          std::string::npos);
    options.reading.skip_bad = true;
    CHECK(read_documents({folder.file("in")}, options).texts() == std::vector<std::string>{"words"});
    std::filesystem::remove_all(folder.file("in"));
  }
}

}  // namespace
}  // namespace inkling
