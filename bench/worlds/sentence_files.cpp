#include "bench/worlds/sentence_files.hpp"

#include <cstddef>

#include <fmt/format.h>

#include "engine/core/errors.hpp"

namespace inkling::bench {
namespace {

std::string_view without_spaces_around(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// Takes what stands before the next separator, and the separator, off the front of `rest`.
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

/// Hands over each line that is not empty, with its place as errors name it.
template <typename Take>
void for_each_line(const TextFile& file, const Take& take) {
  std::string_view rest = file.text;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = without_spaces_around(part_before('\n', rest));
    if (!line.empty()) take(line, fmt::format("{}:{}", file.path, number));
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

/// Whether braces open and close in turns and hold something.
bool has_sound_braces(std::string_view sentence) {
  std::size_t opened = std::string_view::npos;
  for (std::size_t at = 0; at < sentence.size(); ++at) {
    const bool is_open = opened != std::string_view::npos;
    if ((sentence[at] == '{' && is_open) || (sentence[at] == '}' && (!is_open || at == opened + 1)))
      return false;
    if (sentence[at] == '{') opened = at;
    if (sentence[at] == '}') opened = std::string_view::npos;
  }
  return opened == std::string_view::npos;
}

void check_braces(std::string_view sentence, const WordLists& lists, const std::string& place) {
  if (!has_sound_braces(sentence)) {
    throw FormatError(place,
                      "expected a } after each {, something between them, and no braces within braces");
  }
  std::string_view rest = sentence;
  while (!rest.empty()) {
    const std::string_view name = next_piece(rest).in_braces;
    if (name.empty() || name.find('|') != std::string_view::npos || lists.find(name) != nullptr) continue;
    throw FormatError(place,
                      fmt::format("expected the name of a list of lists.txt in braces, got {{{}}}", name));
  }
}

void check_sentence(std::string_view sentence, const WordLists& lists, const std::string& place) {
  if (std::string_view(".?!").find(sentence.back()) == std::string_view::npos) {
    throw FormatError(place,
                      "expected a sentence that ends with a full stop, a question mark or an "
                      "exclamation mark");
  }
  check_braces(sentence, lists, place);
}

}  // namespace

WordLists::WordLists(const TextFile& file) {
  bool anew = false;
  for_each_line(file, [&](std::string_view line, const std::string& place) {
    if (line.front() == '#') {
      anew = line == "# Drawn anew each time";
      return;
    }
    std::string_view rest = line;
    const std::string_view name = without_spaces_around(part_before('=', rest));
    if (name.empty() || without_spaces_around(rest).empty()) {
      throw FormatError(place, "expected a list such as \"month = March | April\"");
    }
    lists_.insert_or_assign(name, WordChoice{parts_between_bars(rest), anew});
  });
}

const WordChoice* WordLists::find(std::string_view name) const {
  const auto found = lists_.find(name);
  return found == lists_.end() ? nullptr : &found->second;
}

std::vector<Subject> read_subjects(const TextFile& file, const WordLists& lists) {
  std::vector<Subject> subjects;
  for_each_line(file, [&](std::string_view line, const std::string& place) {
    if (line.front() == '#') {
      subjects.push_back({without_spaces_around(line.substr(1)), {}});
      return;
    }
    if (subjects.empty()) throw FormatError(place, "expected a subject such as \"# Tomatoes\" first");
    check_sentence(line, lists, place);
    subjects.back().sentences.push_back(line);
  });
  for (const Subject& subject : subjects) {
    if (!subject.sentences.empty()) continue;
    throw FormatError(std::string(file.path),
                      fmt::format("expected sentences below \"# {}\"", subject.heading));
  }
  return subjects;
}

std::string_view MessageWords::word_for(std::string_view name, RandomStream& random) {
  const auto one_of = [&](const std::vector<std::string_view>& words) {
    return words[static_cast<std::size_t>(random.below(words.size()))];
  };
  if (name.find('|') != std::string_view::npos) return one_of(parts_between_bars(name));
  const WordChoice& choice = *lists_->find(name);
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
