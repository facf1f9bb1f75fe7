// Fuzzes lists of words by topic: topics and words are in order and known, and invalid lines are refused with their place.
#include <algorithm>
#include <span>

#include "bench/paper/data/newsgroups.hpp"
#include "engine/core/errors.hpp"
#include "tests/fuzz/fuzz_input.hpp"

namespace inkling::fuzz {
namespace {

constexpr FeatureId kFeatures = 26;

/// Words that begin with a letter are features.
std::optional<FeatureId> feature_of(std::string_view word) {
  check_text(word);
  demand(!word.empty() && word.find_first_of(" \t\r\n,;") == std::string_view::npos);
  if (word.front() < 'a' || word.front() > 'z') return std::nullopt;
  return word.front() - 'a';
}

void check_lists(const bench::WordsByTopic& lists, std::size_t topics) {
  demand(lists.size() == topics);
  for (const std::vector<FeatureId>& words : lists) {
    demand(!words.empty());
    demand(std::ranges::adjacent_find(words, std::greater_equal<>()) == words.end());
    demand(words.front() >= 0 && words.back() < kFeatures);
  }
}

}  // namespace
}  // namespace inkling::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function
  const fuzz::Input input(data, size);
  static const std::vector<std::string> all_topics = {"a", "rec.autos"};
  const std::span<const std::string> topics = std::span(all_topics).first(1 + input.choices % 2);
  MemoryStream stream(input.text);
  try {
    fuzz::check_lists(bench::read_topic_word_lists(stream, "in", topics, fuzz::feature_of), topics.size());
  } catch (const FormatError& error) {
    fuzz::demand(error.where() == "in" || error.where().starts_with("in:"));
    fuzz::check_text(error.what());
  }
  return 0;
}
