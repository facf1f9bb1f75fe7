// How many good documents are probably left, with a bound that holds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace inkling {

/// A document that was drawn at random, and what was known when it was.
struct RandomDraw {
  std::int64_t among = 0;         ///< how many documents it was drawn from, all with the same probability
  std::int64_t unrated = 0;       ///< how many documents had no rating before it
  std::int64_t good_before = 0;   ///< how many of those rated before it were good
  std::optional<bool> good = {};  ///< nothing if it is not rated yet
};

struct GoodLeft {
  double about = 0.0;        ///< the estimate from the draws; without any, `at_most`
  std::int64_t at_most = 0;  ///< holds with probability `confidence` at all times at once
  double confidence = 0.95;
  std::int64_t draws = 0;  ///< how many random documents were rated
};

/// How many of the `unrated` documents are good, if `good_found` good ones were found among the rated documents.
///
/// `at_most` holds at all times of a search at once: in at least a share `confidence` of all searches there is no time
/// at which more good documents are left than `at_most` says. So a person may look at it after each rating, and end the search
/// because of it. The bound assumes that a document's rating does not depend on when it is given. It assumes nothing about when
/// the random draws come, nor about how the documents between them are chosen. A draw that is not rated counts as good.
///
/// Requires: draws in their order, each among at least 1 document; 0 < confidence < 1; `unrated` and `good_found` at
/// least 0. Thread safety: pure.
[[nodiscard]] GoodLeft good_left(std::span<const RandomDraw> draws, std::int64_t unrated, std::int64_t good_found,
                                 double confidence = 0.95);

/// How many more draws a lower bound needs at least.
struct BoundPrice {
  std::int64_t at_most = 0;
  std::int64_t draws = 0;  ///< if this many more draws are all rated and bad, at most `at_most` good documents are left

  bool operator==(const BoundPrice&) const = default;
};

/// The price of this bound, if no skipped document waits. The other arguments are those of `good_left`. Requires: `at_most` at
/// least 0.
[[nodiscard]] BoundPrice price_of_bound(std::int64_t at_most, std::span<const RandomDraw> draws, std::int64_t unrated,
                                        std::int64_t good_found, double confidence = 0.95);

}  // namespace inkling
