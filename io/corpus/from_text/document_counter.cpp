#include "io/corpus/from_text/document_counter.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace inkling {
namespace {

// About 20 MB of table a thread; the words beyond are rare ones.
constexpr std::size_t kMostOwnTerms = std::size_t{1} << 18U;

// The most documents at once: then the sign of a difference tells whether an entry is of this document.
constexpr std::uint32_t kMostDocumentsAtOnce = std::numeric_limits<std::int32_t>::max();

void append_documents(std::vector<TermCount>& documents, const TermEntry& entry) {
  if (entry.term < kFirstPart) documents.push_back({entry.term, entry.documents});
}

}  // namespace

DocumentCounter::DocumentCounter(TermTable& terms, const TextRecipe& recipe)
    : terms_(terms), recipe_(recipe), tokenizer_(recipe.tokens) {
  static_assert(TermTable::most_given <= kMostOwnTerms / 2);
  take_given_terms();
}

// Puts the given terms into its own table, so that they need no look-up in the shared one. Frequent ones come first: each
// is then at the first place to look at.
void DocumentCounter::take_given_terms() {
  constexpr double most_idf_of_frequent = 7.0;  // of a word in one document of 400
  const std::span<const std::string_view> given = terms_.given();
  const std::span<const double> idf = terms_.given_idf();
  if (given.empty()) return;
  short_words_.reserve(given.size());
  for (const bool frequent : {true, false}) {
    for (std::size_t n = 0; n < given.size(); ++n) {
      if (given[n].size() > ShortTerm::most_bytes || (idf[n] <= most_idf_of_frequent) != frequent) continue;
      static_cast<void>(short_words_.find(ShortTerm::of(given[n]), [n] { return TermEntry{.term = static_cast<TermId>(n)}; }));
    }
  }
}

std::span<const TermCount> DocumentCounter::count(std::string_view text, std::size_t title_bytes) {
  const bool starts_again = document_ == kMostDocumentsAtOnce;
  if (starts_again || short_words_.size() + long_words_.size() > kMostOwnTerms) flush_words();
  if (starts_again) runs_ = {};
  document_ = starts_again ? 1 : document_ + 1;
  runs_.begin(document_);
  terms_counted_ = 0;
  count_text(text);
  if (title_bytes > 0)
    for (std::int32_t more = 1; more < recipe_.title_weight; ++more) count_text(text.substr(0, title_bytes));
  number_runs(recipe_.longest_ngram);
  if (met_others_) leave_out_what_is_no_term();
  return std::span(counts_).first(terms_counted_);
}

void DocumentCounter::count_text(std::string_view text) {
  last_runs_.fill(kIgnoredTerm);
  tokenizer_.for_each_group(text, [this](std::span<const std::string_view> words) { count_words(words); });
}

void DocumentCounter::flush() {
  flush_words();
  runs_ = {};
  document_ = 0;
}

void DocumentCounter::flush_words() {
  std::vector<TermCount> documents;
  documents.reserve(short_words_.size() + long_words_.size());
  short_words_.for_each([&](const TermEntry& entry) { append_documents(documents, entry); });
  for (const auto& [text, place] : long_words_) append_documents(documents, place.entry);
  terms_.add_documents(documents);
  short_words_.clear();
  long_words_.clear();
}

// Has no branch on whether the document has held the term before, because that cannot be predicted. Masks keep the
// compiler from making one.
template <DocumentCounter::NumberKeeping kept>
void DocumentCounter::count_collected(ShortTermMap& map, Occurrences occurrences, Numbering numbering) {
  if (const std::size_t most = terms_counted_ + occurrences.size() + 1; most > counts_.size()) counts_.resize(2 * most);
  TermCount* const counts = counts_.data();
  [[maybe_unused]] TermId* number = numbers_.data();
  const std::uint64_t document = std::uint64_t{document_} << 32U;
  std::uint64_t counted = terms_counted_;
  std::fill_n(counts + counted, occurrences.size(), TermCount{});
  for (const Occurrence& occurrence : occurrences) {
    TermEntry* entry = &occurrence.place->entry;
    if (!(occurrence.place->key == occurrence.term)) [[unlikely]]
      entry = &find_elsewhere(map, occurrence.term, numbering);
    // Its place in the counts of this document; negative if the document has not held it before.
    const std::uint64_t known = entry->latest - document;
    const std::uint64_t is_new = known >> 63U;
    const std::uint64_t if_new = 0 - is_new;
    const std::uint64_t place = (counted & if_new) | (known & ~if_new);
    const TermId term = entry->term;
    counts[counted].term = term;  // the next term overwrites it if this term is not new
    counts[place].count += 1;
    if constexpr (kept == NumberKeeping::keep) *number++ = term;
    entry->latest = document | place;
    entry->documents += static_cast<std::uint32_t>(is_new);
    counted += is_new;
  }
  terms_counted_ = static_cast<std::uint32_t>(counted);
}

