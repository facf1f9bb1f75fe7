// The messages of errors.
#pragma once

#include <string>

#include "engine/core/errors.hpp"

namespace inkling::test {

/// The message of the error that the work throws; "none" if it throws none.
template <typename Error = FormatError, typename Work>
[[nodiscard]] std::string error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace inkling::test
