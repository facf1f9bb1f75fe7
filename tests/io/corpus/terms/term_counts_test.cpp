#include "io/corpus/terms/term_counts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"

namespace inkling {
namespace {

using Document = std::vector<TermCount>;

std::vector<TermCoding> codings_of_this_processor() {
  std::vector<TermCoding> codings;
  for (const TermCoding coding : {TermCoding::plain, TermCoding::by_fours})
    if (can_code(coding)) codings.push_back(coding);
  return codings;
}

std::vector<Document> read_back(const TermCountsWriter& writer, std::size_t documents,
                                TermCoding coding = fastest_term_coding()) {
  // Memory of exactly this size, so that a sanitizer sees any read beyond it.
  const std::vector<std::byte> bytes(writer.bytes().begin(), writer.bytes().end());
  TermCountsReader reader(bytes, coding);
  std::vector<Document> all;
  for (std::size_t n = 0; n < documents; ++n) {
    const std::optional<std::span<const TermCount>> document = reader.next();
    REQUIRE(document);
    all.emplace_back(document->begin(), document->end());
  }
  CHECK(reader.at_end());
  CHECK_FALSE(reader.next());
  return all;
}

// The plain twin: reads the next document byte by byte as FORMAT.md says; nothing if none begins at `at`.
std::optional<Document> plain_document(const std::vector<std::byte>& bytes, std::size_t& at) {
  bool whole = true;
  const auto next_byte = [&]() -> std::uint64_t {
    whole = whole && at < bytes.size();
    return whole ? static_cast<std::uint64_t>(bytes[at++]) : 0;
  };
  const auto next_number = [&] {
    std::uint64_t number = 0;
    for (unsigned digit = 0; digit < 5; ++digit) {
      const std::uint64_t byte = next_byte();
      number |= (byte & 0x7FU) << (7 * digit);
      if (byte < 0x80U) return number;
    }
    whole = false;
    return number;
  };
  const std::uint64_t size = next_number();
  if (!whole || size > bytes.size()) return std::nullopt;
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t n = 0; n < size; n += 4) {
    const std::uint64_t four = next_byte();
    for (unsigned shift = 0; shift < 8; shift += 2) lengths.push_back(1 + ((four >> shift) & 3U));
  }
  Document document;
  std::vector<bool> repeated;
  for (std::uint64_t n = 0; n < size; ++n) {
    std::uint64_t number = 0;
    for (unsigned byte = 0; byte < lengths[n]; ++byte) number |= next_byte() << (8 * byte);
    document.push_back({static_cast<TermId>(number >> 1U), 1});
    repeated.push_back((number & 1U) != 0);
  }
  for (std::uint64_t n = 0; n < size; ++n) {
    if (!repeated[n]) continue;
    const std::uint64_t count = next_number();
    whole = whole && count > 0 && count >> 32U == 0;
    document[n].count = static_cast<std::uint32_t>(count);
  }
  if (!whole) return std::nullopt;
  return document;
}

TEST_CASE("documents read back as they were written in every coding and are written as the same bytes again") {
  RandomStream random(5, 0, RandomRole::pool);
  for (int trial = 0; trial < 600; ++trial) {
    TermCountsWriter writer(TermCoding::plain);
    std::vector<Document> documents(random.below(12));
    for (Document& document : documents) {
      const std::uint64_t entries = random.below(random.coin(0.2) ? 300 : 40);
      for (std::uint64_t n = 0; n < entries; ++n) {
        const auto term = static_cast<TermId>(random.below(std::uint64_t{1} << random.below(32)));
        const std::uint64_t count = random.coin(0.7) ? 1 : 1 + random.below(std::uint64_t{1} << random.below(32));
        document.push_back({term, static_cast<std::uint32_t>(count)});
      }
      writer.append(document);
    }
    CAPTURE(trial);
    for (const TermCoding coding : codings_of_this_processor()) {
      CAPTURE(coding);
      TermCountsWriter same(coding);
      for (const Document& document : documents) same.append(document);
      REQUIRE(std::ranges::equal(same.bytes(), writer.bytes()));
      REQUIRE(read_back(writer, documents.size(), coding) == documents);
    }
  }
}

TEST_CASE("the greatest term and the greatest count fit") {
  const Document extreme = {{0x7FFFFFFEU, 0xFFFFFFFFU}, {0, 1}, {0x7FFFFFFEU, 1}, {0, 0x80U}, {5, 0xFFFFFFFFU}};
  for (const TermCoding coding : codings_of_this_processor()) {
    TermCountsWriter writer(coding);
    writer.append(extreme);
    CHECK(read_back(writer, 1, coding) == std::vector<Document>{extreme});
  }
}

TEST_CASE("any bytes are read or refused as the plain reader does") {
  RandomStream random(6, 0, RandomRole::pool);
  int whole = 0;
  int refused = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    CAPTURE(trial);
    TermCountsWriter writer;
    for (std::uint64_t n = random.below(4); n > 0; --n) {
      Document document;
      for (std::uint64_t entry = random.below(random.coin(0.1) ? 150 : 20); entry > 0; --entry) {
        document.push_back({static_cast<TermId>(random.below(std::uint64_t{1} << random.below(32))),
                            static_cast<std::uint32_t>(1 + random.below(std::uint64_t{1} << random.below(9)))});
      }
      writer.append(document);
    }
    std::vector<std::byte> bytes(writer.bytes().begin(), writer.bytes().end());
    if (!bytes.empty() && random.coin(0.5)) bytes.resize(random.below(bytes.size() + 1));
    for (std::uint64_t n = random.below(3); n > 0 && !bytes.empty(); --n)
      bytes[random.below(bytes.size())] = static_cast<std::byte>(random.below(256));
    for (std::uint64_t n = random.coin(0.1) ? random.below(12) : 0; n > 0; --n)
      bytes.push_back(static_cast<std::byte>(random.coin(0.5) ? 0xFF : random.below(256)));
    bytes.shrink_to_fit();
    for (const TermCoding coding : codings_of_this_processor()) {
      TermCountsReader reader(bytes, coding);
      std::size_t at = 0;
      while (true) {
        const std::optional<Document> expected = plain_document(bytes, at);
        const std::optional<std::span<const TermCount>> found = reader.next();
        REQUIRE(found.has_value() == expected.has_value());
        if (!expected) break;
        REQUIRE(std::ranges::equal(*found, *expected));
        REQUIRE(reader.at_end() == (at == bytes.size()));
        ++whole;
      }
      refused += reader.at_end() ? 0 : 1;
    }
  }
  CHECK(whole > 10000);
  CHECK(refused > 5000);
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
