#include "io/corpus/matrix/matrix_import.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/corpus/matrix/matrix_export.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/messages.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/engine/with_threads.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::InFolder, test::TemporaryFolder;

struct Format {
  std::string format;
  void (*write)(const ExportedMatrix&, OutputFile&);
};

const std::vector<Format> formats = {{"svmlight", &export_svmlight}, {"mtx", &export_matrix_market}, {"npz", &export_npz}};

ImportSummary import_file(const std::string& path, const std::string& pool, const MatrixSourceOptions& from,
                          const ImportOptions& options = {}) {
  const std::unique_ptr<MatrixSource> source = open_matrix_source({path}, from);
  PoolStaging staging(pool);
  return import_matrix(*source, options, staging);
}

std::string write_text(const TemporaryFolder& folder, const std::string& text) {
  write_file(folder.file("in"), text);
  return folder.file("in");
}

std::string failure_of(const std::string& path, const std::string& pool, const MatrixSourceOptions& from,
                       const ImportOptions& options = {}) {
  return test::expectation_of([&] { static_cast<void>(import_file(path, pool, from, options)); });
}

TEST_CASE("a matrix exported in any format is imported bit for bit") {
  test::each_case(11, 12, [&](RandomStream& random) {
    const test::RandomPoolOptions shape = {.documents = test::between(0, 40, random),
                                           .features = test::between(1, 30, random),
                                           .density = 0.3,
                                           .degenerate = false,
                                           .wild_values = true};
    const TemporaryFolder folder;
    const CsrMatrix matrix = test::random_matrix(shape, random);
    for (const Format& format : formats) {
      CAPTURE(format.format);
      OutputFile out(folder.file("exported"));
      format.write({matrix.view(), {}, {}}, out);
      out.close();
      MatrixSourceOptions from = {.format = format.format, .reading = {.chunk_bytes = random.below(200) + 1}};
      if (format.format == "svmlight") from.features = shape.features;
      const ImportSummary summary = import_file(folder.file("exported"), folder.file("pool"), from);
      const Pool pool = Pool::open(folder.file("pool"));
      CHECK(test::same_matrix(pool.view().by_document, matrix.view()));
      CHECK(summary.rows == matrix.view().rows());
      CHECK(summary.columns == matrix.view().columns());
      CHECK(summary.nonzeros == matrix.view().nonzeros());
    }
  });
}

TEST_CASE_FIXTURE(InFolder, "the bytes of a pool do not depend on threads or memory or chunks") {
  RandomStream random = test::stream_for(12);
  const CsrMatrix matrix = test::random_matrix({.documents = 400, .features = 200, .density = 0.1}, random);
  for (const Format& format : formats) {
    OutputFile out(folder.file("exported"));
    format.write({matrix.view(), {}, {}}, out);
    out.close();
    const MatrixSourceOptions from = {.format = format.format};
    static_cast<void>(import_file(folder.file("exported"), folder.file("first"), from));
    const auto expected = test::files_in(folder.file("first"));
    for (const int threads : {1, 2, 8}) {
      MatrixSourceOptions in_pieces = from;
      in_pieces.reading.chunk_bytes = 1000;
      test::with_threads(threads, [&] {
        static_cast<void>(import_file(folder.file("exported"), folder.file("other"), in_pieces, {.memory = 40000}));
      });
      CHECK(test::files_in(folder.file("other")) == expected);
    }
  }
}

TEST_CASE_FIXTURE(InFolder, "labels are kept, or left out on request") {
  const std::string path = write_text(folder, "2 1:1\n10\n2 2:1\n");
  static_cast<void>(import_file(path, folder.file("pool"), {}));
  {
    const Pool pool = Pool::open(folder.file("pool"));
    CHECK(pool.label_names() == std::vector<std::string>{"10", "2"});
    CHECK(std::vector<std::int32_t>(pool.labels().begin(), pool.labels().end()) == std::vector<std::int32_t>{1, 0, 1});
    CHECK(pool.view().documents() == 3);
    CHECK(std::vector<std::int32_t>(pool.document_frequency().begin(), pool.document_frequency().end()) ==
          std::vector<std::int32_t>{1, 1});
  }
  static_cast<void>(import_file(path, folder.file("pool"), {}, {.labels = LabelUse::drop}));
  const Pool without = Pool::open(folder.file("pool"));
  CHECK(without.label_names().empty());
}

