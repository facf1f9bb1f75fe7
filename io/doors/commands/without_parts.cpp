// What stands in for io/doors/steps/ in a program without INKLING_PARTS.
#ifndef INKLING_PARTS

#  include "io/doors/cli/usage_error.hpp"
#  include "io/doors/commands/commands.hpp"

namespace inkling {

int build_shard(const ParsedOptions& /*options*/) {
  throw UsageError::option("plan", "this program was built without INKLING_PARTS");
}

void score_shard(const ShardOptions& /*options*/) {
  throw UsageError::option("model", "this program was built without INKLING_PARTS");
}

}  // namespace inkling

#endif
