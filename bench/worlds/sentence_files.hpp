// Sentences that people wrote, in plain files, and the words that stand in for what is in braces.
//
// A line is a sentence, or a few that belong together. "# Tomatoes" begins a subject, whose lines can be read in their
// order with any of them left out. "{month}" is one of the months of the lists, and "{tea|coffee}" one of the two.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/worlds/demo_files.hpp"
#include "engine/core/random_stream.hpp"

namespace inkling::bench {

/// Lifetime: lends the file's text, here and below.
struct Subject {
  std::string_view heading;
  std::vector<std::string_view> sentences;
};

/// What can stand in for a name in braces.
struct WordChoice {
  std::vector<std::string_view> words;
  bool anew = false;  ///< drawn each time that it is named, and not once for a message
};

/// Lists of words by name, from lines such as "month = March | April", after a line "# Drawn once for a message" or
/// "# Drawn anew each time". Thread safety: const after construction.
class WordLists {
 public:
  /// Throws FormatError where a line is neither a list of words nor a heading nor empty.
  explicit WordLists(const TextFile& file);

  /// Null where no list has the name. Lifetime: lends this object.
  [[nodiscard]] const WordChoice* find(std::string_view name) const;

 private:
  std::map<std::string_view, WordChoice, std::less<>> lists_;
};

/// The subjects of a file. Throws FormatError for a sentence before the first heading, a subject without sentences, a
/// sentence that does not end with a full stop, a question mark or an exclamation mark, and for braces that
/// `lists` cannot fill.
[[nodiscard]] std::vector<Subject> read_subjects(const TextFile& file, const WordLists& lists);

/// The words of one message: what was drawn once for it stays. Lifetime: lends the lists.
class MessageWords {
 public:
  explicit MessageWords(const WordLists& lists) : lists_(&lists) {}

  /// The sentence with all braces filled and a capital at its start. Requires: of `read_subjects` with these lists.
  [[nodiscard]] std::string filled(std::string_view sentence, RandomStream& random);

 private:
  std::string_view word_for(std::string_view name, RandomStream& random);

  const WordLists* lists_;
  std::map<std::string_view, std::string_view> drawn_;
};

}  // namespace inkling::bench
