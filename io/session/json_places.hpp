// Where the values of a JSON text stand and how they are written, which its parser does not keep.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace inkling {

struct JsonPiece {
  std::string_view text;
  std::size_t position = 0;  ///< of its first byte, counted from the front of the whole
};

/// The values of one object or array, one after the other, without what lies in them.
/// Lifetime: lends the text. Where the text is no JSON the pieces mean nothing, but lie within it.
class JsonPieces {
 public:
  explicit JsonPieces(std::string_view json);

  /// The value of the next member. Requires: an object, and that there is one.
  [[nodiscard]] JsonPiece next_member();
  /// Requires: an array, and that there is a next element.
  [[nodiscard]] JsonPiece next_element();

 private:
  void pass_space();
  void pass_string();
  void pass_value();

  std::string_view json_;
  std::size_t at_ = 0;
};

/// The first thing outside quotes that is no JSON: a name, NaN, a number that no double holds. Nothing where
/// there is none, though the text may be broken in other ways.
[[nodiscard]] std::optional<JsonPiece> first_bad_scalar(std::string_view json);

}  // namespace inkling
