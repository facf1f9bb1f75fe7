// A document with the score by which it is ranked.
#pragma once

#include <functional>
#include <limits>

#include "engine/core/ids.hpp"

namespace inkling {

inline constexpr DocumentId kNoDocument = -1;

/// A document with the score by which it is ranked.
struct Ranked {
  DocumentId document = kNoDocument;
  double score = -std::numeric_limits<double>::infinity();
};

/// Whether a document may be ranked; called only for documents that would be. Thread safety: called from any thread.
using Remains = std::function<bool(DocumentId)>;

}  // namespace inkling
