// A pool of `inkling build` as a simulation searches it, with what the options say of its reader.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/doors/cli/option_table.hpp"
#include "io/search/simulation/world.hpp"

namespace inkling::bench {

/// A feature's word; an empty function where features have no words.
using WordOf = std::function<std::string(FeatureId)>;

struct SearchedPool {
  Pool pool;
  std::optional<PoolTopics> topics;        ///< where documents have labels; the wanted one by --topic
  std::vector<FeatureId> given_words;      ///< of --relevant-words, ascending, each once
  std::vector<std::string> unknown_words;  ///< of that file, but not of the pool's vocabulary

  /// Lifetime: lends the pool's vocabulary.
  [[nodiscard]] WordOf word_of() const;
};

/// The words of a list, a line each, that a pool's vocabulary holds, ascending, each once; the others go to
/// `unknown`. Throws FormatError if the pool has no vocabulary or holds none of them.
[[nodiscard]] std::vector<FeatureId> features_of_words(const Pool& pool, const std::string& path,
                                                       std::vector<std::string>& unknown);

/// Opens --pool and reads --relevant-words, or nothing if no pool is given. Throws what Pool::open throws;
/// FormatError for a pool without what other options need (documents, labels, a vocabulary) and for a list
/// of which it holds no word; UsageError for a topic that is none of its labels.
[[nodiscard]] std::optional<SearchedPool> open_searched_pool(const ParsedOptions& options);

}  // namespace inkling::bench
