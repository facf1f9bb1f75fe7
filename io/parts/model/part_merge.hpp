// Merges the parts of all shards of a set into the output of scoring the whole set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/parts/model/score_part.hpp"
#include "io/search/score/score_output.hpp"

namespace inkling {

/// Parts that belong together, one for each shard of a set, in order of shards. Thread safety: const after construction.
class MergedParts {
 public:
  /// Reads the parts. Throws FormatError if two are not of the same model and set, if a shard occurs twice, or if one is missing;
  /// SystemError and CorruptFileError as `read_score_part` does.
  explicit MergedParts(std::span<const std::string> paths);

  [[nodiscard]] std::size_t parts() const { return parts_.size(); }
  /// The number of documents of the whole set.
  [[nodiscard]] std::int64_t documents() const;
  [[nodiscard]] bool explains() const { return parts_.front().origin.explains; }
  /// How many of the best documents of every user are known.
  [[nodiscard]] std::int64_t most() const;
  /// The names of the users.
  [[nodiscard]] std::vector<std::string> users() const;

  /// The best `count` documents of each user, by ucb and then by the lower document. Requires: count <= most(); an output for
  /// `users` that explains scores only if the parts do.
  void write(std::int64_t count, ScoreOutput& output) const;

 private:
  struct Place {
    std::size_t part = 0;
    std::size_t line = 0;
  };

  void check_same(const ShardScores& part) const;
  void check_shards() const;
  [[nodiscard]] std::vector<Place> best_of(std::size_t user, std::size_t count) const;

  std::vector<ShardScores> parts_;
};

}  // namespace inkling
