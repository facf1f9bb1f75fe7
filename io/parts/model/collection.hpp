// Which documents a model was learned from, as one number: of a pool, or of pools in their order.
#pragma once

#include <cstdint>
#include <span>

#include "io/corpus/pool/format/set_file.hpp"
#include "io/corpus/pool/open/pool_set.hpp"

namespace inkling {

/// Computed from the checksums at the end of the pools' manifests, so two collections with the same number have the same
/// documents in the same order, to the last bit, wherever they are stored.
[[nodiscard]] std::uint64_t collection_checksum(std::span<const std::uint64_t> manifests);
[[nodiscard]] std::uint64_t collection_checksum(const PoolSet& pools);
[[nodiscard]] std::uint64_t collection_checksum(const SetFile& set);

}  // namespace inkling
