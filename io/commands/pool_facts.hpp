// What there is to say of a pool: shape, lengths, labels and words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/pool/open/pool.hpp"

namespace inkling {

struct PoolFacts {
  struct Count {
    std::string name;
    std::int64_t documents = 0;
  };
  struct Lengths {  ///< non-zeros a document
    std::int64_t least = 0;
    std::int64_t median = 0;
    std::int64_t most = 0;
    double mean = 0.0;
    std::int64_t empty = 0;  ///< documents without any
  };
  struct Topic {
    Count label;
    std::vector<std::string> words;  ///< those that set it apart
  };

  std::uint64_t bytes = 0;
  Lengths lengths;
  std::vector<Topic> topics;  ///< most documents first
  std::int64_t unlabelled = 0;
  std::vector<Count> frequent_terms;  ///< in most documents
};

/// At most so many topics and terms of each kind; the words of a topic are those whose mean weight within it
/// exceeds the mean weight without most. Deterministic.
[[nodiscard]] PoolFacts pool_facts(const Pool& pool, std::size_t most_topics, std::size_t most_terms);

}  // namespace inkling
