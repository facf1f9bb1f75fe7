#include "io/search/service/asked_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/text/decoding.hpp"
#include "io/corpus/text/stop_words.hpp"
#include "io/corpus/text/token_places.hpp"
#include "io/search/score/event_scope.hpp"

namespace inkling {
namespace {

constexpr std::size_t kMostProposed = 12;

// What a question about literature says of how it is answered, and not of what it is about; ascending.
constexpr std::array<std::string_view, 42> kWordsOfMethod = {
    "analyses",   "analysis",      "article", "articles", "assessment", "class",    "comparison", "controlled", "determinants",
    "effect",     "effectiveness", "effects", "efficacy", "evaluation", "evidence", "impact",     "literature", "meta",
    "method",     "methods",       "outcome", "outcomes", "overview",   "paper",    "papers",     "protocol",   "randomised",
    "randomized", "research",      "review",  "reviews",  "role",       "scoping",  "studies",    "study",      "survey",
    "synthesis",  "systematic",    "trial",   "trials",   "umbrella",   "update"};
static_assert(std::ranges::is_sorted(kWordsOfMethod));
constexpr const char* kLeftOut = "left out when the pool was built";

bool is_quote(char32_t c) { return c == '"' || (c >= 0x201C && c <= 0x201F) || c == 0xAB || c == 0xBB; }
bool is_minus(char32_t c) { return c == '-' || c == 0x2212; }
bool is_comma(char32_t c) {
  return c == ',' || c == ';' || c == 0x060C || c == 0x061B || c == 0x3001 || c == 0xFF0C || c == 0xFF1B;
}
bool is_line_end(char32_t c) { return c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029; }
bool is_blank(char32_t c) {
  return c <= ' ' || c == 0xA0 || (c >= 0x2000 && c <= 0x200B) || c == 0x202F || c == 0x3000 || is_line_end(c);
}
bool is_dash(std::string_view word) {
  constexpr std::array<std::string_view, 6> dashes = {"-", "−", "–", "—", "*", "•"};
  return std::ranges::find(dashes, word) != dashes.end();
}

// Cuts a text into words as a person means them.
class WordCutter {
 public:
  explicit WordCutter(std::string_view text) : text_(text) {
    for (std::size_t at = 0; at < text.size(); at += first_character(text.substr(at)).length)
      has_lines_ |= is_line_end(first_character(text.substr(at)).code_point);
  }

  [[nodiscard]] std::vector<AskedWord> cut() && {
    while (at_ < text_.size()) {
      const Utf8Character c = first_character(text_.substr(at_));
      if (is_quote(c.code_point)) {
        take_quoted(c.length);
      } else if (is_blank(c.code_point) || is_comma(c.code_point)) {
        after_comma_ |= is_comma(c.code_point);
        if (is_comma(c.code_point)) has_minus_ = false;
        at_ += c.length;
      } else {
        take_word();
      }
    }
    return std::move(words_);
  }

 private:
  void take_quoted(std::size_t length) {
    at_ += length;
    for (std::size_t end = at_; end < text_.size();) {
      const Utf8Character c = first_character(text_.substr(end));
      if (is_quote(c.code_point)) {
        const std::string_view inside = text_.substr(at_, end - at_);
        at_ = end + c.length;
        if (inside.find_first_not_of(' ') != std::string_view::npos) add(inside, true);
        return;
      }
      end += c.length;
    }
  }

  void take_word() {
    const std::size_t begin = at_;
    Utf8Character c{};
    for (; at_ < text_.size(); at_ += c.length) {
      c = first_character(text_.substr(at_));
      if (is_quote(c.code_point) || is_blank(c.code_point) || is_comma(c.code_point)) break;
    }
    std::string_view word = text_.substr(begin, at_ - begin);
    if (is_dash(word)) {
      const bool before_quote = at_ < text_.size() && is_quote(c.code_point);
      has_minus_ = is_minus(first_character(word).code_point) && (before_quote || (after_comma_ && !has_lines_));
      return;
    }
    if (const Utf8Character first = first_character(word); is_minus(first.code_point)) {
      word.remove_prefix(first.length);
      has_minus_ = true;
    }
    add(word, false);
  }

  void add(std::string_view word, bool phrase) {
    words_.push_back({.typed = std::string(word), .wanted = !has_minus_, .phrase = phrase});
    has_minus_ = after_comma_ = false;
  }

