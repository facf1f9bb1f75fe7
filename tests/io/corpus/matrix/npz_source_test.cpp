#include "io/corpus/matrix/npz_source.hpp"

#include <cstring>
#include <filesystem>
#include <limits>
#include <map>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/corpus/matrix/matrix_export.hpp"
#include "io/corpus/matrix/matrix_import.hpp"
#include "tests/support/engine/messages.hpp"
#include "tests/support/io/archive_builder.hpp"
#include "tests/support/io/read_documents.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::InFolder, test::ReadMatrix, test::TemporaryFolder;

using MatrixEntries = std::vector<MatrixEntry>;
using Arrays = std::map<std::string, std::string>;

template <typename Number>
std::string npy(const std::string& descr, const std::vector<Number>& numbers, std::string shape = "") {
  if (shape.empty()) shape = "(" + std::to_string(numbers.size()) + ",)";
  std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  std::string bytes = "\x93NUMPY\x01";
  bytes += '\0';
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  bytes += header;
  const std::size_t begin = bytes.size();
  bytes.resize(begin + numbers.size() * sizeof(Number));
  if (!numbers.empty()) std::memcpy(bytes.data() + begin, numbers.data(), numbers.size() * sizeof(Number));
  return bytes;
}

std::string layout(const std::string& name) {
  return npy<char>("|S" + std::to_string(name.size()), {name.begin(), name.end()}, "()");
}

// 2 x 3: (0, 0) 1, (0, 2) 2, (1, 1) -0.5.
Arrays csr() {
  return {{"indices", npy<std::int32_t>("<i4", {0, 2, 1})},
          {"indptr", npy<std::int32_t>("<i4", {0, 2, 3})},
          {"format", layout("csr")},
          {"shape", npy<std::int64_t>("<i8", {2, 3})},
          {"data", npy<float>("<f4", {1.0F, 2.0F, -0.5F})}};
}
const MatrixEntries csr_entries = {{0, 0, 1.0F}, {0, 2, 2.0F}, {1, 1, -0.5F}};

ReadMatrix read(const Arrays& arrays) {
  const TemporaryFolder folder;
  test::ArchivedFiles files;
  for (const auto& [name, bytes] : arrays) files.emplace_back(name + ".npy", bytes);
  test::write_archive(folder.file("m.npz"), "zip", "none", files);
  ReadMatrix result = test::read_matrix_file(folder.file("m.npz"), {.format = "npz"});
  if (const std::string prefix = folder.file(""); result.problem.starts_with(prefix)) result.problem.erase(0, prefix.size());
  return result;
}

std::string problem_with(const std::string& name, const std::string& array) {
  Arrays arrays = csr();
  arrays[name] = array;
  return read(arrays).problem;
}

TEST_CASE("rows and columns and triplets give the same matrix") {
  CHECK(read(csr()).entries == csr_entries);
  CHECK(read(csr()).rows == 2);

  Arrays csc = csr();
  csc["format"] = layout("csc");
  csc["indices"] = npy<std::int64_t>("<i8", {0, 1, 0});
  csc["indptr"] = npy<std::int64_t>("<i8", {0, 1, 2, 3});
  csc["data"] = npy<double>("<f8", {1.0, -0.5, 2.0});
  CHECK(read(csc).entries == MatrixEntries{{0, 0, 1.0F}, {1, 1, -0.5F}, {0, 2, 2.0F}});

  Arrays coo = csr();
  coo["format"] = npy<char32_t>("<U3", {U'c', U'o', U'o'}, "()");
  coo["row"] = npy<std::int32_t>("<i4", {1, 0, 0});
  coo["col"] = npy<std::int32_t>("<i4", {1, 2, 0});
  coo["data"] = npy<std::int8_t>("|i1", {-1, 2, 1});
  CHECK(read(coo).entries == MatrixEntries{{1, 1, -1.0F}, {0, 2, 2.0F}, {0, 0, 1.0F}});
}