TEST_CASE_FIXTURE(InFolder, "columns are put into the order of their terms") {
  write_file(folder.file("terms"), "pear\napple\nfig\n");
  const std::string path = write_text(folder, "0 1:1 2:2\n0 3:3\n");
  const ImportOptions with_terms = {.vocabulary = folder.file("terms")};
  static_cast<void>(import_file(path, folder.file("pool"), {}, with_terms));
  const Pool pool = Pool::open(folder.file("pool"));
  REQUIRE(pool.vocabulary());
  CHECK((*pool.vocabulary())[0] == "apple");
  const CsrMatrix expected = test::matrix_of(3, {{{0, 2.0F}, {2, 1.0F}}, {{1, 3.0F}}});
  CHECK(test::same_matrix(pool.view().by_document, expected.view()));

  CHECK(failure_of(write_text(folder, "0 4:1\n"), folder.file("other"), {}, with_terms) ==
        "expected 3 columns, as many as terms or features were given, found column 4");
  const std::string market = write_text(folder, "%%MatrixMarket matrix coordinate real general\n1 2 0\n");
  CHECK(failure_of(market, folder.file("other"), {.format = "mtx"}, with_terms) ==
        "expected 2 terms, one for each column, found 3");
}

TEST_CASE_FIXTURE(InFolder, "a duplicate entry is refused with the row and column as the file numbers them") {
  const std::string path = write_text(folder, "%%MatrixMarket matrix coordinate real general\n3 2 3\n3 1 1\n1 2 1\n3 1 2\n");
  const MatrixSourceOptions market = {.format = "mtx"};
  const std::string problem = "expected each place once, found row 3, column 1 twice (from 1)";
  CHECK(failure_of(path, folder.file("pool"), market) == problem);
  write_file(folder.file("terms"), "z\na\n");
  CHECK(failure_of(path, folder.file("pool"), market, {.vocabulary = folder.file("terms")}) == problem);
  CHECK_FALSE(std::filesystem::exists(folder.file("pool")));
}

TEST_CASE_FIXTURE(InFolder, "a duplicate entry is refused even if one of the two is a zero") {
  const std::string banner = "%%MatrixMarket matrix coordinate real ";
  for (const std::string entries : {"3 1 0\n1 2 1\n3 1 2\n", "3 1 2\n1 2 1\n3 1 0\n", "3 1 0\n1 2 1\n3 1 0\n"}) {
    const std::string path = write_text(folder, banner + "general\n3 2 3\n" + entries);
    CHECK(failure_of(path, folder.file("pool"), {.format = "mtx"}) ==
          "expected each place once, found row 3, column 1 twice (from 1)");
  }
  const std::string symmetric = write_text(folder, banner + "symmetric\n2 2 2\n2 1 5\n1 2 0\n");
  CHECK(failure_of(symmetric, folder.file("pool"), {.format = "mtx"}).starts_with("expected each place once, found row "));

  const std::string path = write_text(folder, banner + "general\n3 2 3\n3 1 0\n1 2 1\n3 2 0\n");
  const ImportSummary summary = import_file(path, folder.file("pool"), {.format = "mtx"});
  CHECK(summary.zeros == 2);
  CHECK(summary.nonzeros == 1);
  const CsrMatrix expected = test::matrix_of(2, {{{1, 1.0F}}, {}, {}});
  const Pool pool = Pool::open(folder.file("pool"));
  CHECK(test::same_matrix(pool.view().by_document, expected.view()));
}

TEST_CASE_FIXTURE(InFolder, "empty rows and columns at the end are kept") {
  const std::string path = write_text(folder, "%%MatrixMarket matrix coordinate real general\n5 7 1\n2 3 0.5\n");
  static_cast<void>(import_file(path, folder.file("pool"), {.format = "mtx"}));
  const Pool pool = Pool::open(folder.file("pool"));
  CHECK(pool.view().documents() == 5);
  CHECK(pool.view().features() == 7);
}

