#include "io/search/events/event_words.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <fmt/format.h>
#include <tsl/robin_set.h>

#include "io/base/file/json_text.hpp"
#include "io/search/events/event_members.hpp"

namespace inkling {
namespace {

RecordProblem missing_in_word(std::string_view members, const JsonPiece& word) {
  return {fmt::format("expected the member {} of a word, found none", members), word.position};
}

}  // namespace

bool is_word_reward(double reward) noexcept { return reward != 0.0 && std::fabs(reward) <= 1.0; }

void keep_first_mentions(std::vector<SaidWord>& said) {
  constexpr std::size_t few = 32;  // up to this many words a linear search is faster
  const bool has_few = said.size() <= few;
  tsl::robin_set<FeatureId> seen;
  std::size_t kept = 0;
  for (const SaidWord& word : said) {
    const auto before = std::span(said).first(kept);
    const bool is_new =
        has_few ? std::ranges::find(before, word.feature, &SaidWord::feature) == before.end() : seen.insert(word.feature).second;
    if (is_new) said[kept++] = word;
  }
  said.resize(kept);
}

void rate_all(std::vector<SaidWord>& said) noexcept {
  for (SaidWord& word : said) word.reward = word.reward.value_or(1.0);
}

RecordVerdict EventWordReader::take_words(const JsonPiece& value, std::vector<SaidWord>& said) const {
  if (json_kind(value.text) != JsonKind::array)
    return problem_of(value, "expected as the member \"features\" an array of words or feature numbers");
  for (JsonPieces pieces(value); pieces.has_next();)
    if (RecordVerdict problem = take_said(pieces.next_element(), *said.insert(said.end(), SaidWord{}))) return problem;
  keep_first_mentions(said);
  return std::nullopt;
}

RecordVerdict EventWordReader::take_said(const JsonPiece& value, SaidWord& word) const {
  if (json_kind(value.text) != JsonKind::object) return take_feature(value, word.feature);
  std::optional<JsonPiece> feature;
  std::optional<JsonPiece> reward;
  std::optional<JsonPiece> confidence;
  const KnownMember known[] = {{"feature", &feature}, {"reward", &reward}, {"confidence", &confidence}};
  if (RecordVerdict problem = take_members(value, known)) return problem;
  if (!feature) return missing_in_word("\"feature\"", value);
  if (!reward && !confidence) return missing_in_word("\"reward\" or \"confidence\"", value);
  if (reward)
    if (RecordVerdict problem = take_word_reward(*reward, word.reward)) return problem;
  if (confidence)
    if (RecordVerdict problem = take_confidence(*confidence, word.confidence)) return problem;
  return take_feature(*feature, word.feature);
}

RecordVerdict EventWordReader::take_word_reward(const JsonPiece& value, std::optional<double>& reward) const {
  double number = 0.0;
  if (RecordVerdict problem = take_reward(value, number)) return problem;
  reward = number;
  if (is_word_reward(number)) return std::nullopt;
  return problem_of(value, fmt::format("expected as the reward of a word {}", kWordRewardExpected));
}

RecordVerdict EventWordReader::take_feature(const JsonPiece& value, FeatureId& feature) const {
  if (json_kind(value.text) == JsonKind::string) return find_word(value, feature);
  const std::optional<std::int64_t> index = index_of(value, scope_.features);
  if (!index) return problem_of(value, "expected a word or " + range_text("a feature", scope_.features));
  feature = static_cast<FeatureId>(*index);
  return std::nullopt;
}

RecordVerdict EventWordReader::find_word(const JsonPiece& value, FeatureId& feature) const {
  if (!scope_.feature_of)
    return problem_of(value, fmt::format("expected {} (this pool has no words)", range_text("a feature", scope_.features)));
  const std::string word = string_of_json(value.text);
  if (const std::optional<FeatureId> found = scope_.feature_of(word)) {
    feature = *found;
    return std::nullopt;
  }
  RecordProblem problem = problem_of(value, "expected a word of the pool's vocabulary");
  const std::string advice = scope_.advice_for && gives_advice_ ? scope_.advice_for(word) : std::string();
  if (!advice.empty()) problem.expectation += "; " + advice;
  return problem;
}

}  // namespace inkling
