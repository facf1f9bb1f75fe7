// Adds later records to a pool.
#pragma once

#include <span>
#include <string>

namespace inkling {

/// Publishes at `out` the pool with the records of these sources after its own, and prints how many they are. If all of them are
/// known, writes nothing. `reading`: options of `inkling build`. Throws UsageError for a pool that was not made from text, and
/// what a build throws; then the old pool is unchanged.
void add_records(const std::string& pool, std::span<const std::string> sources, std::span<const std::string> reading,
                 const std::string& out);

}  // namespace inkling
