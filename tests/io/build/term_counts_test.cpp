#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "io/build/counting_pass.hpp"

namespace inkling {
namespace {

using Document = std::vector<TermCount>;

std::vector<Document> read_back(const TermCountsWriter& writer, std::size_t documents) {
  std::vector<std::byte> bytes(writer.bytes().begin(), writer.bytes().end());
  bytes.resize(bytes.size() + TermCountsReader::padding, std::byte{0xFF});
  TermCountsReader reader(bytes);
  std::vector<Document> all;
  for (std::size_t n = 0; n < documents; ++n) {
    const std::span<const TermCount> document = reader.next();
    all.emplace_back(document.begin(), document.end());
  }
  return all;
}

TEST_CASE("documents come back as they were written") {
  RandomStream random(5, 0, RandomRole::pool);
  for (int trial = 0; trial < 300; ++trial) {
    TermCountsWriter writer;
    std::vector<Document> documents(random.below(12));
    for (Document& document : documents) {
      const std::uint64_t entries = random.below(40);
      for (std::uint64_t n = 0; n < entries; ++n) {
        const auto term = static_cast<TermId>(random.below(std::uint64_t{1} << random.below(32)));
        const std::uint64_t count =
            random.coin(0.7) ? 1 : 1 + random.below(std::uint64_t{1} << random.below(32));
        document.push_back({term, static_cast<std::uint32_t>(count)});
      }
      writer.append(document);
    }
    CAPTURE(trial);
    REQUIRE(read_back(writer, documents.size()) == documents);
  }
}

TEST_CASE("the greatest term and the greatest count fit") {
  TermCountsWriter writer;
  const Document extreme = {{0x7FFFFFFEU, 0xFFFFFFFFU}, {0, 1}, {0x7FFFFFFEU, 1}};
  writer.append(extreme);
  CHECK(read_back(writer, 1) == std::vector<Document>{extreme});
}

TEST_CASE("a frequent term that occurs once takes little more than a byte") {
  TermCountsWriter writer;
  writer.append(Document(100, TermCount{7, 1}));
  CHECK(writer.bytes().size() == 1 + 25 + 100);
  writer.clear();
  CHECK(writer.bytes().empty());
}

}  // namespace
}  // namespace inkling
