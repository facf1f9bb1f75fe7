// How many good documents are probably left, with a bound that holds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace inkling {

/// A document that was drawn at random, and what was known when it was.
struct RandomDraw {
  std::int64_t among = 0;         ///< documents it was drawn from, each as likely
  std::int64_t unrated = 0;       ///< documents that no rating before it counts for
  std::int64_t good_before = 0;   ///< good ones among those rated before it
  std::optional<bool> good = {};  ///< nothing where it was not rated yet
};

struct GoodLeft {
  double about = 0.0;        ///< what the draws suggest; without any, `at_most`
  std::int64_t at_most = 0;  ///< holds with probability `confidence`, whenever one looks
  double confidence = 0.95;
  std::int64_t draws = 0;  ///< how many random documents it rests on: those that were rated
};

/// Of the `unrated` documents, how many are good, when `good_found` were found among the rated ones.
///
/// `at_most` holds for every moment of a search at once: over all searches, at least a share `confidence` has no moment
/// at which more good documents are left than `at_most` says. So one may look after each rating and end the search for
/// what one sees. It takes for granted that a document is good or not whenever it is asked for, not that the random
/// draws come at certain times or that documents between them are chosen in some way. A draw that was not rated counts
/// as a good one.
///
/// Requires: draws in their order, each among at least 1 document; 0 < confidence < 1; `unrated` and `good_found` at
/// least 0. Thread safety: pure.
[[nodiscard]] GoodLeft good_left(std::span<const RandomDraw> draws, std::int64_t unrated,
                                 std::int64_t good_found, double confidence = 0.95);

/// What a lower bound costs at least.
struct BoundPrice {
  std::int64_t at_most = 0;
  std::int64_t draws =
      0;  ///< so many more, all of them rated and bad, and no more good ones are left than that

  bool operator==(const BoundPrice&) const = default;
};

/// Of this bound, with the arguments of `good_left`, none of the documents waiting. Requires: `at_most` at least 0.
[[nodiscard]] BoundPrice price_of_bound(std::int64_t at_most, std::span<const RandomDraw> draws,
                                        std::int64_t unrated, std::int64_t good_found,
                                        double confidence = 0.95);

}  // namespace inkling
