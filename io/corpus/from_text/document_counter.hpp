// Counts the terms of documents.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/corpus/from_text/text_recipe.hpp"
#include "io/corpus/terms/document_runs.hpp"
#include "io/corpus/terms/short_term_map.hpp"
#include "io/corpus/terms/term_table.hpp"
#include "io/corpus/text/tokenizer.hpp"

namespace inkling {

/// Looks words up in its own tables and rarely in the shared one; when its own tables are full, it empties them. Most
/// runs of words are rare, so it looks up every run in the shared table, once for each document. Thread safety: one
/// thread at a time. Lifetime: lends the table and the recipe.
class DocumentCounter {
 public:
  DocumentCounter(TermTable& terms, const TextRecipe& recipe);

  /// The document's terms, valid until the next call. Their order is the same on all threads: words by their first
  /// occurrence, and each run of words soon after its last word. Each term in the first `title_bytes` counts as often as
  /// the recipe's title weight says. Requires: padded, well-formed UTF-8, shorter than 4 GiB.
  [[nodiscard]] std::span<const TermCount> count(std::string_view text, std::size_t title_bytes = 0);

  /// Adds to the shared table how many documents hold each word. To be called after the last document.
  void flush();

 private:
  /// A term of the document, on its way from text to count.
  struct Occurrence {
    ShortTerm term;
    TermPlace* place = nullptr;  // the first place to look at
  };

  /// Represents every longer word, in places and in occurrences. No term has this value.
  static constexpr ShortTerm long_term = {.head = 0, .tail = 1};

  // So few that prefetched places are still in the nearest cache when they are used.
  static constexpr std::size_t occurrences_at_once = 64;

  using Occurrences = std::span<const Occurrence>;
  using Numbers = std::array<TermId, occurrences_at_once>;

  void take_given_terms();
  void count_text(std::string_view text);
  void count_words(std::span<const std::string_view> words);
  void count_runs(std::size_t words);
  // Gives the runs in new_runs_ their numbers. All of them have `length` words.
  void number_runs(std::int32_t length);
  [[nodiscard]] TermPlace* long_place(std::string_view word);
  // Whether numbers_ keeps the numbers of what is counted, because runs are made of them.
  enum class NumberKeeping { drop, keep };
  template <NumberKeeping kept>
  void count_collected(ShortTermMap& map, Occurrences occurrences, Numbering numbering);
  // Not inlined, so that the loop which rarely calls it keeps its registers.
  [[nodiscard, gnu::noinline]] TermEntry& find_elsewhere(ShortTermMap& map, const ShortTerm& term, Numbering numbering);
  [[nodiscard]] Numbering numbering_of(std::int32_t length) const noexcept {
    return length < recipe_.shortest_ngram ? Numbering::part : Numbering::term;
  }
  void leave_out_what_is_no_term();
  void flush_words();

  TermTable& terms_;
  const TextRecipe& recipe_;
  Tokenizer tokenizer_;
  ShortTermMap short_words_;
  // The table keeps the texts; places never move.
  std::unordered_map<std::string_view, TermPlace> long_words_;
  DocumentRuns runs_;
  std::vector<RunOfDocument> new_runs_;                      // runs that the document has not held before
  std::array<std::uint32_t, occurrences_at_once> places_{};  // where the last words or runs are counted
  bool met_others_ = false;                                  // counts may hold numbers from kFirstPart on, which are no terms
  // A few at a time, so that a long document takes little more memory than its text.
  std::array<Occurrence, occurrences_at_once> occurrences_{};
  std::uint32_t document_ = 0;
  std::vector<TermCount> counts_;  // its size is its capacity
  std::uint32_t terms_counted_ = 0;
  Numbers numbers_{};  // of the words or runs of the last call
  // By length less one: the number of the run that ends with the last word of the document so far, or kIgnoredTerm.
  std::array<TermId, kLongestNgram> last_runs_{};
};

}  // namespace inkling
