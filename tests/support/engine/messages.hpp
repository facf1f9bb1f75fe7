// The messages of errors, and what a text must hold.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

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

/// What the FormatError that the work throws expected; "none" if it throws none. Checks the place of the error if one is given.
template <typename Work>
[[nodiscard]] std::string expectation_of(const Work& work, std::string_view where = {}) {
  try {
    work();
  } catch (const FormatError& error) {
    if (!where.empty()) CHECK(error.where() == where);
    return error.expectation();
  }
  return "none";
}

/// The number of the SystemError about this path that the work throws; 0 if it throws none.
template <typename Work>
[[nodiscard]] int error_number_of(std::string_view path, const Work& work) {
  try {
    work();
  } catch (const SystemError& error) {
    CHECK(error.path() == path);
    return error.error_number();
  }
  return 0;
}

[[nodiscard]] inline bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Checks that the text has all these parts.
inline void check_holds(std::string_view text, std::initializer_list<std::string_view> parts) {
  CAPTURE(text);
  for (const std::string_view part : parts) {
    CAPTURE(part);
    CHECK(holds(text, part));
  }
}

}  // namespace inkling::test
