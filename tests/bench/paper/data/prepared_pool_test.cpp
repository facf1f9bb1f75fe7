#include "bench/paper/data/prepared_pool.hpp"

#include <stdexcept>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "tests/support/io/memory_source.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::bench {
namespace {

/// Prepares pools of two documents in a folder and counts how often they were read.
class Preparation {
 public:
  std::int64_t features(const PoolMaking& making) {
    const Pool pool = prepared_pool(
        folder_.file("pool"), making,
        [this] {
          ++builds_;
          return std::make_unique<inkling::test::MemorySource>(inkling::test::documents_of(texts_));
        },
        [] {});
    return pool.view().features();
  }

  void change_texts() { texts_.emplace_back("some other words"); }
  [[nodiscard]] int builds() const { return builds_; }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }

 private:
  inkling::test::TemporaryFolder folder_;
  std::vector<std::string> texts_ = {"one word", "two words"};
  int builds_ = 0;
};

const PoolMaking kMaking = {.made_of = "two documents, \"quoted\"", .source_format = "memory", .recipe = {}};

TEST_CASE("a pool is built once and opened again while its sources and recipe stay the same") {
  Preparation preparation;
  CHECK(preparation.features(kMaking) == 4);
  preparation.change_texts();
  CHECK(preparation.features(kMaking) == 4);
  CHECK(preparation.builds() == 1);
}

TEST_CASE("a pool of other sources or another recipe is built again") {
  const PoolMaking other_sources = {.made_of = "two documents", .source_format = "memory", .recipe = {}};
  PoolMaking other_recipe = kMaking;
  other_recipe.recipe.stop_words = {"one"};
  PoolMaking other_format = kMaking;
  other_format.source_format = "paper";
  for (const PoolMaking& other : {other_sources, other_recipe, other_format}) {
    Preparation preparation;
    static_cast<void>(preparation.features(kMaking));
    static_cast<void>(preparation.features(other));
    CHECK(preparation.builds() == 2);
    static_cast<void>(preparation.features(other));
    CHECK(preparation.builds() == 2);
  }
}

TEST_CASE("a pool whose sources are not known is always built again") {
  Preparation preparation;
  const PoolMaking unknown = {.made_of = "", .source_format = "memory", .recipe = {}};
  static_cast<void>(preparation.features(unknown));
  static_cast<void>(preparation.features(unknown));
  CHECK(preparation.builds() == 2);
}

TEST_CASE("a damaged pool is built again") {
  Preparation preparation;
  static_cast<void>(preparation.features(kMaking));
  write_file(preparation.file("pool/vocabulary.txt"), "eno\nowt\nword\nwords\n");
  CHECK(preparation.features(kMaking) == 4);
  CHECK(preparation.builds() == 2);
  const std::string manifest = preparation.file("pool/manifest.json");
  write_file(manifest, inkling::test::text_of(manifest) + "}");
  CHECK(preparation.features(kMaking) == 4);
  CHECK(preparation.builds() == 3);
}

TEST_CASE_FIXTURE(inkling::test::InFolder, "a folder with other contents is left alone and an interrupted build leaves no pool") {
  write_file(folder.file("letter.txt"), "dear");
  const auto no_documents = [] { return std::make_unique<inkling::test::MemorySource>(inkling::test::documents_of({})); };
  CHECK_THROWS_AS(static_cast<void>(prepared_pool(folder.path().string(), kMaking, no_documents, [] {})), SystemError);
  CHECK(inkling::test::text_of(folder.file("letter.txt")) == "dear");

  const auto documents = [] {
    return std::make_unique<inkling::test::MemorySource>(inkling::test::documents_of({"some words"}));
  };
  const auto stop = [] { throw std::runtime_error("stop"); };
  CHECK_THROWS_WITH(static_cast<void>(prepared_pool(folder.file("pool"), kMaking, documents, stop)), "stop");
  CHECK(folder.entries() == 1);
}

TEST_CASE_FIXTURE(inkling::test::InFolder, "a file is identified by name and size and content and a folder has no identity") {
  write_file(folder.file("a.txt"), "words");
  const std::string content = content_of_file(folder.file("a.txt"));
  CHECK(content == "a.txt, 5 bytes, " + content_of("words"));
  write_file(folder.file("a.txt"), "sword");
  CHECK(content_of_file(folder.file("a.txt")) != content);
  CHECK(content_of_file(folder.path().string()).empty());
}

}  // namespace
}  // namespace inkling::bench
