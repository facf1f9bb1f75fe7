// The peak of resident memory of this process.
#pragma once

#include <cstdint>
#include <optional>

namespace inkling {

/// In bytes; nothing where the system does not say.
[[nodiscard]] std::optional<std::uint64_t> peak_resident_memory();

}  // namespace inkling
