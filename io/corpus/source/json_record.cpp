#include "io/corpus/source/json_record.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace inkling {
namespace {

using simdjson::dom::element_type;

static_assert(kTextPadding >= simdjson::SIMDJSON_PADDING);

constexpr std::size_t kFirstCapacity = std::size_t{1} << 12U;

// Reads a text by the grammar of JSON, byte by byte, to find the first error.
class JsonGrammar {
 public:
  explicit JsonGrammar(std::string_view text) : text_(text) {}

  /// The position of the first byte that cannot follow, or of the string that has no end; the size of the text if its end
  /// is missing; nothing if the whole text is one value.
  [[nodiscard]] std::optional<std::size_t> first_error() {
    for (;;) {
      if (!begin_value()) return at_;
      for (;;) {
        skip_blanks();
        if (open_.empty()) return at_ == text_.size() ? std::nullopt : std::optional(at_);
        if (take(',')) break;
        if (!take(open_.back() == '{' ? '}' : ']')) return at_;
        open_.pop_back();
      }
      if (open_.back() == '{' && !key()) return at_;
    }
  }

  /// The numbers so far that neither 64 bits nor a double can hold, as parts of the text.
  [[nodiscard]] const std::vector<std::string_view>& large_numbers() const { return large_; }

 private:
  // Reads a whole scalar or an empty list; of any other value, the part before the first value inside it.
  bool begin_value() {
    for (;;) {
      skip_blanks();
      if (take('{')) {
        skip_blanks();
        if (take('}')) return true;
        open_ += '{';
        if (!key()) return false;
      } else if (take('[')) {
        skip_blanks();
        if (take(']')) return true;
        open_ += '[';
      } else {
        return scalar();
      }
    }
  }

  bool key() {
    skip_blanks();
    if (!string()) return false;
    skip_blanks();
    return take(':');
  }

  bool scalar() {
    if (at_ == text_.size()) return false;
    if (text_[at_] == '"') return string();
    for (const std::string_view word : {"true", "false", "null"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return true;
    }
    return number();
  }

  bool string() {
    const std::size_t begin = at_;
    if (!take('"')) return false;
    while (at_ < text_.size()) {
      if (take('"')) return true;
      if (static_cast<unsigned char>(text_[at_]) < ' ') return false;
      if (text_[at_] != '\\')
        ++at_;
      else if (!escape())
        return false;
    }
    at_ = begin;
    return false;
  }

  bool escape() {
    constexpr std::string_view letters = "\"\\/bfnrt";
    const std::string_view rest = text_.substr(at_ + 1);
    if (!rest.empty() && letters.find(rest.front()) != std::string_view::npos) {
      at_ += 2;
      return true;
    }
    const std::optional<unsigned> unit = code_unit(rest);
    if (!unit || is_within(*unit, 0xDC00)) return false;
    const bool needs_second = is_within(*unit, 0xD800);
    if (needs_second) {
      const std::string_view second = rest.substr(5);
      const std::optional<unsigned> low = second.starts_with('\\') ? code_unit(second.substr(1)) : std::nullopt;
      if (!low || !is_within(*low, 0xDC00)) return false;
    }
    at_ += needs_second ? 12 : 6;
    return true;
  }

  // Whether it is one of the 1024 units from `begin` on.
  static bool is_within(unsigned unit, unsigned begin) { return unit >= begin && unit < begin + 0x400; }

  // The code unit that "uXXXX" means.
  static std::optional<unsigned> code_unit(std::string_view text) {
    if (text.size() < 5 || text.front() != 'u') return std::nullopt;
    unsigned unit = 0;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + 5, unit, 16);
    if (error != std::errc() || end != text.data() + 5) return std::nullopt;
    return unit;
  }

  bool number() {
    const std::size_t begin = at_;
    take('-');
    if (!take('0') && !digits()) return false;
    bool whole = true;
    if (take('.')) {
      whole = false;
      if (!digits()) return false;
    }
    if (take('e') || take('E')) {
      whole = false;
      if (!take('+')) take('-');
      if (!digits()) return false;
    }
    note_number(text_.substr(begin, at_ - begin), whole);
    return true;
  }

