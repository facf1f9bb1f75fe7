#include "bench/worlds/synthetic_corpus.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/core/portable_math.hpp"
#include "tests/support/engine/with_threads.hpp"

namespace inkling::bench {
namespace {

std::string text_of(const SyntheticCorpus& corpus, std::int64_t document) {
  std::string text;
  corpus.append_text(document, kPlainMarks, text);
  return text;
}

/// The lower-case runs of [A-Za-z0-9_] of two characters or more.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_') {
      word += c;
    } else if (c >= 'A' && c <= 'Z') {
      word += static_cast<char>(c - 'A' + 'a');
    } else {
      if (word.size() >= 2) words.push_back(word);
      word.clear();
    }
  }
  return words;
}

SyntheticCorpusOptions small_corpus() { return {.vocabulary = 2'000, .mean_length = 40.0, .topic_share = 0.1}; }

TEST_CASE("a document depends on the options and its number alone") {
  const SyntheticCorpus one(small_corpus());
  const SyntheticCorpus same(small_corpus());
  SyntheticCorpusOptions other_options = small_corpus();
  other_options.seed = 2;
  const SyntheticCorpus other(other_options);
  for (const std::int64_t document : {std::int64_t{0}, std::int64_t{7}, std::int64_t{1} << 40}) {
    CHECK(text_of(one, document) == text_of(same, document));
    CHECK(text_of(one, document) != text_of(other, document));
    CHECK(text_of(one, document) != text_of(one, document + 1));
  }
}

TEST_CASE("with the defaults 4868 documents hold about 47800 different words") {
  const SyntheticCorpus corpus({});
  std::unordered_set<std::string> different;
  std::size_t words = 0;
  for (std::int64_t document = 0; document < 4868; ++document) {
    const std::vector<std::string> of_document = words_of(text_of(corpus, document));
    words += of_document.size();
    different.insert(of_document.begin(), of_document.end());
  }
  CHECK(std::fabs(static_cast<double>(different.size()) - 47'800.0) < 500.0);
  CHECK(static_cast<double>(words) / 4868 == doctest::Approx(150.0).epsilon(0.04));
}

TEST_CASE("lengths are log-normal with the requested mean and spread") {
  SyntheticCorpusOptions options = small_corpus();
  options.mean_length = 150.0;
  const SyntheticCorpus corpus(options);
  constexpr int documents = 2000;
  double sum = 0.0;
  double logs = 0.0;
  double squares = 0.0;
  for (std::int64_t document = 0; document < documents; ++document) {
    const std::string text = text_of(corpus, document);
    const auto spaces = std::ranges::count_if(text, [](char c) { return c == ' ' || c == '\n'; });
    const auto length = static_cast<double>(spaces + 1);
    sum += length / documents;
    logs += natural_log(length) / documents;
    squares += natural_log(length) * natural_log(length) / documents;
  }
  CHECK(sum == doctest::Approx(150.0).epsilon(0.05));
  CHECK(std::sqrt(squares - logs * logs) == doctest::Approx(0.6).epsilon(0.05));
}

TEST_CASE("lengths stay within the bounds") {
  SyntheticCorpusOptions options = small_corpus();
  options.length_spread = 3.0;
  options.mean_length = 1'000.0;
  const SyntheticCorpus corpus(options);
  std::set<std::size_t> lengths;
  for (std::int64_t document = 0; document < 500; ++document) {
    const std::string text = text_of(corpus, document);
    REQUIRE_FALSE(text.empty());
    lengths.insert(words_of(text).size());
  }
  CHECK(*lengths.begin() <= 3);
  CHECK(*lengths.rbegin() <= 2 * std::size_t{SyntheticCorpus::longest_document});
}

TEST_CASE("topics share no words and a document has more words of its own topic than of others") {
  const SyntheticCorpus corpus(small_corpus());
  std::unordered_map<std::string, std::int32_t> owner;
  for (std::int32_t topic = 0; topic < 5; ++topic) {
    CHECK(corpus.own_words(topic).size() / 10 == 38);  // not 500: a fifth of the 1936 that there are
    CHECK(std::ranges::is_sorted(corpus.own_words(topic)));
    for (const std::int32_t rank : corpus.own_words(topic)) {
      CHECK(rank >= WordList::function_words);
      CHECK(owner.emplace(corpus.words().word(rank), topic).second);
    }
  }
  std::vector<int> documents(5, 0);
  int own = 0;
  int foreign = 0;
  for (std::int64_t document = 0; document < 500; ++document) {
    const std::int32_t topic = corpus.topic_of(document).value();
    ++documents[static_cast<std::size_t>(topic)];
    for (const std::string& word : words_of(text_of(corpus, document))) {
      const auto found = owner.find(word);
      if (found != owner.end()) ++(found->second == topic ? own : foreign);
    }
  }
  CHECK(*std::ranges::min_element(documents) > 60);
  CHECK(own > foreign / 3);  // without topics it would be a quarter of all others
}

TEST_CASE("a corpus without topics has no labels and with words of topics alone has no others") {
  SyntheticCorpusOptions options = small_corpus();
  options.topics = 0;
  CHECK_FALSE(SyntheticCorpus(options).topic_of(0));
  options.topics = 2;
  options.topic_share = 1.0;
  options.topic_words = 3;
  const SyntheticCorpus corpus(options);
  CHECK(corpus.topic_name(1) == "topic-2");
  std::set<std::string> seen;
  for (std::int64_t document = 0; document < 50; ++document) {
    for (const std::string& word : words_of(text_of(corpus, document)))
      if (word[0] > '9') seen.insert(word);
  }
  CHECK(seen.size() == 6);
}

TEST_CASE("text is sentences of letters with marks between them") {
  const SyntheticCorpus corpus(small_corpus());
  std::string all;
  for (std::int64_t document = 0; document < 300; ++document) {
    const std::string text = text_of(corpus, document);
    CHECK((text.ends_with('.') || text.ends_with('?') || text.ends_with('!')));
    CHECK_FALSE((text[0] >= 'a' && text[0] <= 'z'));
    all += text;
  }
  for (const char* part : {", ", ". ", "? ", "! ", " (", ") ", " \"", "\" ", "-", "'s", "\n", " 19", " the "}) {
    CAPTURE(part);
    CHECK(all.find(part) != std::string::npos);
  }
  for (const char* part : {"  ", ",.", "\t"}) {
    CAPTURE(part);
    CHECK(all.find(part) == std::string::npos);
  }
  const auto letters = std::ranges::count_if(all, [](char c) { return c >= 'a' && c <= 'z'; });
  CHECK(static_cast<double>(letters) > 0.5 * static_cast<double>(all.size()));
}

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

TEST_CASE("without topics no record has a label, and an exception of the sink ends the work") {
  SyntheticCorpusOptions options = {.topics = 0};
  const std::string text = corpus_text(options, CorpusFormat::jsonl, {.documents = 3});
  CHECK(text.starts_with(R"({"id":"d0","text":")"));
  CHECK(text.find("label") == std::string::npos);

  struct Full {};
  const SyntheticCorpus corpus({});
  CHECK_THROWS_AS(write_corpus(corpus, CorpusFormat::lines, {}, [](std::string_view, const CorpusSize&) { throw Full(); }), Full);
}

}  // namespace
}  // namespace inkling::bench
