// The error of a file that this program wrote and that has changed since; exit code 5.
#pragma once

#include "engine/core/errors.hpp"

namespace inkling {

/// A format error of a pool rather than of a user's input: truncated, altered, or not of this format.
class CorruptFileError : public FormatError {
 public:
  using FormatError::FormatError;
};

}  // namespace inkling
