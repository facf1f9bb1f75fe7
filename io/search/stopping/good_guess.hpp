// How many good documents the model guesses are left.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace inkling {

/// A rating of a document, with the score that the document had when it was chosen, before the policy learned from the rating.
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

/// Fits the chance to these n ratings, in the order in which they were given. The rating of k ratings ago has the weight
/// 2^(-4k/n), because the meaning of scores changes while the model learns. Scores are in units of their weighted deviation. A
/// penalty of 0.05 times the squared slope makes a fit possible even if one score divides good ratings from bad ones. Nothing if
/// all ratings are good or none is, or if good documents had no higher scores than others. Requires: finite scores. Thread
/// safety: pure.
[[nodiscard]] std::optional<ChanceByScore> fitted_chance(std::span<const ScoredRating> ratings);

/// The chance that a document of this score is good, by these ratings; nothing if `fitted_chance` is nothing or there are fewer
/// than `kLeastRatings`. Requires and thread safety: as above.
[[nodiscard]] std::optional<double> chance_by_score(std::span<const ScoredRating> ratings, double score);

/// How many of the unread documents are good, by the model.
struct GoodGuess {
  double about = 0.0;        ///< the sum of the chances of all unread documents
  std::int64_t ratings = 0;  ///< how many ratings the chances were fitted to
};

/// It is a guess: no bound on its error is known. While good documents keep coming, it is far too high (the table in
/// bench/beyond/RESULTS.md). So it is nothing unless at most `kGoodLately` of the last `kLately` ratings and at least
/// `kLeastGood` of all ratings were good. Requires and thread safety: as above.
/// `unread_scores` is called only if there is a guess, because it may score a whole pool.
[[nodiscard]] std::optional<GoodGuess> guess_good_left(std::span<const ScoredRating> ratings,
                                                       const std::function<std::vector<double>()>& unread_scores);

inline constexpr std::int64_t kLately = 50;
inline constexpr std::int64_t kGoodLately = 2;
inline constexpr std::int64_t kLeastGood = 5;
inline constexpr std::int64_t kLeastRatings = 5;

}  // namespace inkling
