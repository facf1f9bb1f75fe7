#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/corpus/matrix/matrix_import.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

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
