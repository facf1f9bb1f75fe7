#include "io/cli/option.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "io/cli/byte_size.hpp"
#include "io/cli/usage_error.hpp"
#include "io/file/strict_number.hpp"

namespace inkling {
namespace {

std::string range_text(const Integer& range) {
  if (range.max == std::numeric_limits<std::int64_t>::max()) return fmt::format("of at least {}", range.min);
  return fmt::format("from {} to {}", range.min, range.max);
}

std::string range_text(const Real& range) {
  std::string text;
  const bool closed = range.low_end == Real::End::included && range.high_end == Real::End::included;
  if (std::isfinite(range.low) && std::isfinite(range.high) && closed) {
    return fmt::format(" from {} to {}", range.low, range.high);
  }
  if (std::isfinite(range.low)) {
    text += fmt::format(" {} {}", range.low_end == Real::End::included ? "of at least" : "above", range.low);
  }
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
  std::string operator()(const Integer& kind) const {
    return fmt::format("a whole number {}", range_text(kind));
  }
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

// Reads the text as a value of the kind that it visits; nothing where the text does not fit.
struct Reader {
  std::string_view text;

  using Result = std::optional<OptionValue>;

  Result operator()(const Flag&) const { return std::nullopt; }
  Result operator()(const Integer& kind) const { return integer(text, kind); }
  Result operator()(const Real& kind) const { return real(text, kind); }
  Result operator()(const Size& kind) const {
    const std::optional<std::uint64_t> bytes = parse_byte_size(text);
    if (!bytes || *bytes < static_cast<std::uint64_t>(kind.min) ||
        *bytes > static_cast<std::uint64_t>(kind.max)) {
      return std::nullopt;
    }
    return OptionValue(static_cast<std::int64_t>(*bytes));
  }
  Result operator()(const Choice& kind) const {
    if (std::ranges::find(kind.names, text) == kind.names.end()) return std::nullopt;
    return OptionValue(std::string(text));
  }
  Result operator()(const ChoiceList& kind) const {
    std::vector<std::string> values;
    for (const std::string_view part : split_at_commas(text)) {
      if (std::ranges::find(kind.names, part) == kind.names.end()) return std::nullopt;
      if (std::ranges::find(values, part) != values.end()) return std::nullopt;
      values.emplace_back(part);
    }
    return OptionValue(std::move(values));
  }
  Result operator()(const RealPair& kind) const {
    const std::vector<std::string_view> parts = split_at_commas(text);
    if (parts.size() != 2) return std::nullopt;
    const std::optional<double> low = real(parts[0], kind.each);
    const std::optional<double> high = real(parts[1], kind.each);
    if (!low || !high || *low > *high) return std::nullopt;
    return OptionValue(std::pair(*low, *high));
  }
  Result operator()(const IntegerList& kind) const {
    std::vector<std::int64_t> values;
    for (const std::string_view part : split_at_commas(text)) {
      const std::optional<std::int64_t> value = integer(part, kind.each);
      if (!value) return std::nullopt;
      values.push_back(*value);
    }
    return OptionValue(std::move(values));
  }
  Result operator()(const Text&) const { return words(); }
  Result operator()(const Path&) const { return words(); }
  Result operator()(const Paths&) const {
    return text.empty() ? Result() : OptionValue(std::vector<std::string>{std::string(text)});
  }

 private:
  [[nodiscard]] Result words() const { return text.empty() ? Result() : OptionValue(std::string(text)); }
  static std::optional<std::int64_t> integer(std::string_view text, const Integer& range) {
    const std::optional<std::int64_t> value = parse_integer(text);
    if (!value || *value < range.min || *value > range.max) return std::nullopt;
    return value;
  }
  static std::optional<double> real(std::string_view text, const Real& range) {
    const std::optional<double> value = parse_real(text);
    if (!value || !range.contains(*value)) return std::nullopt;
    return value;
  }
};

// The name that was probably meant, where a choice or a list has a name that is almost right.
std::string hint(const OptionKind& kind, std::string_view text) {
  if (const auto* choice = std::get_if<Choice>(&kind)) return did_you_mean("", text, choice->names);
  const auto* list = std::get_if<ChoiceList>(&kind);
  if (list == nullptr) return {};
  for (const std::string_view part : split_at_commas(text)) {
    if (std::ranges::find(list->names, part) == list->names.end()) {
      return did_you_mean("", part, list->names);
    }
  }
  return {};
}

}  // namespace

std::optional<char> letter_of(const Option& option) {
  return option.name == "out" ? std::optional('o') : std::nullopt;
}

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    parts.push_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  parts.push_back(text);
  return parts;
}

bool Real::contains(double value) const {
  const bool above_low = low_end == End::included ? value >= low : value > low;
  const bool below_high = high_end == End::included ? value <= high : value < high;
  return std::isfinite(value) && above_low && below_high;
}

std::string expectation(const OptionKind& kind) { return std::visit(Expectation{}, kind); }

OptionValue read_option_value(const Option& option, std::string_view text) {
  std::optional<OptionValue> value = std::visit(Reader{text}, option.kind);
  if (!value) {
    throw UsageError::option(option.name, fmt::format("expected {}, got {}{}", expectation(option.kind),
                                                      in_quotes(text), hint(option.kind, text)));
  }
  return *std::move(value);
}

}  // namespace inkling
