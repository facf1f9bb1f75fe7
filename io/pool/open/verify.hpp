// Reads every byte of a pool and says whether it is what was written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace inkling {

struct VerifyReport {
  std::int64_t files = 0;
  std::uint64_t bytes = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t nonzeros = 0;
};

/// Checks all that Pool::open checks, checksums included, in parallel; memory once looked at is given back,
/// so that little of the pool is resident at any time. `advance(done, total)` tells bytes, from any thread;
/// each byte counts twice, for its checksum and for its meaning. Throws as Pool::open does.
[[nodiscard]] VerifyReport verify_pool(
    const std::string& path, const std::function<void(std::uint64_t done, std::uint64_t total)>& advance =
                                 [](std::uint64_t, std::uint64_t) {});

}  // namespace inkling
