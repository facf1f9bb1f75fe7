// How much disk a pool takes.
#pragma once

#include <cstdint>
#include <string>

namespace inkling {

/// Bytes of all its files. Throws SystemError.
[[nodiscard]] std::uint64_t pool_bytes(const std::string& path);

}  // namespace inkling
