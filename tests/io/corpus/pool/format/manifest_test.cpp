
#include <cstddef>
#include <span>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "tests/support/engine/messages.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

Manifest example() {
  return {.rows = 3,
          .columns = 2147483647,
          .nonzeros = 5'000'000'000,
          .program_version = "0.1.0",
          .recipe = R"({"source":"corpus.jsonl","idf":1.50,"words":["a","\u00e9"]})",
          .files = {{.name = "data.npy", .bytes = 128 + 12, .checksums = {1}},
                    {.name = "indptr.npy", .bytes = (2U << 20U) + 1, .checksums = {0, 2, ~0ULL}}}};
}

std::string with(std::string text, const std::string& old_part, const std::string& new_part) {
  const std::size_t at = text.find(old_part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old_part.size(), new_part);
}

// The text with its checksum corrected.
std::string sealed(std::string text) {
  text.resize(text.size() - 20);
  return text + fmt::format("{:016x}\"\n}}\n", checksum_of(std::as_bytes(std::span(text))));
}

std::string problem_of(const std::string& text) {
  return test::error_of<CorruptFileError>([&] { static_cast<void>(parse_manifest("P/manifest.json", text)); });
}

TEST_CASE("a manifest reads back as it was written") {
  const std::string text = manifest_text(example());
  CHECK(parse_manifest("P", text) == example());
  CHECK(manifest_text(parse_manifest("P", text)) == text);
  CHECK(looks_like_manifest(text));
}

TEST_CASE("a manifest shows one key a line and ends in its checksum") {
  const Manifest manifest = {.rows = 1, .columns = 2, .nonzeros = 0, .program_version = "0.1.0", .files = {}};
  CHECK(manifest_text(manifest) ==
        "{\n"
        "  \"format\": \"inkling pool\",\n"
        "  \"format_version\": 1,\n"
        "  \"needs_program\": \"0.1.0\",\n"
        "  \"program\": \"0.1.0\",\n"
        "  \"rows\": 1,\n"
        "  \"columns\": 2,\n"
        "  \"nonzeros\": 0,\n"
        "  \"recipe\": {},\n"
        "  \"checksum_block\": 1048576,\n"
        "  \"files\": [\n"
        "  ],\n"
        "  \"checksum\": \"3f7e549c13946060\"\n"
        "}\n");
}

TEST_CASE("every flipped bit of a manifest is found, and every shorter or longer one is refused") {
  const std::string text = manifest_text(example());
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit)
    if (problem_of(test::with_flipped_bit(text, bit)) == "none") FAIL_CHECK("bit " << bit);
  for (std::size_t length = 0; length < text.size(); ++length)
    CHECK(problem_of(text.substr(0, length)).starts_with("P/manifest.json: damaged"));
  CHECK(problem_of(text + "\n").starts_with("P/manifest.json: damaged"));
}

TEST_CASE("a manifest of a newer version says which program it needs") {
  const std::string newer = with(with(manifest_text(example()), R"("format_version": 1)", R"("format_version": 2)"),
                                 R"("needs_program": "0.1.0")", R"("needs_program": "7.0.0")");
  const std::string expected =
      "P/manifest.json: expected version 1 of the pool format, found version 2, which needs inkling 7.0.0 or later";
  CHECK(problem_of(sealed(newer)) == expected);
  // A newer version may change all but the first two members.
  CHECK(problem_of(R"({"format_version": 2, "needs_program": "7.0.0", "files": "elsewhere"})") == expected);
}

TEST_CASE("a manifest with a right checksum and wrong contents is refused by name") {
  const std::string text = manifest_text(example());
  const auto lie = [&](const std::string& truth, const std::string& told) { return problem_of(sealed(with(text, truth, told))); };
  const std::string where = "P/manifest.json: ";
  CHECK(lie("\"rows\": 3", "\"rows\": -3") == where + "expected \"rows\" to be an integer from 0 to 2147483647");
  CHECK(lie("\"rows\": 3", "\"rows\": 2147483648") == where + "expected \"rows\" to be an integer from 0 to 2147483647");
  CHECK(lie("\"rows\": 3", "\"rows\": 3.5") == where + "expected \"rows\" to be an integer from 0 to 2147483647");
  CHECK(lie("\"rows\"", "\"sows\"") == where + "expected \"rows\" to be an integer from 0 to 2147483647");
  CHECK(lie("\"recipe\": {", "\"recipe\": [{") != "none");
  CHECK(lie("\"checksum_block\": 1048576", "\"checksum_block\": 1") ==
        where + "expected \"checksum_block\" to be 1048576, found 1");
  CHECK(lie("inkling pool", "another pool") == where + "expected an inkling pool of format version 1");
  CHECK(lie("\"format_version\": 1", "\"format_version\": 0") == where + "expected an inkling pool of format version 1");
  CHECK(lie("\"data.npy\"", "\"../a.npy\"") == where + "expected names of files of a pool, found \"../a.npy\"");
  CHECK(lie("\"data.npy\"", "\"vocabulary.txt\"") == where + "expected the names of \"files\" to ascend");
  CHECK(lie("\"bytes\": 140", "\"bytes\": 1400000") == where + "expected 2 checksums of data.npy, found 1");
  CHECK(lie("\"bytes\": 140", "\"bytes\": 9223372036854775807") ==
        where + "expected 8,796,093,022,208 checksums of data.npy, found 1");
  CHECK(lie("0000000000000001", "000000000000001") == where + "expected checksums of 16 hexadecimal digits");
  CHECK(lie("0000000000000001", "000000000000000A") == where + "expected checksums of 16 hexadecimal digits");
}

}  // namespace
}  // namespace inkling
