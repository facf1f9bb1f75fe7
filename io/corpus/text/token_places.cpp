#include "io/corpus/text/token_places.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "io/corpus/text/word_breaks.hpp"

namespace inkling {
namespace {

class TokenPlaceCutter {
 public:
  TokenPlaceCutter(std::string_view text, const TokenOptions& options) : text_(text), options_(options) {
    if (options.letter_case == LetterCase::lower) append_lower_case(lower_, text);
    if (options.rule == TokenRule::dictionary) breaks_ = word_breaks(text);
  }

  [[nodiscard]] std::vector<TokenPlace> cut() && {
    auto next_break = breaks_.begin();
    while (at_ < text_.size()) {
      if (next_break != breaks_.end() && *next_break == at_) {
        end_token();
        next_break = std::upper_bound(next_break, breaks_.end(), at_);
      }
      const std::size_t length = first_character(text_.substr(at_)).length;
      take(length, unaccented(cased(text_.substr(at_, length))));
      at_ += length;
    }
    end_token();
    assert(options_.letter_case == LetterCase::keep || lower_at_ == lower_.size());
    return std::move(places_);
  }

 private:
  // The lower case of the next character, taken from that of the whole text. Only the lower case of a capital sigma
  // depends on its neighbours, and both of its forms have the same length: so the length of a character lower-cased
  // alone is right.
  [[nodiscard]] std::string_view cased(std::string_view character) {
    if (options_.letter_case == LetterCase::keep) return character;
    alone_.clear();
    append_lower_case(alone_, character);
    const std::size_t begin = std::exchange(lower_at_, lower_at_ + alone_.size());
    return std::string_view(lower_).substr(begin, alone_.size());
  }

  [[nodiscard]] std::string_view unaccented(std::string_view characters) {
    if (options_.accents == Accents::keep) return characters;
    unaccented_.clear();
    append_without_accents(unaccented_, characters, options_.accents);
    return unaccented_;
  }

  // Takes a character of the text and what it becomes: its lower case, which is two characters for a dotted capital I (an i
  // and a mark), or any number without its accents.
  void take(std::size_t length, std::string_view becomes) {
    while (!becomes.empty()) {
      const Utf8Character character = first_character(becomes);
      if (is_in_token(character.code_point)) {
        if (characters_ == 0) place_.begin = at_;
        place_.end = at_ + length;
        place_.token += becomes.substr(0, character.length);
        ++characters_;
      } else {
        end_token();
      }
      becomes.remove_prefix(character.length);
    }
  }

  [[nodiscard]] bool is_in_token(char32_t character) const {
    if (options_.rule != TokenRule::letters) return is_word_character(character, options_.rule);
    return (character >= U'a' && character <= U'z') || (character >= U'A' && character <= U'Z');
  }

  void end_token() {
    const bool is_alone = places_.empty() || place_.begin >= places_.back().end;
    if (characters_ > 0 && characters_ >= options_.min_length && is_alone) places_.push_back(place_);
    place_ = {};
    characters_ = 0;
  }

  std::string_view text_;
  TokenOptions options_;
  std::string lower_;  // of the whole text
  std::vector<std::size_t> breaks_;
  std::string alone_;
  std::string unaccented_;
  std::size_t at_ = 0;        // in the text
  std::size_t lower_at_ = 0;  // in its lower case
  TokenPlace place_;          // of the token so far
  std::int32_t characters_ = 0;
  std::vector<TokenPlace> places_;
};

}  // namespace

std::vector<TokenPlace> locate_tokens(std::string_view text, const TokenOptions& options) {
  return TokenPlaceCutter(text, options).cut();
}

}  // namespace inkling
