#include "io/doors/cli/option.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/core/nearest_name.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/wording/byte_size.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/doors/cli/usage_error.hpp"

namespace inkling {
namespace {

// Reads the text as a value of the kind that it visits; nothing where the text does not fit.
struct Reader {
  std::string_view text;

  using Result = std::optional<OptionValue>;

  Result operator()(const Flag&) const { return std::nullopt; }
  Result operator()(const Integer& kind) const { return integer(text, kind); }
  Result operator()(const Real& kind) const { return real(text, kind); }
  Result operator()(const Size& kind) const {
    const std::optional<std::uint64_t> bytes = parse_byte_size(text);
    if (!bytes || *bytes < static_cast<std::uint64_t>(kind.min) || *bytes > static_cast<std::uint64_t>(kind.max))
      return std::nullopt;
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
  Result operator()(const Path&) const { return text.empty() ? Result() : OptionValue(with_slashes(std::string(text))); }
  Result operator()(const Paths&) const {
    return text.empty() ? Result() : OptionValue(std::vector<std::string>{with_slashes(std::string(text))});
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

// Suggests a name if a choice or a list was given one that is almost right.
std::string hint(const OptionKind& kind, std::string_view text) {
  if (const auto* choice = std::get_if<Choice>(&kind)) return did_you_mean("", text, choice->names);
  const auto* list = std::get_if<ChoiceList>(&kind);
  if (list == nullptr) return {};
  for (const std::string_view part : split_at_commas(text))
    if (std::ranges::find(list->names, part) == list->names.end()) return did_you_mean("", part, list->names);
  return {};
}

}  // namespace

std::optional<char> letter_of(const Option& option) { return option.name == "out" ? std::optional('o') : std::nullopt; }

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    parts.push_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  parts.push_back(text);
  return parts;
}

OptionValue read_option_value(const Option& option, std::string_view text) {
  std::optional<OptionValue> value = std::visit(Reader{text}, option.kind);
  if (!value) {
    throw UsageError::option(
        option.name, fmt::format("expected {}, got {}{}", expectation(option.kind), in_quotes(text), hint(option.kind, text)));
  }
  return *std::move(value);
}

}  // namespace inkling
