// The counts of documents in a few bytes each, for the temporary file between the two passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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

/// Keeps the terms that it met in its own table, so that it rarely asks the shared one; when its table
/// is full, it starts again with an empty one. Thread safety: one thread at a time. Lifetime: lends the table and the recipe.
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

/// Documents one after the other: how many entries, their terms in one to four bytes each, and the counts
/// that are not
/// 1. Frequent terms are found early and so have small numbers: an entry takes two to three bytes.
class TermCountsWriter {
 public:
  void append(std::span<const TermCount> document);
  void clear() { used_ = 0; }
  /// Lifetime: until the next append().
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return std::span(bytes_).first(used_); }

 private:
  std::vector<std::byte> bytes_;  // its size is what there is room for
  std::size_t used_ = 0;
};

/// Reads back what TermCountsWriter wrote, which is trusted: the file never left this process.
class TermCountsReader {
 public:
  /// So many bytes after those of the documents may be read.
  static constexpr std::size_t padding = 4;

  /// `bytes`: of whole documents, and `padding` more.
  explicit TermCountsReader(std::span<const std::byte> bytes) noexcept : next_(bytes.data()) {}

  /// The next document's counts, valid until the next call. Requires: there is one.
  [[nodiscard]] std::span<const TermCount> next();

 private:
  const std::byte* next_;
  std::vector<TermCount> counts_;  // its size is what there is room for
};

}  // namespace inkling
