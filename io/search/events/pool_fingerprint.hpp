// A short text that tells one pool from another, so that events are not used with a pool that they do not mean.
#pragma once

#include <span>
#include <string>

#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling {

/// 16 hexadecimal digits, the same for two pools exactly where (accidents of a hash aside) the same rows have the
/// same ids and the same features the same words; without ids, where the rows have the same features. So weights,
/// labels and texts may change, and events still mean the same.
[[nodiscard]] std::string pool_fingerprint(const Manifest& manifest);

/// Of several pools whose rows are counted through: that of the only one, or one made of all in their order.
[[nodiscard]] std::string joint_fingerprint(std::span<const std::string> fingerprints);

}  // namespace inkling
