// Every different term of a corpus once, shared by all threads, each of which counts the terms of documents.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tsl/robin_map.h>

#include "io/build/text_recipe.hpp"
#include "io/file/large_memory.hpp"
#include "io/text/padded_text.hpp"
#include "io/text/tokenizer.hpp"

namespace inkling {

/// Invariant: the bytes after the term are zeros; terms hold no zeros, so different terms differ.
struct ShortTerm {
  static constexpr std::size_t most_bytes = 16;

  std::uint64_t head = 0;
  std::uint64_t tail = 0;

  bool operator==(const ShortTerm&) const = default;

  /// Requires: 1 <= term.size() <= most_bytes.
  [[nodiscard]] static ShortTerm of(std::string_view term) noexcept {
    std::array<char, most_bytes> bytes{};
    std::memcpy(bytes.data(), term.data(), term.size());
    ShortTerm key;
    std::memcpy(&key.head, bytes.data(), 8);
    std::memcpy(&key.tail, bytes.data() + 8, 8);
    return key;
  }

  /// Requires: 1 <= term.size() <= most_bytes, and 16 bytes may be read.
  [[nodiscard]] static ShortTerm of_padded(std::string_view term) noexcept {
    static_assert(kTextPadding >= most_bytes && std::endian::native == std::endian::little);
    // Without a branch, because the lengths of terms cannot be foreseen: the masks are cut from these bytes.
    static constexpr auto ones_then_zeros = [] {
      std::array<unsigned char, 2 * most_bytes> bytes{};
      for (std::size_t n = 0; n < most_bytes; ++n) bytes[n] = 0xFF;
      return bytes;
    }();
    const unsigned char* const mask = ones_then_zeros.data() + (most_bytes - term.size());
    const auto eight_bytes = [](const void* from) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, from, sizeof(bytes));
      return bytes;
    };
    return {.head = eight_bytes(term.data()) & eight_bytes(mask),
            .tail = eight_bytes(term.data() + 8) & eight_bytes(mask + 8)};
  }

  /// Its bytes. Lifetime: lends the key.
  [[nodiscard]] std::string_view text() const& noexcept {
    const char* const bytes = reinterpret_cast<const char*>(this);
    const void* const end = std::memchr(bytes, 0, most_bytes);
    const std::size_t length =
        end == nullptr ? most_bytes : static_cast<std::size_t>(static_cast<const char*>(end) - bytes);
    return {bytes, length};
  }
  std::string_view text() const&& = delete;
};

/// All bits are good: tables take the highest or the lowest.
struct ShortTermHash {
  std::size_t operator()(const ShortTerm& term) const noexcept {
    std::uint64_t hash = term.head ^ (term.tail * 0x9E3779B97F4A7C15U);
    hash ^= hash >> 32U;
    hash *= 0xC4CEB9FE1A85EC53U;
    return hash ^ (hash >> 32U);
  }
};

/// A term's number, in order of discovery: which depends on the threads, so no result may.
using TermId = std::uint32_t;

/// Stands for every term that is left out, as stop words are.
inline constexpr TermId kIgnoredTerm = std::numeric_limits<TermId>::max();

/// A term and how often a document holds it, or how many documents do.
struct TermCount {
  TermId term;
  std::uint32_t count;

  bool operator==(const TermCount&) const = default;
};

/// Thread safety: intern() and add_documents() from any thread; the rest once those are done.
class TermTable {
 public:
  /// Terms of `ignored` are interned as kIgnoredTerm.
  explicit TermTable(std::span<const std::string> ignored);

  /// At most so many terms may be given to a table.
  static constexpr std::size_t most_given = std::size_t{1} << 17U;

  /// A table for given terms, each once: a term's number is its place among them. All others are interned as
  /// kIgnoredTerm, too. `idf`: by term, so that frequent terms are known. Lifetime: lends both. Requires: none of the
  /// terms is ignored.
  TermTable(std::span<const std::string> ignored, std::span<const std::string_view> given,
            std::span<const double> idf);

  struct Term {
    std::string_view text;
    TermId id = kIgnoredTerm;
  };

  /// The number of a short term. `hash`: by ShortTermHash. Throws std::length_error beyond 2^31 - 1 terms.
  [[nodiscard]] TermId intern(const ShortTerm& term, std::size_t hash);

