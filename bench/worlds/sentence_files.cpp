#include "bench/worlds/sentence_files.hpp"

#include <cassert>
#include <cstddef>

namespace inkling::bench {
namespace {

std::string_view without_spaces_around(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// Removes the text up to and including the next separator from `rest`, and returns it without the separator.
std::string_view part_before(char separator, std::string_view& rest) {
  const std::size_t end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  return part;
}

std::vector<std::string_view> parts_between_bars(std::string_view text) {
  std::vector<std::string_view> parts;
  std::string_view rest = text;
  do {
    parts.push_back(without_spaces_around(part_before('|', rest)));
  } while (!rest.empty());
  return parts;
}

/// Hands over each line that is not empty.
template <typename Take>
void for_each_line(std::string_view rest, const Take& take) {
  while (!rest.empty()) {
    const std::string_view line = without_spaces_around(part_before('\n', rest));
    if (!line.empty()) take(line);
  }
}

/// A sentence is text with braces in it: text, what is in braces, text, and so on.
struct SentencePiece {
  std::string_view before;
  std::string_view in_braces;  // empty at the end of the sentence
};

SentencePiece next_piece(std::string_view& rest) {
  const std::string_view before = part_before('{', rest);
  return {before, part_before('}', rest)};
}

}  // namespace

WordLists::WordLists(std::string_view text) {
  bool anew = false;
  for_each_line(text, [&](std::string_view line) {
    if (line.front() == '#') {
      anew = line == "# Drawn anew each time";
      return;
    }
    const std::string_view name = without_spaces_around(part_before('=', line));
    lists_.insert_or_assign(name, WordChoice{parts_between_bars(line), anew});
  });
}

std::vector<Subject> read_subjects(std::string_view text) {
  std::vector<Subject> subjects;
  for_each_line(text, [&](std::string_view line) {
    if (line.front() == '#') {
      subjects.push_back({without_spaces_around(line.substr(1)), {}});
    } else {
      assert(!subjects.empty());
      subjects.back().sentences.push_back(line);
    }
  });
  return subjects;
}

std::string_view MessageWords::word_for(std::string_view name, RandomStream& random) {
  const auto one_of = [&](const std::vector<std::string_view>& words) {
    return words[static_cast<std::size_t>(random.below(words.size()))];
  };
  if (name.find('|') != std::string_view::npos) return one_of(parts_between_bars(name));
  const WordChoice& choice = lists_->of(name);
  if (choice.anew) return one_of(choice.words);
  const auto drawn = drawn_.find(name);
  if (drawn != drawn_.end()) return drawn->second;
  return drawn_.emplace(name, one_of(choice.words)).first->second;
}

std::string MessageWords::filled(std::string_view sentence, RandomStream& random) {
  std::string text;
  std::string_view rest = sentence;
  while (!rest.empty()) {
    const auto [before, in_braces] = next_piece(rest);
    text += before;
    if (!in_braces.empty()) text += word_for(in_braces, random);
  }
  if (text.front() >= 'a' && text.front() <= 'z') text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

}  // namespace inkling::bench
