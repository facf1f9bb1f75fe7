#include "io/corpus/from_text/measured_source.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "tests/support/engine/with_threads.hpp"
#include "tests/support/io/memory_source.hpp"

namespace inkling {
namespace {

// The texts that a source gives from now on.
std::vector<std::string> texts_of(DocumentSource& source) {
  std::vector<std::string> texts;
  Chunk chunk;
  while (source.read(chunk))
    static_cast<void>(source.parse(chunk, [&](const SourceDocument& document) { texts.emplace_back(document.text); }));
  return texts;
}

TEST_CASE("a measured source gives the same documents, and is small if its texts take no more than that") {
  RandomStream random(71, 0, RandomRole::pool);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<std::string> texts(random.below(30));
    std::uint64_t bytes = 0;
    for (std::string& text : texts) {
      text.assign(random.below(20), 'a');
      bytes += text.size();
    }
    const std::uint64_t most = random.coin(0.3) ? bytes : random.below(2 * bytes + 2);
    test::MemorySource whole(test::documents_of(texts), 1 + random.below(5));
    MeasuredSource measured(whole);
    CAPTURE(trial);
    int between = 0;
    const bool is_within = test::with_threads(
        trial % 2 == 0 ? 1 : 4, [&] { return measured.is_within(most, std::uint64_t{1} << 30U, [&between] { ++between; }); });
    REQUIRE(is_within == (bytes <= most));
    REQUIRE((between > 0 || texts.empty()));
    REQUIRE(texts_of(measured) == texts);
    REQUIRE(measured.unpacking_memory() == whole.unpacking_memory());
  }
}

TEST_CASE("documents of a few bytes take no more memory to measure than twice their source") {
  const std::vector<std::string> texts(100'000, "a");
  test::MemorySource whole(test::documents_of(texts), 10'000);
  MeasuredSource measured(whole);
  REQUIRE(measured.is_within(1U << 20U, std::uint64_t{1} << 30U, [] {}));
  REQUIRE(measured.unpacking_memory() - whole.unpacking_memory() <= 10 * 2 * sizeof(Chunk::Member));
  REQUIRE(texts_of(measured) == texts);
}

}  // namespace
}  // namespace inkling
