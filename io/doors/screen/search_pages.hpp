// What a search shows and what each key does: all of the screen except the terminal itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/doors/screen/document_page.hpp"
#include "io/doors/screen/key.hpp"
#include "io/doors/screen/page.hpp"
#include "io/doors/screen/report_pages.hpp"
#include "io/doors/screen/word_chooser.hpp"
#include "io/search/service/search_service.hpp"

namespace inkling {

/// Lifetime: lends the service. Thread safety: none.
class SearchPages {
 public:
  SearchPages(SearchService& service, std::string name);

  /// Does what the key means on the current page. A mistake of the person, or a failure to keep an answer, becomes a message on
  /// the page and leaves the search unchanged. Other exceptions are passed on.
  void press(const Key& key);

  /// The screen of this size, now.
  [[nodiscard]] std::vector<StyledLine> screen(PageSize size);
  /// The whole page, however long, for a terminal that cannot scroll in it.
  [[nodiscard]] std::vector<StyledLine> whole(std::size_t columns);

  /// The person asked to quit.
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  /// Whether keys are now the letters of a word or a number.
  [[nodiscard]] bool is_typing() const { return view_ == View::choosing || view_ == View::asking; }
  /// Words are being chosen.
  [[nodiscard]] bool is_choosing() const { return view_ == View::choosing; }
  /// The last key did not do what it should.
  [[nodiscard]] bool went_wrong() const { return message_.look == Look::warning; }
  /// Changes with the document that is shown.
  [[nodiscard]] std::optional<DocumentId> document() const;

 private:
  enum class View { document, choosing, asking, why, learned, list, history, progress, keys };
  enum class Question { document, sample, aim, rule, note, tags };
  enum class Choosing { shown, rated, query };  ///< words of a document, or those that are looked for

  void dispatch(const Key& key);
  void press_beside_documents(const Key& key);
  void press_on_document(const Key& key);
  [[nodiscard]] bool press_anywhere(char key);
  void press_on_list(const Key& key);
  void press_in_chooser(const Key& key);
  void press_in_question(const Key& key);
  [[nodiscard]] bool scroll(const Key& key);
  void go_to_known_word();
  [[nodiscard]] bool move_cursor(const Key& key, std::size_t lines);
  void show_view(View view);

  void rate(double reward);
  [[nodiscard]] std::string advice_after(std::int64_t standstills_before, bool has_no_words) const;
  void skip(bool hand_on);
  void separate();
  void show_list();
  void undo();
  void redo();
  void choose_words();
  void choose_words_of_last();
  void choose_query();
  void choose_for(Choosing what, const std::string& title, const WordMarks& marks);
  void take_chosen();
  void take_words_of_last(const WordMarks& chosen);
  void take_query(const WordMarks& chosen);
  void forget_word();
  void rate_learned_word(double rate);
  void change_learned_word(const SearchRequest& request);
  [[nodiscard]] std::vector<DocumentWord> words_of_query() const;
  void open(DocumentId document);
  void ask(Question question);
  void answer_question();
  void take_tags(std::vector<std::string> tags);
  void go_to(const std::string& typed);
  void draw(const std::string& typed);
  /// What Enter alone draws.
  [[nodiscard]] std::int64_t usual_sample() const { return std::min<std::int64_t>(20, pool_.view().documents()); }
  /// Does what the request says. Returns the number of its first event.
  std::int64_t change(const SearchRequest& request);
  /// The same while a document stays on the page.
  void change_beside(const SearchRequest& request);
  void leave_document();
  void refresh();
  void fail(std::string problem) { message_ = {std::move(problem), Look::warning}; }
  /// After a change: shows the search as it is now, and this message.
  void show_changed(std::string text);
  void show(std::string text) { message_ = {std::move(text), Look::quiet}; }

  [[nodiscard]] std::string described(std::int64_t sequence) const;
  [[nodiscard]] std::string words_shown(const std::vector<SaidWord>& words) const;
  [[nodiscard]] Look look_of_word(FeatureId feature) const;
  [[nodiscard]] const std::optional<WhyAnswer>& shown() const;
  [[nodiscard]] Page page(PageSize size) const;
  [[nodiscard]] Page page_of_document(const WhyAnswer& shown, PageSize size) const;
  [[nodiscard]] Page page_of_question(PageSize size) const;
  [[nodiscard]] Page page_of_nothing(PageSize size) const;
  [[nodiscard]] Page page_of_list(PageSize size) const;
  [[nodiscard]] std::vector<HistoryLine> history_lines() const;
  [[nodiscard]] std::vector<StyledLine> bottom_of_document(PageSize size) const;

  SearchService& service_;
  const Pool& pool_;
  std::string name_;
  View view_ = View::document;
  bool has_ended_ = false;
  bool is_stale_ = true;  // `state_`, `query_` and `learned_` are not those after the last answer
  StyledPiece message_;
  std::optional<Page> drawn_;  // the page of the document as it was drawn last, for redrawing while only `place` changes
  PageSize drawn_size_;
  std::size_t first_ = 0;   // line of the body that is shown first
  std::size_t cursor_ = 0;  // in a list
  std::size_t rows_ = 1;    // of the body, as it was shown last

  std::optional<WhyAnswer> opened_;                       // a document that the person opened, in place of the one on offer
  WordMarks pending_;                                     // that go with the next rating of the document that is shown
  std::optional<std::vector<std::string>> pending_tags_;  // that go with it, too, in place of those given before
  std::optional<WordChooser> chooser_;
  Choosing choosing_ = Choosing::shown;
  Question question_ = Question::document;
  std::string typed_;

  const ListPage* list_ = nullptr;  // what View::list shows
  DocumentsAnswer listed_;

  StateAnswer state_;
  WordMarks query_;  // the words that are rated apart from documents
  std::map<FeatureId, LearnedWord> known_;
  std::vector<LearnedWord> learned_;
};

/// The words of a document's rating, if it is rated, as marks.
[[nodiscard]] WordMarks marks_given(const WhyAnswer& document);
/// These marks as words of a rating of the document.
[[nodiscard]] std::vector<SaidWord> words_of(const WhyAnswer& document, const WordMarks& chosen);

}  // namespace inkling
