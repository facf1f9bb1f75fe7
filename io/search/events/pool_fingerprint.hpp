// A short text that identifies a pool, so that events are not used with another pool by mistake.
#pragma once

#include <span>
#include <string>

#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling {

/// 16 hexadecimal digits. Two pools have the same ones if and only if (up to collisions of the hash) their rows have the same
/// ids and their features the same words; without ids, if their rows have the same features. So weights, labels and texts may
/// change, and events still mean the same.
[[nodiscard]] std::string pool_fingerprint(const Manifest& manifest);

/// The fingerprint of several pools in their order; of a single pool, its own one.
[[nodiscard]] std::string joint_fingerprint(std::span<const std::string> fingerprints);

}  // namespace inkling
