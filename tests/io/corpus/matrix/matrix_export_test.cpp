#include "io/corpus/matrix/matrix_export.hpp"

#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::TemporaryFolder;

std::string exported(void (*write)(const ExportedMatrix&, OutputFile&), const ExportedMatrix& matrix) {
  const TemporaryFolder folder;
  OutputFile file(folder.file("out"));
  write(matrix, file);
  file.close();
  return test::text_of(folder.file("out"));
}

const CsrMatrix& small_matrix() {
  static const CsrMatrix matrix = test::matrix_of(3, {{{0, 0.1F}, {2, -2.0F}}, {}, {{1, std::numeric_limits<float>::max()}}});
  return matrix;
}

TEST_CASE("rows of svmlight begin with their label and count from 1") {
  const std::vector<std::string> numbers = {"-1", "1,3"};
  const std::vector<std::string> names = {"ham", "spam"};
  const std::vector<std::int32_t> labels = {1, -1, 0};
  CHECK(exported(&export_svmlight, {small_matrix().view(), labels, numbers}) == "1,3 1:0.1 3:-2\n0\n-1 2:3.4028235e+38\n");
  CHECK(exported(&export_svmlight, {small_matrix().view(), labels, names}) == "2 1:0.1 3:-2\n0\n1 2:3.4028235e+38\n");
  CHECK(exported(&export_svmlight, {small_matrix().view(), {}, {}}) == "0 1:0.1 3:-2\n0\n0 2:3.4028235e+38\n");
}

TEST_CASE("a file of MatrixMarket says its size and names every entry") {
  CHECK(exported(&export_matrix_market, {small_matrix().view(), {}, {}}) ==
        "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 0.1\n1 3 -2\n3 2 3.4028235e+38\n");
}

TEST_CASE("the same matrix gives the same zip file with the arrays of SciPy") {
  const std::string bytes = exported(&export_npz, {small_matrix().view(), {}, {}});
  CHECK(bytes == exported(&export_npz, {small_matrix().view(), {}, {}}));
  for (const char* const name : {"indices.npy", "indptr.npy", "format.npy", "shape.npy", "data.npy"})
    CHECK(bytes.find(name) != std::string::npos);
}

TEST_CASE("a full disk is an error of every export") {
  for (const auto write : {&export_svmlight, &export_matrix_market, &export_npz}) {
    RandomStream random = test::stream_for(3);
    const CsrMatrix matrix = test::random_matrix({.documents = 400, .features = 200, .density = 0.5}, random);
    OutputFile full("/dev/full");
    const auto export_all = [&] {
      write({matrix.view(), {}, {}}, full);
      full.close();
    };
    CHECK_THROWS_AS(export_all(), SystemError);
  }
}

}  // namespace
}  // namespace inkling
