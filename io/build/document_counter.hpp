// Counts the terms of one document after the other, by one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/build/short_term.hpp"
#include "io/build/short_term_map.hpp"
#include "io/build/term_table.hpp"
#include "io/build/text_recipe.hpp"
#include "io/text/tokenizer.hpp"

namespace inkling {

/// A term of a document and how often it holds it.
struct TermCount {
  TermId term;
  std::uint32_t count;

  bool operator==(const TermCount&) const = default;
};

/// Keeps the terms that it met in a table of its own, so that the shared one is seldom asked; when its table
/// is full it starts anew. Thread safety: one thread at a time. Lifetime: lends the table and the recipe.
class DocumentCounter {
 public:
  /// The table that `recipe` wants: with its stop words left out.
  [[nodiscard]] static std::vector<std::string> ignored_terms(const TextRecipe& recipe);

  DocumentCounter(TermTable& terms, const TextRecipe& recipe);

  /// The document's terms in order of first occurrence, valid until the next call. Requires: padded,
  /// well-formed UTF-8, shorter than 4 GiB.
  [[nodiscard]] std::span<const TermCount> count(std::string_view text);

  /// Hands on how many documents held each term, once all are counted.
  void flush();

 private:
  /// A term of the document, on its way from text to count. Short ones carry their key, long ones are looked
  /// up as they come.
  struct Occurrence {
    ShortTerm term;
    std::size_t hash = 0;
    TermEntry* long_entry = nullptr;
  };

  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>()(text);
    }
  };

  void collect_ngrams(std::string_view text);
  void collect(std::string_view term);
  void count_collected();
  void count_entry(TermEntry& entry);

  TermTable& terms_;
  const TextRecipe& recipe_;
  Tokenizer tokenizer_;
  ShortTermMap short_terms_;
  std::unordered_map<std::string, TermEntry, TextHash, std::equal_to<>> long_terms_;  // entries never move
  std::vector<Occurrence> occurrences_;  // of one document; its size is what there is room for
  std::size_t collected_ = 0;
  std::uint32_t document_ = 0;
  std::vector<TermCount> counts_;
  std::vector<std::uint32_t> token_ends_;  // of a document's tokens in tokens_, for n-grams
  std::string tokens_;
};

}  // namespace inkling
