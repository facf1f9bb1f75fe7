// What `inkling info` counts in a pool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/corpus/pool/open/pool_set.hpp"
#include "io/search/events/source_facts.hpp"

namespace inkling {

struct PoolFacts {
  struct Count {
    std::string name;
    std::int64_t documents = 0;
  };
  struct Lengths {  // non-zeros a document
    std::int64_t least = 0;
    std::int64_t median = 0;
    std::int64_t most = 0;
    double mean = 0.0;
    std::int64_t empty = 0;  // documents without any
  };
  struct Topic {
    Count label;
    std::vector<std::string> words;  // the words that distinguish it
  };

  std::uint64_t bytes = 0;
  bool has_ids = false;  // whether any document has an id; likewise the next two
  bool has_labels = false;
  bool has_texts = false;
  std::int64_t copies = 0;  // documents that have the text of an earlier one
  std::vector<SourceFacts> sources;
  std::vector<Count> fields;  // names of fields of records, and how many documents have each; in most documents first
  Lengths lengths;
  std::vector<Topic> topics;  // most documents first
  std::int64_t labels = 0;    // all, of which only some may be among the topics
  std::int64_t unlabelled = 0;
  std::vector<Count> frequent_terms;  // in most documents
};

/// At most `most_topics` labels, and `most_terms` words for each label and for the whole pool. The words of a label are those
/// with the largest difference between their mean weight in its documents and in all others. Visits the pool once, however many
/// labels there are. The facts of a set are those of one pool with the same rows.
/// Requires: pools that are mapped.
[[nodiscard]] PoolFacts pool_facts(const PoolSet& pools, std::size_t most_topics, std::size_t most_terms);

}  // namespace inkling
