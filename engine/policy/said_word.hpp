// What a person said about one word: the one form of it from the doors to the learners.
#pragma once

#include <optional>

#include "engine/core/ids.hpp"

namespace inkling {

/// What a person said about one word, with a document or on its own (io/search/events/WORDS.md). Without a reward it is a
/// mark: the word made the document what it is. With a reward it is a rating of the word.
struct SaidWord {
  FeatureId feature = 0;
  std::optional<double> reward =
      {};                   ///< 1 where the word speaks for a document, -1 where it speaks against it
  double confidence = 1.0;  ///< in (0, 1]: how sure the statement is, and how much it counts

  bool operator==(const SaidWord&) const = default;
};

}  // namespace inkling
