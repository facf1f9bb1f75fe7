// A thread's own table of short terms, laid out so that a look-up touches one cache line, and that line can
// be asked for in advance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "io/build/short_term.hpp"
#include "io/build/term_table.hpp"

namespace inkling {

/// What a thread knows of a term.
struct TermEntry {
  TermId term = ignored_term;
  std::uint32_t document = 0;   ///< the last one that holds it
  std::uint32_t place = 0;      ///< in that document's counts
  std::uint32_t documents = 0;  ///< how many hold it
};

/// Open addressing with linear probing, at most half full. Thread safety: one thread at a time.
class ShortTermMap {
 public:
  ShortTermMap() { allocate(least_places_log2); }

  /// The entry's cache line is on its way when find() wants it.
  void prefetch(std::size_t hash) const noexcept { __builtin_prefetch(&places_[place_of(hash)]); }

  /// The term's entry; a new term's is made by `make()`. Valid until the next call.
  template <typename Make>
  [[nodiscard]] TermEntry& find(const ShortTerm& term, std::size_t hash, Make&& make) {
    std::size_t at = place_of(hash);
    while (!(places_[at].key == term)) {
      if (is_free(places_[at])) {
        if (2 * (size_ + 1) > places_.size()) {
          grow();
          return find(term, hash, std::forward<Make>(make));
        }
        ++size_;
        places_[at] = {term, make()};
        break;
      }
      at = (at + 1) & (places_.size() - 1);
    }
    return places_[at].entry;
  }

  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const Place& place : places_)
      if (!is_free(place)) visit(place.entry);
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  void clear() { allocate(least_places_log2); }

 private:
  static constexpr unsigned least_places_log2 = 12;

  struct alignas(32) Place {
    ShortTerm key;  // zeros where the place is free; no term is empty
    TermEntry entry;
  };
  static_assert(sizeof(Place) == 32);

  static bool is_free(const Place& place) noexcept { return place.key.head == 0; }

  [[nodiscard]] std::size_t place_of(std::size_t hash) const noexcept { return hash >> shift_; }

  void allocate(unsigned places_log2) {
    places_.assign(std::size_t{1} << places_log2, {});
    shift_ = 64 - places_log2;
    size_ = 0;
  }

  void grow() {
    const std::vector<Place> old = std::exchange(places_, {});
    allocate(64 - shift_ + 1);
    for (const Place& place : old)
      if (!is_free(place))
        find(place.key, ShortTermHash()(place.key), [] { return TermEntry(); }) = place.entry;
  }

  std::vector<Place> places_;
  unsigned shift_ = 0;
  std::size_t size_ = 0;
};

}  // namespace inkling
