// What a person types of words: which of them the pool has, in how many documents, and why it does not have the others.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/file/json_writer.hpp"
#include "io/search/service/shown_pool.hpp"

namespace inkling {

struct AskedWord {
  std::string typed;    ///< without its minus and its quotes
  bool wanted = true;   ///< no minus stood before it
  bool phrase = false;  ///< it stood in quotes
  std::optional<FeatureId> feature = {};
  std::string why_not = {};  ///< where it has no feature: "in no document"

  bool operator==(const AskedWord&) const = default;
};

/// Longer texts are refused by every door.
inline constexpr std::size_t kLongestAsked = 10'000;

/// The words of a text in their order: typed, pasted or a sentence. Commas, semicolons, blanks and line ends divide; quotes make
/// a phrase, and one that nothing closes is passed over. A minus counts where it stands right before a word or a quote, and
/// before a blank only after a comma or at the beginning of a single line: elsewhere it is a dash, or a bullet of a list. What the
/// pool's recipe cuts into several words, and the pool does not have as one, is several. Requires: UTF-8. Thread safety: that of
/// the scope's functions.
[[nodiscard]] std::vector<AskedWord> asked_words(std::string_view text, const ShownPool& pool);

/// Which of the words of a sentence to propose, by their places: the known ones that tell most, at most five, the most telling
/// first; then those of no document. A word tells much that is rare, and weighs much where it stands. Stop words, numbers and
/// what is not wanted are left out, and each word is named once.
[[nodiscard]] std::vector<std::size_t> proposed_words(const std::vector<AskedWord>& words,
                                                      const ShownPool& pool);

/// Both, as REQUESTS.md says.
void write_asked_words(JsonWriter& json, std::string_view text, const ShownPool& pool);

}  // namespace inkling
