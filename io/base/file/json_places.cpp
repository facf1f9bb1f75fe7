#include "io/base/file/json_places.hpp"

#include <algorithm>

namespace inkling {
namespace {

constexpr std::string_view kJsonBlanks = " \t\r\n";

// The place after the quote that ends the string which begins at `at`, or the end of the text.
std::size_t end_of_string(std::string_view json, std::size_t at) {
  const std::size_t begin = at + 1;
  for (std::size_t quote = json.find('"', begin); quote != std::string_view::npos; quote = json.find('"', quote + 1)) {
    std::size_t escapes = quote;
    while (escapes > begin && json[escapes - 1] == '\\') --escapes;
    if ((quote - escapes) % 2 == 0) return quote + 1;
  }
  return json.size();
}

}  // namespace

JsonPieces::JsonPieces(const JsonPiece& json) : json_(json.text), offset_(json.position) {
  pass_space();
  at_ = std::min(at_ + 1, json_.size());
  pass_space();
}

bool JsonPieces::has_next() const { return at_ < json_.size() && json_[at_] != '}' && json_[at_] != ']'; }

JsonMember JsonPieces::next_member() {
  pass_space();
  const std::size_t begin = at_;
  at_ = end_of_string(json_, at_);
  const JsonPiece name = piece_from(begin);
  pass_space();
  at_ = std::min(at_ + 1, json_.size());
  return {name, next_element()};
}

JsonPiece JsonPieces::next_element() {
  pass_space();
  const std::size_t begin = at_;
  pass_value();
  const JsonPiece value = piece_from(begin);
  if (at_ < json_.size() && json_[at_] == ',') ++at_;
  pass_space();
  return value;
}

JsonPiece JsonPieces::piece_from(std::size_t begin) const {
  const std::string_view text = json_.substr(begin, at_ - begin);
  return {text.substr(0, text.find_last_not_of(kJsonBlanks) + 1), offset_ + begin};  // npos + 1 is 0
}

void JsonPieces::pass_space() {
  while (at_ < json_.size() && kJsonBlanks.find(json_[at_]) != std::string_view::npos) ++at_;
}

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

}  // namespace inkling
