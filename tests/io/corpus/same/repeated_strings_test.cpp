#include "io/corpus/same/repeated_strings.hpp"

#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

StringMark marked(std::string_view text) {
  std::string scratch;
  return mark_of_words(text, scratch);
}

TEST_CASE("texts that differ only in blanks and line ends have one mark") {
  const StringMark plain = marked("dig the soil");
  for (const char* const same : {" dig the soil", "dig\tthe\r\nsoil\n", "dig  \n\n the \v\f soil   "}) {
    CAPTURE(same);
    CHECK(marked(same) == plain);
  }
  for (const char* const other : {"Dig the soil", "dig thesoil", "digthe soil", "dig the soil.", "the soil dig"})
    CHECK(marked(other) != plain);
  for (const char* const nothing : {"", " ", "\n\t \r"}) CHECK(marked(nothing).is_none());
}

TEST_CASE("the mark of a text is that of its words with single blanks between") {
  test::each_case(2301, 500, [&](RandomStream& random, std::uint64_t trial) {
    std::string text;
    std::string words;
    bool after_blank = true;
    const double blanks = trial % 3 == 0 ? 0.4 : 0.04;  // mostly several in a row, or single ones
    for (std::uint64_t n = random.below(trial % 2 == 0 ? 40 : 300); n > 0; --n) {
      const char letter = random.coin(blanks) ? " \n\t"[random.below(3)] : "ab\x08\x0E\xC3\xA9"[random.below(6)];
      text += letter;
      const bool is_blank = letter == ' ' || letter == '\n' || letter == '\t';
      if (!is_blank && after_blank && !words.empty()) words += ' ';
      if (!is_blank) words += letter;
      after_blank = is_blank;
    }
    CHECK(marked(text) == mark_of(words));
  });
}

TEST_CASE_FIXTURE(test::InFolder, "repeated texts are those that a map finds") {
  test::each_case(2302, 60, [&](RandomStream& random) {
    const PoolStaging staging(folder.file("pool"));
    RepeatedStrings strings(staging);
    std::map<std::string, DocumentId> first_of;
    CopiedRows expected;
    DocumentId row = 0;
    const std::uint64_t kinds = 1 + random.below(300);
    for (std::uint64_t chunk = random.below(8); chunk > 0; --chunk) {
      std::vector<StringMark> marks;
      for (std::uint64_t n = random.below(60); n > 0; --n, ++row) {
        const std::string text = random.coin(0.1) ? "" : std::to_string(random.below(kinds));
        marks.push_back(mark_of(text));
        const auto [first, is_new] = first_of.try_emplace(text, row);
        if (!is_new && !text.empty()) expected.add(row, first->second);
      }
      strings.append(marks);
    }
    const CopiedRows found = strings.repeats();
    CHECK(found.rows == expected.rows);
    CHECK(found.originals == expected.originals);
  });
}

}  // namespace
}  // namespace inkling