TEST_CASE("every kind of number is read") {
  const MatrixEntries expected = {{0, 0, 1.0F}, {0, 2, 2.0F}, {1, 1, 3.0F}};
  const std::vector<std::string> all = {npy<std::int8_t>("|i1", {1, 2, 3}),   npy<std::int16_t>("<i2", {1, 2, 3}),
                                        npy<std::int32_t>("<i4", {1, 2, 3}),  npy<std::int64_t>("<i8", {1, 2, 3}),
                                        npy<std::uint8_t>("|u1", {1, 2, 3}),  npy<std::uint16_t>("<u2", {1, 2, 3}),
                                        npy<std::uint32_t>("<u4", {1, 2, 3}), npy<std::uint64_t>("<u8", {1, 2, 3}),
                                        npy<float>("<f4", {1, 2, 3}),         npy<double>("<f8", {1, 2, 3})};
  for (const std::string& data : all) {
    Arrays arrays = csr();
    arrays["data"] = data;
    CHECK(read(arrays).entries == expected);
  }
}

TEST_CASE("entries in any order are sorted, and zeros are left out") {
  Arrays arrays = csr();
  arrays["indices"] = npy<std::int32_t>("<i4", {2, 0, 1});
  arrays["data"] = npy<float>("<f4", {1.0F, -0.0F, 3.0F});
  CHECK(read(arrays).entries == MatrixEntries{{0, 2, 1.0F}, {1, 1, 3.0F}});
  CHECK(read(arrays).zeros == 1);
}

TEST_CASE("empty rows and matrices are kept") {
  const Arrays arrays = {{"indices", npy<std::int32_t>("<i4", {})},
                         {"indptr", npy<std::int32_t>("<i4", {0, 0, 0, 0})},
                         {"format", layout("csr")},
                         {"shape", npy<std::int64_t>("<i8", {3, 0})},
                         {"data", npy<float>("<f4", {})}};
  CHECK(read(arrays).rows == 3);
  CHECK(read(arrays).problem.empty());
}

