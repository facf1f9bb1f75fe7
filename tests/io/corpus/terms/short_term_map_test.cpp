#include "io/corpus/terms/short_term_map.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "io/corpus/text/padded_text.hpp"

namespace inkling {
namespace {

ShortTerm key_of(const std::string& text) {
  const PaddedText padded(text);
  return ShortTerm::of_padded(padded.view());
}

TEST_CASE("a short term does not depend on the bytes that follow it") {
  for (std::size_t length = 1; length <= ShortTerm::most_bytes; ++length) {
    const std::string text = std::string("abcdefghijklmnop").substr(0, length);
    const PaddedText followed(text + "zzzzzzzzzzzzzzzzzzzz");
    const ShortTerm key = ShortTerm::of_padded(followed.view().substr(0, length));
    CHECK(key == key_of(text));
    CHECK(key.text() == text);
  }
  CHECK_FALSE(key_of("ab") == key_of("ba"));
  CHECK_FALSE(key_of("aaaaaaaab") == key_of("aaaaaaaa"));
}

TEST_CASE("the table equals a map and the most frequent term is found at the first place") {
  RandomStream random(7, 0, RandomRole::pool);
  ShortTermMap table;
  std::map<std::string, TermEntry> twin;
  for (int n = 0; n < 60'000; ++n) {
    const std::string text = "w" + std::to_string(random.below(1 + random.below(20'000)));
    const ShortTerm key = key_of(text);
    TermEntry& expected = twin.emplace(text, TermEntry{.term = static_cast<TermId>(twin.size())}).first->second;
    TermEntry& entry = table.find(key, [&] { return TermEntry{.term = expected.term}; });
    REQUIRE(entry.term == expected.term);
    REQUIRE(entry.documents == expected.documents);
    ++entry.documents;
    ++expected.documents;
  }
  std::uint32_t most = 0;
  for (const auto& [text, entry] : twin) most = std::max(most, entry.documents);
  for (const auto& [text, entry] : twin) {
    const ShortTerm key = key_of(text);
    const TermEntry& found = table.find(key, [] { return TermEntry(); });
    REQUIRE(found.term == entry.term);
    REQUIRE(found.documents == entry.documents);
    if (entry.documents == most) REQUIRE(&table.finder()(key)->entry == &found);
  }
  CHECK(table.size() == twin.size());
  std::size_t visited = 0;
  table.for_each([&visited](const TermEntry&) { ++visited; });
  CHECK(visited == twin.size());
  table.clear();
  CHECK(table.size() == 0);
}

TEST_CASE("adding terms to a table with enough room does not move the others") {
  ShortTermMap table;
  for (const std::size_t terms : {10UL, 1'024UL, 1'025UL, 70'000UL, 200'000UL}) {
    table.reserve(terms);
    const ShortTermMap::Finder first_place = table.finder();
    const TermPlace* const place = first_place(key_of("wind"));
    for (std::size_t n = table.size(); n < terms; ++n)
      static_cast<void>(table.find(key_of("w" + std::to_string(n)), [] { return TermEntry(); }));
    REQUIRE(table.finder()(key_of("wind")) == place);
    REQUIRE(table.size() == terms);
  }
}

}  // namespace
}  // namespace inkling
