// Choosing the words of a document that speak for it or against it, by picking or by typing.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/doors/screen/document_page.hpp"
#include "io/doors/screen/key.hpp"
#include "io/doors/screen/page.hpp"

namespace inkling {

/// Marks of words: 1 where the word speaks for a document, -1 where it speaks against it, or in between.
using WordMarks = std::map<FeatureId, double>;

/// These marks as words of a document: a word that speaks for it is a mark, one that speaks against it is rated -1.
[[nodiscard]] std::vector<SaidWord> said_in_document(const WordMarks& marks);
/// These marks as words apart from documents: each is rated 1 or -1.
[[nodiscard]] std::vector<SaidWord> said_apart(const WordMarks& marks);

/// What a pool knows of words that are typed.
struct WordLookUp {
  /// The word of the pool that a text means, by the rules that found the words of the documents.
  std::function<std::optional<FeatureId>(std::string_view typed)> find;
  /// The word as a terminal may show it.
  std::function<std::string(FeatureId)> name;
};

/// Removes the last character of a typed line in UTF-8, as backspace does.
void drop_last_character(std::string& text);

/// A list of words with a cursor, and a line to type in. Thread safety: none.
class WordChooser {
 public:
  enum class Outcome { pending, done, cancelled };

  /// The words in the order in which they are listed.
  WordChooser(std::string title, std::vector<DocumentWord> words, WordMarks marks, WordLookUp look_up);

  [[nodiscard]] Outcome press(const Key& key);

  [[nodiscard]] const WordMarks& marks() const { return marks_; }
  /// What was wrong with what was typed; empty where nothing was.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  [[nodiscard]] Page page(PageSize size) const;

 private:
  [[nodiscard]] std::vector<std::size_t> listed() const;
  [[nodiscard]] std::optional<std::size_t> under_cursor() const;
  [[nodiscard]] std::optional<std::size_t> begun_by(std::string_view typed) const;
  [[nodiscard]] StyledLine line_of(std::size_t number, const DocumentWord& word, bool is_chosen) const;
  [[nodiscard]] std::optional<FeatureId> meant_by(std::string_view typed) const;
  [[nodiscard]] Outcome enter();
  void press_character(const std::string& character);
  void move(std::ptrdiff_t by);
  void toggle();
  void complete();
  bool take_all(std::string_view typed);

  std::string title_;
  std::vector<DocumentWord> words_;
  WordMarks marks_;
  WordLookUp look_up_;
  std::string typed_;
  std::string problem_;
  std::size_t cursor_ = 0;  // in what is listed
};

}  // namespace inkling