  bool digits() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    return at_ > begin;
  }

  void note_number(std::string_view number, bool whole) {
    const char* const end = number.data() + number.size();
    std::errc error = {};
    if (!whole) {
      double real = 0.0;
      error = std::from_chars(number.data(), end, real).ec;
      // A number that is too small is read as 0.
      if (number.find('-', 1) != std::string_view::npos) error = {};
    } else if (number.front() == '-') {
      std::int64_t integer = 0;
      error = std::from_chars(number.data(), end, integer).ec;
    } else {
      std::uint64_t integer = 0;
      error = std::from_chars(number.data(), end, integer).ec;
    }
    if (error == std::errc::result_out_of_range) large_.push_back(number);
  }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  bool take(char character) {
    const bool found = at_ < text_.size() && text_[at_] == character;
    at_ += found ? 1 : 0;
    return found;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string open_;
  std::vector<std::string_view> large_;
};

RecordProblem bad_json(simdjson::error_code error, std::size_t position) {
  if (error == simdjson::DEPTH_ERROR)
    return {fmt::format("expected JSON at most {} levels deep, found deeper", ReadingBudget::kMostLevels)};
  return {fmt::format("expected one JSON object, found: {}", simdjson::error_message(error)), position};
}

// Appends the text with some of its numbers replaced.
void replace_numbers(std::string_view json, const std::vector<std::string_view>& numbers, PaddedText& out) {
  out.clear();
  const char* from = json.data();
  for (const std::string_view number : numbers) {
    out.append({from, static_cast<std::size_t>(number.data() - from)});
    out.append(R"({"\u0000":0})");
    from = number.data() + number.size();
  }
  out.append({from, static_cast<std::size_t>(json.data() + json.size() - from)});
}

bool is_large_number(simdjson::dom::element value) {
  simdjson::dom::object object;
  return value.get(object) == simdjson::SUCCESS && object.size() == 1 && (*object.begin()).key == kTooLargeNumber;
}

}  // namespace

bool is_blank_record(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

std::string_view json_kind_name(element_type type) {
  switch (type) {
    case element_type::ARRAY: return "an array";
    case element_type::OBJECT: return "an object";
    case element_type::STRING: return "a string";
    case element_type::BOOL: return "a boolean";
    case element_type::NULL_VALUE: return "null";
    default: return "a number";
  }
}

std::string_view json_kind_name(simdjson::dom::element value) {
  simdjson::dom::object object;
  if (value.get(object) == simdjson::SUCCESS && object.size() == 1 && (*object.begin()).key == kTooLargeNumber)
    return "a number that is too large";
  return json_kind_name(value.type());
}

JsonObjectParser::JsonObjectParser() {
  if (parser_.allocate(kFirstCapacity, ReadingBudget::kMostLevels) != simdjson::SUCCESS) throw std::bad_alloc();
}

std::variant<simdjson::dom::object, RecordProblem> JsonObjectParser::parse(std::string_view json) {
  simdjson::dom::element root;
  constexpr bool copied = false;
  simdjson::error_code error = parser_.parse(json.data(), json.size(), copied).get(root);
  if (error != simdjson::SUCCESS) {
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    JsonGrammar grammar(json);
    const std::optional<std::size_t> position = grammar.first_error();
    if (position || grammar.large_numbers().empty()) return bad_json(error, position.value_or(0));
    replace_numbers(json, grammar.large_numbers(), without_large_numbers_);
    const std::string_view replaced = without_large_numbers_.view();
    error = parser_.parse(replaced.data(), replaced.size(), copied).get(root);
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    if (error != simdjson::SUCCESS) return bad_json(error, 0);
    if (is_large_number(root)) return RecordProblem{"expected a JSON object, found a number that is too large"};
  }
  simdjson::dom::object object;
  if (root.get(object) != simdjson::SUCCESS)
    return RecordProblem{fmt::format("expected a JSON object, found {}", json_kind_name(root.type()))};
  return object;
}

}  // namespace inkling
