#include "bench/worlds/sentence_files.hpp"

#include <cstdint>
#include <set>

#include <doctest/doctest.h>

namespace inkling::bench {
namespace {

constexpr std::string_view kSmallLists =
    "# A remark\n\nplant = roses | broad beans | leeks\n"
    "# Drawn anew each time\nfew = two | three | four | five\n";

TEST_CASE("a file of sentences is read as subjects in their order") {
  const std::vector<Subject> subjects =
      read_subjects("# Opening\nHello.\n\n# Beans\n  I grow {plant}.\nDo you?\n\nAlways {few|many}!");
  REQUIRE(subjects.size() == 2);
  CHECK(subjects[0].heading == "Opening");
  CHECK(subjects[0].sentences == std::vector<std::string_view>{"Hello."});
  CHECK(subjects[1].heading == "Beans");
  CHECK(subjects[1].sentences == std::vector<std::string_view>{"I grow {plant}.", "Do you?", "Always {few|many}!"});
}

TEST_CASE("lists of words are found by name and drawn once in a message or anew each time") {
  const WordLists lists(kSmallLists);
  CHECK(lists.of("plant").words == std::vector<std::string_view>{"roses", "broad beans", "leeks"});
  CHECK_FALSE(lists.of("plant").anew);
  CHECK(lists.of("few").words.size() == 4);
  CHECK(lists.of("few").anew);

  std::set<std::string> seen;
  bool differ = false;
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    RandomStream random(1, trial, RandomRole::documents);
    MessageWords words(lists);
    const std::string first = words.filled("{plant}.", random);
    CHECK(words.filled("{plant}.", random) == first);
    seen.insert(first);
    differ = differ || words.filled("{few}.", random) != words.filled("{few}.", random);
  }
  CHECK(seen == std::set<std::string>{"Roses.", "Broad beans.", "Leeks."});
  CHECK(differ);
}

TEST_CASE("each word in braces is used and the text around the braces stays") {
  const WordLists lists(kSmallLists);
  RandomStream random(1, 0, RandomRole::documents);
  MessageWords words(lists);
  std::set<std::string> seen;
  for (int n = 0; n < 100; ++n) seen.insert(words.filled("my {red|old green} hat, {so|yes}.", random));
  CHECK(seen == std::set<std::string>{"My red hat, so.", "My red hat, yes.", "My old green hat, so.", "My old green hat, yes."});
}

}  // namespace
}  // namespace inkling::bench
