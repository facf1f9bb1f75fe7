// How many good documents the model guesses are left.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace inkling {

/// A rating of a document, with the score that it had when it was chosen: before its rating taught anything.
struct ScoredRating {
  double score = 0.0;
  bool is_good = false;
};

/// The chance that a document of this score is good: 1 / (1 + exp(-(level + slope * score))).
struct ChanceByScore {
  double level = 0.0;
  double slope = 0.0;

  [[nodiscard]] double of(double score) const noexcept;
};

/// Fitted to these ratings in their order, of n the one of k ratings ago with the weight 2^(-4k/n): what scores mean changes
/// while the model learns. Scores are taken in units of their weighted deviation, and the squared slope costs 0.05, so that
/// ratings which a score divides have a fit, too. Nothing where all are good or none is, or where good documents had no
/// higher scores than others. Requires: finite scores. Thread safety: pure.
[[nodiscard]] std::optional<ChanceByScore> fitted_chance(std::span<const ScoredRating> ratings);

/// The chance that a document of this score is good, by these ratings; nothing where `fitted_chance` is nothing, or there are
/// fewer than `kLeastRatings`. Requires and thread safety: as above.
[[nodiscard]] std::optional<double> chance_by_score(std::span<const ScoredRating> ratings, double score);

/// Of the unread documents.
struct GoodGuess {
  double about = 0.0;        ///< the sum of their chances
  std::int64_t ratings = 0;  ///< from which these were learned
};

/// It is a guess: nothing bounds how wrong it is. While good documents keep coming, it is far too high (the table in
/// bench/beyond/RESULTS.md), so it is not known (nothing) before at most `kGoodLately` of the last `kLately` ratings were
/// good, and `kLeastGood` of all. Requires and thread safety: as above.
/// `unread_scores` is asked only where it is known: it may score a whole pool.
[[nodiscard]] std::optional<GoodGuess> guess_good_left(
    std::span<const ScoredRating> ratings, const std::function<std::vector<double>()>& unread_scores);

inline constexpr std::int64_t kLately = 50;
inline constexpr std::int64_t kGoodLately = 2;
inline constexpr std::int64_t kLeastGood = 5;
inline constexpr std::int64_t kLeastRatings = 5;

}  // namespace inkling
