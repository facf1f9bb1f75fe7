// Why a document has a high score: which of its words somebody liked, marked or did not want.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/policy/learner.hpp"
#include "io/search/events/events.hpp"

namespace inkling {

/// A chance that a document is good (`chance_by_score`) in words. The table of io/docs/when_to_stop.md says how often they were
/// right.
[[nodiscard]] constexpr std::string_view chance_in_words(double chance) noexcept {
  constexpr double likely = 0.7;
  constexpr double possible = 0.2;
  return chance >= likely ? "likely good" : chance >= possible ? "may be good" : "unlikely to be good";
}

/// What somebody said of a word that a document holds.
enum class WordOpinion { liked, marked, unwanted };

/// A rating above 0 is a good one.
[[nodiscard]] WordOpinion opinion_of(const SaidWord& said) noexcept;

/// Whether `said` replaces `before`: a rating always does; a mark does not replace a rating, which says more.
[[nodiscard]] inline bool outweighs(const SaidWord& said, const SaidWord& before) noexcept {
  return said.reward || !before.reward;
}

/// Whether the learner learned from `said`. It may ignore a mark, which is then no reason for a score.
[[nodiscard]] inline bool counts(const SaidWord& said, const Learner& learner) noexcept {
  return said.reward || learner.counts_mark(said.feature);
}

/// What was said of each word and was learned. Of several statements about a word, the one that `outweighs` the others.
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
