#include "bench/paper/data/newsgroups.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "tests/bench/paper/data/small_archives.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::bench {
namespace {

using inkling::test::InFolder;
using inkling::test::TemporaryFolder;

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

TEST_CASE_FIXTURE(InFolder, "the newsgroups are the messages of the paper's five topics over words of letters") {
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
}

TEST_CASE_FIXTURE(InFolder, "the oracle of a topic holds words that its messages have") {
  const Newsgroups newsgroups = prepared(folder, small_archive(folder));
  REQUIRE(newsgroups.oracle.words.size() == 5);
  const FeatureId car = *newsgroups.pool.feature_of("car");
  CHECK(std::ranges::binary_search(newsgroups.oracle.words[2], car));
  for (const std::vector<FeatureId>& words : newsgroups.oracle.words)
    CHECK(std::ranges::includes(newsgroups.oracle.words_of_all, words));
  CHECK(newsgroups.oracle.facts.find("rec.autos") != std::string::npos);
}

TEST_CASE_FIXTURE(InFolder, "an unpacked folder gives the same as its archive") {
  const TemporaryFolder other;
  test::write_folder(other.file("20news-bydate"), test::small_newsgroups());
  const Newsgroups packed = prepared(folder, small_archive(folder));
  const Newsgroups unpacked = prepared(other, other.file("20news-bydate"));
  CHECK(packed.view().documents() == unpacked.view().documents());
  CHECK(packed.oracle.words == unpacked.oracle.words);
}

TEST_CASE_FIXTURE(InFolder, "the pool of an archive is built once") {
  const std::string archive = small_archive(folder);
  const Newsgroups first = prepared(folder, archive);
  const auto made = std::filesystem::last_write_time(folder.file("pool/manifest.json"));
  const Newsgroups second = prepared(folder, archive);
  CHECK(std::filesystem::last_write_time(folder.file("pool/manifest.json")) == made);
  CHECK(first.oracle.words_of_all == second.oracle.words_of_all);
}

TEST_CASE_FIXTURE(InFolder, "an archive without one of the topics is refused by its name") {
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

}  // namespace
}  // namespace inkling::bench
