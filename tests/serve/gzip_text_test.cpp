// Texts are sent compressed to clients that accept it, and unpack to the same texts.
#include "io/doors/serve/gzip_text.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "io/corpus/unpack/gzip_stream.hpp"
#include "io/doors/serve/page_files.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

// Unpacks with the reader of compressed sources, which checks every checksum.
std::string text_unpacked_again(const std::string& packed) {
  static const test::TemporaryFolder folder;
  std::ofstream(folder.file("packed"), std::ios::binary) << packed;
  FileStream file(folder.file("packed"));
  std::uint64_t total = 0;
  UnpackingMeter meter(file, {}, total);
  GzipStream stream(file.path(), file, meter);
  std::string text;
  std::string block(5'000, '\0');
  for (std::size_t got = block.size(); got == block.size();) {
    got = stream.read(block);
    text.append(block, 0, got);
  }
  return text;
}

TEST_CASE("a packed text unpacks to itself") {
  CHECK(text_unpacked_again(gzip_text("")).empty());
  CHECK(text_unpacked_again(gzip_text("soil")) == "soil");
  RandomStream random(17, 0, RandomRole::sampling);
  for (int n = 0; n < 300; ++n) {
    std::string text(static_cast<std::size_t>(random.below(20'000)), '\0');
    const std::uint64_t letters = 2 + random.below(254);  // from texts that pack well to those that do not
    for (char& c : text) c = static_cast<char>(random.below(letters));
    CHECK(text_unpacked_again(gzip_text(text)) == text);
  }
}

TEST_CASE("the page weighs at most 80,000 bytes as it is sent, in any of its languages") {
  std::size_t bytes = 0;
  std::size_t heaviest = 0;  // a browser asks for one language
  for (const PageFile& file : page_files()) {
    const std::string packed = gzip_text(file.text);
    CHECK(text_unpacked_again(packed) == file.text);
    const bool is_language = file.name.starts_with("language/");
    bytes += is_language ? 0 : packed.size();
    heaviest = std::max(heaviest, is_language ? packed.size() : 0);
  }
  CHECK(heaviest > 0);
  CHECK(page_files().size() > 10);
  CHECK(bytes + heaviest <= 80'000);
}

TEST_CASE("the page asks at once for all modules that its first text needs, not for one after the other") {
  const auto files = page_files();
  const auto text_of = [&](std::string_view name) {
    const auto file = std::ranges::find(files, name, &PageFile::name);
    REQUIRE(file != files.end());
    return std::string(file->text);
  };
  std::set<std::string> needed = {"app.js", "screen_read.js"};
  for (auto name = needed.begin(); name != needed.end();) {
    const std::string text = text_of(*name);
    const std::size_t known = needed.size();
    constexpr std::string_view from = " from './";
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
      needed.insert(text.substr(at + from.size(), text.find('\'', at + from.size()) - at - from.size()));
    name = needed.size() == known ? std::next(name) : needed.begin();
  }
  CHECK(needed.size() > 8);
  const std::string index = text_of("index.html");
  for (const PageFile& file : files) {
    if (!file.name.ends_with(".js")) continue;
    CAPTURE(file.name);
    CHECK((index.find("\"/assets/" + std::string(file.name) + "\"") == std::string::npos) !=
          needed.contains(std::string(file.name)));
  }
}

TEST_CASE("packed texts are sent only to clients that accept them") {
  for (const char* value :
       {"gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8, *;q=0.1", " deflate ,\tgzip ", "gzip;q=1", "gzip;q=0.001"}) {
    CAPTURE(value);
    CHECK(accepts_gzip(value));
  }
  for (const char* value :
       {"", "identity", "br", "gzip;q=0", "gzip; q=0.0", "gzip ;q=0.000, deflate", "xgzip", "gzipx", ",,;,", "q=1"}) {
    CAPTURE(value);
    CHECK_FALSE(accepts_gzip(value));
  }
}

}  // namespace
}  // namespace inkling
