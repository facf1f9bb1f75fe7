// How a command checks a pool before it uses it: --check and --trust.
#pragma once

#include <vector>

#include "io/corpus/pool/open/open_pool.hpp"
#include "io/doors/cli/option_table.hpp"

namespace inkling {

[[nodiscard]] std::vector<Option> pool_trust_options();

/// Without either a pool is checked once: what passed is not checked again while its files stay as they are
/// (io/corpus/pool/open/checked_record.hpp). Throws UsageError where both are given.
[[nodiscard]] PoolTrust pool_trust_of(const ParsedOptions& given);

}  // namespace inkling
