#include "io/corpus/unpack/gzip_stream.hpp"

#include <fstream>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/support/io/archive_builder.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::TemporaryFolder;

std::string gzip_of(const std::string& text) { return test::packed("raw", "gzip", {{"x", text}}); }

// The unpacked text, read in pieces of this size, or "refused: " and the reason.
std::string unpacked(const std::string& packed, std::size_t piece = 1000) {
  static const TemporaryFolder folder;  // one for thousands of files
  std::ofstream(folder.file("x"), std::ios::binary) << packed;
  FileStream file(folder.file("x"));
  std::uint64_t total = 0;
  UnpackingMeter meter(file, {}, total);
  std::string text;
  std::string block(piece, '\0');
  try {
    GzipStream stream(file.path(), file, meter);
    for (std::size_t got = piece; got == piece;) {
      got = stream.read(block);
      text.append(block, 0, got);
    }
  } catch (const FormatError& error) {
    CHECK(error.where() == file.path());
    return "refused: " + error.expectation();
  }
  CHECK(total == text.size());
  return text;
}

const std::string kFirst = "a text that is compressed, and a text";
const std::string kSecond = "another one, longer than the first: another one, longer than the first";

TEST_CASE("consecutive parts are one text in pieces of any size") {
  const std::string both = gzip_of(kFirst) + gzip_of("") + gzip_of(kSecond);
  for (const std::size_t piece : {1U, 7U, 37U, 107U, 108U, 1000U}) CHECK(unpacked(both, piece) == kFirst + kSecond);
  CHECK(unpacked(gzip_of(std::string(300000, 'x'))) == std::string(300000, 'x'));
  CHECK(unpacked(gzip_of("")).empty());
}

TEST_CASE("a flipped bit in any part is refused or changes nothing") {
  const std::string both = gzip_of(kFirst) + gzip_of(kSecond);
  for (std::size_t bit = 0; bit < both.size() * 8; ++bit) {
    CAPTURE(bit);
    std::string damaged = both;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    const std::string text = unpacked(damaged);
    CHECK((text == kFirst + kSecond || text.starts_with("refused: expected an intact compressed file")));
  }
}

TEST_CASE("a wrong checksum is named in each part, and a file is refused wherever it is cut except between parts") {
  const std::string first = gzip_of(kFirst);
  const std::string second = gzip_of(kSecond);
  const auto with_wrong_sum = [](std::string part) {
    part[part.size() - 8] = static_cast<char>(part[part.size() - 8] ^ 1);
    return part;
  };
  const std::string refused = "refused: expected an intact compressed file or archive, found: a wrong checksum";
  CHECK(unpacked(with_wrong_sum(first) + second) == refused);
  CHECK(unpacked(first + with_wrong_sum(second)) == refused);

  const std::string both = first + gzip_of(kSecond);
  for (std::size_t length = 1; length < both.size(); ++length) {
    CAPTURE(length);
    CHECK(unpacked(both.substr(0, length)).starts_with("refused: ") == (length != first.size()));
  }
}

TEST_CASE("zeros may follow the last part and nothing else may") {
  const std::string whole = gzip_of(kFirst);
  CHECK(unpacked(whole + std::string(100, '\0')) == kFirst);
  CHECK(unpacked(whole + std::string(200000, '\0')) == kFirst);
  for (const std::string& rest : {std::string("x"), std::string(9, '\0') + "x", std::string(100000, '\0') + whole})
    CHECK(unpacked(whole + rest).find("other bytes after the end") != std::string::npos);
}

}  // namespace
}  // namespace inkling
