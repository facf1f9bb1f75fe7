#include "io/base/file/json_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/reading_budget.hpp"
#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool is_white_space(char letter) { return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n'; }

bool ends_scalar(char letter) {
  return is_white_space(letter) || letter == ',' || letter == ']' || letter == '}' || letter == ':' || letter == '"' ||
         letter == '[' || letter == '{';
}

// Removes the digits that the text begins with; false where there is none.
bool take_digits(std::string_view& text) {
  const std::size_t digits = std::min(text.find_first_not_of(kDigits), text.size());
  text.remove_prefix(digits);
  return digits > 0;
}

bool take_sign_of(std::string_view& text, std::string_view signs) {
  const bool is_there = !text.empty() && signs.find(text.front()) != std::string_view::npos;
  if (is_there) text.remove_prefix(1);
  return is_there;
}

bool is_json_number(std::string_view text) {
  take_sign_of(text, "-");
  const bool begins_with_zero = text.starts_with('0');
  const std::size_t before = text.size();
  if (!take_digits(text) || (begins_with_zero && before - text.size() > 1)) return false;
  if (take_sign_of(text, ".") && !take_digits(text)) return false;
  if (take_sign_of(text, "eE")) {
    take_sign_of(text, "+-");
    if (!take_digits(text)) return false;
  }
  return text.empty();
}

bool is_json_scalar(std::string_view text) { return text == "true" || text == "false" || text == "null" || is_json_number(text); }

// The number that four hexadecimal digits are; nothing where they are not there.
std::optional<std::uint32_t> hex_digits(std::string_view text) {
  constexpr std::size_t count = 4;
  if (text.size() < count) return std::nullopt;
  std::uint32_t number = 0;
  for (const char digit : text.substr(0, count)) {
    const std::size_t value = std::string_view("0123456789abcdefABCDEF").find(digit);
    if (value == std::string_view::npos) return std::nullopt;
    number = 16 * number + static_cast<std::uint32_t>(value < 16 ? value : value - 6);
  }
  return number;
}

