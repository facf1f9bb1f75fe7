#include "bench/worlds/demo_corpus.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/core/errors.hpp"

namespace inkling::bench {
namespace {

/// The subjects of all files.
std::vector<Subject> all_subjects() {
  std::vector<Subject> all = read_subjects(demo_files().anything);
  for (const TopicFile& topic : demo_files().topics) std::ranges::copy(read_subjects(topic.text), std::back_inserter(all));
  return all;
}

/// The lines with sentences of all files.
std::vector<std::string_view> all_sentences() {
  std::vector<std::string_view> sentences;
  for (const Subject& subject : all_subjects())
    sentences.insert(sentences.end(), subject.sentences.begin(), subject.sentences.end());
  return sentences;
}

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/// Whether the word begins with the sound of a vowel. Knows the words that the sentences use.
bool begins_with_vowel(std::string_view word) {
  for (const std::string_view exception : {"one", "once", "use", "usual", "European", "unit"})
    if (word.starts_with(exception)) return false;
  return word.starts_with("hour") || std::string_view("aeiouAEIOU").find(word.front()) != std::string_view::npos;
}

/// The first wrong article with the words after it, such as "a apple"; empty if there is none.
std::string wrong_article(std::string_view text) {
  for (const std::string_view article : {"a ", "A ", "an ", "An "}) {
    for (std::size_t at = text.find(article); at != std::string_view::npos; at = text.find(article, at + 1)) {
      if (at > 0 && text[at - 1] != ' ') continue;
      const std::string_view next = text.substr(at + article.size());
      if (begins_with_vowel(next) != (article.size() == 3)) return std::string(text.substr(at, 20));
    }
  }
  return {};
}

TEST_CASE("every sentence of the demonstration is ASCII and not too long and different from all others") {
  std::set<std::string_view> seen;
  for (const std::string_view sentence : all_sentences()) {
    CAPTURE(sentence);
    CHECK(std::ranges::all_of(sentence, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }));
    CHECK(sentence.find("  ") == std::string_view::npos);
    CHECK(sentence.find("{}") == std::string_view::npos);
    CHECK(sentence.size() <= 200);
    CHECK((is_capital(sentence.front()) || sentence.front() == '{'));
    CHECK(seen.insert(sentence).second);
  }
}

TEST_CASE("every topic has at least 280 sentences and there are five") {
  CHECK(demo_files().topics.size() == 5);
  for (const TopicFile& topic : demo_files().topics) {
    CAPTURE(topic.topic);
    std::size_t sentences = 0;
    for (const Subject& subject : read_subjects(topic.text)) {
      CHECK(subject.sentences.size() >= DemoCorpus::most_of_subject);
      sentences += subject.sentences.size();
    }
    CHECK(sentences >= 280);
  }
}

TEST_CASE("a sentence has the right articles with any words put into it") {
  const WordLists lists(demo_files().lists);
  RandomStream random(3, 0, RandomRole::documents);
  for (const std::string_view sentence : all_sentences()) {
    for (int n = 0; n < 12; ++n) {
      const std::string text = MessageWords(lists).filled(sentence, random);
      CAPTURE(text);
      CHECK(is_capital(text.front()));
      CHECK(std::string_view(".?!").find(text.back()) != std::string_view::npos);
      CHECK(text.find_first_of("{}|=#") == std::string::npos);
      CHECK(text.find("  ") == std::string::npos);
      CHECK(wrong_article(text).empty());
    }
  }
}

TEST_CASE("every list of words is used by a sentence") {
  const std::string_view lists = demo_files().lists;
  std::size_t found = 0;
  for (std::size_t at = lists.find(" = "); at != std::string_view::npos; at = lists.find(" = ", at + 1)) {
    const std::size_t begin = lists.rfind('\n', at) + 1;
    const std::string name = fmt::format("{{{}}}", lists.substr(begin, at - begin));
    if (lists[begin] == '#') continue;
    CAPTURE(name);
    CHECK(std::ranges::any_of(all_sentences(),
                              [&](std::string_view sentence) { return sentence.find(name) != std::string_view::npos; }));
    ++found;
  }
  CHECK(found > 20);
}

TEST_CASE("no two messages are equal and each has its topic and its number in the topic") {
  const std::vector<DemoMessage> messages = DemoCorpus(demo_files()).messages(4'868, 1);
  REQUIRE(messages.size() == 4'868);
  std::set<std::string_view> texts;
  std::map<std::string_view, int> of_topic;
  for (const DemoMessage& message : messages) {
    CAPTURE(message.text);
    CHECK(texts.insert(message.text).second);
    CHECK(message.id == fmt::format("{}-{:04}", message.topic, ++of_topic[message.topic]));
    CHECK(std::ranges::count_if(message.text, [](char c) { return c == '.' || c == '?'; }) >= 2);
    CHECK(message.text.size() < 900);
  }
  CHECK(of_topic.size() == 5);
  for (const auto& [topic, documents] : of_topic) {
    CAPTURE(topic);
    CHECK(documents > 800);
    CHECK(documents < 1'150);
  }
}

std::vector<std::string> texts_of(const std::vector<DemoMessage>& messages) {
  std::vector<std::string> texts;
  texts.reserve(messages.size());
  for (const DemoMessage& message : messages) texts.push_back(message.text);
  return texts;
}

TEST_CASE("the same seed gives the same messages and another seed gives others") {
  const DemoCorpus corpus(demo_files());
  const std::vector<std::string> texts = texts_of(corpus.messages(300, 1));
  CHECK(texts == texts_of(DemoCorpus(demo_files()).messages(300, 1)));
  const std::vector<std::string> others = texts_of(corpus.messages(300, 2));
  const std::set<std::string> known(texts.begin(), texts.end());
  CHECK(std::ranges::none_of(others, [&](const std::string& text) { return known.contains(text); }));
  std::vector<std::string> more = texts_of(corpus.messages(500, 1));
  more.resize(300);
  CHECK(more == texts);
  CHECK(corpus.messages(0, 1).empty());
}

TEST_CASE("a message as a line of JSON holds its id and its topic and its text") {
  CHECK(json_line({.id = "sea-0001", .topic = "sea", .text = "A gull."}) ==
        "{\"id\":\"sea-0001\",\"label\":\"sea\",\"text\":\"A gull.\"}\n");
}

/// Files of one topic with a single subject.
DemoFiles small_files(std::string_view topic_text, std::string_view anything) {
  static std::array<TopicFile, 1> topics;
  topics = {TopicFile{"sea", topic_text}};
  return {"", anything, topics};
}

constexpr std::string_view kFewSentences = "# Opening\nHi.\n# Gulls\nA.\nB.\nC.\nD.\n";
constexpr std::string_view kFewOthers = "# Opening\nHello.\n# Aside\nTrue.\n# Closing\nBye.\n";

TEST_CASE("a message has sentences of one subject in the order of the file and sometimes a greeting and a closing") {
  const DemoCorpus corpus(small_files(kFewSentences, kFewOthers));
  std::set<std::string> seen;
  for (const DemoMessage& message : corpus.messages(60, 5)) {
    std::string letters;
    for (std::size_t at = 0; at + 1 < message.text.size(); ++at) {
      const char c = message.text[at];
      if (c >= 'A' && c <= 'D' && message.text[at + 1] == '.') letters += c;
    }
    CAPTURE(message.text);
    CHECK(std::ranges::is_sorted(letters));
    CHECK(letters.size() >= 2);
    seen.insert(message.text);
  }
  CHECK(seen.size() == 60);
  for (const char* part : {"Hi. ", "Hello. ", " True.", " Bye."}) {
    CAPTURE(part);
    CHECK(std::ranges::any_of(seen, [&](const std::string& text) { return text.find(part) != std::string::npos; }));
  }
}

TEST_CASE("an aside never stands before the first sentence or after a question that ends a message") {
  const DemoCorpus corpus(small_files("# Opening\nHi.\n# Gulls\nA?\nB?\nC?\nD?\n", kFewOthers));
  for (const DemoMessage& message : corpus.messages(50, 5)) {
    CAPTURE(message.text);
    CHECK_FALSE(message.text.starts_with("True."));
    CHECK(message.text.find("Hi. True.") == std::string::npos);
    CHECK_FALSE(message.text.ends_with("True."));
  }
}

TEST_CASE("more messages than the sentences can make are refused") {
  const DemoCorpus corpus(small_files(kFewSentences, kFewOthers));
  CHECK(corpus.messages(50, 1).size() == 50);
  CHECK_THROWS_WITH_AS(static_cast<void>(corpus.messages(5'000, 1)), doctest::Contains("5000 different messages"), FormatError);
}

}  // namespace
}  // namespace inkling::bench
