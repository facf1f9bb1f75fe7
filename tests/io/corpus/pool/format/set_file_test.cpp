#include "io/corpus/pool/format/set_file.hpp"

#include <doctest/doctest.h>

#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/output_file.hpp"
#include "io/corpus/pool/format/sealed_json.hpp"
#include "tests/support/engine/messages.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

SetFile example_set() {
  return {.rows = 5'000'000'003,
          .columns = 7,
          .nonzeros = 9'000'000'000,
          .counts = 0xABCDEF,
          .program_version = "0.1.0",
          .shards = {{"shards/0", 2'000'000'000, 0, 1},
                     {"sh\"ards/1\n", 2'000'000'000, 2'000'000'000, ~0ULL},
                     {"/mnt/2", 1'000'000'003, 4'000'000'000, 42}}};
}

std::string set_problem(const std::string& text) {
  return test::error_of<CorruptFileError>([&] { static_cast<void>(parse_set_file("D/set.json", text)); });
}

// The text with one part replaced, and its checksum corrected.
std::string forged(std::string text, const std::string& old_part, const std::string& new_part) {
  const std::size_t at = text.find(old_part);
  REQUIRE(at != std::string::npos);
  text.replace(at, old_part.size(), new_part);
  text.resize(text.rfind("  \"checksum\""));
  return sealed_json(text);
}

TEST_CASE("a set file reads back as it was written, with more than 2^32 rows") {
  const std::string text = set_file_text(example_set());
  CHECK(parse_set_file("S", text) == example_set());
  CHECK(looks_like_set_file(text));
  CHECK(seal_of(text).has_value());
}

TEST_CASE("a set file has one key a line and ends in its checksum") {
  const SetFile set = {
      .rows = 1, .columns = 2, .nonzeros = 3, .counts = 4, .program_version = "0.1.0", .shards = {{"a", 1, 0, 5}}};
  CHECK(
      set_file_text(set).starts_with("{\n"
                                     "  \"format\": \"inkling set\",\n"
                                     "  \"format_version\": 1,\n"
                                     "  \"needs_program\": \"0.1.0\",\n"
                                     "  \"program\": \"0.1.0\",\n"
                                     "  \"rows\": 1,\n"
                                     "  \"columns\": 2,\n"
                                     "  \"nonzeros\": 3,\n"
                                     "  \"counts\": \"0000000000000004\",\n"
                                     "  \"shards\": [\n"
                                     "    {\"path\": \"a\", \"rows\": 1, \"first_row\": 0, \"manifest\": \"0000000000000005\"}\n"
                                     "  ],\n"
                                     "  \"checksum\": \""));
}

TEST_CASE("a set file with a flipped bit, cut, of wrong sums or of another kind is refused by name") {
  const std::string text = set_file_text(example_set());
  for (std::size_t at = 0; at < text.size(); ++at) {
    CHECK_THROWS_AS(static_cast<void>(parse_set_file("S", text.substr(0, at))), CorruptFileError);
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = text;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      CHECK_THROWS_AS(static_cast<void>(parse_set_file("S", damaged)), CorruptFileError);
    }
  }

  CHECK(set_problem(text) == "none");
  CHECK(set_problem(forged(text, "\"first_row\": 4000000000", "\"first_row\": 4000000001")) ==
        "D/set.json: expected the rows of the shards to follow one another and to add up");
  CHECK(set_problem(forged(text, "\"rows\": 1000000003", "\"rows\": 1000000002")) ==
        "D/set.json: expected the rows of the shards to follow one another and to add up");
  CHECK(set_problem(forged(text, "\"rows\": 1000000003", "\"rows\": 3000000000"))
            .starts_with("D/set.json: expected \"rows\" to be an integer"));
  CHECK(set_problem(forged(text, "inkling set", "inkling bag")) ==
        "D/set.json: expected an inkling set, a file that inkling wrote");
  CHECK(set_problem(forged(text, "\"format_version\": 1", "\"format_version\": 2"))
            .find("found version 2, which needs inkling 0.1.0 or later") != std::string::npos);
}

TEST_CASE_FIXTURE(test::InFolder, "a set file is found in its folder and its shards are found from there") {
  const std::string path = folder.file("set.json");
  write_file(path, set_file_text(example_set()));
  CHECK(is_set_file(path));
  CHECK_FALSE(is_set_file(folder.file("other.json")));
  CHECK_FALSE(is_set_file(folder.path().generic_string()));
  const SetFile set = read_set_file(path);
  CHECK(set == example_set());
  CHECK(shard_path("D/set.json", set.shards[0]) == "D/shards/0");
  CHECK(shard_path("set.json", set.shards[0]) == "shards/0");
  CHECK(shard_path("D/set.json", set.shards[2]) == "/mnt/2");
}

}  // namespace
}  // namespace inkling
