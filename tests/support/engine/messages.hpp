// The messages of errors.
#pragma once

#include <string>

#include <doctest/doctest.h>

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

/// Checks that the message has these words.
inline void check_mentions(const std::string& message, const std::string& words) {
  CAPTURE(message);
  CAPTURE(words);
  CHECK(message.find(words) != std::string::npos);
}

}  // namespace inkling::test
