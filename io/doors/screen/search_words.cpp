// How the words of a document, and those that are looked for, are chosen and told to the search.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/doors/screen/pool_words.hpp"
#include "io/doors/screen/search_pages.hpp"

namespace inkling {
namespace {

bool has_all_of(const WordMarks& chosen, const WordMarks& before) {
  return std::ranges::all_of(before, [&](const auto& mark) { return chosen.contains(mark.first); });
}

// Those that are new, or speak otherwise than before.
WordMarks changed_marks(const WordMarks& before, WordMarks chosen) {
  std::erase_if(chosen, [&](const auto& mark) {
    const auto old = before.find(mark.first);
    return old != before.end() && old->second == mark.second;
  });
  return chosen;
}

}  // namespace

// Note and tags stay when a document is rated again.
SearchRating SearchPages::rating_given(DocumentId document) const {
  SearchRating rating;
  for (const SearchStep& step : searcher_.history().steps()) {
    if (!step.is_rating() || step.document != document) continue;
    const SearchEvent& event = searcher_.history().at(step.sequence);
    rating = {.document = document,
              .reward = step.reward,
              .words = step.words,
              .note = event.note,
              .tags = event.tags};
  }
  return rating;
}

std::vector<SaidWord> SearchPages::words_given(DocumentId document) const {
  return rating_given(document).words;
}

// A word that speaks as it did before means what it meant.
std::vector<SaidWord> SearchPages::words_of(DocumentId document, const WordMarks& chosen) const {
  std::vector<SaidWord> words = said_in_document(chosen);
  for (const SaidWord& given : words_given(document)) {
    const auto found = std::ranges::find(words, given.feature, &SaidWord::feature);
    if (found != words.end() && leaning(*found) == leaning(given)) *found = given;
  }
  return words;
}

WordMarks SearchPages::marks_given(DocumentId document) const {
  WordMarks marks;
  for (const SaidWord& word : words_given(document)) marks[word.feature] = leaning(word);
  return marks;
}

void SearchPages::choose_words() {
  const std::optional<DocumentId> shown = document();
  if (!shown) return fail("There is no document here: g opens one, k chooses words to look for.");
  choose_for(Choosing::shown, "Words of " + document_heading(*shown, pool_.id(*shown)), pending_);
}

void SearchPages::choose_words_of_last() {
  if (rated_in_order_.empty()) return fail("No document is rated yet: w chooses words of this one.");
  const DocumentId last = rated_in_order_.back();
  choose_for(Choosing::rated, "Words of the one rated last, " + document_heading(last, pool_.id(last)),
             marks_given(last));
}

void SearchPages::choose_query() {
  choose_for(Choosing::query, "Words to look for, in any document", query_);
}

void SearchPages::choose_for(Choosing what, const std::string& title, const WordMarks& marks) {
  choosing_ = what;
  const auto look = [this](FeatureId feature) { return look_of_word(feature); };
  const auto words = [&] {
    if (what == Choosing::query) return words_of_query();
    return words_of_document(pool_, what == Choosing::shown ? *document() : rated_in_order_.back(), look);
  };
  chooser_.emplace(title, words(), marks, word_look_up(pool_));
  show_view(View::choosing);
}

// Those that are looked for, and then those that matter most by what was learned.
std::vector<DocumentWord> SearchPages::words_of_query() const {
  constexpr std::size_t most = 200;
  std::vector<DocumentWord> words;
  words.reserve(most + query_.size());
  for (const bool is_of_query : {true, false}) {
    for (const LearnedWord& word : learned_) {
      if (query_.contains(word.feature) != is_of_query || words.size() >= most) continue;
      words.push_back(
          {word.feature, word_shown(pool_, word.feature), word.weight, look_of_word(word.feature)});
    }
  }
  return words;
}

void SearchPages::press_in_chooser(const Key& key) {
  switch (chooser_->press(key)) {
    case WordChooser::Outcome::going_on:
      if (!chooser_->problem().empty()) fail(chooser_->problem());
      return;
    case WordChooser::Outcome::cancelled:
      break;
    case WordChooser::Outcome::done:
      take_chosen();
      break;
  }
  chooser_.reset();
  show_view(View::document);
}

// Marks of the document that is shown wait for its rating; all others are told now.
void SearchPages::take_chosen() {
  const WordMarks chosen = chooser_->marks();
  switch (choosing_) {
    case Choosing::shown:
      pending_ = chosen;
      if (!pending_.empty()) tell("These words go with the rating of this document.");
      return;
    case Choosing::rated:
      return take_words_of_last(chosen);
    case Choosing::query:
      return take_query(chosen);
  }
}

void SearchPages::take_words_of_last(const WordMarks& chosen) {
  const DocumentId document = rated_in_order_.back();
  const WordMarks before = marks_given(document);
  if (chosen == before) return;
  const std::int64_t sequence =
      has_all_of(chosen, before)
          ? searcher_.mark(document, said_in_document(changed_marks(before, chosen)))
          : searcher_.rate({document, ratings_.at(document), words_of(document, chosen), {}});
  pending_.clear();
  tell_answered(fmt::format("Kept {}. u takes it back.", described(sequence)));
}

// A word that was taken out of the list is forgotten wherever it was said.
void SearchPages::take_query(const WordMarks& chosen) {
  std::vector<std::string> kept;
  kept.reserve(query_.size() + 1);
  const WordMarks before = query_;
  for (const auto& [feature, rate] : before) {
    if (chosen.contains(feature)) continue;
    kept.push_back(described(searcher_.unmark(feature)));
    is_stale_ = true;
  }
  if (const WordMarks changed = changed_marks(before, chosen); !changed.empty())
    kept.push_back(described(searcher_.rate_words(said_apart(changed))));
  if (kept.empty()) return;
  leave_document();
  tell_answered(fmt::format("Kept {}. u takes it back.", fmt::join(kept, ", ")));
}

void SearchPages::forget_word() {
  if (cursor_ >= learned_.size()) return;
  const LearnedWord word = learned_[cursor_];
  if (!word.said) return fail(word_shown(pool_, word.feature) + " was not marked.");
  tell_of_learned_word(searcher_.unmark(word.feature));
}

void SearchPages::rate_learned_word(double rate) {
  if (cursor_ >= learned_.size()) return;
  const SaidWord word = {.feature = learned_[cursor_].feature, .reward = rate};
  tell_of_learned_word(searcher_.rate_words({&word, 1}));
}

void SearchPages::tell_of_learned_word(std::int64_t sequence) {
  tell_answered(fmt::format("Kept {}. u takes it back.", described(sequence)));
  cursor_ = std::min(cursor_, learned_.empty() ? 0 : learned_.size() - 1);
}

}  // namespace inkling
