#include "io/session/json_places.hpp"

#include <algorithm>

#include "io/file/strict_number.hpp"

namespace inkling {
namespace {

constexpr std::string_view kJsonBlanks = " \t\r\n";
constexpr std::string_view kScalarEnds = " \t\r\n,:[]{}\"";

// The place after the quote that ends the string which begins at `at`, or the end of the text.
std::size_t end_of_string(std::string_view json, std::size_t at) {
  for (++at; at < json.size(); ++at) {
    if (json[at] == '"') return at + 1;
    if (json[at] == '\\') ++at;
  }
  return json.size();
}

bool is_scalar(std::string_view text) {
  return text == "true" || text == "false" || text == "null" || parse_real(text);
}

}  // namespace

JsonPieces::JsonPieces(std::string_view json) : json_(json) {
  pass_space();
  at_ = std::min(at_ + 1, json_.size());
}

JsonPiece JsonPieces::next_member() {
  pass_space();
  at_ = end_of_string(json_, at_);
  pass_space();
  at_ = std::min(at_ + 1, json_.size());
  return next_element();
}

JsonPiece JsonPieces::next_element() {
  pass_space();
  const std::size_t begin = at_;
  pass_value();
  std::string_view text = json_.substr(begin, at_ - begin);
  text = text.substr(0, text.find_last_not_of(kJsonBlanks) + 1);  // npos + 1 is 0
  at_ = std::min(at_ + 1, json_.size());
  return {text, begin};
}

void JsonPieces::pass_space() { at_ = std::min(json_.find_first_not_of(kJsonBlanks, at_), json_.size()); }

// Moves to the comma or bracket that follows the value.
void JsonPieces::pass_value() {
  std::size_t depth = 0;
  while (at_ < json_.size()) {
    const char next = json_[at_];
    if (depth == 0 && (next == ',' || next == '}' || next == ']')) return;
    if (next == '"') {
      at_ = end_of_string(json_, at_);
      continue;
    }
    if (next == '{' || next == '[') ++depth;
    if (next == '}' || next == ']') --depth;
    ++at_;
  }
}

std::optional<JsonPiece> first_bad_scalar(std::string_view json) {
  for (std::size_t at = 0; at < json.size();) {
    if (json[at] == '"') {
      at = end_of_string(json, at);
      continue;
    }
    const std::size_t end = std::min(json.find_first_of(kScalarEnds, at), json.size());
    const JsonPiece piece = {json.substr(at, end - at), at};
    if (!piece.text.empty() && !is_scalar(piece.text)) return piece;
    at = std::max(end, at + 1);
  }
  return std::nullopt;
}

}  // namespace inkling