// Takes some words at a time: prefetches the places of all of them, then uses them.
void DocumentCounter::count_words(std::span<const std::string_view> words) {
  while (!words.empty()) {
    const auto some = words.first(std::min(words.size(), occurrences_at_once));
    words = words.subspan(some.size());
    short_words_.reserve(short_words_.size() + some.size());
    const ShortTermMap::Finder first_place = short_words_.finder();
    Occurrence* next = occurrences_.data();
    for (const std::string_view word : some) {
      if (word.size() > ShortTerm::most_bytes) [[unlikely]] {
        *next++ = {.term = long_term, .place = long_place(word)};
        continue;
      }
      const ShortTerm key = ShortTerm::of_padded(word);
      TermPlace* const place = first_place(key);
      __builtin_prefetch(place);
      *next++ = {.term = key, .place = place};
    }
    const auto collected = std::span(occurrences_).first(some.size());
    if (recipe_.longest_ngram == 1) {
      count_collected<NumberKeeping::drop>(short_words_, collected, Numbering::term);
    } else {
      count_collected<NumberKeeping::keep>(short_words_, collected, numbering_of(1));
      const auto end = std::remove(numbers_.begin(), numbers_.begin() + some.size(), kIgnoredTerm);
      count_runs(static_cast<std::size_t>(end - numbers_.begin()));
    }
  }
}

// A run consists of its last word and of what precedes it: a word, or a run that is one word shorter.
void DocumentCounter::count_runs(std::size_t words) {
  if (words == 0) return;
  const Numbers last_words = numbers_;
  Numbers before = numbers_;  // by last word: the run that ends with it and is one word shorter than `length`
  for (std::int32_t length = 2; length <= recipe_.longest_ngram; ++length) {
    if (const std::size_t most = terms_counted_ + words + 1; most > counts_.size()) counts_.resize(2 * most);
    TermId shorter = std::exchange(last_runs_[static_cast<std::size_t>(length - 2)], before[words - 1]);
    std::size_t n = 0;
    while (n < words && shorter == kIgnoredTerm) shorter = before[n++];  // the document has too few words so far
    const std::size_t first = n;
    for (; n < words; shorter = before[n++]) {
      const Run run = Run::of(shorter, last_words[n]);
      const std::size_t hash = ShortTermHash()(run);
      const std::uint32_t place = runs_.place(run, hash, terms_counted_);
      places_[n] = place;
      if (place == terms_counted_) {
        new_runs_.push_back({.run = run, .place = place, .hash = hash});
        counts_[terms_counted_++] = {};
      }
      counts_[place].count += 1;
    }
    // If pairs are the longest runs, no run begins with a pair, so their numbers can wait: more at once take less time.
    if (recipe_.longest_ngram > 2 || new_runs_.size() + occurrences_at_once > TermTable::most_runs_at_once) number_runs(length);
    if (length == recipe_.longest_ngram) return;
    std::fill_n(before.begin(), first, kIgnoredTerm);
    for (n = first; n < words; ++n) before[n] = counts_[places_[n]].term;
  }
}

void DocumentCounter::number_runs(std::int32_t length) {
  if (new_runs_.empty()) return;
  terms_.count_runs(new_runs_, numbering_of(length));
  for (const RunOfDocument& run : new_runs_) {
    met_others_ = met_others_ || run.number >= kFirstPart;
    counts_[run.place].term = run.number;
  }
  new_runs_.clear();
}

TermPlace* DocumentCounter::long_place(std::string_view word) {
  auto found = long_words_.find(word);
  if (found == long_words_.end()) {
    const TermTable::Term kept = terms_.intern_long(word, numbering_of(1));
    met_others_ = met_others_ || kept.id >= kFirstPart;
    found = long_words_.emplace(kept.text, TermPlace{.key = long_term, .entry = {.term = kept.id}}).first;
  }
  return &found->second;
}

TermEntry& DocumentCounter::find_elsewhere(ShortTermMap& map, const ShortTerm& term, Numbering numbering) {
  return map.find(term, [&] {
    const TermId number = terms_.intern(term, ShortTermHash()(term), numbering);
    met_others_ = met_others_ || number >= kFirstPart;
    return TermEntry{.term = number};
  });
}

void DocumentCounter::leave_out_what_is_no_term() {
  std::uint32_t kept = 0;
  for (std::uint32_t n = 0; n < terms_counted_; ++n) {
    counts_[kept] = counts_[n];
    kept += counts_[n].term < kFirstPart ? 1U : 0U;
  }
  terms_counted_ = kept;
}

}  // namespace inkling
