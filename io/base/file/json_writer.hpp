// Writes JSON into a string, token by token, so that no caller has to escape or format text.
#pragma once

#include <concepts>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace inkling {

/// Appends a text as a string of JSON, with its quotes, as JsonWriter writes it.
void append_json_string(std::string_view text, std::string& out);

/// One compact JSON text on one line. Doubles are the shortest that read back the same; NaN and infinities
/// are null; bytes that are not UTF-8 become U+FFFD; what would act on a terminal is escaped. Requires: calls in
/// an order that makes JSON (a key before each value of an object); asserted.
class JsonWriter {
 public:
  JsonWriter& begin_object() { return begin(Scope::object, '{'); }
  JsonWriter& end_object() { return end(Scope::object, '}'); }
  JsonWriter& begin_array() { return begin(Scope::array, '['); }
  JsonWriter& end_array() { return end(Scope::array, ']'); }
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(double number);
  JsonWriter& value(bool truth) { return literal(truth ? "true" : "false"); }
  template <std::integral Number>
  JsonWriter& value(Number number) {
    return literal(std::to_string(number));
  }
  JsonWriter& null() { return literal("null"); }
  template <typename Value>
  JsonWriter& value(const std::optional<Value>& maybe) {
    return maybe ? value(*maybe) : null();
  }

  /// An array of these values.
  template <std::ranges::range Values>
  JsonWriter& array(const Values& values) {
    begin_array();
    for (const auto& one : values) value(one);
    return end_array();
  }

  template <typename Value>
  JsonWriter& member(std::string_view name, const Value& its_value) {
    return key(name).value(its_value);
  }

  /// The text so far; a complete document once every begin has its end.
  [[nodiscard]] const std::string& text() const { return text_; }

  /// Hands the text over and starts again with an empty text, for example for one object a line.
  [[nodiscard]] std::string take();

 private:
  enum class Scope { object, array };

  JsonWriter& begin(Scope scope, char bracket);
  JsonWriter& end(Scope scope, char bracket);
  /// A value that needs no escaping.
  JsonWriter& literal(std::string_view text);
  void before_value();

  std::string text_;
  std::vector<Scope> scopes_;
  bool comma_due_ = false;
  bool key_given_ = false;
};

}  // namespace inkling
