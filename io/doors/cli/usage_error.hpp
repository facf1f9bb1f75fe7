// The error of a wrong command line (exit code 2).
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace inkling {

/// what() is one line without the program's name, which run_program puts in front of it.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& message) : std::runtime_error(message) {}

  /// "--NAME: PROBLEM". The problem says what was expected and what was given:
  ///   throw UsageError::option("relevant", "expected 1 to 40 (the number of --features), got 50");
  [[nodiscard]] static UsageError option(std::string_view name, std::string_view problem);
};

}  // namespace inkling
