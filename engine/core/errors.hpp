// The three ways in which Inkling fails: the system refused, an input is malformed, or the numbers broke
// down.
#pragma once

#include <stdexcept>
#include <string>

namespace inkling {

/// The operating system refused: carries the path and the errno that it gave.
class SystemError : public std::runtime_error {
 public:
  SystemError(std::string path, int error_number, const std::string& what_was_tried);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] int error_number() const noexcept { return error_number_; }

 private:
  std::string path_;
  int error_number_;
};

/// An input is malformed: carries the place ("FILE:LINE:COLUMN" or "offsets[3]") and what was expected.
class FormatError : public std::runtime_error {
 public:
  FormatError(std::string where, std::string expectation);

  [[nodiscard]] const std::string& where() const noexcept { return where_; }
  [[nodiscard]] const std::string& expectation() const noexcept { return expectation_; }

 private:
  std::string where_;
  std::string expectation_;
};

/// A computation left the numbers it can trust: a non-finite value, or a gram that is no longer positive
/// definite.
class NumericalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A number as an error message shows it: the fewest digits that read back the same.
[[nodiscard]] std::string number_text(double number);

}  // namespace inkling
