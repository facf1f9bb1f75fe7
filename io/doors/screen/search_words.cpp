// How the words of a document, and those that are looked for, are chosen and sent to the search.
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

// The marks that are new, or have another value than before.
WordMarks changed_marks(const WordMarks& before, WordMarks chosen) {
  std::erase_if(chosen, [&](const auto& mark) {
    const auto old = before.find(mark.first);
    return old != before.end() && old->second == mark.second;
  });
  return chosen;
}

std::vector<SaidWord> words_given(const WhyAnswer& document) {
  return document.rated ? document.rated->words : std::vector<SaidWord>();
}

}  // namespace

WordMarks marks_given(const WhyAnswer& document) {
  WordMarks marks;
  for (const SaidWord& word : words_given(document)) marks[word.feature] = leaning(word);
  return marks;
}

// A word whose mark did not change keeps what was said of it.
std::vector<SaidWord> words_of(const WhyAnswer& document, const WordMarks& chosen) {
  std::vector<SaidWord> words = said_in_document(chosen);
  for (const SaidWord& given : words_given(document)) {
    const auto found = std::ranges::find(words, given.feature, &SaidWord::feature);
    if (found != words.end() && leaning(*found) == leaning(given)) *found = given;
  }
  return words;
}

void SearchPages::choose_words() {
  const std::optional<DocumentId> shown = document();
  if (!shown) return fail("There is no document here: g opens one, k chooses words to look for.");
  choose_for(Choosing::shown, "Words of " + document_heading(*shown, pool_.id(*shown)), pending_);
}

void SearchPages::choose_words_of_last() {
  const std::optional<DocumentId> last = service_.rated_last();
  if (!last) return fail("No document is rated yet: w chooses words of this one.");
  choose_for(Choosing::rated, "Words of the one rated last, " + document_heading(*last, pool_.id(*last)),
             marks_given(service_.why(last)));
}

void SearchPages::choose_query() { choose_for(Choosing::query, "Words to look for, in any document", query_); }

void SearchPages::choose_for(Choosing what, const std::string& title, const WordMarks& marks) {
  choosing_ = what;
  const auto look = [this](FeatureId feature) { return look_of_word(feature); };
  const auto words = [&] {
    if (what == Choosing::query) return words_of_query();
    return words_of_document(pool_, what == Choosing::shown ? *document() : *service_.rated_last(), look);
  };
  chooser_.emplace(title, words(), marks, word_look_up(pool_));
  show_view(View::choosing);
}

// The words that are looked for, then those that matter most by what was learned.
std::vector<DocumentWord> SearchPages::words_of_query() const {
  constexpr std::size_t most = 200;
  std::vector<DocumentWord> words;
  words.reserve(most + query_.size());
  for (const bool is_of_query : {true, false}) {
    for (const LearnedWord& word : learned_) {
      if (query_.contains(word.feature) != is_of_query || words.size() >= most) continue;
      words.push_back({word.feature, word_shown(pool_, word.feature), word.weight, look_of_word(word.feature)});
    }
  }
  return words;
}

void SearchPages::press_in_chooser(const Key& key) {
  switch (chooser_->press(key)) {
    case WordChooser::Outcome::pending:
      if (!chooser_->problem().empty()) fail(chooser_->problem());
      return;
    case WordChooser::Outcome::cancelled: break;
    case WordChooser::Outcome::done: take_chosen(); break;
  }
  chooser_.reset();
  show_view(View::document);
}

// Marks of the document that is shown go with its rating; all others are sent at once.
void SearchPages::take_chosen() {
  const WordMarks chosen = chooser_->marks();
  switch (choosing_) {
    case Choosing::shown:
      pending_ = chosen;
      if (!pending_.empty()) show("These words go with the rating of this document.");
      return;
    case Choosing::rated: return take_words_of_last(chosen);
    case Choosing::query: return take_query(chosen);
  }
}

void SearchPages::take_words_of_last(const WordMarks& chosen) {
  const WhyAnswer last = service_.why(service_.rated_last());
  const WordMarks before = marks_given(last);
  if (chosen == before || !last.rated) return;
  SearchRequest request = {.verb = SearchVerb::mark, .document = last.why.document};
  if (has_all_of(chosen, before)) {
    request.words = said_in_document(changed_marks(before, chosen));
  } else {
    request.verb = SearchVerb::rate;
    request.reward = last.rated->reward;
    request.words = words_of(last, chosen);
    request.note = last.rated->note;
    request.tags = last.rated->tags;
  }
  const std::int64_t sequence = change(request);
  pending_.clear();
  show_changed(fmt::format("Kept {}. u takes it back.", described(sequence)));
}

// A word that was taken out of the list is forgotten wherever it was said.
void SearchPages::take_query(const WordMarks& chosen) {
  std::vector<std::string> kept;
  kept.reserve(query_.size() + 1);
  const WordMarks before = query_;
  for (const auto& [feature, rate] : before)
    if (!chosen.contains(feature)) kept.push_back(described(change({.verb = SearchVerb::unmark, .feature = feature})));
  if (const WordMarks changed = changed_marks(before, chosen); !changed.empty())
    kept.push_back(described(change({.verb = SearchVerb::query, .words = said_apart(changed)})));
  if (kept.empty()) return;
  leave_document();
  show_changed(fmt::format("Kept {}. u takes it back.", fmt::join(kept, ", ")));
}

void SearchPages::forget_word() {
  if (cursor_ >= learned_.size()) return;
  const LearnedWord& word = learned_[cursor_];
  if (!word.said) return fail(word_shown(pool_, word.feature) + " was not marked.");
  change_learned_word({.verb = SearchVerb::unmark, .feature = word.feature});
}

void SearchPages::rate_learned_word(double rate) {
  if (cursor_ >= learned_.size()) return;
  change_learned_word({.verb = SearchVerb::query, .words = {{.feature = learned_[cursor_].feature, .reward = rate}}});
}

void SearchPages::change_learned_word(const SearchRequest& request) {
  const std::int64_t sequence = change(request);
  show_changed(fmt::format("Kept {}. u takes it back.", described(sequence)));
  cursor_ = std::min(cursor_, learned_.empty() ? 0 : learned_.size() - 1);
}

}  // namespace inkling
