#include <algorithm>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "bench/worlds/synthetic_corpus.hpp"
#include "tests/support/engine/with_threads.hpp"

namespace inkling::bench {
namespace {

std::string corpus_text(const SyntheticCorpusOptions& options, CorpusFormat format, const CorpusExtent& extent, int threads = 2) {
  const SyntheticCorpus corpus(options);
  std::string text;
  const CorpusSize totals = inkling::test::with_threads(threads, [&] {
    return write_corpus(corpus, format, extent, [&](std::string_view records, const CorpusSize& so_far) {
      CHECK(records.ends_with('\n'));
      text += records;
      CHECK(so_far.bytes == text.size());
    });
  });
  CHECK(totals.bytes == text.size());
  CHECK(totals.documents == std::ranges::count(text, '\n'));
  return text;
}

/// FNV-1a of 64 bits.
std::uint64_t fingerprint(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

// If the text is meant to change, put the number of the failure here.
TEST_CASE("a corpus has the bytes on record at 1 and 2 and 8 threads") {
  for (const int threads : {1, 2, 8}) {
    CAPTURE(threads);
    CHECK(fingerprint(corpus_text({}, CorpusFormat::lines, {.documents = 1'000}, threads)) == 7811515151192657826U);
    CHECK(fingerprint(corpus_text({.seed = 20}, CorpusFormat::jsonl, {.documents = 700}, threads)) == 6575785894416985852U);
  }
}

TEST_CASE("a corpus of a given size is the start of a longer one and ends with the document that reaches it") {
  const std::string all = corpus_text({}, CorpusFormat::lines, {.documents = 600});
  for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{1'000}, std::uint64_t{300'000}}) {
    CAPTURE(bytes);
    const std::string some = corpus_text({}, CorpusFormat::lines, {.bytes = bytes});
    CHECK(all.starts_with(some));
    CHECK(some.size() >= bytes);
    const std::size_t last = some.rfind('\n', some.size() - 2);
    CHECK((last == std::string::npos || last + 1 < bytes));
  }
  const std::uint64_t first_three = all.find('\n', all.find('\n', all.find('\n') + 1) + 1) + 1;
  CHECK(corpus_text({}, CorpusFormat::lines, {.bytes = first_three}).size() == first_three);
  CHECK(corpus_text({}, CorpusFormat::lines, {.documents = 2, .bytes = 1U << 20U}).size() < first_three);
}

TEST_CASE("an empty extent writes nothing") {
  CHECK(corpus_text({}, CorpusFormat::lines, {.documents = 0}).empty());
  CHECK(corpus_text({}, CorpusFormat::jsonl, {.bytes = 0}).empty());
}

TEST_CASE("lines and JSON lines hold the same text") {
  const SyntheticCorpus corpus({});
  for (std::int64_t document = 0; document < 50; ++document) {
    std::string line;
    std::string object;
    append_record(corpus, document, CorpusFormat::lines, line);
    append_record(corpus, document, CorpusFormat::jsonl, object);
    const std::string start =
        fmt::format(R"({{"id":"d{}","label":"{}","text":")", document, corpus.topic_name(corpus.topic_of(document).value()));
    REQUIRE(object.starts_with(start));
    REQUIRE(object.ends_with("\"}\n"));
    std::string text;
    for (std::size_t at = start.size(); at < object.size() - 3; ++at)
      if (object[at] != '\\')
        text += object[at];
      else
        text += object[++at] == 'n' ? ' ' : '"';
    CHECK(text + "\n" == line);
  }
}

TEST_CASE("without topics no record has a label") {
  SyntheticCorpusOptions options;
  options.topics = 0;
  const std::string text = corpus_text(options, CorpusFormat::jsonl, {.documents = 3});
  CHECK(text.starts_with(R"({"id":"d0","text":")"));
  CHECK(text.find("label") == std::string::npos);
}

TEST_CASE("an exception of the sink ends the work") {
  struct Full {};
  const SyntheticCorpus corpus({});
  CHECK_THROWS_AS(write_corpus(corpus, CorpusFormat::lines, {}, [](std::string_view, const CorpusSize&) { throw Full(); }), Full);
}

}  // namespace
}  // namespace inkling::bench
