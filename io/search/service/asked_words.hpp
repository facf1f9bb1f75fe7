// Words that a person typed: which of them the pool has, in how many documents, and why it does not have the others.
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
  bool wanted = true;   ///< there is no minus before it
  bool phrase = false;  ///< it is in quotes
  std::optional<FeatureId> feature = {};
  std::string why_not = {};  ///< if it has no feature, the reason: "in no document"

  bool operator==(const AskedWord&) const = default;
};

/// Longer texts are refused by every interface.
inline constexpr std::size_t kLongestAsked = 10'000;

/// The words of a text in their order; the text may be typed, pasted or a sentence. Commas, semicolons, blanks and line ends
/// divide words; quotes make a phrase, and a quote that is not closed is ignored. A minus counts if it is right before a word or
/// a quote. If a blank follows, it counts only after a comma or at the beginning of a text of one line; elsewhere it is a dash,
/// or a bullet of a list. If the pool does not have a word, and its recipe cuts it into several, these are taken instead.
/// Requires: UTF-8. Thread safety: that of the scope's functions.
[[nodiscard]] std::vector<AskedWord> asked_words(std::string_view text, const ShownPool& pool);

/// How sure a word of a question is to tell what is wanted: ratings soon say more. With certainty such words made searches worse
/// (bench/beyond/RESULTS.md).
inline constexpr double kProposedConfidence = 0.1;

/// Which of the words of a sentence to propose, as indices into `words`: at most twelve words of the pool, the most informative
/// first, and then those in no document. A word is informative if it is rare and has a large weight in its documents. Stop words,
/// numbers, unwanted words and words of method ("systematic", "review") are left out, and each word is named once.
[[nodiscard]] std::vector<std::size_t> proposed_words(const std::vector<AskedWord>& words, const ShownPool& pool);

/// Writes the words of the text and those to propose, as REQUESTS.md says.
void write_asked_words(JsonWriter& json, std::string_view text, const ShownPool& pool);

}  // namespace inkling
