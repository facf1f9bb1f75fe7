#include "io/base/wording/value_kind.hpp"

#include <cmath>
#include <span>

#include <fmt/format.h>

#include "io/base/wording/byte_size.hpp"

namespace inkling {
namespace {

std::string range_text(const Integer& range) {
  if (range.max == std::numeric_limits<std::int64_t>::max()) return fmt::format("of at least {}", range.min);
  return fmt::format("from {} to {}", range.min, range.max);
}

std::string range_text(const Real& range) {
  std::string text;
  const bool closed = range.low_end == Real::End::included && range.high_end == Real::End::included;
  if (std::isfinite(range.low) && std::isfinite(range.high) && closed)
    return fmt::format(" from {} to {}", range.low, range.high);
  if (std::isfinite(range.low))
    text += fmt::format(" {} {}", range.low_end == Real::End::included ? "of at least" : "above", range.low);
  if (std::isfinite(range.high)) {
    if (!text.empty()) text += " and";
    text += fmt::format(" {} {}", range.high_end == Real::End::included ? "of at most" : "below", range.high);
  }
  return text;
}

// "a, b or c"
std::string alternatives(std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

std::string one_number(const Real& range) { return fmt::format("a number{}", range_text(range)); }

std::string size_text(const Size& range) {
  const std::string least = byte_size_text(static_cast<std::uint64_t>(range.min));
  if (range.max == std::numeric_limits<std::int64_t>::max())
    return fmt::format("a number of bytes such as 512M, of at least {}", least);
  return fmt::format("a number of bytes such as 512M, from {} to {}", least,
                     byte_size_text(static_cast<std::uint64_t>(range.max)));
}

struct Expectation {
  std::string operator()(const Flag&) const { return "no value"; }
  std::string operator()(const Integer& kind) const { return fmt::format("a whole number {}", range_text(kind)); }
  std::string operator()(const Real& kind) const { return one_number(kind); }
  std::string operator()(const Size& kind) const { return size_text(kind); }
  std::string operator()(const Choice& kind) const { return alternatives(kind.names); }
  std::string operator()(const ChoiceList& kind) const {
    return fmt::format("a comma-separated list of {}", alternatives(kind.names));
  }
  std::string operator()(const RealPair& kind) const {
    return fmt::format("LOW,HIGH with LOW not above HIGH, each {}", one_number(kind.each));
  }
  std::string operator()(const IntegerList& kind) const {
    return fmt::format("a comma-separated list, each a whole number {}", range_text(kind.each));
  }
  std::string operator()(const Text&) const { return "a text that is not empty"; }
  std::string operator()(const Path&) const { return "a path"; }
  std::string operator()(const Paths&) const { return "a path"; }
};

}  // namespace

bool Real::contains(double value) const {
  const bool above_low = low_end == End::included ? value >= low : value > low;
  const bool below_high = high_end == End::included ? value <= high : value < high;
  return std::isfinite(value) && above_low && below_high;
}

std::string expectation(const OptionKind& kind) { return std::visit(Expectation{}, kind); }

}  // namespace inkling
