#include "engine/core/errors.hpp"

#include <array>
#include <charconv>
#include <system_error>
#include <utility>

namespace inkling {

SystemError::SystemError(std::string path, int error_number, const std::string& what_was_tried)
    : std::runtime_error(path + ": " + what_was_tried + ": " + std::generic_category().message(error_number)),
      path_(std::move(path)),
      error_number_(error_number) {}

FormatError::FormatError(std::string where, std::string expectation)
    : std::runtime_error(where + ": " + expectation), where_(std::move(where)), expectation_(std::move(expectation)) {}

std::string number_text(double number) {
  std::array<char, 32> digits{};  // 24 are the most that a double needs
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  return {digits.data(), written.ptr};
}

}  // namespace inkling