  /// A term that is longer than a short one, with the text as the table keeps it, for as long as it lives. Throws as
  /// intern().
  [[nodiscard]] Term intern_long(std::string_view term);

  /// How many documents hold each term.
  void add_documents(std::span<const TermCount> counts);

  /// Bytes in use. Thread safety: any time.
  [[nodiscard]] std::uint64_t memory() const;
  /// Different terms that were interned, those of `ignored` and given ones not counted. Thread safety: any time.
  [[nodiscard]] std::int64_t size() const noexcept { return next_.load(std::memory_order_relaxed); }

  /// What was given, by number. Lifetime: lends what the table lends.
  [[nodiscard]] std::span<const std::string_view> given() const noexcept { return given_; }
  [[nodiscard]] std::span<const double> given_idf() const noexcept { return given_idf_; }

  /// By term.
  [[nodiscard]] std::span<const std::uint32_t> document_frequency() const noexcept { return documents_; }
  /// All terms, ascending by their bytes, which is the order of code points. Requires: none were given.
  /// Lifetime: the texts lend the table.
  [[nodiscard]] std::vector<Term> sorted() const;

 private:
  static constexpr std::size_t shards = 64;  // far more than threads, so that two rarely want the same

  /// Texts in blocks that never move.
  class Arena {
   public:
    [[nodiscard]] std::string_view keep(std::string_view text);
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

   private:
    std::vector<std::unique_ptr<char[]>> blocks_;
    char* free_ = nullptr;
    std::size_t left_ = 0;
    std::uint64_t bytes_ = 0;
  };

  /// Short terms in order of arrival, found by open addressing, at most half full.
  class ShortTermNumbers {
   public:
    struct Numbered {
      ShortTerm term;
      TermId id = kIgnoredTerm;
    };

    /// The term's number; a new term's is made by `make()`.
    template <typename Make>
    [[nodiscard]] TermId find(const ShortTerm& term, std::size_t hash, Make&& make);
    [[nodiscard]] std::span<const Numbered> all() const noexcept { return terms_; }
    [[nodiscard]] std::uint64_t bytes() const noexcept {
      return terms_.capacity() * sizeof(Numbered) + places_.size() * sizeof(places_[0]);
    }

   private:
    [[nodiscard]] std::size_t place_of(const ShortTerm& term, std::size_t hash) const noexcept;
    void grow();

    std::vector<Numbered> terms_;
    std::vector<std::uint32_t> places_;  // where in terms_, from 1; 0 where free
  };

  struct Shard {
    mutable std::mutex mutex;
    ShortTermNumbers short_terms;
    // Keeps the hashes, because to make one again as it grows means to fetch a text from memory.
    tsl::robin_map<std::string_view, TermId, std::hash<std::string_view>, std::equal_to<std::string_view>,
                   std::allocator<std::pair<std::string_view, TermId>>, true>
        long_terms;
    Arena arena;  // of the long ones' texts
  };

  /// The number of a given term, or kIgnoredTerm.
  [[nodiscard]] TermId find_given(std::string_view term) const;
  [[nodiscard]] TermId next_number();
  /// Calls `visit(term)` for each that has a number. Lifetime: the texts lend the table.
  template <typename Visit>
  void for_each(Visit&& visit) const;

  std::span<const std::string_view> given_;
  std::span<const double> given_idf_;
  std::vector<TermId> given_places_;  // open addressing by hash, at most half full; kIgnoredTerm where free
  std::array<Shard, shards> shards_;
  std::atomic<std::int64_t> next_{0};
  std::mutex documents_mutex_;
  std::vector<std::uint32_t> documents_;
};

/// What a thread knows of a term.
struct TermEntry {
  TermId term = kIgnoredTerm;
  std::uint32_t document = 0;   ///< the last one that holds it
  std::uint32_t place = 0;      ///< in that document's counts
  std::uint32_t documents = 0;  ///< how many hold it; of an ignored term how often it was met
};

/// Open addressing with linear probing, at most half full. Thread safety: one thread at a time.
class ShortTermMap {
 public:
  ShortTermMap() { allocate(least_places_log2); }

  /// The entry's cache line is on its way when find() wants it.
  void prefetch(std::size_t hash) const noexcept { __builtin_prefetch(&places_[place_of(hash)]); }

