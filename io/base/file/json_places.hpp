// Where the values of a JSON text stand, and how they are written.
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

/// The values of one object or array, one after the other; nested values are part of theirs.
/// Lifetime: lends the text. Where the text is not JSON the pieces mean nothing, but lie within it.
class JsonPieces {
 public:
  /// `json` is a part of a whole text, and positions are those in the whole.
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
