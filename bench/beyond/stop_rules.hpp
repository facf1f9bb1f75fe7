// Where a stopping rule would have ended a finished search.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "bench/studies/trial.hpp"
#include "engine/core/random_stream.hpp"

namespace inkling::bench {

/// A search that was read to `read` documents, the random draws of a rule included.
struct Stop {
  std::int64_t read = 0;
  std::int64_t found = 0;
  bool has_stopped = false;  ///< before all documents were read
};

/// The input of a rule: a search that continued until everything was found.
struct ReadSearch {
  const Finds& finds;
  std::int64_t documents = 0;  ///< that could be shown
  std::int64_t guesses_every = 0;
};

/// Stops after this many documents in a row that are not wanted.
[[nodiscard]] Stop stop_without_good(const ReadSearch& search, std::int64_t in_a_row);

/// Buscar (Callaghan and Mueller-Hansen, Systematic Reviews 9:273, 2020, doi:10.1186/s13643-020-01521-4): after any
/// document, the last n may be taken for a random sample of the N that were unread before them, because a ranking finds
/// no fewer. If less than `recall` was found, at least K of these N were wanted. A hypergeometric test gives the
/// probability that so few of the K are among the n. The search stops when for some n that is less than 1 -
/// `confidence`; computed after every 10 documents.
[[nodiscard]] Stop stop_by_buscar(const ReadSearch& search, double recall, double confidence);

/// Stops where the model's guess says that this share of all is found.
[[nodiscard]] Stop stop_by_guess(const ReadSearch& search, double recall);

/// After 50 documents in a row that are not wanted, documents are drawn at random until `good_left` says that 95 % are found (19
/// of 20); computed again whenever the draws have grown by a fiftieth.
[[nodiscard]] Stop stop_by_bound(const ReadSearch& search, RandomStream& random);

/// The probability of at most `most` wanted documents among `drawn` of `all` documents, of which `wanted` are wanted.
/// Requires: wanted and drawn at most `all`, none below 0.
[[nodiscard]] double hypergeometric_at_most(std::int64_t most, std::int64_t all, std::int64_t wanted, std::int64_t drawn);

}  // namespace inkling::bench