  std::string_view text_;
  bool has_lines_ = false;
  std::size_t at_ = 0;
  bool after_comma_ = true;
  bool has_minus_ = false;
  std::vector<AskedWord> words_;
};

std::vector<TokenPlace> tokens_of(std::string_view text, TokenOptions options) {
  options.min_length = 1;
  return locate_tokens(text, options);
}

// The words of a sample of documents, to tell words that the pool left out from words that are in no document.
class SomeTexts {
 public:
  explicit SomeTexts(const Pool& pool, const TokenOptions& options) {
    constexpr std::int64_t most_texts = 20;
    constexpr std::size_t most_bytes = 20'000;
    const std::int64_t documents = pool.view().documents();
    texts_ = pool.texts() ? std::min(most_texts, documents) : 0;
    for (std::int64_t n = 0; n < texts_; ++n) {
      std::string_view text = (*pool.texts())[n * documents / texts_];
      if (text.size() > most_bytes) text = text.substr(0, text.find(' ', most_bytes));
      if (valid_utf8_prefix(text) != text.size()) continue;
      std::set<std::string> held;
      for (TokenPlace& place : tokens_of(text, options)) held.insert(std::move(place.token));
      for (const std::string& token : held) ++texts_with_[token];
    }
  }

  [[nodiscard]] bool is_empty() const { return texts_ == 0; }
  [[nodiscard]] bool hold(const std::string& token) const { return texts_with_.contains(token); }
  [[nodiscard]] bool most_hold(const std::string& token) const {
    const auto found = texts_with_.find(token);
    return found != texts_with_.end() && found->second * 2 > texts_;
  }

 private:
  std::int64_t texts_ = 0;
  std::map<std::string, std::int64_t> texts_with_;
};

// Finds words in a pool, and says why it does not have the others.
class WordFinder {
 public:
  explicit WordFinder(const ShownPool& pool) : pool_(pool) {}

  void find(std::vector<AskedWord>& found, AskedWord asked) {
    std::vector<TokenPlace> tokens;
    if (recipe() && !asked.phrase && !feature_of(asked.typed)) tokens = tokens_of(asked.typed, recipe()->tokens);
    if (tokens.empty()) return add(found, std::move(asked));
    for (const TokenPlace& token : tokens) {
      AskedWord one = asked;
      one.typed = asked.typed.substr(token.begin, token.end - token.begin);
      add(found, std::move(one));
    }
  }

 private:
  [[nodiscard]] const std::optional<TextRecipe>& recipe() const { return pool_.recipe(); }

  void add(std::vector<AskedWord>& found, AskedWord asked) {
    asked.feature = feature_of(asked.typed);
    if (!asked.feature) asked.why_not = why_not(asked.typed);
    found.push_back(std::move(asked));
  }

  [[nodiscard]] std::optional<FeatureId> feature_of(const std::string& typed) const {
    if (pool_.scope().feature_of) return pool_.scope().feature_of(typed);
    const std::optional<std::int64_t> number = parse_integer(typed);
    const bool is_feature = number && *number >= 0 && *number < pool_.scope().features;
    return is_feature ? std::optional(static_cast<FeatureId>(*number)) : std::nullopt;
  }

  [[nodiscard]] std::string why_not(const std::string& typed) {
    if (!pool_.scope().feature_of)
      return fmt::format("this pool has no words, but numbers from 0 to {}", pool_.scope().features - 1);
    if (!recipe()) return "in no document";
    const TypedPhrase phrase = typed_phrase(typed, *recipe());
    if (phrase.reason != LeftOut::nothing)
      return fmt::format("{}{}: {}", phrase.words.empty() ? "" : quoted_text(phrase.left_out) + " is ",
                         left_out_text(phrase.reason), kLeftOut);
    if (phrase.words.empty()) return "no letter or digit";
    if (std::cmp_greater(phrase.words.size(), recipe()->longest_ngram))
      return fmt::format("a phrase: the pool needs --ngrams 1,{}", phrase.words.size());
    if (phrase.words.size() > 1) return why_no_phrase();
    return why_no_word(phrase.words.front());
  }

