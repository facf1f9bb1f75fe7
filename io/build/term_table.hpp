// Every different term of a corpus once, shared by all threads that count it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>

#include "io/build/short_term.hpp"

namespace inkling {

/// A term's number, in order of discovery: which depends on the threads, so no result may.
using TermId = std::uint32_t;

/// Stands for every term that is left out, as stop words are.
inline constexpr TermId ignored_term = std::numeric_limits<TermId>::max();

/// How many documents hold a term.
struct TermDocuments {
  TermId term;
  std::uint32_t documents;
};

/// Thread safety: intern() and add_documents() from any thread; the rest once those are done.
class TermTable {
 public:
  /// Terms of `ignored` are interned as ignored_term.
  explicit TermTable(std::span<const std::string> ignored);

  [[nodiscard]] TermId intern(ShortTerm term);
  /// Requires: term.size() > ShortTerm::most_bytes. Throws std::length_error beyond 2^31 - 1 terms.
  [[nodiscard]] TermId intern_long(std::string_view term);

  void add_documents(std::span<const TermDocuments> counts);

  /// Bytes in use. Thread safety: any time.
  [[nodiscard]] std::uint64_t memory() const;
  /// Different terms, ignored ones not counted. Thread safety: any time.
  [[nodiscard]] std::int64_t size() const noexcept { return next_.load(std::memory_order_relaxed); }

  /// By term.
  [[nodiscard]] std::span<const std::uint32_t> document_frequency() const noexcept { return documents_; }

  struct Term {
    std::string_view text;
    TermId id;
  };
  /// All terms, ascending by their bytes, which is the order of code points. Lifetime: the texts lend the
  /// table.
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

  struct Shard {
    mutable std::mutex mutex;
    tsl::robin_map<ShortTerm, TermId, ShortTermHash> short_terms;
    tsl::robin_map<std::string_view, TermId> long_terms;
    Arena arena;
  };

  [[nodiscard]] TermId next_id();

  std::array<Shard, shards> shards_;
  std::atomic<std::int64_t> next_{0};
  std::mutex documents_mutex_;
  std::vector<std::uint32_t> documents_;
};

}  // namespace inkling
