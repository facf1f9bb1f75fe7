#include "io/search/session/text_runs.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "io/base/file/utf8.hpp"
#include "io/corpus/text/token_places.hpp"

namespace inkling {
namespace {

// The text with a space in place of each byte that is not UTF-8. `inkling build` puts U+FFFD there, which ends a word as a
// space does; the space keeps all positions, because it is one byte long.
std::string with_spaces_for_bad_bytes(std::string_view text) {
  std::string clean(text);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_character_length(text.substr(at));
    if (length == 0) clean[at] = ' ';
    at += std::max<std::size_t>(1, length);
  }
  return clean;
}

// The words of a text that terms are made of: those that are not stop words.
std::vector<TokenPlace> counted_words(std::string_view text, const TextRecipe& recipe) {
  std::vector<TokenPlace> words = locate_tokens(with_spaces_for_bad_bytes(text), recipe.tokens);
  std::erase_if(words, [&recipe](const TokenPlace& word) { return std::ranges::binary_search(recipe.stop_words, word.token); });
  return words;
}

// The features that begin at a word: that of the word alone, and phrases, each with its number of words.
struct Beginnings {
  std::optional<FeatureId> feature = {};
  std::vector<std::pair<FeatureId, std::size_t>> phrases = {};
};

// Requires: there is a word.
Beginnings beginnings_at(std::span<const TokenPlace> words, const TextRecipe& recipe, const TermFeature& feature_of) {
  Beginnings found;
  const std::size_t most = std::min(words.size(), static_cast<std::size_t>(recipe.longest_ngram));
  std::string term;
  for (std::size_t n = 1; n <= most; ++n) {
    if (n > 1) term += ' ';
    term += words[n - 1].token;
    if (n < static_cast<std::size_t>(recipe.shortest_ngram)) continue;
    const std::optional<FeatureId> feature = feature_of(term);
    if (!feature) continue;
    if (n == 1)
      found.feature = feature;
    else
      found.phrases.emplace_back(*feature, n);
  }
  return found;
}

// Makes a run of each word that is a feature or begins or ends a phrase, and of the text between each two such words.
class RunCutter {
 public:
  RunCutter(std::string_view text, std::span<const TokenPlace> words, std::span<const Beginnings> beginnings)
      : text_(text), words_(words), beginnings_(beginnings), run_of_word_(words.size(), no_run) {
    for (std::size_t word = 0; word < words.size(); ++word) {
      if (beginnings[word].feature || !beginnings[word].phrases.empty()) run_of_word_[word] = 0;
      for (const auto& [feature, length] : beginnings[word].phrases) run_of_word_[word + length - 1] = 0;
    }
  }

  [[nodiscard]] std::vector<TextRun> cut() && {
    for (std::size_t word = 0; word < words_.size(); ++word) {
      if (run_of_word_[word] == no_run) continue;
      append_until(words_[word].begin);
      run_of_word_[word] = runs_.size();
      append_until(words_[word].end);
      runs_.back().feature = beginnings_[word].feature;
    }
    append_until(text_.size());
    for (std::size_t word = 0; word < words_.size(); ++word) add_phrases(word);
    return std::move(runs_);
  }

 private:
  static constexpr std::size_t no_run = static_cast<std::size_t>(-1);

  void append_until(std::size_t end) {
    if (end > at_) runs_.push_back({.piece = text_.substr(at_, end - at_)});
    at_ = end;
  }

  void add_phrases(std::size_t word) {
    for (const auto& [feature, length] : beginnings_[word].phrases) {
      const std::size_t runs = run_of_word_[word + length - 1] - run_of_word_[word] + 1;
      runs_[run_of_word_[word]].phrases.push_back({feature, runs});
    }
  }

  std::string_view text_;
  std::span<const TokenPlace> words_;
  std::span<const Beginnings> beginnings_;
  std::vector<std::size_t> run_of_word_;  // no_run for words that are no run of their own
  std::size_t at_ = 0;
  std::vector<TextRun> runs_;
};

std::vector<TextRun> whole_text(std::string_view text) {
  if (text.empty()) return {};
  return {{.piece = text}};
}

}  // namespace

std::vector<TextRun> text_runs(std::string_view text, const TextRecipe& recipe, const TermFeature& feature_of) {
  const std::vector<TokenPlace> words = counted_words(text, recipe);
  std::vector<Beginnings> beginnings;
  beginnings.reserve(words.size());
  for (std::size_t word = 0; word < words.size(); ++word)
    beginnings.push_back(beginnings_at(std::span(words).subspan(word), recipe, feature_of));
  return RunCutter(text, words, beginnings).cut();
}

std::vector<TextRun> text_runs(std::string_view text, const Pool& pool) {
  if (!pool.vocabulary()) return whole_text(text);
  const std::optional<TextRecipe> recipe = recipe_of_pool(pool.path(), pool.manifest());
  if (!recipe) return whole_text(text);
  return text_runs(text, *recipe, [&pool](std::string_view term) { return pool.feature_of(term); });
}

}  // namespace inkling
