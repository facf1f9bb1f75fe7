#include "io/corpus/matrix/text_matrix.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/io/bad_input_tables.hpp"
#include "tests/support/io/read_documents.hpp"

namespace inkling {
namespace {

using test::matrix_in, test::ReadMatrix;
using MatrixEntries = std::vector<MatrixEntry>;
using Labels = std::vector<std::string>;

const MatrixSourceOptions svmlight = {.format = "svmlight"};

TEST_CASE("rows have a label, kept as it is written without a plus, and entries from 1") {
  const ReadMatrix read = matrix_in("1 1:0.5 3:2\n-1\n2.5 2:1e-3 # comment 4:5\n", svmlight);
  CHECK(read.entries == MatrixEntries{{0, 0, 0.5F}, {0, 2, 2.0F}, {2, 1, 1e-3F}});
  CHECK(read.labels == Labels{"1", "-1", "2.5"});
  CHECK(read.rows == 3);

  CHECK(matrix_in("+1 1:1\n1,3 1:1\nspam 1:1\n007\n", svmlight).labels == Labels{"1", "1,3", "spam", "007"});
}

TEST_CASE("blank lines, comments and query numbers are ignored") {
  const ReadMatrix read = matrix_in("\xEF\xBB\xBF# header\r\n\n  \n1 1:1\r\n\t\n0\n# end\n1\t2:3\t", svmlight);
  CHECK(read.rows == 3);
  CHECK(read.entries == MatrixEntries{{0, 0, 1.0F}, {2, 1, 3.0F}});
  CHECK(matrix_in("", svmlight).rows == 0);

  CHECK(matrix_in("1 qid:7 1:1\n", svmlight).entries == MatrixEntries{{0, 0, 1.0F}});
  CHECK(matrix_in("1 1:1 qid:7\n", svmlight).problem == "in:1:7: expected INDEX:VALUE, found \"qid:7\"");
}

TEST_CASE("entries in any order are sorted, a repeated index is refused, and zeros are left out and counted") {
  CHECK(matrix_in("1 3:3 1:1 2:2\n", svmlight).entries == MatrixEntries{{0, 0, 1.0F}, {0, 1, 2.0F}, {0, 2, 3.0F}});
  CHECK(matrix_in("0\n1 2:1 2:1\n", svmlight).problem == "in:2:1: expected each index once in a row, found 2 twice");
  CHECK(matrix_in("1 2:1 1:1 2:0\n", svmlight).problem == "in:1:1: expected each index once in a row, found 2 twice");

  for (const std::string_view zero : test::zero_values) {
    CAPTURE(zero);
    const ReadMatrix read = matrix_in("1 1:1 2:" + std::string(zero) + " 3:1\n", svmlight);
    CHECK(read.entries == MatrixEntries{{0, 0, 1.0F}, {0, 2, 1.0F}});
    CHECK(read.zeros == 1);
  }
}

TEST_CASE("values keep the one rule") {
  for (const std::string_view value : test::bad_values) {
    CAPTURE(value);
    const ReadMatrix read = matrix_in("0\n1 3:" + std::string(value) + " 4:1\n", svmlight);
    CHECK(read.problem ==
          "in:2:5: expected a finite decimal number within the range of float32, found \"" + std::string(value) + "\"");
  }
  for (const test::GoodValue& good : test::good_values) {
    CAPTURE(good.text);
    CHECK(matrix_in("1 1:" + std::string(good.text), svmlight).entries == MatrixEntries{{0, 0, good.value}});
  }
}

TEST_CASE("indices are within the base and the number of features") {
  MatrixSourceOptions from_zero = svmlight;
  from_zero.index_base = 0;
  for (const std::string_view index : test::bad_indices) {
    CAPTURE(index);
    for (const MatrixSourceOptions& options : {svmlight, from_zero})
      CHECK(matrix_in("1 " + std::string(index) + ":1", options).problem.starts_with("in:1:3: expected "));
  }
  CHECK(matrix_in("1 0:1", svmlight).problem ==
        "in:1:3: expected indices from 1 on (--index-base 0 where the first is 0), found \"0\"");
  CHECK(matrix_in("1 0:1", from_zero).entries == MatrixEntries{{0, 0, 1.0F}});
  CHECK(matrix_in("1 2147483647:1", svmlight).entries == MatrixEntries{{0, 2147483646, 1.0F}});
  CHECK(matrix_in("1 2147483647:1", from_zero).problem == "in:1:3: expected an index from 0 to 2147483646, found \"2147483647\"");
  MatrixSourceOptions few = svmlight;
  few.features = 3;
  CHECK(matrix_in("1 3:1", few).entries == MatrixEntries{{0, 2, 1.0F}});
  CHECK(matrix_in("1 4:1", few).problem == "in:1:3: expected an index from 1 to 3, found \"4\"");
}

TEST_CASE("a line that is not a row is refused, or left out as a whole") {
  for (const std::string line : {"1:1 2:2", "1 2", "1 2:", "1 :2", "1 2:3:4", "1 2;3", "1 2:3x", "\xFF 1:1", "1 1 :1"}) {
    CAPTURE(line);
    CHECK(matrix_in("0 1:1\n" + line, svmlight).problem.starts_with("in:2:"));
    MatrixSourceOptions skipping = svmlight;
    skipping.reading.skip_bad = true;
    const ReadMatrix read = matrix_in("0 1:1\n" + line + "\n2 2:2\n", skipping);
    CHECK(read.entries == MatrixEntries{{0, 0, 1.0F}, {1, 1, 2.0F}});
    CHECK(read.labels == Labels{"0", "2"});
    CHECK(read.skipped == 1);
  }
  MatrixSourceOptions small = svmlight;
  small.reading.most_document_bytes = 20;
  CHECK(matrix_in("1 " + std::string(100, ' ') + "1:1", small).problem ==
        "in:1:1: expected at most 20 bytes in a record (--max-document), found more");
  CHECK(matrix_in(std::string(5000, 'x') + " 1:1", svmlight).problem == "in:1:1: expected a label of at most 4096 bytes");
}

TEST_CASE("rows of svmlight do not depend on where chunks are cut") {
  const std::vector<std::string> pieces = {"1 ",   "2:3 ",  "1:1 ", "7:0.25 ", "\n",    "\n",
                                           "\r\n", "# x\n", "+1 ",  "4:nan ",  "qid:1 "};
  test::each_case(5, 60, [&](RandomStream& random) {
    std::string text;
    for (std::int32_t left = test::between(0, 40, random); left > 0; --left) text += pieces[random.below(pieces.size())];
    MatrixSourceOptions options = svmlight;
    options.reading.skip_bad = random.coin(0.6);
    const ReadMatrix whole = matrix_in(text, options);
    for (const std::uint64_t chunk : {1U, 2U, 5U, 17U}) {
      options.reading.chunk_bytes = chunk;
      const ReadMatrix cut = matrix_in(text, options);
      CAPTURE(text);
      CHECK(cut.problem == whole.problem);
      if (whole.problem.empty()) CHECK(cut == whole);
    }
  });
}

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
