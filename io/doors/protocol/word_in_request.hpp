// One word in a request of a program, on a pipe and by HTTP.
#pragma once

#include <functional>
#include <string_view>

#include "engine/policy/policy_options.hpp"
#include "io/base/file/json_places.hpp"

namespace inkling {

/// How a door finds words and refuses what is wrong. `member` names the part of the word, as in ".rate"; empty for all of it.
struct WordDoor {
  std::function<FeatureId(const JsonPiece& written, std::string_view member)> feature_of;
  /// Throws: at this place something else was expected.
  std::function<void(const JsonPiece& written, std::string_view member, std::string_view expected)> refuse;
};

/// Reads "soil", 7, {"word": "soil", "confidence": 0.5} or {"word": "rose", "rate": -1, "confidence": 0.5}: marks without a
/// rate, and ratings of words with one. Requires: valid JSON.
[[nodiscard]] SaidWord read_said_word(const JsonPiece& written, const WordDoor& door);

}  // namespace inkling
