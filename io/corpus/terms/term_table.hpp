// Every different term of a corpus once, shared by all threads.
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
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tsl/robin_map.h>

#include "io/base/file/large_memory.hpp"
#include "io/corpus/text/padded_text.hpp"

namespace inkling {

/// A term's number, in order of discovery. That order depends on the threads, so no result may depend on it.
using TermId = std::uint32_t;

/// A word of few bytes. Invariant: the bytes after a word are zeros; words hold no zeros, so different words differ.
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
    // Takes the masks from these bytes without a branch, because the lengths of terms cannot be predicted.
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
    return {.head = eight_bytes(term.data()) & eight_bytes(mask), .tail = eight_bytes(term.data() + 8) & eight_bytes(mask + 8)};
  }

  [[nodiscard]] bool is_none() const noexcept { return head == 0; }

  /// The bytes of a word. Lifetime: lends the key.
  [[nodiscard]] std::string_view text() const& noexcept {
    const char* const bytes = reinterpret_cast<const char*>(this);
    const void* const end = std::memchr(bytes, 0, most_bytes);
    const std::size_t length = end == nullptr ? most_bytes : static_cast<std::size_t>(static_cast<const char*>(end) - bytes);
    return {bytes, length};
  }
  std::string_view text() const&& = delete;
};

/// A run of several words: the number of its last word, and the number of the word or run before that.
struct Run {
  std::uint64_t key = 0;  ///< 0: none

  bool operator==(const Run&) const = default;

  /// Requires: neither is left out.
  [[nodiscard]] static Run of(TermId before, TermId word) noexcept { return {~((std::uint64_t{before} << 32U) | word)}; }
  [[nodiscard]] bool is_none() const noexcept { return key == 0; }
  [[nodiscard]] TermId before() const noexcept { return static_cast<TermId>(~key >> 32U); }
  [[nodiscard]] TermId last_word() const noexcept { return static_cast<TermId>(~key); }
};

/// All bits of the hash are well mixed: some tables use the highest, others the lowest.
struct ShortTermHash {
  /// A number with the same upper half as the hash.
  [[nodiscard]] static std::uint64_t upper_half(const ShortTerm& term) noexcept {
    return mixed(term.head ^ (term.tail * 0x9E3779B97F4A7C15U));
  }

  std::size_t operator()(const ShortTerm& term) const noexcept { return folded(upper_half(term)); }
  std::size_t operator()(Run run) const noexcept { return folded(mixed(run.key)); }

 private:
  static std::uint64_t mixed(std::uint64_t bits) noexcept { return (bits ^ (bits >> 32U)) * 0xC4CEB9FE1A85EC53U; }
  static std::uint64_t folded(std::uint64_t hash) noexcept { return hash ^ (hash >> 32U); }
};

/// Numbers from this one on are not terms, but parts of longer terms.
inline constexpr TermId kFirstPart = TermId{1} << 31U;
/// The number of every word that is left out, such as a stop word. It is part of no term.
inline constexpr TermId kIgnoredTerm = std::numeric_limits<TermId>::max();

/// Whether a word or run is a term, or only a part of longer terms.
enum class Numbering { term, part };

/// A term, and how often a document holds it, or how many documents hold it.
struct TermCount {
  TermId term;
  std::uint32_t count;

  bool operator==(const TermCount&) const = default;
};

/// A run that a document holds, on its way to its number.
struct RunOfDocument {
  Run run;
  std::uint32_t place = 0;  // among the counts of the document
  TermId number = kIgnoredTerm;
  std::size_t hash = 0;  // by ShortTermHash
};

/// Thread safety: intern(), count_runs() and add_documents() from any thread; the rest once those are done.
class TermTable {
 public:
  /// Terms of `ignored` are interned as kIgnoredTerm.
  explicit TermTable(std::span<const std::string> ignored);

  /// The most terms that may be given to a table.
  static constexpr std::size_t most_given = std::size_t{1} << 17U;

