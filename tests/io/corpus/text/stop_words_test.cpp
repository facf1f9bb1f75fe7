#include "io/corpus/text/stop_words.hpp"

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::InFolder;

TEST_CASE_FIXTURE(InFolder, "a list of words has one a line") {
  write_file(folder.file("words"), "# comment\n the \r\n\nund\nlast");
  CHECK(read_word_list(folder.file("words")) == std::vector<std::string>{"the", "und", "last"});
  CHECK_THROWS_AS(static_cast<void>(read_word_list(folder.file("missing"))), SystemError);
  write_file(folder.file("words"), "a\n\xFF\n");
  CHECK_THROWS_WITH_AS(static_cast<void>(read_word_list(folder.file("words"))), doctest::Contains("words:2"), FormatError);
}

TEST_CASE_FIXTURE(InFolder, "a file too long for a list of words is refused before it takes memory") {
  CHECK_THROWS_WITH_AS(static_cast<void>(read_word_list("/dev/zero")), doctest::Contains("lines of at most 65536 bytes"),
                       FormatError);
  std::string many;
  for (int n = 0; n < 500'001; ++n) many += "a\n";
  write_file(folder.file("many"), many);
  CHECK_THROWS_WITH_AS(static_cast<void>(read_word_list(folder.file("many"))),
                       doctest::Contains("many:500001: expected at most 500000 words"), FormatError);
  std::string blank;
  blank.resize((std::size_t{16} << 20U) + 1, '\n');
  write_file(folder.file("blank"), blank);
  CHECK_THROWS_WITH_AS(static_cast<void>(read_word_list(folder.file("blank"))),
                       doctest::Contains("expected at most 16777216 bytes"), FormatError);
}

}  // namespace
}  // namespace inkling
