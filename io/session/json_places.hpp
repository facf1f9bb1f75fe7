// Where the values of a JSON text stand and how they are written: simdjson does not keep that.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace inkling {

struct JsonPiece {
  std::string_view text;
  std::size_t position = 0;  ///< of its first byte in the whole text
};

/// The values of one object or array, one after the other; nested values are part of theirs.
/// Lifetime: lends the text. Where the text is not JSON the pieces mean nothing, but lie within it.
class JsonPieces {
 public:
  explicit JsonPieces(std::string_view json);

  /// The value of the next member. Requires: an object, and that there is one.
  [[nodiscard]] JsonPiece next_member();
  /// Requires: an array, and that there is a next element.
  [[nodiscard]] JsonPiece next_element();

 private:
  void pass_space();
  void pass_value();

  std::string_view json_;
  std::size_t at_ = 0;
};

/// The first piece outside quotes that is not a JSON scalar: a name, NaN, a number that no double can hold.
/// Nothing where all are scalars; the text may be broken in other ways.
[[nodiscard]] std::optional<JsonPiece> first_bad_scalar(std::string_view json);

}  // namespace inkling