  /// A table for given terms, each once: a term's number is its place among them. All others are interned as
  /// kIgnoredTerm, too. `idf`: by term; tells which terms are frequent. Lifetime: lends `given` and `idf`. Requires: none
  /// of the terms is ignored.
  TermTable(std::span<const std::string> ignored, std::span<const std::string_view> given, std::span<const double> idf);

  struct Term {
    std::string_view text;
    TermId id = kIgnoredTerm;
  };

  /// The number of a short term. `hash`: by ShortTermHash. Throws std::length_error beyond 2^31 - 1 terms, or parts.
  /// Requires: the same `numbering` for a term in all calls.
  [[nodiscard]] TermId intern(const ShortTerm& term, std::size_t hash, Numbering numbering);

  static constexpr std::size_t most_runs_at_once = 512;
  /// Finds the number of each run, and counts one more document for each; otherwise as intern(). Many at once take less
  /// time. Requires: no run twice, at most most_runs_at_once.
  void count_runs(std::span<RunOfDocument> runs, Numbering numbering);

  /// A word that is too long for a ShortTerm. Its text is valid as long as the table. Throws as intern().
  [[nodiscard]] Term intern_long(std::string_view word, Numbering numbering);

  /// Adds how many documents hold each term. Requires: no term is a run.
  void add_documents(std::span<const TermCount> counts);
  /// Adds the documents of runs to document_frequency(). To be called when all runs are counted.
  void add_documents_of_runs();

  /// Bytes in use. Thread safety: any time.
  [[nodiscard]] std::uint64_t memory() const;
  /// How many different terms were interned, without ignored words, parts and given terms. Thread safety: any time.
  [[nodiscard]] std::int64_t size() const noexcept { return next_.load(std::memory_order_relaxed); }

  /// The given terms, by number. Lifetime: that of the terms given to the constructor.
  [[nodiscard]] std::span<const std::string_view> given() const noexcept { return given_; }
  [[nodiscard]] std::span<const double> given_idf() const noexcept { return given_idf_; }

  /// By term, how many documents hold it.
  [[nodiscard]] std::span<const std::uint32_t> document_frequency() const noexcept { return documents_; }
  /// The term with this text, if it was interned; words of a run are joined by spaces. Requires: no terms were given.
  [[nodiscard]] std::optional<TermId> find(std::string_view text) const;
  /// Whether it is a run of several words. Requires: add_documents_of_runs() was called.
  [[nodiscard]] bool is_run(TermId term) const { return term < is_run_.size() && is_run_[term]; }
  /// The terms, ascending by their bytes, which is the order of code points. `kept`: by term, whether it is wanted; empty
  /// if all are. Requires: no terms were given. Lifetime: the texts are valid until the next call.
  [[nodiscard]] std::vector<Term> sorted(const std::vector<bool>& kept = {});

 private:
  // Tables use the lowest bits of a hash, so the shard uses higher ones.
  [[nodiscard]] std::size_t shard_of(std::size_t hash) const noexcept { return (hash >> 48U) & last_shard_; }

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

  /// Short terms or runs with their numbers: open addressing, two thirds full at most.
  template <typename Key>
  class Numbers {
   public:
    struct Numbered {
      Key term;  // none if the place is free
      TermId id = 0;
      std::uint32_t documents = 0;  // of a run
    };

    Numbers() { grow_to(least_places); }

