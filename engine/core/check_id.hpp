// The check of an id that came from outside.
#pragma once

#include <cstdint>

namespace inkling {

/// Throws FormatError unless the id of this kind ("document", "feature") is from 0 to count - 1.
void check_id(const char* kind, std::int32_t id, std::int32_t count);

}  // namespace inkling
