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

#include "io/build/text_recipe.hpp"
#include "io/terms/short_term_map.hpp"
#include "io/terms/term_table.hpp"
#include "io/text/tokenizer.hpp"

namespace inkling {

/// Keeps the terms that it met in its own table, so that it rarely asks the shared one; when its table
/// is full, it starts again with an empty one. Thread safety: one thread at a time. Lifetime: lends the table and the recipe.
class DocumentCounter {
 public:
  /// The table that `recipe` wants: with its stop words left out.
  [[nodiscard]] static std::vector<std::string> ignored_terms(const TextRecipe& recipe);

  DocumentCounter(TermTable& terms, const TextRecipe& recipe);

  /// The document's terms in order of first occurrence, valid until the next call. Those of its first `title_bytes` count as
  /// often as the recipe's title weight says. Requires: padded, well-formed UTF-8, shorter than 4 GiB.
  [[nodiscard]] std::span<const TermCount> count(std::string_view text, std::size_t title_bytes = 0);

  /// Hands on how many documents held each term, once all are counted.
  void flush();

 private:
  /// A term of the document, on its way from text to count.
  struct Occurrence {
    ShortTerm term;
    TermPlace* place = nullptr;  // where it is looked for first
  };

  /// Stands for all that are longer, in their places and occurrences; no term is like this.
  static constexpr ShortTerm long_term = {.head = 0, .tail = 1};

  // So few that the nearest cache keeps what was asked for until it is wanted.
  static constexpr std::size_t occurrences_at_once = 64;

  void take_given_terms();
  void count_text(std::string_view text);
  void count_ngrams(std::string_view text);
  void count_terms(std::span<const std::string_view> terms);
  [[nodiscard]] TermPlace* long_place(std::string_view term);
  void count_collected(std::span<const Occurrence> occurrences);
  // Not inlined, so that the loop which rarely calls it keeps its registers.
  [[nodiscard, gnu::noinline]] TermEntry& find_elsewhere(const ShortTerm& term);
  [[nodiscard]] TermId number_of(const ShortTerm& term);
  void leave_ignored_out();

  TermTable& terms_;
  const TextRecipe& recipe_;
  Tokenizer tokenizer_;
  ShortTermMap short_terms_;
  // The table keeps the texts; places never move.
  std::unordered_map<std::string_view, TermPlace> long_terms_;
  bool met_ignored_ = false;  // so that counts may hold ignored terms, which leave_ignored_out() takes away
  // Some of a document's, so that a long document takes little more memory than its text.
  std::array<Occurrence, occurrences_at_once> occurrences_{};
  std::uint32_t document_ = 0;
  std::vector<TermCount> counts_;  // its size is what there is room for
  std::uint32_t terms_counted_ = 0;
  std::vector<std::uint32_t> token_ends_;  // of a document's tokens in tokens_, for n-grams
  std::string tokens_;
};

}  // namespace inkling
