// Why a document is liked, in words: which of its words somebody liked, marked or did not want.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "io/events/events.hpp"

namespace inkling {

/// What somebody said of a word that a document holds.
enum class WordOpinion { liked, marked, unwanted };

/// What was said of a word last.
struct SaidOfWord {
  WordOpinion opinion = WordOpinion::marked;
  std::optional<double> reward = {};  ///< where the word has a rating of its own
};
using SaidOfWords = std::unordered_map<FeatureId, SaidOfWord>;

/// A rating above 0 is a good one. It outweighs marks, which say less.
[[nodiscard]] SaidOfWords said_of_words(std::span<const Event> events);

struct HeldWord {
  std::string name;
  WordOpinion opinion = WordOpinion::liked;
};

/// "it holds soil and compost, which you liked, and rose, which you did not want"; at most a few words of each kind are
/// named, and the others counted. Empty where there is no word.
[[nodiscard]] std::string reason_text(std::span<const HeldWord> words);

}  // namespace inkling
