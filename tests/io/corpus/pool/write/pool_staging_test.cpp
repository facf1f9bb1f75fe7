#include "io/corpus/pool/write/pool_staging.hpp"

#include <cerrno>
#include <filesystem>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/write/staged_file.hpp"
#include "tests/support/engine/messages.hpp"
#include "tests/support/io/failing_system.hpp"
#include "tests/support/io/pipes.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

using test::InFolder, test::TemporaryFolder;

int staging_error_of(const std::string& target) {
  return test::error_number_of(target, [&] { const PoolStaging staging(target); });
}

std::int64_t features_of_pool(const std::string& path) { return Pool::open(path).manifest().columns; }

TEST_CASE_FIXTURE(InFolder, "a pool appears whole when it is published and nothing else stays") {
  {
    PoolStaging staging(folder.file("P"));
    StagedFile file(staging, "vocabulary.txt");
    file.close();
    CHECK_FALSE(fs::exists(folder.file("P")));
    CHECK(fs::exists(staging.folder()));
  }
  CHECK(folder.entries() == 0);
  test::write_pool(test::small_pool(), folder.file("P"));
  CHECK(features_of_pool(folder.file("P")) == 7);
  CHECK(folder.entries() == 1);
}

TEST_CASE_FIXTURE(InFolder, "a new pool replaces an old one and an abandoned new one leaves it") {
  test::write_pool(test::small_pool(), folder.file("P"));
  { const PoolStaging given_up(folder.file("P")); }
  CHECK(features_of_pool(folder.file("P")) == 7);
  test::write_pool({.columns = 3}, folder.file("P"));
  CHECK(features_of_pool(folder.file("P")) == 3);
  CHECK_FALSE(fs::exists(folder.file("P/documents")));
  CHECK(folder.entries() == 1);
}

TEST_CASE_FIXTURE(InFolder, "a slash at the end, an empty folder and a symbolic link are targets like any other") {
  test::write_pool({.columns = 1}, folder.file("P/"));
  CHECK(features_of_pool(folder.file("P")) == 1);
  fs::create_directory(folder.file("empty"));
  test::write_pool({.columns = 2}, folder.file("empty"));
  CHECK(features_of_pool(folder.file("empty")) == 2);
  if (!test::made_link("P", folder.file("link"))) return;
  test::write_pool({.columns = 3}, folder.file("link"));
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK(features_of_pool(folder.file("P")) == 3);
  CHECK(folder.entries() == 3);
}

TEST_CASE_FIXTURE(InFolder, "a folder that is not a pool is never replaced") {
  write_file(folder.file("file"), "text");
  CHECK(staging_error_of(folder.file("file")) == EEXIST);
  fs::create_directory(folder.file("photos"));
  write_file(folder.file("photos/1.jpg"), "");
  CHECK(staging_error_of(folder.file("photos")) == EEXIST);
  fs::create_directory(folder.file("extension"));
  write_file(folder.file("extension/manifest.json"), "{\n  \"format\": \"something else\"\n}\n");
  CHECK(staging_error_of(folder.file("extension")) == EEXIST);
  CHECK(folder.entries() == 3);
}

TEST_CASE_FIXTURE(InFolder, "a pipe in the place of a manifest is refused without waiting for its writer") {
  fs::create_directory(folder.file("P"));
  if (!test::made_named_pipe(folder.file("P/manifest.json"))) return;
  CHECK(staging_error_of(folder.file("P")) == EEXIST);
}

TEST_CASE_FIXTURE(InFolder, "a pool that holds a foreign file is not replaced") {
  test::write_pool(test::small_pool(), folder.file("P"));
  write_file(folder.file("P/documents/notes.txt"), "mine");
  CHECK_THROWS_WITH_AS(PoolStaging(folder.file("P")),
                       (folder.file("P") + ": this holds 'documents/notes.txt', which is not part of a pool, and will "
                                           "not be replaced: File exists")
                           .c_str(),
                       SystemError);
  CHECK(features_of_pool(folder.file("P")) == 7);
}

TEST_CASE_FIXTURE(InFolder, "a folder that is not there and a link to nothing are refused") {
  CHECK(staging_error_of(folder.file("missing/P")) == ENOENT);
  if (!test::made_link("nowhere", folder.file("link"))) return;
  CHECK(staging_error_of(folder.file("link")) == ENOENT);
  CHECK(folder.entries() == 1);
}

