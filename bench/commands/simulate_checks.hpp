// Which options of `inkling-bench simulate` go together, and with which pool.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/worlds/searched_pool.hpp"
#include "io/cli/option_table.hpp"

namespace inkling::bench {

/// How large the pool is that is searched, and what messages call its sizes.
struct PoolSize {
  std::int64_t documents;
  std::int64_t features;
  const char* the_documents;
  const char* the_features;
};

[[nodiscard]] PoolSize size_of_pool(const ParsedOptions& options,
                                    const std::optional<SearchedPool>& searched);

/// Throws UsageError where an option is about another kind of pool than is searched, before one is opened.
void check_source(const ParsedOptions& options);

/// Throws UsageError where an option asks for more than there is. `relevant` words matter.
void check_sizes(const ParsedOptions& options, const PoolSize& size, std::int64_t relevant);

/// The most different documents that a trial can play.
[[nodiscard]] std::int64_t most_played(const ParsedOptions& options, const PoolSize& size);

/// The policies of --policy, without those of the default whose matrix would be too large. The matrix of a
/// policy on all features has a row for each feature or, where those are fewer, for each document played.
/// Throws UsageError where such a policy was asked for.
[[nodiscard]] std::vector<std::string> policies_for(const ParsedOptions& options, const PoolSize& size);

}  // namespace inkling::bench
