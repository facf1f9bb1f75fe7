#include "io/search/simulation/word_list.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>

#include "engine/core/portable_math.hpp"

namespace inkling {
namespace {

constexpr std::array<std::string_view, WordList::function_words> kFunctionWords = {
    "the", "of",   "and",   "to",   "a",   "in",    "is",   "that",  "for",   "it",   "was",   "on",  "with",
    "as",  "be",   "by",    "he",   "at",  "this",  "you",  "are",   "not",   "from", "have",  "or",  "his",
    "but", "they", "about", "had",  "an",  "which", "we",   "she",   "were",  "her",  "there", "one", "all",
    "has", "been", "their", "will", "if",  "who",   "more", "would", "so",    "what", "no",    "can", "when",
    "do",  "them", "my",    "than", "its", "some",  "into", "me",    "other", "our",  "only",  "such"};

constexpr std::array<std::string_view, 30> kFirstOnsets = {"b",  "c",  "d",  "f",  "g",  "h",  "j",  "k",  "l",  "m",
                                                           "n",  "p",  "r",  "s",  "t",  "v",  "w",  "z",  "br", "ch",
                                                           "cr", "dr", "fl", "gr", "pl", "pr", "sh", "st", "th", "tr"};
constexpr std::array<std::string_view, 8> kFirstNuclei = {"a", "e", "i", "o", "u", "ai", "ea", "ou"};
constexpr std::array<std::string_view, 15> kOnsets = {"b", "c", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z"};
constexpr std::array<std::string_view, 5> kNuclei = {"a", "e", "i", "o", "u"};
constexpr std::array<std::string_view, 9> kCodas = {"", "n", "r", "s", "l", "t", "d", "m", "st"};

constexpr std::size_t kMostSyllables = 4;

using Syllables = std::vector<std::string>;

Syllables syllables_of(std::span<const std::string_view> onsets, std::span<const std::string_view> nuclei) {
  Syllables syllables;
  for (const std::string_view onset : onsets)
    for (const std::string_view nucleus : nuclei) syllables.push_back(std::string(onset) + std::string(nucleus));
  return syllables;
}

/// Invented words: a first syllable, further syllables, and a coda. No letter could belong to two of these parts, so words
/// with different parts are different words. A word is a number written in syllables.
class Inventor {
 public:
  /// The next word of this many syllables; each call gives another word.
  std::string next(std::size_t syllables) {
    std::uint64_t words = kCodas.size() * first_.size();
    for (std::size_t n = 1; n < syllables; ++n) words *= inner_.size();
    const std::uint64_t count = given_[syllables - 1]++;
    assert(count < words);
    // Steps of a golden section that shares no factor with the number of words visit each of them once.
    std::uint64_t step = words / 1000 * 618 + words % 1000 * 618 / 1000;
    while (std::gcd(step, words) != 1) ++step;
    return spelled(count * step % words, syllables);
  }

 private:
  [[nodiscard]] std::string spelled(std::uint64_t number, std::size_t syllables) const {
    std::string word(kCodas[number % kCodas.size()]);
    number /= kCodas.size();
    for (std::size_t n = 1; n < syllables; ++n) {
      word.insert(0, inner_[number % inner_.size()]);
      number /= inner_.size();
    }
    return first_[number] + word;
  }

  Syllables first_ = syllables_of(kFirstOnsets, kFirstNuclei);
  Syllables inner_ = syllables_of(kOnsets, kNuclei);
  std::array<std::uint64_t, kMostSyllables> given_{};  // by number of syllables, less one
};

std::size_t syllables_at(std::int32_t rank) {
  const auto third = rank % 3;
  if (rank < 500) return third == 0 ? 1 : 2;
  if (rank < 5'000) return third == 0 ? 3 : 2;
  if (rank < 50'000) return third == 0 ? 2 : 3;
  return third == 0 ? 4 : 3;
}

/// The next invented word that is no function word.
std::string next_word(Inventor& inventor, std::size_t syllables) {
  for (;;) {
    std::string word = inventor.next(syllables);
    if (std::ranges::find(kFunctionWords, word) == kFunctionWords.end()) return word;
  }
}

std::string with_capital(std::string word) {
  word[0] = static_cast<char>(word[0] - ('a' - 'A'));
  return word;
}

}  // namespace

WordList::WordList(std::int32_t count) {
  assert(count >= function_words && count <= most);
  places_.reserve(static_cast<std::size_t>(count));
  for (const std::string_view word : kFunctionWords) add(word);
  Inventor inventor;
  for (std::int32_t rank = function_words; rank < count; ++rank) add(next_word(inventor, syllables_at(rank)));
}

void WordList::add(std::string_view word) {
  places_.push_back({static_cast<std::uint32_t>(text_.size()), static_cast<std::uint32_t>(word.size())});
  text_ += word;
  text_ += with_capital(std::string(word));
}

AliasTable::AliasTable(std::span<const double> weights) {
  assert(!weights.empty() && weights.size() <= std::size_t{1} << 31U);
  double sum = 0.0;
  for (const double weight : weights) sum += weight;
  assert(sum > 0.0);

  // Each cell holds an average share. A cell with less is filled up from one with more.
  std::vector<double> shares;
  std::vector<std::uint32_t> lean;
  std::vector<std::uint32_t> rich;
  shares.reserve(weights.size());
  for (std::uint32_t n = 0; n < weights.size(); ++n) {
    shares.push_back(weights[n] / sum * static_cast<double>(weights.size()));
    (shares.back() < 1.0 ? lean : rich).push_back(n);
    cells_.push_back({0xFFFFFFFFU, n});
  }
  while (!lean.empty() && !rich.empty()) {
    const std::uint32_t filled = lean.back();
    const std::uint32_t giver = rich.back();
    lean.pop_back();
    cells_[filled] = {static_cast<std::uint32_t>(shares[filled] * 0x1p32), giver};
    shares[giver] -= 1.0 - shares[filled];
    if (shares[giver] >= 1.0) continue;
    rich.pop_back();
    lean.push_back(giver);
  }
}

std::vector<double> zipf_weights(std::int32_t count, double exponent, double head) {
  std::vector<double> weights;
  weights.reserve(static_cast<std::size_t>(count));
  for (std::int32_t rank = 1; rank <= count; ++rank)
    weights.push_back(exponential(-exponent * natural_log(static_cast<double>(rank) + head)));
  return weights;
}

std::int32_t draw_length(double mean, double sigma, double fewest, RandomStream& random) {
  const double log_median = natural_log(mean) - sigma * sigma / 2.0;
  const double length = std::floor(exponential(log_median + sigma * random.normal()) + 0.5);
  return static_cast<std::int32_t>(std::clamp(length, fewest, 3000.0));  // so that a count fits 16 bits
}

}  // namespace inkling