    /// The term's number; a new term's is made by `make()`.
    template <typename Make>
    [[nodiscard]] TermId find(const Key& term, std::size_t hash, Make&& make);
    /// Makes room for `more` terms, so that it need not grow for them.
    void reserve(std::size_t more);
    /// The term, and whether it is new: then it has no number yet. Valid until the table grows. Requires: room.
    [[nodiscard]] std::pair<Numbered*, bool> take(const Key& term, std::size_t hash) noexcept;
    [[nodiscard]] std::optional<TermId> find_known(const Key& term, std::size_t hash) const noexcept;
    /// Thread safety: any time.
    void prefetch(std::size_t hash) const noexcept {
      const std::uintptr_t first = first_place_.load(std::memory_order_relaxed);
      const std::size_t at = hash & mask_.load(std::memory_order_relaxed) & ~(places_of_line - 1);
      __builtin_prefetch(reinterpret_cast<const void*>(first + at * sizeof(Numbered)), 1);
    }
    /// All places, free ones included.
    [[nodiscard]] std::span<const Numbered> places() const noexcept { return {places_.data(), places_.size()}; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return places_.size() * sizeof(Numbered); }

   private:
    static constexpr std::size_t least_places = 16;
    // A search begins at the first place of a cache line, and only that line is prefetched.
    static constexpr std::size_t places_of_line = sizeof(Numbered) == 16 ? 4 : 1;

    [[nodiscard]] std::size_t place_of(const Key& term, std::size_t hash) const noexcept;
    void grow_to(std::size_t places);

    LargeArray<Numbered> places_;  // zeros where free
    std::size_t size_ = 0;
    // Begin and size of places_, to be read without the lock. If one of the two is out of date, the wrong memory is
    // prefetched, which is harmless.
    std::atomic<std::uintptr_t> first_place_;
    std::atomic<std::size_t> mask_;
  };

  class RunTree;

  struct Shard {
    mutable std::mutex mutex;
    Numbers<ShortTerm> short_terms;
    Numbers<Run> runs;
    // Keeps the hashes: computing them again when it grows would fetch every text from memory.
    tsl::robin_map<std::string_view, TermId, std::hash<std::string_view>, std::equal_to<std::string_view>,
                   std::allocator<std::pair<std::string_view, TermId>>, true>
        long_terms;
    Arena arena;  // the texts of long terms
  };

  /// The number of a given term, or kIgnoredTerm.
  [[nodiscard]] TermId find_given(std::string_view term) const;
  [[nodiscard]] TermId next_number(Numbering numbering) { return next_numbers(numbering, 1); }
  /// The first of `count` consecutive numbers, or kIgnoredTerm, which is then the number of all of them.
  [[nodiscard]] TermId next_numbers(Numbering numbering, std::size_t count);
  [[nodiscard]] bool has_runs() const;
  /// Every kept run is in at least this many documents. `kept`: as for sorted().
  [[nodiscard]] std::uint32_t fewest_documents_of_run(const std::vector<bool>& kept) const;
  void count_runs(Shard& shard, std::span<RunOfDocument*> runs, Numbering numbering);
  [[nodiscard]] std::optional<TermId> find_word(std::string_view word) const;
  /// Calls `visit(text, id)` for each word that has a number. Lifetime: the texts lend the table.
  template <typename Visit>
  void for_each_word(Visit&& visit) const;
  /// Calls `visit(run)` for each run, with its number.
  template <typename Visit>
  void for_each_run(Visit&& visit) const;
  template <typename VisitWords>
  [[nodiscard]] static std::vector<Term> sorted_words(const VisitWords& visit_words);

  std::span<const std::string_view> given_;
  std::span<const double> given_idf_;
  std::vector<TermId> given_places_;  // open addressing by hash, at most half full; kIgnoredTerm: free
  // Many more than threads, so that two threads rarely need the same shard; but few enough for tables that fill large
  // pages. A single thread has one.
  static constexpr std::size_t most_shards = 64;
  std::array<Shard, most_shards> shards_;
  std::size_t last_shard_ = 0;  // of the shards in use; their number is a power of two
  std::atomic<std::int64_t> next_{0};
  std::atomic<std::int64_t> next_part_{0};
  std::mutex documents_mutex_;
  LargeVector<std::uint32_t> documents_;
  std::vector<bool> is_run_;  // by term
  Arena run_texts_;           // the texts of sorted runs
};

}  // namespace inkling
