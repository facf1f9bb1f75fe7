#include "bench/worlds/prose.hpp"

#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace inkling::bench {
namespace {

/// What happens to a content word, in 1/1024; most often nothing. Each number is where its part ends.
struct Ornament {
  static constexpr std::uint64_t comma = 100;
  static constexpr std::uint64_t name = 160;
  static constexpr std::uint64_t number = 176;
  static constexpr std::uint64_t hyphen = 184;
  static constexpr std::uint64_t brackets = 190;
  static constexpr std::uint64_t quotes = 196;
  static constexpr std::uint64_t possessive = 202;
};

}  // namespace

std::int32_t Prose::sentence_length() {
  const std::uint64_t bits = random_.next();
  return static_cast<std::int32_t>(4 + (bits & 15U) + ((bits >> 4U) & 15U));
}

void Prose::append_word(std::int32_t rank, std::uint64_t chance) {
  out_ += std::exchange(gap_, " ");
  if ((chance & 1023U) < Ornament::possessive && rank >= WordList::function_words) {
    append_ornate(rank, chance);
  } else {
    out_ += form_of(rank);
  }
}

void Prose::append_ornate(std::int32_t rank, std::uint64_t chance) {
  const std::uint64_t ornament = chance & 1023U;
  const bool is_name = ornament >= Ornament::comma && ornament < Ornament::name;
  sentence_begins_ = sentence_begins_ || is_name;
  if (ornament < Ornament::comma) {
    out_ += form_of(rank);
    out_ += ',';
  } else if (is_name) {
    out_ += form_of(rank);
  } else if (ornament < Ornament::number) {
    append_number(chance >> 10U);
    out_ += form_of(rank);
  } else if (ornament < Ornament::hyphen) {
    out_ += form_of(rank);
    gap_ = "-";
  } else if (ornament < Ornament::brackets) {
    out_ += '(';
    out_ += form_of(rank);
    out_ += ')';
  } else if (ornament < Ornament::quotes) {
    out_ += marks_.quote;
    out_ += form_of(rank);
    out_ += marks_.quote;
  } else {
    out_ += form_of(rank);
    out_ += "'s";
  }
}

void Prose::append_number(std::uint64_t chance) {
  const bool is_year = (chance & 1U) != 0;
  const std::uint64_t number = is_year ? 1950 + ((chance >> 1U) & 63U) : 2 + ((chance >> 1U) & 127U);
  fmt::format_to(std::back_inserter(out_), "{} ", number);
}

std::string_view Prose::form_of(std::int32_t rank) {
  return std::exchange(sentence_begins_, false) ? words_.capitalised(rank) : words_.word(rank);
}

void Prose::end_sentence() {
  const std::uint64_t bits = random_.next();
  const std::uint64_t mark = bits & 31U;
  if (out_.back() == ',') out_.pop_back();
  out_ += mark == 0 ? '?' : (mark == 1 ? '!' : '.');
  gap_ = (bits & 0xE0U) == 0 ? marks_.paragraph_end : " ";
  sentence_begins_ = true;
}

}  // namespace inkling::bench
