#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "io/matrix/matrix_source.hpp"

namespace inkling {
namespace {

bool is_allowed(float value) {
  return value == 0.0F || (std::isfinite(value) && std::abs(value) >= std::numeric_limits<float>::min());
}

}  // namespace

const char* read_matrix_value(const char* begin, const char* end, float& value) {
  float number = 0;
  const auto [stopped, error] = std::from_chars(begin, end, number);
  if (error != std::errc() || !is_allowed(number)) return nullptr;
  value = number + 0.0F;  // -0 + 0 is 0
  return stopped;
}

std::optional<float> matrix_value(double number) {
  const auto value = static_cast<float>(number);
  const bool vanished = value == 0.0F && number != 0.0;
  if (vanished || !is_allowed(value)) return std::nullopt;
  return value + 0.0F;
}

}  // namespace inkling
