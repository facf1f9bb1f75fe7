#include "bench/paper/data/newsgroups.hpp"

#include <algorithm>
#include <map>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "tests/bench/paper/data/small_archives.hpp"
#include "tests/bench/worlds/tiny_pool.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::bench {
namespace {

using inkling::test::InFolder, inkling::test::TemporaryFolder;

constexpr OracleSize kSmall = {{1, 12}, 12};

Newsgroups prepared(const TemporaryFolder& folder, const std::string& archive) {
  return prepare_newsgroups(
      archive, folder.file("pool"), [] {}, kSmall);
}

std::string small_archive(const TemporaryFolder& folder) {
  const std::string path = folder.file("20news-bydate.tar.gz");
  inkling::test::write_archive(path, "tar", "gzip", test::small_newsgroups());
  return path;
}

TEST_CASE_FIXTURE(InFolder,
                  "the newsgroups are the messages of the paper's topics over words of letters, with an oracle for each topic") {
  const Newsgroups newsgroups = prepared(folder, small_archive(folder));
  CHECK(newsgroups.view().documents() == 30);
  CHECK(newsgroups.pool.label_names().size() == 5);
  CHECK(newsgroups.pool.label_names() ==
        std::vector<std::string>{"comp.graphics", "misc.forsale", "rec.autos", "sci.med", "talk.politics.mideast"});
  CHECK(newsgroups.pool.feature_of("caf"));  // a letter is a to z
  CHECK(newsgroups.pool.feature_of("subject"));
  CHECK_FALSE(newsgroups.pool.feature_of("the"));
  CHECK_FALSE(newsgroups.pool.feature_of("42"));
  CHECK_FALSE(newsgroups.pool.feature_of("belief"));

  REQUIRE(newsgroups.oracle.words.size() == 5);
  const FeatureId car = *newsgroups.pool.feature_of("car");
  CHECK(std::ranges::binary_search(newsgroups.oracle.words[2], car));
  for (const std::vector<FeatureId>& words : newsgroups.oracle.words)
    CHECK(std::ranges::includes(newsgroups.oracle.words_of_all, words));
  CHECK(newsgroups.oracle.facts.find("rec.autos") != std::string::npos);
}

TEST_CASE_FIXTURE(InFolder,
                  "an unpacked folder gives the same as its archive, which is read once and refused if a topic is missing") {
  const TemporaryFolder other;
  test::write_folder(other.file("20news-bydate"), test::small_newsgroups());
  const Newsgroups packed = prepared(folder, small_archive(folder));
  const Newsgroups unpacked = prepared(other, other.file("20news-bydate"));
  CHECK(packed.view().documents() == unpacked.view().documents());
  CHECK(packed.oracle.words == unpacked.oracle.words);

  const std::string archive = small_archive(folder);
  const Newsgroups first = prepared(folder, archive);
  const auto made = std::filesystem::last_write_time(folder.file("pool/manifest.json"));
  const Newsgroups second = prepared(folder, archive);
  CHECK(std::filesystem::last_write_time(folder.file("pool/manifest.json")) == made);
  CHECK(first.oracle.words_of_all == second.oracle.words_of_all);

  test::ArchivedFiles files = test::small_newsgroups();
  std::erase_if(files, [](const auto& file) { return file.first.find("sci.med") != std::string::npos; });
  const std::string path = folder.file("20news-bydate.tar.gz");
  inkling::test::write_archive(path, "tar", "gzip", files);
  CHECK_THROWS_WITH_AS(static_cast<void>(prepared(folder, path)), doctest::Contains("found none of sci.med"), FormatError);
}

TEST_CASE_FIXTURE(InFolder, "words that people marked are read for every topic") {
  Newsgroups newsgroups = prepared(folder, small_archive(folder));
  CHECK(newsgroups.human.empty());
  write_file(folder.file("words"),
             "rec.autos: car, dealer\nsci.med: doctor\ncomp.graphics: image\n"
             "misc.forsale: sale\ntalk.politics.mideast: peace, war\n");
  newsgroups.human = read_topic_word_lists(folder.file("words"), newsgroups.pool);
  REQUIRE(newsgroups.human.size() == 5);
  CHECK(newsgroups.human[2].size() == 2);
  CHECK(newsgroups.human[3] == std::vector<FeatureId>{*newsgroups.pool.feature_of("doctor")});
  write_file(folder.file("bad"), "rec.motorcycles: wheel\n");
  CHECK_THROWS_AS(static_cast<void>(read_topic_word_lists(folder.file("bad"), newsgroups.pool)), FormatError);
}

const std::vector<std::string> kListTopics = {"rec.autos", "sci.med"};

std::optional<FeatureId> feature_of(std::string_view word) {
  static const std::map<std::string, FeatureId, std::less<>> words = {
      {"car", 0}, {"doctor", 1}, {"engine", 2}, {"\xC3\xA9tude", 3}, {"oil", 4}};
  const auto found = words.find(word);
  if (found == words.end()) return std::nullopt;
  return found->second;
}

WordsByTopic lists_in(std::string_view text) {
  MemoryStream stream(text);
  return read_topic_word_lists(stream, "words", kListTopics, feature_of);
}

struct GoodList {
  const char* what;
  std::string text;
  std::vector<FeatureId> autos, med;
};

TEST_CASE("lists of words are read with any common separator") {
  const std::vector<GoodList> table = {
      {"spaces", "rec.autos: car engine\nsci.med: doctor\n", {0, 2}, {1}},
      {"commas and semicolons", "rec.autos: car, engine;oil\nsci.med:doctor", {0, 2, 4}, {1}},
      {"no space and many", "rec.autos:car\tengine\nsci.med  : ,;, doctor ,\n", {0, 2}, {1}},
      {"CRLF and a byte order mark", "\xEF\xBB\xBFrec.autos: car\r\nsci.med: doctor\r\n", {0}, {1}},
      {"comments and blank lines", "# marked in May\n\n  \t\n  # more\nrec.autos: car\nsci.med: doctor\n", {0}, {1}},
      {"a topic more than once", "sci.med: doctor\nrec.autos: oil\nrec.autos: car oil car\n", {0, 4}, {1}},
      {"letter case", "rec.autos: CAR Engine\nsci.med: \xC3\x89TUDE\n", {0, 2}, {3}},
      {"unknown words", "rec.autos: car wheel wheel\nsci.med: doctor nurse\n", {0}, {1}},
      {"a topic with no word here but elsewhere", "rec.autos:\nrec.autos: car\nsci.med: doctor\n", {0}, {1}},
      {"a second colon", "rec.autos: car : oil\nsci.med: doctor\n", {0, 4}, {1}},
  };
  for (const GoodList& row : table) {
    CAPTURE(row.what);
    CHECK(lists_in(row.text) == std::vector<std::vector<FeatureId>>{row.autos, row.med});
  }
}

struct BadList {
  const char* what;
  std::string text, message;
};

TEST_CASE("malformed lists are refused with the place") {
  const std::vector<BadList> table = {
      {"no colon", "# a\n\ncar engine\n", "words:3: expected a topic, a colon and its words, found \"car engine\""},
      {"an unknown topic", "rec.autos: car\nsci.mad: doctor\n",
       "words:2: expected one of the topics rec.autos, sci.med, found \"sci.mad\" (did you mean sci.med?)"},
      {"no topic", ": car\n", "words:1: expected one of the topics rec.autos, sci.med, found \"\""},
      {"not UTF-8", "rec.autos: car\nsci.med: \xE9tude\n", "words:2: expected UTF-8"},
      {"a topic left out", "rec.autos: car\n", "words: expected a word of the vocabulary for sci.med, found none"},
      {"no known word", "rec.autos: car\nsci.med: nurse\n", "words: expected a word of the vocabulary for sci.med, found none"},
      {"nothing", "", "words: expected a word of the vocabulary for rec.autos, found none"},
      {"a lone carriage return", "rec.autos: car\rsci.med: doctor\r",
       "words: expected a word of the vocabulary for sci.med, found none"},
  };
  for (const BadList& row : table) {
    CAPTURE(row.what);
    CHECK_THROWS_WITH_AS(static_cast<void>(lists_in(row.text)), row.message.c_str(), FormatError);
  }
}

TEST_CASE("too much text is refused") {
  CHECK_THROWS_WITH_AS(static_cast<void>(lists_in(std::string(most_topic_word_bytes + 1, '\n'))),
                       "words: expected at most 4194304 bytes of words, found more", FormatError);
}

TEST_CASE("a list is read from a file and its labels and words must be in the pool") {
  const test::PoolFolder folder;
  const Pool pool = Pool::open(folder.tiny_pool());
  const std::string path = folder.write("words.txt", "gardening: Soil\nsailing: wind sail xyzzy\n");
  const WordsByTopic lists = read_topic_word_lists(path, pool);
  REQUIRE(lists.size() == 2);
  CHECK(lists[0] == std::vector<FeatureId>{*pool.feature_of("soil")});
  CHECK_THROWS_AS(static_cast<void>(read_topic_word_lists(folder.file("missing"), pool)), SystemError);
}

}  // namespace
}  // namespace inkling::bench