  /// The term's entry, if it is where it is looked for first. Valid until the next call of find().
  [[nodiscard]] TermEntry* first_place(const ShortTerm& term, std::size_t hash) noexcept {
    Place& place = places_[place_of(hash)];
    return place.key == term ? &place.entry : nullptr;
  }

  /// The term's entry; a new term's is made by `make()`. Valid until the next call.
  template <typename Make>
  [[nodiscard]] TermEntry& find(const ShortTerm& term, std::size_t hash, Make&& make) {
    const std::size_t first = place_of(hash);
    std::size_t at = first;
    while (!(places_[at].key == term)) {
      if (is_free(places_[at])) {
        if (2 * (size_ + 1) > places_.size()) {
          grow();
          return find(term, hash, std::forward<Make>(make));
        }
        ++size_;
        places_[at] = {term, make()};
        return places_[at].entry;
      }
      at = (at + 1) & (places_.size() - 1);
    }
    // Of two terms that want a place, the one of more documents gets it. The other one is still found: all places from
    // where it is looked for first up to where it stands now are taken.
    if (places_[at].entry.documents <= places_[first].entry.documents) return places_[at].entry;
    std::swap(places_[at], places_[first]);
    return places_[first].entry;
  }

  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const Place& place : places_)
      if (!is_free(place)) visit(place.entry);
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  void clear() { allocate(least_places_log2); }

  /// Room for so many terms, before it has to grow.
  void reserve(std::size_t terms) {
    if (2 * (terms + 1) > places_.size()) grow_to(static_cast<unsigned>(std::bit_width(2 * (terms + 1) - 1)));
  }

 private:
  static constexpr unsigned least_places_log2 = 12;

  struct alignas(32) Place {
    ShortTerm key;  // zeros where the place is free; no term is empty
    TermEntry entry;
  };
  static_assert(sizeof(Place) == 32);
  using Places = std::vector<Place, LargeMemory<Place>>;

  static bool is_free(const Place& place) noexcept { return place.key.head == 0; }

  [[nodiscard]] std::size_t place_of(std::size_t hash) const noexcept { return hash >> shift_; }

  void allocate(unsigned places_log2) {
    Places(std::size_t{1} << places_log2).swap(places_);
    shift_ = 64 - places_log2;
    size_ = 0;
  }

  void grow() { grow_to(64 - shift_ + 1); }

  void grow_to(unsigned places_log2) {
    const Places old = std::exchange(places_, {});
    allocate(places_log2);
    for (const Place& place : old)
      if (!is_free(place))
        find(place.key, ShortTermHash()(place.key), [] { return TermEntry(); }) = place.entry;
  }

  Places places_;
  unsigned shift_ = 0;
  std::size_t size_ = 0;
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
    /// Stands for all that are longer; no term is like this.
    static constexpr ShortTerm long_term = {.head = 0, .tail = 1};

    ShortTerm term;
    std::size_t hash = 0;
    TermEntry* long_entry = nullptr;  // of a long term
  };

  static constexpr std::size_t occurrences_at_once = 256;

  void take_given_terms();
  void collect_ngrams(std::string_view text);
  void collect(std::string_view term);
  void collect_long(std::string_view term, Occurrence& occurrence);
  void count_collected();
  [[nodiscard]] TermEntry& find_elsewhere(const Occurrence& occurrence);
  [[nodiscard]] static std::uint32_t count_entry(TermEntry& entry, std::uint32_t document,
                                                 std::uint32_t counted, TermCount* counts);

  TermTable& terms_;
  const TextRecipe& recipe_;
  Tokenizer tokenizer_;
  ShortTermMap short_terms_;
  // The table keeps the texts; entries never move.
  std::unordered_map<std::string_view, TermEntry> long_terms_;
  // Some of a document's, so that a long document takes little more memory than its text.
  std::vector<Occurrence> occurrences_ = std::vector<Occurrence>(occurrences_at_once);
  std::size_t collected_ = 0;
  std::uint32_t document_ = 0;
  std::vector<TermCount> counts_;  // its size is what there is room for
  std::uint32_t terms_counted_ = 0;
  std::vector<std::uint32_t> token_ends_;  // of a document's tokens in tokens_, for n-grams
  std::string tokens_;
};

}  // namespace inkling
