#include "io/build/document_counter.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "io/text/padded_text.hpp"

namespace inkling {
namespace {

// About 20 MB of table a thread; the words beyond are rare ones.
constexpr std::size_t kMostOwnTerms = std::size_t{1} << 18U;

// So that documents can be told apart by the sign of a difference.
constexpr std::uint32_t kMostDocumentsAtOnce = std::numeric_limits<std::int32_t>::max();

}  // namespace

std::vector<std::string> DocumentCounter::ignored_terms(const TextRecipe& recipe) {
  // Where features are longer than a token, stop words go before tokens are joined.
  return recipe.longest_ngram == 1 ? recipe.stop_words : std::vector<std::string>();
}

DocumentCounter::DocumentCounter(TermTable& terms, const TextRecipe& recipe)
    : terms_(terms), recipe_(recipe), tokenizer_(recipe.tokens) {
  static_assert(TermTable::most_given <= kMostOwnTerms / 2);
  take_given_terms();
}

// Terms that are known need not be asked for. The frequent ones come first, so that each is where it is looked for first.
void DocumentCounter::take_given_terms() {
  constexpr double most_idf_of_frequent = 7.0;  // of a word in one document of 400
  const std::span<const std::string_view> given = terms_.given();
  const std::span<const double> idf = terms_.given_idf();
  if (given.empty()) return;
  short_terms_.reserve(given.size());
  for (const bool frequent : {true, false}) {
    for (std::size_t n = 0; n < given.size(); ++n) {
      if (given[n].size() > ShortTerm::most_bytes || (idf[n] <= most_idf_of_frequent) != frequent) continue;
      static_cast<void>(short_terms_.find(ShortTerm::of(given[n]),
                                          [n] { return TermEntry{.term = static_cast<TermId>(n)}; }));
    }
  }
}

std::span<const TermCount> DocumentCounter::count(std::string_view text, std::size_t title_bytes) {
  const bool full = short_terms_.size() + long_terms_.size() > kMostOwnTerms;
  if (full || document_ == kMostDocumentsAtOnce) flush();
  ++document_;
  terms_counted_ = 0;
  count_text(text);
  if (title_bytes > 0)
    for (std::int32_t more = 1; more < recipe_.title_weight; ++more) count_text(text.substr(0, title_bytes));
  if (met_ignored_) leave_ignored_out();
  return std::span(counts_).first(terms_counted_);
}

void DocumentCounter::count_text(std::string_view text) {
  if (recipe_.longest_ngram > 1) return count_ngrams(text);
  tokenizer_.for_each_group(text, [this](std::span<const std::string_view> tokens) { count_terms(tokens); });
}

void DocumentCounter::flush() {
  std::vector<TermCount> documents;
  documents.reserve(short_terms_.size() + long_terms_.size());
  const auto collect = [&documents](const TermEntry& entry) {
    if (entry.term != kIgnoredTerm) documents.push_back({entry.term, entry.documents});
  };
  short_terms_.for_each(collect);
  for (const auto& [text, place] : long_terms_) collect(place.entry);
  terms_.add_documents(documents);
  short_terms_.clear();
  long_terms_.clear();
  document_ = 0;
}

// In turns: places of some terms are asked for, and used when they have come from memory.
void DocumentCounter::count_terms(std::span<const std::string_view> terms) {
  while (!terms.empty()) {
    const auto some = terms.first(std::min(terms.size(), occurrences_at_once));
    terms = terms.subspan(some.size());
    short_terms_.reserve(short_terms_.size() + some.size());
    const ShortTermMap::Finder first_place = short_terms_.finder();
    Occurrence* next = occurrences_.data();
    for (const std::string_view term : some) {
      if (term.size() > ShortTerm::most_bytes) [[unlikely]] {
        *next++ = {.term = long_term, .place = long_place(term)};
        continue;
      }
      const ShortTerm key = ShortTerm::of_padded(term);
      TermPlace* const place = first_place(key);
      __builtin_prefetch(place);
      *next++ = {.term = key, .place = place};
    }
    count_collected(std::span(occurrences_).first(some.size()));
  }
}

TermPlace* DocumentCounter::long_place(std::string_view term) {
  auto found = long_terms_.find(term);
  if (found == long_terms_.end()) {
    const TermTable::Term kept = terms_.intern_long(term);
    met_ignored_ = met_ignored_ || kept.id == kIgnoredTerm;
    found = long_terms_.emplace(kept.text, TermPlace{.key = long_term, .entry = {.term = kept.id}}).first;
  }
  return &found->second;
}

// Without a branch for whether the document has held the term before, because nothing foretells it. Masks say so to the
// compiler, too.
void DocumentCounter::count_collected(std::span<const Occurrence> occurrences) {
  if (const std::size_t most = terms_counted_ + occurrences.size() + 1; most > counts_.size())
    counts_.resize(2 * most);
  TermCount* const counts = counts_.data();
  const std::uint64_t document = std::uint64_t{document_} << 32U;
  std::uint64_t counted = terms_counted_;
  std::fill_n(counts + counted, occurrences.size(), TermCount{});
  for (const Occurrence& occurrence : occurrences) {
    TermEntry* entry = &occurrence.place->entry;
    if (!(occurrence.place->key == occurrence.term)) [[unlikely]]
      entry = &find_elsewhere(occurrence.term);
    // Its place in the counts of this document, or less than nothing.
    const std::uint64_t known = entry->latest - document;
    const std::uint64_t is_new = known >> 63U;
    const std::uint64_t if_new = 0 - is_new;
    const std::uint64_t place = (counted & if_new) | (known & ~if_new);
    counts[counted].term = entry->term;  // which the next one overwrites if this one is not new
    counts[place].count += 1;
    entry->latest = document | place;
    entry->documents += static_cast<std::uint32_t>(is_new);
    counted += is_new;
  }
  terms_counted_ = static_cast<std::uint32_t>(counted);
}

TermEntry& DocumentCounter::find_elsewhere(const ShortTerm& term) {
  return short_terms_.find(term, [&] { return TermEntry{.term = number_of(term)}; });
}

TermId DocumentCounter::number_of(const ShortTerm& term) {
  const TermId number = terms_.intern(term, ShortTermHash()(term));
  met_ignored_ = met_ignored_ || number == kIgnoredTerm;
  return number;
}

void DocumentCounter::leave_ignored_out() {
  std::uint32_t kept = 0;
  for (std::uint32_t n = 0; n < terms_counted_; ++n) {
    counts_[kept] = counts_[n];
    kept += counts_[n].term != kIgnoredTerm ? 1U : 0U;
  }
  terms_counted_ = kept;
}

void DocumentCounter::count_ngrams(std::string_view text) {
  tokens_.clear();
  token_ends_.clear();
  tokenizer_.for_each(text, [this](std::string_view token) {
    if (std::ranges::binary_search(recipe_.stop_words, token, std::less<>())) return;
    tokens_ += token;
    token_ends_.push_back(static_cast<std::uint32_t>(tokens_.size()));
    tokens_ += ' ';
  });
  tokens_.append(kTextPadding, '\0');
  // Tokens lie one after the other with a space between, so that every n-gram is there already.
  const auto shortest = static_cast<std::size_t>(recipe_.shortest_ngram);
  const auto longest = static_cast<std::size_t>(recipe_.longest_ngram);
  std::array<std::string_view, occurrences_at_once> terms;
  std::size_t size = 0;
  for (std::size_t first = 0; first < token_ends_.size(); ++first) {
    const std::size_t begin = first == 0 ? 0 : token_ends_[first - 1] + 1;
    for (std::size_t n = shortest; n <= longest && first + n <= token_ends_.size(); ++n) {
      if (size == terms.size()) count_terms(std::span(terms).first(std::exchange(size, 0)));
      terms[size++] = std::string_view(tokens_).substr(begin, token_ends_[first + n - 1] - begin);
    }
  }
  count_terms(std::span(terms).first(size));
}

}  // namespace inkling