TEST_CASE("arrays with wrong contents are refused by name") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr std::int64_t huge = std::int64_t{1} << 40;
  const std::vector<std::tuple<std::string, std::string, std::string>> cases = {
      {"indices", npy<std::int32_t>("<i4", {0, 3, 1}), "m.npz/indices.npy[1]: expected an index from 0 to 2, found 3"},
      {"indices", npy<std::int32_t>("<i4", {0, -1, 1}), "m.npz/indices.npy[1]: expected an index from 0 to 2, found -1"},
      {"indices", npy<std::int64_t>("<i8", {0, 4294967296, 1}), "m.npz/indices.npy[1]: expected an index from 0 to 2"},
      {"indices", npy<std::uint64_t>("<u8", {0, ~std::uint64_t{0}, 1}), "m.npz/indices.npy[1]: expected an index"},
      {"indices", npy<std::int32_t>("<i4", {1, 1, 1}), "m.npz/indices.npy[0]: expected each column once in a row"},
      {"indices", npy<float>("<f4", {0, 2, 1}), "m.npz/indices.npy: expected integers"},
      {"indices", npy<std::int32_t>("<i4", {0, 2}), "m.npz/indices.npy: expected 3 numbers, found 2"},
      {"indices", npy<std::int32_t>("<i4", {0, 2, 1}, "(3,1)"), "m.npz/indices.npy: expected one dimension"},
      {"indices", npy<std::int32_t>("<i4", {0, 2}, "(3,)"), "m.npz/indices.npy: expected more numbers"},
      {"indptr", npy<std::int32_t>("<i4", {1, 2, 3}), "m.npz/indptr.npy: expected the first number to be 0"},
      {"indptr", npy<std::int32_t>("<i4", {0, 2, 1}), "m.npz/indptr.npy: expected numbers that never fall"},
      {"indptr", npy<std::int32_t>("<i4", {0, 2, 4}), "m.npz/indptr.npy: expected numbers that never fall up to 3"},
      {"indptr", npy<std::int32_t>("<i4", {0, 1, 2}), "m.npz/indptr.npy: expected the last number to be 3, found 2"},
      {"indptr", npy<std::int32_t>("<i4", {0, 3}), "m.npz/indptr.npy: expected 3 numbers, found 2"},
      {"shape", npy<std::int64_t>("<i8", {2, -3}), "m.npz/shape.npy: expected 0 to 2147483647 rows and columns"},
      {"shape", npy<std::int64_t>("<i8", {2147483648, 3}), "m.npz/shape.npy: expected 0 to 2147483647"},
      {"shape", npy<std::int64_t>("<i8", {2, 3, 4}), "m.npz/shape.npy: expected 2 numbers"},
      {"data", npy<float>("<f4", {1, nan, 1}), "m.npz/data.npy[1]: expected a finite decimal number"},
      {"data", npy<double>("<f8", {1, 1, 1e300}), "m.npz/data.npy[2]: expected a finite decimal number"},
      {"data", npy<double>("<f8", {1e-40, 1, 1}), "m.npz/data.npy[0]: expected a finite decimal number"},
      {"data", npy<float>(">f4", {1, 1, 1}), "m.npz/data.npy: expected integers, float32 or float64"},
      {"data", npy<double>("<c8", {1, 1, 1}), "m.npz/data.npy: expected integers, float32 or float64"},
      {"data", npy<float>("<f4", {1, 1, 1}, "(" + std::to_string(huge) + ",)"), "m.npz/indices.npy: expected"},
      {"data", "no array", "m.npz/data.npy: "},
      {"data", "", "m.npz/data.npy: "},
      {"format", layout("bsr"), R"(m.npz/format.npy: expected the layout "csr", "csc" or "coo", found "bsr")"},
      {"format", layout(""), "m.npz/format.npy: expected the layout"},
  };
  for (const auto& [name, array, problem] : cases) {
    CAPTURE(problem);
    const std::string found = problem_with(name, array);
    CAPTURE(found);
    CHECK(found.starts_with(problem));
  }
}

TEST_CASE("no memory is allocated for more numbers than an array has") {
  constexpr auto huge = "(1099511627776,)";
  Arrays arrays = csr();
  arrays["data"] = npy<float>("<f4", {1, 1, 1}, huge);
  arrays["indices"] = npy<std::int32_t>("<i4", {0, 2, 1}, huge);
  arrays["shape"] = npy<std::int64_t>("<i8", {2, 2147483647});
  arrays["indptr"] = npy<std::int64_t>("<i8", {0, 2147483647, 1099511627776});
  CHECK(read(arrays).problem.starts_with("m.npz/indices.npy: expected more numbers"));
  arrays["indptr"] = npy<std::int64_t>("<i8", {0, 2147483648, 1099511627776});
  CHECK(read(arrays).problem.starts_with("m.npz/indptr.npy: expected at most 2147483647 entries"));
}

TEST_CASE("a matrix without one of its arrays, or that is not a zip file, is refused") {
  for (const std::string name : {"indices", "indptr", "format", "shape", "data"}) {
    Arrays arrays = csr();
    arrays.erase(name);
    CHECK(read(arrays).problem == "m.npz: expected an array named \"" + name + "\" in a matrix of SciPy, found none");
  }
  CHECK(test::matrix_in("text", {.format = "npz"}).problem.starts_with("in: expected a zip file"));
}

// The error of importing the arrays, without the path.
std::string import_problem(const Arrays& arrays) {
  const TemporaryFolder folder;
  test::ArchivedFiles files;
  for (const auto& [name, bytes] : arrays) files.emplace_back(name + ".npy", bytes);
  test::write_archive(folder.file("m.npz"), "zip", "none", files);
  const auto source = open_matrix_source({folder.file("m.npz")}, {.format = "npz"});
  PoolStaging staging(folder.file("pool"));
  return test::expectation_of([&] { static_cast<void>(import_matrix(*source, {}, staging)); });
}

