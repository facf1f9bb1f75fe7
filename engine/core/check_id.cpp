#include "engine/core/check_id.hpp"

#include <string>

#include "engine/core/errors.hpp"

namespace inkling {

void check_id(const char* kind, std::int32_t id, std::int32_t count) {
  if (id >= 0 && id < count) return;
  throw FormatError(std::string(kind) + " " + std::to_string(id),
                    "expected a " + std::string(kind) + " from 0 to " + std::to_string(count - 1));
}

}  // namespace inkling
