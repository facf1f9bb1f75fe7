// Writes a synthetic corpus in a format that programs read, many documents at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "bench/worlds/synthetic_corpus.hpp"

namespace inkling::bench {

enum class CorpusFormat {
  lines,  ///< the text of a document on one line
  jsonl,  ///< an object a line, with the members id, label (where there are topics) and text
};

/// Appends one document with the newline that ends it.
void append_record(const SyntheticCorpus& corpus, std::int64_t document, CorpusFormat format,
                   std::string& out);

/// The corpus ends after this many documents, or with the document that reaches this many bytes: whatever
/// comes first.
struct CorpusExtent {
  std::int64_t documents = std::numeric_limits<std::int64_t>::max();
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
};

struct CorpusSize {
  std::int64_t documents = 0;
  std::uint64_t bytes = 0;
};

/// Whole records, in order; valid during the call.
using CorpusSink = std::function<void(std::string_view records, const CorpusSize& so_far)>;

/// Documents 0, 1, 2, ... made on all threads of the arena that it is called in. The sink gets them in order,
/// one call at a time; what it throws ends the work. The bytes do not depend on the number of threads.
CorpusSize write_corpus(const SyntheticCorpus& corpus, CorpusFormat format, const CorpusExtent& extent,
                        const CorpusSink& sink);

}  // namespace inkling::bench