  [[nodiscard]] std::string why_no_phrase() const {
    const std::int64_t least = recipe()->min_documents_of_runs;
    return least > 1 ? fmt::format("side by side in fewer than {} documents", least) : "side by side in no document";
  }

  [[nodiscard]] std::string why_no_word(const std::string& word) {
    const std::int64_t documents = pool_.pool().view().documents();
    const bool drops_common = recipe()->max_documents.documents(documents) < static_cast<double>(documents);
    const bool drops_rare = recipe()->min_documents.documents(documents) > 1.0 || recipe()->max_features;
    if (!drops_common && !drops_rare) return "in no document";
    if (!texts_) texts_.emplace(pool_.pool(), recipe()->tokens);
    if (drops_common && texts_->most_hold(word)) return fmt::format("too common: {}", kLeftOut);
    if (drops_rare && texts_->hold(word)) return fmt::format("too rare: {}", kLeftOut);
    if (!texts_->is_empty() && !drops_rare) return "in no document";
    return fmt::format("in no document, or {}", kLeftOut);
  }

  const ShownPool& pool_;
  std::optional<SomeTexts> texts_;
};

// How informative a word is: its average weight in the documents that hold it, lowered if these are few, because a policy learns
// little from one or two documents.
double telling(FeatureId feature, const ShownPool& pool) {
  constexpr double few = 3.0;
  const SparseRow postings = pool.pool().view().by_feature.row(feature);
  double sum = 0.0;
  for (const float value : postings.values) sum += std::fabs(static_cast<double>(value));
  return postings.size() == 0 ? 0.0 : sum / (static_cast<double>(postings.size()) + few);
}

// Whether some part of a word tells what a question is about: "meta-analysis" has two parts, and neither does.
bool may_be_proposed(const AskedWord& word) {
  if (!word.wanted) return false;
  std::string lower;
  append_lower_case(lower, word.typed);
  const auto tells = [](std::string_view part) {
    return !std::ranges::binary_search(english_stop_words(), part) && !std::ranges::binary_search(kWordsOfMethod, part) &&
           part.find_first_not_of("0123456789.,%") != std::string_view::npos;
  };
  for (std::size_t begin = 0; begin <= lower.size();) {
    const std::size_t end = std::min(lower.find_first_of("- ", begin), lower.size());
    if (tells(std::string_view(lower).substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

std::vector<AskedWord> asked_words(std::string_view text, const ShownPool& pool) {
  std::vector<AskedWord> words;
  WordFinder finder(pool);
  for (AskedWord& asked : WordCutter(text).cut()) finder.find(words, std::move(asked));
  return words;
}

std::vector<std::size_t> proposed_words(const std::vector<AskedWord>& words, const ShownPool& pool) {
  std::vector<std::pair<double, std::size_t>> known;
  std::vector<std::size_t> unknown;
  std::set<FeatureId> features;
  std::set<std::string> names;
  for (std::size_t n = 0; n < words.size(); ++n) {
    const AskedWord& word = words[n];
    if (!may_be_proposed(word)) continue;
    if (!word.feature) {
      if (word.why_not.starts_with("in no document") && names.insert(word.typed).second) unknown.push_back(n);
      continue;
    }
    if (features.insert(*word.feature).second) known.emplace_back(-telling(*word.feature, pool), n);
  }
  std::ranges::sort(known);
  if (known.size() > kMostProposed) known.resize(kMostProposed);
  std::vector<std::size_t> proposed;
  proposed.reserve(known.size() + unknown.size());
  for (const auto& [tells, n] : known) proposed.push_back(n);
  proposed.insert(proposed.end(), unknown.begin(), unknown.end());
  return proposed;
}

void write_asked_words(JsonWriter& json, std::string_view text, const ShownPool& pool) {
  const std::vector<AskedWord> words = asked_words(text, pool);
  json.begin_object().key("words").begin_array();
  for (const AskedWord& word : words) {
    json.begin_object().member("typed", word.typed).member("wanted", word.wanted).member("phrase", word.phrase);
    if (word.feature) {
      pool.write_named_word(json, *word.feature);
      json.member("documents", pool.documents_with(*word.feature));
    } else {
      json.member("why_not", word.why_not);
    }
    json.end_object();
  }
  json.end_array().key("proposed").array(proposed_words(words, pool));
  json.member("confidence", kProposedConfidence).end_object();
}

}  // namespace inkling
