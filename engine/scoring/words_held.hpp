// How many of the words that were rated a document holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "engine/scoring/ranked.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling {

/// The level of a document is the number of its words that were rated above 0 without those rated below 0.
/// Lifetime: lends the pool. Thread safety: none; the work inside may use all threads.
class WordsHeld {
 public:
  explicit WordsHeld(PoolView pool) : pool_(pool) {}

  void rate(FeatureId feature, double rating);
  [[nodiscard]] bool any_wanted() const noexcept { return wanted_ > 0; }

  /// The best documents of some that remain, by another score; at most so many.
  using Best = std::function<std::vector<Ranked>(std::size_t count, const Remains& remains)>;
  /// The documents of the highest levels, and by `best` within a level. The score is the level, and a part of it from -1/2 to 1/2 that
  /// grows with the other score: so a score can be compared with those of documents held elsewhere.
  [[nodiscard]] std::vector<Ranked> rank(std::size_t count, const Remains& remains, const Best& best);

  /// Frees what grows with the pool. It is computed again when it is needed.
  void release() noexcept { levels_ = {}; }

 private:
  void bring_levels();
  [[nodiscard]] std::optional<std::int32_t> highest_below(std::optional<std::int32_t> limit, const Remains& remains) const;

  PoolView pool_;
  std::map<FeatureId, std::int32_t> signs_;  // of the ratings that are not 0
  std::int64_t wanted_ = 0;                  // how many of these are above 0
  std::vector<std::int32_t> levels_;         // of each document; empty where they are not known
};

}  // namespace inkling
