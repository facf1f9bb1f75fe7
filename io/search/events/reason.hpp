// Why a document is liked, in words: which of its words somebody liked, marked or did not want.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/policy/learner.hpp"
#include "io/search/events/events.hpp"

namespace inkling {

/// Whether a document is good with this chance (`chance_by_score`), in words that hold where they were tried: the table of
/// io/docs/when_to_stop.md.
[[nodiscard]] constexpr std::string_view chance_in_words(double chance) noexcept {
  constexpr double likely = 0.7;
  constexpr double possible = 0.2;
  return chance >= likely ? "likely good" : chance >= possible ? "may be good" : "unlikely to be good";
}

/// What somebody said of a word that a document holds.
enum class WordOpinion { liked, marked, unwanted };

/// A rating above 0 is a good one.
[[nodiscard]] WordOpinion opinion_of(const SaidWord& said) noexcept;

/// Whether it holds after what was said before: a rating outweighs marks, which say less.
[[nodiscard]] inline bool outweighs(const SaidWord& said, const SaidWord& before) noexcept {
  return said.reward || !before.reward;
}

/// Whether it counts in what was learned: a mark may not, and is then no reason for anything.
[[nodiscard]] inline bool counts(const SaidWord& said, const Learner& learner) noexcept {
  return said.reward || learner.counts_mark(said.feature);
}

/// What holds of the words that were spoken of and counts in what was learned.
using SaidOfWords = std::unordered_map<FeatureId, SaidWord>;
[[nodiscard]] SaidOfWords said_of_words(std::span<const Event> events, const Learner& learner);

struct HeldWord {
  std::string name;
  WordOpinion opinion = WordOpinion::liked;
};

/// "it holds soil and compost, which you liked, and rose, which you did not want"; at most a few words of each kind are
/// named, and the others counted. Empty where there is no word.
[[nodiscard]] std::string reason_text(std::span<const HeldWord> words);

}  // namespace inkling
