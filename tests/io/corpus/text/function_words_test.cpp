#include "io/corpus/text/function_words.hpp"

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("function words of several languages, numbers and phrases that hold one say nothing") {
  for (const char* const term : {"at", "were", "We", "with and", "and without", "22", "1a", "x", "in patients", "group 1", "für",
                                 "años de", "qu", "también", "not"})
    CHECK_MESSAGE(says_nothing(term), term);
  for (const char* const term : {"diabetes", "men", "die", "randomised trial", "covid-19", "mi", "öl", "3rd"})
    CHECK_MESSAGE(!says_nothing(term), term);
  CHECK_FALSE(says_nothing(""));
}

}  // namespace
}  // namespace inkling
