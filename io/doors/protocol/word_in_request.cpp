#include "io/doors/protocol/word_in_request.hpp"

#include <optional>
#include <string>

#include "io/base/file/json_text.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/search/events/event_members.hpp"
#include "io/search/events/event_words.hpp"

namespace inkling {
namespace {

constexpr std::string_view kMembers = "the members word, and rate, confidence or both, each once";

std::optional<double> number_in(const JsonPiece& written) {
  return json_kind(written.text) == JsonKind::number ? parse_real(written.text) : std::nullopt;
}

}  // namespace

SaidWord read_said_word(const JsonPiece& written, const WordDoor& door) {
  if (json_kind(written.text) != JsonKind::object) return {.feature = door.feature_of(written, "")};
  std::optional<JsonPiece> word, rate, confidence;
  for (JsonPieces pieces(written); pieces.has_next();) {
    const JsonMember member = pieces.next_member();
    const std::string name = string_of_json(member.name.text);
    std::optional<JsonPiece>* const place = name == "word"         ? &word
                                            : name == "rate"       ? &rate
                                            : name == "confidence" ? &confidence
                                                                   : nullptr;
    if (place == nullptr || *place) {
      door.refuse(member.name, "", kMembers);
      continue;
    }
    *place = member.value;
  }
  if (!word || (!rate && !confidence)) door.refuse(written, "", kMembers);
  SaidWord said;
  if (rate) {
    said.reward = number_in(*rate);
    if (!said.reward || !is_word_reward(*said.reward)) door.refuse(*rate, ".rate", kWordRewardExpected);
  }
  if (confidence && take_confidence(*confidence, said.confidence))
    door.refuse(*confidence, ".confidence", "a number above 0 and at most 1");
  said.feature = door.feature_of(word.value(), ".word");
  return said;
}

}  // namespace inkling
