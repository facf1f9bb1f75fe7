#include "bench/commands/demo_report.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "io/file/digit_groups.hpp"

namespace inkling::bench {

std::string demo_opening(std::int64_t rounds, std::int32_t relevant) {
  return fmt::format(
      R"(Readers want one of five topics in a pool of text, and nobody says which. Each of {} rounds shows one document,
none twice. The reader rates it, +1 where it is of the topic and -1 where not, and marks each of {} words that speak for
the topic one time in ten that it is shown. Regret is what the ratings fall short of the best: lower is better.

  random               shows anything
  explore-then-commit  shows anything until the words are probably marked, half of the rounds at most; then uses those
  ff-oful              uses the marked words from the first mark on, and keeps exploring ever less
  oful-subset          is told all the words before the first round: what nobody has, to measure the others by

)",
      digit_groups(rounds), relevant);
}

std::string demo_absentee(std::int64_t features) {
  return fmt::format(
      "(oful and soft-marks use all {} words, take milliseconds a choice, and would make this a long show:\n"
      "they are in `inkling-bench simulate --policy oful,soft-marks`.)\n",
      digit_groups(features));
}

std::string demo_words(const EntrantResult& result, const WordOf& word_of, const SyntheticCorpus& corpus,
                       std::int32_t topic, const Style& style) {
  std::unordered_set<std::string_view> own;
  std::unordered_set<std::string> learned;
  for (const std::int32_t rank : corpus.own_words(topic)) own.insert(corpus.words().word(rank));
  for (const LearnedWord& word : result.trials.front().words) learned.insert(word_of(word.feature));

  std::string text =
      style.bold(fmt::format(
          "{:<37}{}", fmt::format("Learned by {}, first reader", result.entrant.contestant.preset.name),
          fmt::format("Own words of {}, most frequent first", corpus.topic_name(topic)))) +
      "\n";
  for (std::size_t n = 0; n < std::min(result.trials.front().words.size(), corpus.own_words(topic).size());
       ++n) {
    const LearnedWord& word = result.trials.front().words[n];
    const std::string name = word_of(word.feature);
    const std::string_view own_word = corpus.words().word(corpus.own_words(topic)[n]);
    std::string row = fmt::format("  {:<14} {:+.2f}  {:<11}  {}", name, word.weight,
                                  own.contains(name) ? "own" : "", own_word);
    if (learned.contains(std::string(own_word))) row = fmt::format("{:<54}learned", row);
    text += row + "\n";
  }
  return text;
}

std::string demo_closing(const std::vector<EntrantResult>& results, std::int64_t rounds, const Style& style) {
  std::string text;
  for (const EntrantResult& result : results) {
    const double wanted = 0.5 * (static_cast<double>(rounds) + result.reward().mean);
    text += fmt::format("{}{:.0f} with {}", text.empty() ? "" : ", ", wanted,
                        result.entrant.contestant.preset.name);
  }
  return style.bold(fmt::format("Of {} documents shown, those of the wanted topic: {}.", digit_groups(rounds),
                                text)) +
         "\n";
}

}  // namespace inkling::bench
