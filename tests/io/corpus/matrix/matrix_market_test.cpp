#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/corpus/matrix/text_matrix.hpp"
#include "tests/support/io/bad_input_tables.hpp"
#include "tests/support/io/read_documents.hpp"

namespace inkling {
namespace {

using test::matrix_in;
using test::ReadMatrix;

using MatrixEntries = std::vector<MatrixEntry>;

const MatrixSourceOptions market = {.format = "mtx"};
const std::string banner = "%%MatrixMarket matrix coordinate real general\n";

TEST_CASE("entries come in the order of the file and count from 1") {
  const ReadMatrix read = matrix_in(banner + "% comment\n\n 3 4 2 \n3 4 0.5\n% more\n\n1\t1\t-2e3\r\n", market);
  CHECK(read.entries == MatrixEntries{{2, 3, 0.5F}, {0, 0, -2000.0F}});
  CHECK(read.problem.empty());
}

TEST_CASE("banners are read in any case and other kinds are refused by name") {
  CHECK(matrix_in("%%matrixmarket MATRIX Coordinate Integer General\n1 1 1\n1 1 7\n", market).entries ==
        MatrixEntries{{0, 0, 7.0F}});
  CHECK(matrix_in("%%MatrixMarket matrix coordinate pattern general\n1 2 1\n1 2\n", market).entries ==
        MatrixEntries{{0, 1, 1.0F}});
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"%%MatrixMarket matrix array real general", R"(expected the format "coordinate", found "array")"},
      {"%%MatrixMarket matrix coordinate complex general",
       R"(expected the field "real", "integer" or "pattern", found "complex")"},
      {"%%MatrixMarket matrix coordinate real hermitian",
       R"(expected the symmetry "general", "symmetric" or "skew-symmetric", found "hermitian")"},
      {"%%MatrixMarket vector", R"(expected "%%MatrixMarket matrix coordinate ...", found "%%MatrixMarket vector")"},
      {"1 1 1", R"(expected "%%MatrixMarket matrix coordinate ...", found "1 1 1")"},
  };
  for (const auto& [line, problem] : refused) CHECK(matrix_in(line + "\n1 1 0\n", market).problem == "in:1:1: " + problem);
}

TEST_CASE("one half of a symmetric matrix gives both halves") {
  const std::string size = "2 2 2\n1 1 5\n2 1 3\n";
  CHECK(matrix_in("%%MatrixMarket matrix coordinate real symmetric\n" + size, market).entries ==
        MatrixEntries{{0, 0, 5.0F}, {1, 0, 3.0F}, {0, 1, 3.0F}});
  CHECK(matrix_in("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n", market).entries ==
        MatrixEntries{{1, 0, 3.0F}, {0, 1, -3.0F}});
  CHECK(matrix_in("%%MatrixMarket matrix coordinate real skew-symmetric\n" + size, market).problem ==
        "in:3:1: expected no entry on the diagonal of a skew-symmetric matrix, found one");
  CHECK(matrix_in("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n", market).problem ==
        "in:2:1: expected as many rows as columns in a symmetric matrix, found \"2 3 0\"");
}

TEST_CASE("a header that says too much is refused before anything is allocated") {
  for (const std::string size : {"2147483648 1 0", "1 4294967296 0", "-1 1 0", "1 1", "1 1 1 1", "1 1 2", "a b c",
                                 "1 1 18446744073709551616", "1.0 1 0", "2 2 5"}) {
    CAPTURE(size);
    CHECK(matrix_in(banner + size + "\n", market).problem.starts_with("in:2:1: expected "));
  }
  CHECK(matrix_in(banner, market).problem ==
        "in:2:1: expected the banner and the size of a matrix in MatrixMarket's format, found the end");
  CHECK(matrix_in("", market).problem.starts_with("in:1:1: expected the banner"));
}

TEST_CASE("there must be as many entries as the header says") {
  CHECK(matrix_in(banner + "2 2 2\n1 1 1\n", market).problem == "in: expected 2 entries, as its header says, found 1");
  CHECK(matrix_in(banner + "2 2 1\n1 1 1\n1 2 0\n", market).problem == "in: expected 1 entries, as its header says, found 2");
}

TEST_CASE("values and indices keep the rules of all paths") {
  for (const std::string_view value : test::bad_values) {
    CAPTURE(value);
    CHECK(matrix_in(banner + "2 2 1\n1 2 " + std::string(value) + "\n", market).problem ==
          "in:3:5: expected a finite decimal number within the range of float32, found \"" + std::string(value) + "\"");
  }
  for (const test::GoodValue& good : test::good_values)
    CHECK(matrix_in(banner + "1 1 1\n1 1 " + std::string(good.text), market).entries == MatrixEntries{{0, 0, good.value}});
  for (const std::string_view zero : test::zero_values)
    CHECK(matrix_in(banner + "1 1 1\n1 1 " + std::string(zero), market).zeros == 1);
  for (const std::string_view index : test::bad_indices) {
    CAPTURE(index);
    if (index.empty()) continue;
    CHECK(matrix_in(banner + "2 2 1\n" + std::string(index) + " 1 1\n", market).problem.starts_with("in:3:1: expected a row"));
    CHECK(matrix_in(banner + "2 2 1\n1 " + std::string(index) + " 1\n", market).problem.starts_with("in:3:3: expected a column"));
  }
  CHECK(matrix_in(banner + "2 2 1\n0 1 1\n", market).problem == "in:3:1: expected a row from 1 to 2, found \"0\"");
  CHECK(matrix_in(banner + "2 2 1\n1 3 1\n", market).problem == "in:3:3: expected a column from 1 to 2, found \"3\"");
  CHECK(matrix_in(banner + "2 2 1\n1 1 1 1\n", market).problem == "in:3:7: expected the end of the line, found \"1\"");
}

TEST_CASE("bad entries are left out on request and lines are counted alike wherever chunks are cut") {
  const std::string text = banner + "% a\n%% b\n2 2 3\n1 1 1\n1 2 x\n2 2 4\n";
  for (const std::uint64_t chunk : {1U, 10U, 45U, 60U, 1000U}) {
    MatrixSourceOptions options = market;
    options.reading.chunk_bytes = chunk;
    CHECK(matrix_in(text, options).problem.starts_with("in:6:5: expected a finite decimal"));
    options.reading.skip_bad = true;
    CHECK(matrix_in(text, options).entries == MatrixEntries{{0, 0, 1.0F}, {1, 1, 4.0F}});
    CHECK(matrix_in(text, options).skipped == 1);
  }
}

}  // namespace
}  // namespace inkling
