// The short terms that a thread has met, each with its number and counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "io/base/file/large_memory.hpp"
#include "io/corpus/terms/term_table.hpp"

namespace inkling {

/// What a thread knows about a term.
struct TermEntry {
  TermId term = kIgnoredTerm;
  std::uint32_t documents = 0;  ///< how many documents hold it
  /// Upper half: the last document that holds it. Lower half: its place in the counts of that document.
  std::uint64_t latest = 0;
};

/// A place of the table: a key and its entry.
struct alignas(32) TermPlace {
  ShortTerm key;  ///< zeros if the place is free; no term is empty
  TermEntry entry;
};
static_assert(sizeof(TermPlace) == 32);

/// Open addressing with linear probing; at most a quarter full, or half full if it is large. Thread safety: one thread at
/// a time.
class ShortTermMap {
 public:
  /// Gives the first place to look at for a term. Lifetime: until the map grows or is cleared.
  class Finder {
   public:
    [[nodiscard]] TermPlace* operator()(const ShortTerm& term) const noexcept {
      return places_ + (ShortTermHash::upper_half(term) >> shift_);
    }

   private:
    friend ShortTermMap;
    Finder(TermPlace* places, unsigned shift) : places_(places), shift_(shift) {}

    TermPlace* places_;
    unsigned shift_;
  };

  ShortTermMap() { allocate(least_places_log2); }

  [[nodiscard]] Finder finder() noexcept { return {places_.data(), 64 - places_log2_}; }

  /// The term's entry; a new term's is made by `make()`. Valid until the next call.
  template <typename Make>
  [[nodiscard]] TermEntry& find(const ShortTerm& term, Make&& make) {
    const auto first = static_cast<std::size_t>(finder()(term) - places_.data());
    std::size_t at = first;
    while (!(places_[at].key == term)) {
      if (is_free(places_[at])) {
        if (size_ == most_terms(places_log2_)) {
          grow();
          return find(term, std::forward<Make>(make));
        }
        ++size_;
        places_[at] = {term, make()};
        return places_[at].entry;
      }
      at = (at + 1) & (places_.size() - 1);
    }
    // If this term is in more documents than the one at its first place, the two swap places. Both are still found: no
    // place between the two is free.
    if (places_[at].entry.documents <= places_[first].entry.documents) return places_[at].entry;
    std::swap(places_[at], places_[first]);
    return places_[first].entry;
  }

  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const TermPlace& place : places_)
      if (!is_free(place)) visit(place.entry);
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Keeps its size, up to 16 MiB, because it is likely to be filled again.
  void clear() {
    places_ = {};
    allocate(std::min(places_log2_, many_places_log2 + 1));
  }

  /// Makes room for `terms` terms.
  void reserve(std::size_t terms) {
    unsigned places_log2 = places_log2_;
    while (terms > most_terms(places_log2)) ++places_log2;
    if (places_log2 > places_log2_) grow_to(places_log2);
  }

 private:
  static constexpr unsigned least_places_log2 = 12;
  static constexpr unsigned many_places_log2 = 18;  // 8 MiB

  // The emptier the table, the more terms are at their first place.
  static constexpr std::size_t most_terms(unsigned places_log2) {
    return (std::size_t{1} << places_log2) / (places_log2 < many_places_log2 ? 4 : 2);
  }

  using Places = LargeVector<TermPlace>;

  static bool is_free(const TermPlace& place) noexcept { return place.key.head == 0; }

  void allocate(unsigned places_log2) {
    Places(std::size_t{1} << places_log2).swap(places_);
    places_log2_ = places_log2;
    size_ = 0;
  }

  void grow() { grow_to(places_log2_ + 1); }

  void grow_to(unsigned places_log2) {
    const Places old = std::exchange(places_, {});
    allocate(places_log2);
    for (const TermPlace& place : old)
      if (!is_free(place)) find(place.key, [] { return TermEntry(); }) = place.entry;
  }

  Places places_;
  unsigned places_log2_ = 0;
  std::size_t size_ = 0;
};

}  // namespace inkling
