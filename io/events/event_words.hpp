// What a line of events says of words: marks, and ratings of their own.
#pragma once

#include <optional>
#include <vector>

#include "io/events/events.hpp"
#include "io/file/json_places.hpp"
#include "io/source/record_parser.hpp"

namespace inkling {

/// A mark, or where it has a reward a rating of the word itself.
struct SaidWord {
  FeatureId feature = 0;
  std::optional<double> reward = {};
  double confidence = 1.0;

  /// A mark says that the word is good.
  [[nodiscard]] WordRating rating() const { return {feature, reward.value_or(1.0), confidence}; }
};

/// Reads words by the rules of one pool. Thread safety: that of the scope's functions.
class EventWordReader {
 public:
  /// Lifetime: lends scope and rules.
  EventWordReader(const EventScope& scope, const EventRules& rules) : scope_(scope), rules_(rules) {}

  /// Whether messages about unknown words say what to write instead, which may take long. They do at first.
  void give_advice(bool wanted) { gives_advice_ = wanted; }

  /// Each of these fills its last argument, or says what is wrong with the value.
  [[nodiscard]] RecordVerdict take_feature(const JsonPiece& value, FeatureId& feature) const;
  [[nodiscard]] RecordVerdict take_word_reward(const JsonPiece& value, std::optional<double>& reward) const;
  /// ["soil", 7, {"feature": "rose", "reward": -1}]: a word that is named twice counts once, as it is named first.
  [[nodiscard]] RecordVerdict take_words(const JsonPiece& value, std::vector<SaidWord>& said) const;

 private:
  [[nodiscard]] RecordVerdict take_said(const JsonPiece& value, SaidWord& word) const;
  [[nodiscard]] RecordVerdict find_word(const JsonPiece& value, FeatureId& feature) const;

  const EventScope& scope_;
  const EventRules& rules_;
  bool gives_advice_ = true;
};

/// Marks become the event's features, and all other words ratings of their own.
void add_to_event(Event& event, const std::vector<SaidWord>& said);

}  // namespace inkling