TEST_CASE_FIXTURE(InFolder, "wrong numbers in a header or an index do not allocate memory") {
  const ImportOptions small = {.memory = std::uint64_t{1} << 20U};
  const std::string market = "%%MatrixMarket matrix coordinate real general\n";
  CHECK(failure_of(write_text(folder, "0 2147483647:1\n"), folder.file("pool"), {}, small) ==
        "expected at most 16384 columns, for which there is memory (--memory), found 2147483647");
  for (const std::string size : {"2147483647 1 0", "1 2147483647 0"}) {
    CHECK(failure_of(write_text(folder, market + size + "\n"), folder.file("pool"), {.format = "mtx"}, small)
              .find("for which there is memory (--memory), found 2147483647") != std::string::npos);
  }
  std::string long_row = "0";
  for (int i = 1; i <= 300; ++i) long_row += " " + std::to_string(i) + ":1";
  CHECK(failure_of(write_text(folder, long_row + "\n"), folder.file("pool"), {}, {.memory = 19200}) == "none");
  CHECK(failure_of(write_text(folder, long_row + " 1000:1\n"), folder.file("pool"), {}, {.memory = 19200}).find("(--memory)") !=
        std::string::npos);
}

TEST_CASE_FIXTURE(InFolder, "the first problem is reported with any number of threads") {
  std::string text;
  for (int row = 0; row < 300; ++row) text += row == 150 || row == 250 ? "1 2:nan\n" : "1 2:1\n";
  const std::string path = write_text(folder, text);
  for (const int threads : {1, 2, 8}) {
    test::with_threads(threads, [&] {
      const MatrixSourceOptions from = {.reading = {.chunk_bytes = 50}};
      CHECK_THROWS_WITH_AS(static_cast<void>(import_file(path, folder.file("pool"), from)),
                           (path + ":151:5: expected a finite decimal number within the range of float32, found \"nan\"").c_str(),
                           FormatError);
    });
  }
}

TEST_CASE_FIXTURE(InFolder, "too many different labels are refused") {
  std::string text;
  for (int row = 0; row < 66000; ++row) text += std::to_string(row) + "\n";
  const std::string path = write_text(folder, text);
  CHECK(failure_of(path, folder.file("pool"), {}).find("(--no-labels)") != std::string::npos);
  CHECK(failure_of(path, folder.file("pool"), {}, {.labels = LabelUse::drop}) == "none");
}

TEST_CASE_FIXTURE(test::InFolder, "terms are sorted and each column knows its place among them") {
  write_file(folder.file("terms"), "\xEF\xBB\xBFpear\r\napple\nÄpfel\nfig");
  const ColumnTerms terms(folder.file("terms"));
  CHECK(terms.terms() == std::vector<std::string>{"apple", "fig", "pear", "Äpfel"});
  CHECK(terms.feature_of_column() == std::vector<FeatureId>{2, 0, 3, 1});
}

TEST_CASE_FIXTURE(test::InFolder, "terms that are not valid are refused with their line") {
  const std::string path = folder.file("terms");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a\n\nb\n", ":2:1: expected a term, found an empty line"},
      {"a\nb\na\n", ":3:1: expected each term once, found \"a\" again"},
      {"a\n\xFF\n", ":2:1: expected a term in UTF-8"},
  };
  for (const auto& [text, problem] : cases) {
    write_file(path, text);
    CHECK_THROWS_WITH_AS(ColumnTerms{path}, (path + problem).c_str(), FormatError);
  }
  CHECK_THROWS_AS(ColumnTerms{folder.file("missing")}, SystemError);
}

TEST_CASE_FIXTURE(test::InFolder, "an endless file of terms is refused before it fills the memory") {
  const std::string path = folder.file("terms");
  std::string text;
  for (int n = 0; n < 1000; ++n) text += "term" + std::to_string(n) + "\n";
  write_file(path, text);
  CHECK(ColumnTerms(path).size() == 1000);
  CHECK_THROWS_WITH_AS(ColumnTerms(path, 1000),
                       (path + ":10:1: expected terms that take at most half of the memory, 500 bytes (--memory)").c_str(),
                       FormatError);
  CHECK_THROWS_WITH_AS(ColumnTerms("/dev/zero"), "/dev/zero:1:1: expected a term, found a megabyte", FormatError);
}

}  // namespace
}  // namespace inkling
