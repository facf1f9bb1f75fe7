// `inkling score SHARD --model`: the best documents of one shard for every user of a model.
#pragma once

#include "io/commands/score/score_options.hpp"

namespace inkling {

/// Makes the folder of the part, or finds it there. Throws FormatError where model, shard and set do not belong together.
void score_shard(const ShardOptions& options);

}  // namespace inkling
