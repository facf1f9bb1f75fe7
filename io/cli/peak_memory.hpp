// How much memory this process has had resident at most.
#pragma once

#include <cstdint>
#include <optional>

namespace inkling {

/// In bytes; nothing where the system does not tell.
[[nodiscard]] std::optional<std::uint64_t> peak_resident_memory();

}  // namespace inkling
