// Pools of every released version of the format open for ever: C11.
#include <string>

#include <doctest/doctest.h>

#include "engine/sparse/csr_matrix.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/open/read_pool.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"
#include "tests/support/io/tests_path.hpp"

namespace inkling {
namespace {

const std::string golden = test::tests_path("io/corpus/pool/golden/");

TEST_CASE("the pool of format version 1 opens with the same contents as ever") {
  const Pool pool = Pool::open(golden + "format-1");
  const CsrMatrix rows = test::matrix_of(7, test::small_pool().rows);
  CHECK(test::same_matrix(pool.view().by_document, rows.view()));
  CHECK(pool.manifest().program_version == "0.1.0");
  CHECK(pool.manifest().recipe == R"({"source":"test","ridge":1.0})");
  CHECK(pool.feature_of("été") == 6);
  CHECK((*pool.ids())[4] == "b/ü");
  CHECK((*pool.texts())[3] == "boat, keel, sail");
  CHECK(pool.label_names()[static_cast<std::size_t>(pool.labels()[0])] == "sailing");
  CHECK(pool.idf()[3] == 2.5);
  CHECK(verify_pool(golden + "format-1").files == 16);
}

TEST_CASE_FIXTURE(test::InFolder, "a pool of format version 1 is written today byte for byte as it was") {
  test::SmallPool pool = test::small_pool();
  pool.fields.reset();
  pool.copies = {};
  pool.vectors = {};
  test::write_pool(pool, folder.file("P"));
  const test::PoolBytes today(folder.file("P"));
  const test::PoolBytes then(golden + "format-1");
  CHECK(today.files() == then.files());
}

TEST_CASE("a pool of a newer format says which program it needs however it is opened") {
  const std::string path = golden + "newer-format";
  const std::string expected =
      path + "/manifest.json: expected version 1 of the pool format, found version 2, which needs inkling 9.0.0 or later";
  CHECK_THROWS_WITH_AS(static_cast<void>(Pool::open(path)), expected.c_str(), CorruptFileError);
  CHECK_THROWS_WITH_AS(static_cast<void>(Pool::open(path, PoolTrust::structure)), expected.c_str(), CorruptFileError);
  CHECK_THROWS_WITH_AS(OpenPool{path}, expected.c_str(), CorruptFileError);
  CHECK_THROWS_WITH_AS(static_cast<void>(verify_pool(path)), expected.c_str(), CorruptFileError);
}

}  // namespace
}  // namespace inkling