// Makes the leftover of a killed writer, with its marker and the file or folder `inside`.
std::string leave_partial(const TemporaryFolder& folder, const std::string& inside) {
  std::string path = folder.file("P.partial-123-0");
  {
    const PoolStaging live(folder.file("Q"));
    fs::create_directory(path);
    write_file(path + "/inkling-partial",
               test::text_of((fs::path(live.folder()).parent_path() / "inkling-partial").generic_string()));
  }
  test::write_pool(test::small_pool(), path + "/" + inside);
  return path;
}

TEST_CASE_FIXTURE(InFolder, "leftovers of killed writers are removed and folders of live writers are not") {
  const std::string leftover = leave_partial(folder, "new");
  const PoolStaging first(folder.file("P"));
  const PoolStaging second(folder.file("P"));
  CHECK_FALSE(fs::exists(leftover));
  CHECK(fs::exists(first.folder()));
  CHECK(fs::exists(second.folder()));
  CHECK(folder.entries() == 2);
}

TEST_CASE_FIXTURE(InFolder, "a folder that has no more than the name of a leftover is never touched") {
  fs::create_directory(folder.file("P.partial-20240101-2"));
  write_file(folder.file("P.partial-20240101-2/thesis.txt"), "mine");
  test::write_pool(test::small_pool(), folder.file("P.partial-20240101-3"));
  test::write_pool(test::small_pool(), folder.file("P"));
  CHECK(test::text_of(folder.file("P.partial-20240101-2/thesis.txt")) == "mine");
  CHECK(features_of_pool(folder.file("P.partial-20240101-3")) == 7);
  CHECK(folder.entries() == 3);
}

TEST_CASE_FIXTURE(InFolder, "an old pool that a killed writer moved away is put back before the next one begins") {
  leave_partial(folder, "old");
  fs::create_directory(folder.file("P.partial-123-0/new"));
  { const PoolStaging given_up(folder.file("P")); }
  CHECK(features_of_pool(folder.file("P")) == 7);
  CHECK(folder.entries() == 1);
}

TEST_CASE_FIXTURE(InFolder, "a target whose path cannot be followed is named, and the published bytes are those on disk") {
#ifdef _WIN32
  constexpr int of_long_name = ENOENT;
#else
  constexpr int of_long_name = ENAMETOOLONG;
#endif
  CHECK(staging_error_of(folder.file(std::string(300, 'x'))) == of_long_name);
  if (test::made_link("loop", folder.file("loop"))) {
    CHECK(staging_error_of(folder.file("loop")) == ENOENT);
    CHECK(staging_error_of(folder.file("loop/pool")) == ELOOP);
  }

  PoolStaging staging(folder.file("P"));
  StagedArray<double> idf(staging, "idf.npy");
  idf.append(1.5);
  idf.close();
  staging.publish({.rows = 1, .program_version = "", .files = {}});
  CHECK(staging.published_bytes() == pool_bytes(folder.file("P")));
  CHECK(staging.unremoved().empty());
}

TEST_CASE_FIXTURE(InFolder, "two writers of one pool both publish and the later one stays") {
  const auto staged = [&](PoolStaging& staging) {
    StagedArray<double> idf(staging, "idf.npy");
    idf.close();
  };
  PoolStaging first(folder.file("P"));
  PoolStaging second(folder.file("P"));
  staged(first);
  staged(second);
  first.publish({.rows = 1, .program_version = "", .files = {}});
  second.publish({.rows = 2, .program_version = "", .files = {}});
  const std::string text = test::text_of(folder.file("P/manifest.json"));
  CHECK(parse_manifest("P", text).rows == 2);
}

TEST_CASE_FIXTURE(InFolder, "a pool is replaced even if names cannot be exchanged in one step") {
  test::write_pool(test::small_pool(), folder.file("P"));
  {
    const test::FailingSystem system(test::every(SystemCall::exchange, EINVAL));
    test::write_pool({.columns = 3}, folder.file("P"));
  }
  CHECK(features_of_pool(folder.file("P")) == 3);
  CHECK(folder.entries() == 1);
}

}  // namespace
}  // namespace inkling
