// The positions of values in a JSON text, and the values as they are written.
#pragma once

#include <cstddef>
#include <string_view>

namespace inkling {

struct JsonPiece {
  std::string_view text;
  std::size_t position = 0;  ///< of its first byte in the whole text
};

/// A member of an object. The name is as it is written, with its quotes.
struct JsonMember {
  JsonPiece name;
  JsonPiece value;
};

/// Visits the values of one object or array in order; a nested value is a part of the value around it.
/// Lifetime: lends the text. If the text is not JSON, the pieces are meaningless, but lie within it.
class JsonPieces {
 public:
  /// `json` may be a part of a larger text; positions are those in the larger text.
  explicit JsonPieces(const JsonPiece& json);

  /// Whether another member or element follows.
  [[nodiscard]] bool has_next() const;

  /// Requires: an object, has_next().
  [[nodiscard]] JsonMember next_member();
  /// Requires: an array, has_next().
  [[nodiscard]] JsonPiece next_element();

 private:
  void pass_space();
  void pass_value();
  [[nodiscard]] JsonPiece piece_from(std::size_t begin) const;

  std::string_view json_;
  std::size_t offset_;
  std::size_t at_ = 0;
};

}  // namespace inkling
