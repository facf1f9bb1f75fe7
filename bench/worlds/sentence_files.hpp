// Sentences that people wrote, in plain files, and the words that replace names in braces.
//
// A line is a sentence, or a few that belong together. "# Tomatoes" begins a subject, whose lines can be read in their
// order with any of them left out. "{month}" is one of the months of the lists, and "{tea|coffee}" one of the two.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/random_stream.hpp"

namespace inkling::bench {

/// Lifetime: lends the text, here and below.
struct Subject {
  std::string_view heading;
  std::vector<std::string_view> sentences;
};

/// The words that can replace a name in braces.
struct WordChoice {
  std::vector<std::string_view> words;
  bool anew = false;  ///< drawn at each use, and not once for a message
};

/// Lists of words by name, from lines such as "month = March | April", after a line "# Drawn once for a message" or
/// "# Drawn anew each time". Thread safety: const after construction.
class WordLists {
 public:
  explicit WordLists(std::string_view text);

  /// Requires: a list has the name. Lifetime: lends this object.
  [[nodiscard]] const WordChoice& of(std::string_view name) const { return lists_.at(name); }

 private:
  std::map<std::string_view, WordChoice> lists_;
};

/// The subjects of a text. Requires: it begins with a heading.
[[nodiscard]] std::vector<Subject> read_subjects(std::string_view text);

/// The words of one message: what was drawn once for it stays. Lifetime: lends the lists.
class MessageWords {
 public:
  explicit MessageWords(const WordLists& lists) : lists_(&lists) {}

  /// The sentence with all braces filled and a capital at its start. Requires: the lists have what is
  /// named in braces.
  [[nodiscard]] std::string filled(std::string_view sentence, RandomStream& random);

 private:
  std::string_view word_for(std::string_view name, RandomStream& random);

  const WordLists* lists_;
  std::map<std::string_view, std::string_view> drawn_;
};

}  // namespace inkling::bench
