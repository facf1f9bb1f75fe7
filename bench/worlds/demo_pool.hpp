// The corpus that the demo writes and the pool that it builds from it.
#pragma once

#include <cstdint>
#include <string>

#include "bench/worlds/corpus_writer.hpp"
#include "bench/worlds/synthetic_corpus.hpp"

namespace inkling::bench {

/// As JSON lines, on all threads of the arena that it is called in. Throws SystemError.
CorpusSize write_demo_corpus(const SyntheticCorpus& corpus, std::int64_t documents, const std::string& path);

struct BuiltPool {
  std::int64_t features = 0;
  std::int64_t nonzeros = 0;
};

/// As `inkling build CORPUS --out POOL` does. Throws what `build_text_pool` throws.
[[nodiscard]] BuiltPool build_demo_pool(const std::string& corpus, const std::string& pool);

}  // namespace inkling::bench
