// The words that a line of events, or a program, names: marks, and ratings of the words themselves.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "io/base/file/json_places.hpp"
#include "io/corpus/source/record_parser.hpp"
#include "io/search/events/events.hpp"

namespace inkling {

/// What is wrong with the rating of a word, for a message. At every interface it must be from -1 to 1 and not 0.
inline constexpr std::string_view kWordRewardExpected = "a number from -1 to 1 that is not 0";
[[nodiscard]] bool is_word_reward(double reward) noexcept;

/// If a word is named twice, only the first mention counts.
void keep_first_mentions(std::vector<SaidWord>& said);

/// Rates 1 each word without a rating, as is the rule for words apart from documents.
void rate_all(std::vector<SaidWord>& said) noexcept;

/// Reads words of one pool. Thread safety: that of the scope's functions.
class EventWordReader {
 public:
  /// Lifetime: lends the scope.
  explicit EventWordReader(const EventScope& scope) : scope_(scope) {}

  /// Whether messages about unknown words say what to write instead, which may be slow. The default is yes.
  void give_advice(bool wanted) { gives_advice_ = wanted; }

  /// Each of these fills its last argument, or says what is wrong with the value.
  [[nodiscard]] RecordVerdict take_feature(const JsonPiece& value, FeatureId& feature) const;
  [[nodiscard]] RecordVerdict take_word_reward(const JsonPiece& value, std::optional<double>& reward) const;
  /// ["soil", 7, {"feature": "rose", "reward": -1}]. Of a word that is named twice the first mention counts.
  [[nodiscard]] RecordVerdict take_words(const JsonPiece& value, std::vector<SaidWord>& said) const;

 private:
  [[nodiscard]] RecordVerdict take_said(const JsonPiece& value, SaidWord& word) const;
  [[nodiscard]] RecordVerdict find_word(const JsonPiece& value, FeatureId& feature) const;

  const EventScope& scope_;
  bool gives_advice_ = true;
};

}  // namespace inkling
