#include "io/doors/cli/usage_error.hpp"

#include <fmt/format.h>

namespace inkling {

UsageError UsageError::option(std::string_view name, std::string_view problem) {
  return UsageError(fmt::format("--{}: {}", name, problem));
}

}  // namespace inkling