TEST_CASE("a duplicate entry is refused in every layout even if one of the two is a zero") {
  for (const float second : {7.0F, 0.0F}) {
    Arrays arrays = csr();
    arrays["indices"] = npy<std::int32_t>("<i4", {2, 2, 1});
    arrays["data"] = npy<float>("<f4", {1.0F, second, 3.0F});
    CHECK(import_problem(arrays) == "expected each column once in a row, found 2 twice");

    arrays["format"] = layout("csc");
    arrays["indices"] = npy<std::int32_t>("<i4", {1, 1, 0});
    arrays["indptr"] = npy<std::int32_t>("<i4", {0, 2, 2, 3});
    CHECK(import_problem(arrays) == "expected each place once, found row 2, column 1 twice (from 1)");

    arrays["format"] = layout("coo");
    arrays["row"] = npy<std::int32_t>("<i4", {1, 1, 0});
    arrays["col"] = npy<std::int32_t>("<i4", {2, 2, 0});
    CHECK(import_problem(arrays) == "expected each place once, found row 2, column 3 twice (from 1)");
    arrays["col"] = npy<std::int32_t>("<i4", {2, 1, 0});
    CHECK(import_problem(arrays) == "none");
  }
}

TEST_CASE("an index beyond signed 64 bits is reported as it is, and bytes after an array are refused") {
  CHECK(problem_with("indices", npy<std::uint64_t>("<u8", {0, ~std::uint64_t{0}, 1})) ==
        "m.npz/indices.npy[1]: expected an index from 0 to 2, found 18446744073709551615");
  CHECK(problem_with("shape", npy<std::uint64_t>("<u8", {2, ~std::uint64_t{0}})) ==
        "m.npz/shape.npy: expected 0 to 2147483647 rows and columns, found 2 and 18446744073709551615");
  CHECK(problem_with("indptr", npy<std::uint64_t>("<u8", {0, 2, ~std::uint64_t{0}})) ==
        "m.npz/indptr.npy: expected numbers that never fall up to 3, found 18446744073709551615 after 2");

  for (const auto& [name, bytes] : csr()) {
    if (name == "format") continue;
    CHECK(problem_with(name, bytes + "x") == "m.npz/" + name + ".npy: expected nothing after its numbers, found more bytes");
  }
  CHECK(problem_with("format", csr()["format"] + std::string(100, '\0')).starts_with("m.npz/format.npy: "));
}

// Flips each bit in turn: reading must give the same matrix or an error.
void check_flipped(const std::string& path) {
  const ReadMatrix expected = test::read_matrix_file(path, {.format = "npz"});
  REQUIRE(expected.problem.empty());
  const auto bits = static_cast<std::streamoff>(8 * std::filesystem::file_size(path));
  int refused = 0;
  for (std::streamoff bit = 0; bit < bits; bit += 5) {
    test::flip_bit_of(path, bit);
    const ReadMatrix found = test::read_matrix_file(path, {.format = "npz"});
    if (found.problem.empty() && !(found == expected)) FAIL_CHECK("bit " << bit << " changes the matrix silently");
    refused += found.problem.empty() ? 0 : 1;
    test::flip_bit_of(path, bit);
  }
  CHECK(refused > bits / 5 / 2);
}

TEST_CASE_FIXTURE(InFolder, "no flipped bit of a zip file changes the matrix silently") {
  test::ArchivedFiles files;
  for (const auto& [name, bytes] : csr()) files.emplace_back(name + ".npy", bytes);
  test::write_archive(folder.file("packed.npz"), "zip", "none", files);
  check_flipped(folder.file("packed.npz"));

  const CsrMatrix matrix = test::matrix_of(3, {{{0, 1.0F}, {2, 2.0F}}, {{1, -0.5F}}});
  OutputFile stored(folder.file("stored.npz"));
  export_npz({matrix.view(), {}, {}}, stored);
  stored.close();
  check_flipped(folder.file("stored.npz"));
}

}  // namespace
}  // namespace inkling
