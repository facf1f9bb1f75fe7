// What a learner is given about words.
#pragma once

#include "engine/core/ids.hpp"

namespace inkling {

/// A feature that a person marked, and how sure it is that the mark was meant.
struct Mark {
  FeatureId feature = 0;
  double confidence = 1.0;  ///< in (0, 1]
};

/// The rating of one word, for a learner that learns from them.
struct WordRating {
  FeatureId feature = 0;
  double reward = 1.0;      ///< 1 where the word speaks for a document, -1 where it speaks against it
  double confidence = 1.0;  ///< in (0, 1]: how much it counts, beside the rating of a document
};

}  // namespace inkling
