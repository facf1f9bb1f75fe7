#include "io/build/document_counter.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>

namespace inkling {
namespace {

// About 20 MB of table a thread; the words beyond are rare ones.
constexpr std::size_t most_own_terms = std::size_t{1} << 18U;

}  // namespace

std::vector<std::string> DocumentCounter::ignored_terms(const TextRecipe& recipe) {
  // Where features are longer than a token, stop words go before tokens are joined.
  return recipe.longest_ngram == 1 ? recipe.stop_words : std::vector<std::string>();
}

DocumentCounter::DocumentCounter(TermTable& terms, const TextRecipe& recipe)
    : terms_(terms), recipe_(recipe), tokenizer_(recipe.tokens) {}

std::span<const TermCount> DocumentCounter::count(std::string_view text) {
  const bool full = short_terms_.size() + long_terms_.size() > most_own_terms;
  if (full || document_ == std::numeric_limits<std::uint32_t>::max()) flush();
  ++document_;
  counts_.clear();
  if (recipe_.longest_ngram == 1) {
    tokenizer_.for_each(text, [this](std::string_view token) { collect(token); });
  } else {
    collect_ngrams(text);
  }
  count_collected();
  return counts_;
}

void DocumentCounter::flush() {
  std::vector<TermDocuments> documents;
  documents.reserve(short_terms_.size() + long_terms_.size());
  const auto collect = [&documents](const TermEntry& entry) {
    if (entry.term != ignored_term) documents.push_back({entry.term, entry.documents});
  };
  short_terms_.for_each(collect);
  for (const auto& [text, entry] : long_terms_) collect(entry);
  terms_.add_documents(documents);
  short_terms_.clear();
  long_terms_.clear();
  document_ = 0;
}

void DocumentCounter::collect(std::string_view term) {
  if (collected_ == occurrences_.size()) occurrences_.resize(2 * occurrences_.size() + 64);
  Occurrence& occurrence = occurrences_[collected_++];
  if (term.size() <= ShortTerm::most_bytes) {
    occurrence.term = ShortTerm::of_padded(term);
    occurrence.hash = ShortTermHash()(occurrence.term);
    occurrence.long_entry = nullptr;
    return;
  }
  auto found = long_terms_.find(term);
  if (found == long_terms_.end())
    found = long_terms_.emplace(std::string(term), TermEntry{.term = terms_.intern_long(term)}).first;
  occurrence.long_entry = &found->second;
  occurrence.hash = 0;
}

// An entry is asked for some terms before it is counted, so that it has come from memory by then.
void DocumentCounter::count_collected() {
  constexpr std::size_t ahead = 12;
  const std::span<const Occurrence> all = std::span(occurrences_).first(collected_);
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (n + ahead < all.size()) short_terms_.prefetch(all[n + ahead].hash);
    if (all[n].long_entry != nullptr) {
      count_entry(*all[n].long_entry);
    } else {
      const ShortTerm& term = all[n].term;
      count_entry(
          short_terms_.find(term, all[n].hash, [&] { return TermEntry{.term = terms_.intern(term)}; }));
    }
  }
  collected_ = 0;
}

void DocumentCounter::count_entry(TermEntry& entry) {
  if (entry.document == document_) {
    ++counts_[entry.place].count;
    return;
  }
  if (entry.term == ignored_term) return;
  entry.document = document_;
  entry.place = static_cast<std::uint32_t>(counts_.size());
  ++entry.documents;
  counts_.push_back({entry.term, 1});
}

void DocumentCounter::collect_ngrams(std::string_view text) {
  tokens_.clear();
  token_ends_.clear();
  tokenizer_.for_each(text, [this](std::string_view token) {
    if (std::ranges::binary_search(recipe_.stop_words, token, std::less<>())) return;
    tokens_ += token;
    token_ends_.push_back(static_cast<std::uint32_t>(tokens_.size()));
    tokens_ += ' ';
  });
  tokens_.append(text_padding, '\0');
  // Tokens lie one after the other with a space between, so that every n-gram is there already.
  const auto shortest = static_cast<std::size_t>(recipe_.shortest_ngram);
  const auto longest = static_cast<std::size_t>(recipe_.longest_ngram);
  for (std::size_t first = 0; first < token_ends_.size(); ++first) {
    const std::size_t begin = first == 0 ? 0 : token_ends_[first - 1] + 1;
    for (std::size_t n = shortest; n <= longest && first + n <= token_ends_.size(); ++n)
      collect(std::string_view(tokens_).substr(begin, token_ends_[first + n - 1] - begin));
  }
}

}  // namespace inkling
