#include "io/include/inkling/search.hpp"

#include <cmath>
#include <exception>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/include/inkling/pool.hpp"
#include "io/search/session/searcher.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

struct PoolOnDisk {
  PoolOnDisk() {
    test::SmallPool pool = test::small_pool();
    pool.copies = {};  // five texts
    test::write_pool(pool, path);
  }

  test::TemporaryFolder folder;
  std::string path = folder.file("pool");
};

/// The documents that a search offers in these rounds. Documents of even and odd rows get different ratings.
std::vector<DocumentId> offered(Search& search, int rounds) {
  std::vector<DocumentId> documents;
  for (int round = 0; round < rounds; ++round) {
    const std::optional<DocumentId> document = search.next();
    if (!document) break;
    documents.push_back(*document);
    search.rate(*document, *document % 2 == 0 ? 1.0 : 0.0);
  }
  return documents;
}

TEST_CASE("a search opened again continues as one never closed, takes undo, skip and words, and refuses what is invalid") {
  const PoolOnDisk disk;
  const OpenedPool pool(disk.path);
  Search whole(pool, disk.folder.file("whole"));
  const std::vector<DocumentId> expected = offered(whole, 4);
  std::vector<DocumentId> documents;
  for (int part = 0; part < 2; ++part) {
    Search search(pool, disk.folder.file("parts"));
    for (const DocumentId document : offered(search, 2)) documents.push_back(document);
  }
  CHECK(documents == expected);
  Searcher searcher(pool.view(), {.preset = preset_named("inkling"), .seed = 1});
  for (const DocumentId document : expected) {
    REQUIRE(searcher.next().has_value());
    CHECK(searcher.next()->document == document);
    static_cast<void>(searcher.rate({.document = document, .reward = document % 2 == 0 ? 1.0 : 0.0}));
  }

  Search search(pool, disk.folder.file("log"), "mine", {.policy = "ff-oful", .seed = 7});
  CHECK(search.ranking(3).empty());
  const std::optional<DocumentId> first = search.next();
  REQUIRE(first.has_value());
  search.rate(*first, 1.0);
  search.take_back();
  CHECK(search.next() == first);
  const SaidWord word = {.feature = 0, .reward = 1.0};
  search.rate_words({&word, 1});
  CHECK(search.ranking(1).size() == 1);
  search.skip();
  CHECK(search.next() != first);
  CHECK_THROWS_AS(search.rate(-1, 1.0), FormatError);
  CHECK_THROWS_AS(Search(pool, disk.folder.file("other"), "x", {.policy = "ff-ofull"}), FormatError);
  CHECK_THROWS_AS(Search(pool, disk.folder.file("other"), "x", {.policy = "oful-subset"}), FormatError);
}

TEST_CASE("an opened pool lends what was written and nothing for what is missing") {
  const PoolOnDisk disk;
  const OpenedPool pool(disk.path);
  const Pool same = Pool::open(disk.path);
  CHECK(pool.path() == disk.path);
  CHECK(pool.view().documents() == same.view().documents());
  REQUIRE(same.vocabulary().has_value());
  CHECK(pool.word(0) == (*same.vocabulary())[0]);
  CHECK(pool.feature_of((*same.vocabulary())[1]) == 1);
  CHECK_FALSE(pool.feature_of("no such word").has_value());
  CHECK_FALSE(pool.word(pool.view().features()).has_value());
  CHECK(pool.id(0) == same.id(0));
  pool.check_unchanged();
  CHECK_THROWS_AS(OpenedPool(disk.folder.file("none")), SystemError);
}

TEST_CASE("settings of a search are kept with it; progress and reasons are those of its searcher") {
  const PoolOnDisk disk;
  const OpenedPool pool(disk.path);
  NewSearch begin = {.policy = "ff-oful", .seed = 3};
  begin.options.ridge = 0.25;
  std::vector<ScoreReasons> found;
  for (const bool is_new : {true, false}) {
    Search search(pool, disk.folder.file("log"), "mine", is_new ? begin : NewSearch{});
    const SaidWord mark = {.feature = 1};
    if (is_new) search.rate(0, 1.0, {&mark, 1});
    if (is_new) search.rate(1, 0.0);
    CHECK(search.progress().documents == 5);
    CHECK(search.progress().rated == 2);
    CHECK(search.progress().good == 1);
    CHECK(search.progress().without_good == 1);
    found.push_back(search.why(0));
    double sum = found.back().base;
    for (const ScoreReason& one : found.back().reasons) sum += one.contribution;
    CHECK(sum == doctest::Approx(found.back().mean));
  }
  CHECK(found[0].mean == found[1].mean);
  CHECK(found[0].width == found[1].width);
  Searcher searcher(pool.view(), {.preset = preset_named("ff-oful"), .options = {.ridge = 0.25}, .seed = 3});
  searcher.rate({.document = 0, .reward = 1.0, .words = {{.feature = 1}}});
  searcher.rate({.document = 1, .reward = 0.0});
  CHECK(searcher.why(0).width == found[0].width);
}

TEST_CASE("a pool is made of texts in memory, of any number, and refused whole") {
  const test::TemporaryFolder folder;
  std::string long_text;
  for (int n = 0; n < 50'000; ++n) long_text += "soil" + std::to_string(n % 700) + " ";
  std::vector<PoolText> texts;
  for (int n = 0; n < 5; ++n) texts.push_back({.text = long_text});  // several pieces
  texts.push_back({.text = "The cold sea", .id = "last", .label = "sea"});
  build_pool(folder.file("pool"), texts);
  const OpenedPool pool(folder.file("pool"));
  CHECK(pool.view().documents() == 6);
  CHECK(pool.text(4) == long_text);
  CHECK(pool.id(5) == "last");
  CHECK(pool.label(5) == "sea");
  REQUIRE(pool.feature_of("sea").has_value());
  CHECK(value_at(pool.view().by_document.row(5), *pool.feature_of("sea")) > 0.0F);

  const auto refuses = [&](const std::vector<PoolText>& wrong) {
    CHECK_THROWS_AS(build_pool(folder.file("wrong"), wrong), FormatError);
    CHECK_THROWS_AS(OpenedPool(folder.file("wrong")), std::exception);
  };
  refuses({});
  refuses({{.text = "..."}});
  refuses({{.text = "soil \xFF"}});
  refuses({{.text = "soil", .id = "a"}, {.text = "sea", .id = "a"}});
  refuses({{.text = "soil", .label = "a\nb"}});
  const std::vector<PoolText> two = {{.text = "dig the soil"}, {.text = "the cold sea"}};
  CHECK_THROWS_AS(build_pool(folder.file("wrong"), two, std::vector{1.0F, 2.0F, 3.0F}), FormatError);
  CHECK_THROWS_AS(build_pool(folder.file("wrong"), two, std::vector{1.0F, std::nanf("")}), FormatError);
  build_pool(folder.file("vectors"), two, std::vector{1.0F, 0.0F, 0.0F, 1.0F});
  const OpenedPool with_vectors(folder.file("vectors"));
  CHECK(with_vectors.view().by_document.vectors().dimensions == 2);
  Policy policy(with_vectors.view(), "inkling");
  policy.observe(0, 1.0, {});
  CHECK(policy.ranking(2).front().document == 0);

  build_pool(folder.file("pool"), std::vector<PoolText>{{.text = "wind"}});  // in its place
  const OpenedPool other(folder.file("pool"));
  CHECK(other.view().documents() == 1);
}

}  // namespace
}  // namespace inkling
