// The error of a file that this program wrote and that has changed since; exit code 5.
#pragma once

#include <string>
#include <utility>

#include <fmt/core.h>

#include "engine/core/errors.hpp"

namespace inkling {

/// A format error of a pool rather than of a user's input: truncated, altered, or not of this format.
class CorruptFileError : public FormatError {
 public:
  using FormatError::FormatError;

  /// Makes the expectation by fmt::format.
  template <typename Number, typename... More>
  CorruptFileError(std::string where, fmt::format_string<Number, More...> expectation, Number&& number, More&&... more)
      : FormatError(std::move(where), fmt::format(expectation, std::forward<Number>(number), std::forward<More>(more)...)) {}
};

}  // namespace inkling