bool is_high_surrogate(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low_surrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

// A character that is written as \uXXXX, or as two of them.
struct EscapedCharacter {
  char32_t point = 0;
  std::size_t length = 0;  // in bytes, as it is written
};

// The character at the beginning of a text that begins with \u; nothing if that is no character.
std::optional<EscapedCharacter> escaped_character(std::string_view text) {
  constexpr std::size_t one = 6;
  const auto first = hex_digits(text.substr(2));
  if (!first || is_low_surrogate(*first)) return std::nullopt;
  if (!is_high_surrogate(*first)) return EscapedCharacter{*first, one};
  const std::string_view rest = text.substr(one);
  const auto second = rest.starts_with("\\u") ? hex_digits(rest.substr(2)) : std::nullopt;
  if (!second || !is_low_surrogate(*second)) return std::nullopt;
  return EscapedCharacter{0x10000 + ((*first - 0xD800) << 10U) + (*second - 0xDC00), 2 * one};
}

void append_escaped(std::string& out, char32_t point) {
  const auto byte = [&out](char32_t bits) { out += static_cast<char>(static_cast<unsigned char>(bits)); };
  const auto rest = [&byte](char32_t bits) { byte(0x80 | (bits & 0x3F)); };
  if (point < 0x80) return byte(point);
  if (point < 0x800) {
    byte(0xC0 | (point >> 6U));
  } else if (point < 0x10000) {
    byte(0xE0 | (point >> 12U));
    rest(point >> 6U);
  } else {
    byte(0xF0 | (point >> 18U));
    rest(point >> 12U);
    rest(point >> 6U);
  }
  rest(point);
}

constexpr std::array<std::pair<char, char>, 8> kEscapes = {
    {{'"', '"'}, {'\\', '\\'}, {'/', '/'}, {'b', '\b'}, {'f', '\f'}, {'n', '\n'}, {'r', '\r'}, {'t', '\t'}}};

// Goes over a text once and stops at the first thing that is not JSON. Nothing recurses.
class JsonCheck {
 public:
  explicit JsonCheck(std::string_view text) : text_(text) {}

  [[nodiscard]] std::optional<JsonFault> run() {
    while (!fault_ && next_ != Next::nothing) {
      pass_white_space();
      take_next();
    }
    pass_white_space();
    if (!fault_ && at_ < text_.size()) fail("expected nothing after the end of the JSON");
    return std::move(fault_);
  }

 private:
  enum class Next { value, value_or_end, name, name_or_end, colon, comma_or_end, nothing };

  void take_next() {
    const char here = at_ < text_.size() ? text_[at_] : '\0';
    switch (next_) {
      case Next::value_or_end:
      case Next::name_or_end:
        if (here == open_.back()) return close();
        return next_ == Next::value_or_end ? take_value(here) : take_name(here);
      case Next::value: return take_value(here);
      case Next::name: return take_name(here);
      case Next::colon:
        if (here != ':') return fail("expected a colon after the name of a member");
        return step(Next::value);
      case Next::comma_or_end:
      case Next::nothing: break;
    }
    if (here == open_.back()) return close();
    if (here != ',') return fail(fmt::format("expected a comma or {}", open_.back()));
    step(open_.back() == '}' ? Next::name : Next::value);
  }

  void pass_white_space() {
    while (at_ < text_.size() && is_white_space(text_[at_])) ++at_;
  }

  [[nodiscard]] std::size_t scalar_end() const {
    std::size_t end = at_;
    while (end < text_.size() && !ends_scalar(text_[end])) ++end;
    return end;
  }

  void step(Next next) {
    ++at_;
    next_ = next;
  }

  void close() {
    open_.pop_back();
    step(Next::nothing);
    end_value();
  }

  void end_value() { next_ = open_.empty() ? Next::nothing : Next::comma_or_end; }

  void open(char closing) {
    if (open_.size() == ReadingBudget::kMostLevels) {
      fault_ = {at_, fmt::format("expected JSON at most {} levels deep, found deeper", ReadingBudget::kMostLevels)};
      return;
    }
    open_ += closing;
    step(closing == '}' ? Next::name_or_end : Next::value_or_end);
  }

  void take_name(char here) {
    if (here != '"') return fail("expected the name of a member in double quotes");
    take_string();
    next_ = Next::colon;
  }

  void take_value(char here) {
    if (here == '{') return open('}');
    if (here == '[') return open(']');
    if (here == '"') {
      take_string();
      return end_value();
    }
    const std::size_t end = scalar_end();
    if (!is_json_scalar(text_.substr(at_, end - at_)))
      return fail("expected JSON (numbers are finite, text stands in double quotes)");
    at_ = end;
    end_value();
  }

  void take_string() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"' && !fault_)
      if (static_cast<unsigned char>(text_[at_]) < 0x20)
        fault_ = {at_, fmt::format("expected \\u{:04x} in a string, found the control character itself",
                                   static_cast<unsigned>(text_[at_]))};
      else if (text_[at_] == '\\')
        take_escape();
      else
        ++at_;
    if (fault_) return;
    if (at_ == text_.size()) fault_ = {begin, "expected a double quote at the end of the text that begins here, found none"};
    ++at_;
  }

  void take_escape() {
    const std::string_view rest = text_.substr(at_);
    const char letter = rest.size() > 1 ? rest[1] : '\0';
    if (std::ranges::find(kEscapes, letter, &std::pair<char, char>::first) != kEscapes.end()) {
      at_ += 2;
      return;
    }
    const auto character = letter == 'u' ? escaped_character(rest) : std::nullopt;
    if (character)
      at_ += character->length;
    else
      fault_ = {at_, "expected \\\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t or a character as \\uXXXX after a backslash"};
  }

  void fail(const std::string& expectation) {
    const std::string_view found = text_.substr(at_, std::max<std::size_t>(scalar_end() - at_, 1));
    fault_ = {at_, fmt::format("{}, found {}", expectation, found.empty() ? "the end of the line" : quoted_text(found))};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Next next_ = Next::value;
  std::string open_;  // the brackets that are to come, the next one last
  std::optional<JsonFault> fault_;
};

}  // namespace

std::optional<JsonFault> json_fault(std::string_view text) { return JsonCheck(text).run(); }

JsonKind json_kind(std::string_view value) {
  switch (value.empty() ? '\0' : value.front()) {
    case '{': return JsonKind::object;
    case '[': return JsonKind::array;
    case '"': return JsonKind::string;
    case 't':
    case 'f': return JsonKind::boolean;
    case 'n': return JsonKind::null;
    default: return JsonKind::number;
  }
}

std::string_view kind_text(JsonKind kind) {
  constexpr std::array<std::string_view, 6> texts = {"an object", "an array", "a string", "a number", "a boolean", "null"};
  return texts[static_cast<std::size_t>(kind)];
}

std::string string_of_json(std::string_view value) {
  std::string text;
  value = value.substr(1, value.size() - 2);
  while (!value.empty()) {
    const std::size_t plain = std::min(value.find('\\'), value.size());
    text += value.substr(0, plain);
    value.remove_prefix(plain);
    if (value.empty()) break;
    std::size_t length = 2;
    if (value[1] == 'u') {
      const EscapedCharacter character = escaped_character(value).value();
      append_escaped(text, character.point);
      length = character.length;
    } else {
      text += std::ranges::find(kEscapes, value[1], &std::pair<char, char>::first)->second;
    }
    value.remove_prefix(length);
  }
  return text;
}

}  // namespace inkling
