#include "io/doors/screen/search_pages.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/doors/screen/pool_words.hpp"

namespace inkling {
namespace {

// The most words that the list shows. Tinted words are marked, or have at least a small share of the largest weight.
constexpr std::size_t kMostKnownWords = 1'000;
constexpr double kLeastShareTinted = 0.1;  // of the largest weight

std::optional<double> rating_of_key(const Key& key) {
  if (key.is('y')) return 1.0;
  if (key.is('n')) return 0.0;
  constexpr double step = 0.25;
  for (const char grade : {'1', '2', '3', '4', '5'})
    if (key.is(grade)) return step * (grade - '1');
  return std::nullopt;
}

bool is_page_down(const Key& key) { return key.kind == Key::Kind::page_down || key.is(' '); }
bool is_page_up(const Key& key) { return key.kind == Key::Kind::page_up || key.is('b'); }

}  // namespace

SearchPages::SearchPages(SearchService& service, std::string name)
    : service_(service), pool_(service.pool().pool()), name_(std::move(name)) {
  press(Key{});
}

// The document that is shown: the opened one, or the one on offer.
const std::optional<WhyAnswer>& SearchPages::shown() const { return opened_ ? opened_ : state_.next.why; }

std::optional<DocumentId> SearchPages::document() const { return shown() ? std::optional(shown()->why.document) : std::nullopt; }

void SearchPages::press(const Key& key) {
  if (key.kind == Key::Kind::redraw) return;
  if (view_ == View::document && !is_stale_ && scroll(key)) return;
  drawn_.reset();
  message_ = {};
  try {
    dispatch(key);
  } catch (const CorruptFileError&) {
    throw;
  } catch (const FormatError& error) {
    fail(error.what());
  } catch (const SystemError& error) {
    fail(fmt::format("{}. This was not kept; the search is unchanged.", error.what()));
  }
}

void SearchPages::dispatch(const Key& key) {
  if (key.kind == Key::Kind::end_of_input) {
    has_ended_ = true;
    return;
  }
  if (is_stale_) refresh();
  switch (view_) {
    case View::document: return press_on_document(key);
    case View::choosing: return press_in_chooser(key);
    case View::asking: return press_in_question(key);
    case View::learned:
    case View::list: return press_on_list(key);
    case View::why:
    case View::history:
    case View::progress:
    case View::keys: return press_beside_documents(key);
  }
}

// If the offer cannot be kept, the next key tries again.
void SearchPages::refresh() {
  is_stale_ = true;
  state_ = service_.state();
  query_.clear();
  for (const SaidWord& word : service_.query()) query_[word.feature] = leaning(word);
  learned_ = service_.words(kMostKnownWords, false).words;
  known_.clear();
  const double most = learned_.empty() ? 0.0 : std::fabs(learned_.front().weight);
  for (const LearnedWord& word : learned_)
    if (word.said || std::fabs(word.weight) >= kLeastShareTinted * most) known_[word.feature] = word;
  is_stale_ = false;
}

std::int64_t SearchPages::change(const SearchRequest& request) {
  const std::int64_t sequence = service_.change(request).sequence;
  is_stale_ = true;
  return sequence;
}

void SearchPages::show_changed(std::string text) {
  show(std::move(text));
  refresh();
}

void SearchPages::show_view(View view) {
  view_ = view;
  first_ = cursor_ = 0;
}

void SearchPages::leave_document() {
  opened_.reset();
  pending_.clear();
  pending_tags_.reset();
  show_view(View::document);
}

void SearchPages::press_on_document(const Key& key) {
  if (scroll(key) || key.kind == Key::Kind::other) return;
  if (const std::optional<double> rating = rating_of_key(key)) return rate(*rating);
  if (key.kind == Key::Kind::escape && opened_) return leave_document();
  if (key.is('s')) return skip(false);
  if (key.is('g') && !service_.aim().shared.empty() && !opened_ && state_.next.offer) return skip(true);
  if (key.is('w')) return choose_words();
  if (key.is('k')) return choose_query();
  if (key.is('W')) return choose_words_of_last();
  if (key.is('#') && document()) return ask(Question::tags);
  if (key.is('q')) {
    has_ended_ = true;
    return;
  }
  if (key.kind == Key::Kind::character && press_anywhere(key.text.front())) return;
  if (key.kind == Key::Kind::pasted) return fail("What was pasted is no key: w chooses words, ? shows the keys.");
  if (key.kind == Key::Kind::character) fail("No such key: ? shows the keys.");
}

bool SearchPages::press_anywhere(char key) {
  const auto* const list = std::ranges::find(kListPages, key, &ListPage::key);
  if (list != std::ranges::end(kListPages)) {
    list_ = list;
    show_list();
    return true;
  }
  switch (key) {
    case 'u': undo(); return true;
    case 'r': redo(); return true;
    case 'e': show_view(View::why); return true;
    case 'l': show_view(View::learned); return true;
    case 'h': show_view(View::history); return true;
    case 'p': show_view(View::progress); return true;
    case '?': show_view(View::keys); return true;
    case 'a': ask(Question::sample); return true;
    case 'i': ask(Question::aim); return true;
    case 't': ask(Question::rule); return true;
    case 'm':
    case 'o': ask(Question::note); return true;
    case 'g':
    case '/': ask(Question::document); return true;
    default: return false;
  }
}

void SearchPages::press_beside_documents(const Key& key) {
  if (scroll(key)) return;
  if (key.kind == Key::Kind::character && press_anywhere(key.text.front())) return;
  show_view(View::document);
}

void SearchPages::press_on_list(const Key& key) {
  const bool is_learned = view_ == View::learned;
  if (move_cursor(key, is_learned ? learned_.size() : listed_.documents.size())) return;
  if (is_learned && (key.is('x') || key.kind == Key::Kind::remove)) return forget_word();
  if (is_learned && (key.is('+') || key.is('-'))) return rate_learned_word(key.is('+') ? 1.0 : -1.0);
  if (!is_learned && list_->verb == SearchVerb::copies && key.is('x')) return separate();
  if (!is_learned && key.kind == Key::Kind::enter) {
    if (cursor_ < listed_.documents.size()) open(listed_.documents[cursor_].document);
    return;
  }
  press_beside_documents(key);
}

bool SearchPages::scroll(const Key& key) {
  const std::size_t step = rows_ > 2 ? rows_ - 1 : 1;
  if (is_page_down(key))
    first_ += step;
  else if (is_page_up(key))
    first_ -= std::min(first_, step);
  else if (key.kind == Key::Kind::down)
    ++first_;
  else if (key.kind == Key::Kind::up)
    first_ -= std::min<std::size_t>(first_, 1);
  else if (key.kind == Key::Kind::home)
    first_ = 0;
  else if (key.kind == Key::Kind::end)
    first_ = SIZE_MAX / 2;
  else if (key.kind == Key::Kind::tab && view_ == View::document)
    go_to_known_word();
  else
    return false;
  return true;
}

// The next line with a word that the search knows, from the top again after the last one.
void SearchPages::go_to_known_word() {
  if (!drawn_) return;
  const std::vector<StyledLine>& lines = drawn_->body;
  const auto is_known = [](const StyledPiece& piece) { return piece.look >= Look::speaks_for; };
  const auto has_known = [&](const StyledLine& line) { return std::ranges::any_of(line, is_known); };
  const bool at_end = first_ + rows_ >= lines.size();
  const auto from = lines.begin() + static_cast<std::ptrdiff_t>(at_end ? 0 : first_ + 1);
  const auto next = std::find_if(from, lines.end(), has_known);
  const auto found = next != lines.end() ? next : std::find_if(lines.begin(), lines.end(), has_known);
  if (found != lines.end()) first_ = static_cast<std::size_t>(found - lines.begin());
}

bool SearchPages::move_cursor(const Key& key, std::size_t lines) {
  first_ = cursor_;
  if (!scroll(key)) return false;
  cursor_ = lines == 0 ? 0 : std::min(first_, lines - 1);
  return true;
}

// Note and tags stay when a document is rated again.
void SearchPages::rate(double reward) {
  if (!shown()) return fail("Every document is rated: u takes a rating back, g opens a document.");
  const WhyAnswer& rated = *shown();
  SearchRequest request = {.verb = SearchVerb::rate, .reward = reward, .words = words_of(rated, pending_)};
  if (opened_) request.document = rated.why.document;
  if (rated.rated) request.note = rated.rated->note;
  if (pending_tags_)
    request.tags = *pending_tags_;
  else if (rated.rated)
    request.tags = rated.rated->tags;
  const std::int64_t standstills = state_.progress.standstills;
  const std::int64_t sequence = change(request);
  leave_document();
  std::string kept = fmt::format("Kept {}. u takes it back.", described(sequence));
  refresh();
  show(kept + advice_after(standstills, request.words.empty()));
}

// Advice for a search that has just begun, or that finds nothing good.
std::string SearchPages::advice_after(std::int64_t standstills_before, bool has_no_words) const {
  const SearchProgress& now = state_.progress;
  if (now.standstills > standstills_before) return " Several in a row were not it: k takes two more words that you look for.";
  const bool is_first_good = now.good == 1 && now.without_good == 0;
  return is_first_good && has_no_words ? " W says which of its words made it good." : "";
}

void SearchPages::skip(bool hand_on) {
  if (opened_ || !state_.next.offer) return leave_document();
  const std::int64_t sequence = change({.verb = SearchVerb::skip, .hand_on = hand_on});
  const bool loses_words = !pending_.empty() || pending_tags_;
  leave_document();
  show_changed(fmt::format("Kept {}.{}", described(sequence), loses_words ? " What was chosen for it was dropped." : ""));
}

void SearchPages::separate() {
  if (cursor_ >= listed_.documents.size()) return;
  const std::int64_t sequence = change({.verb = SearchVerb::separate, .document = listed_.documents[cursor_].document});
  const std::size_t cursor = cursor_;
  show_list();
  cursor_ = cursor;
  show_changed(fmt::format("Kept {}. u takes it back.", described(sequence)));
}

void SearchPages::show_list() {
  constexpr std::int64_t all = 1'000'000;
  listed_ = std::get<DocumentsAnswer>(service_.answer({.verb = list_->verb, .count = all}));
  show_view(View::list);
}

void SearchPages::undo() {
  if (shown() && !pending_.empty() && pending_ != marks_given(*shown())) {
    pending_ = marks_given(*shown());
    return show("Took back the words chosen for this document.");
  }
  if (!state_.undo) return fail("There is nothing to take back.");
  const std::string said = described(*state_.undo);
  (void)change({.verb = SearchVerb::undo});
  leave_document();
  show_changed(fmt::format("Took back {}. r brings it back.", said));
}

void SearchPages::redo() {
  if (!state_.redo) return fail("There is nothing to bring back.");
  const std::string said = described(*state_.redo);
  (void)change({.verb = SearchVerb::redo});
  leave_document();
  show_changed(fmt::format("Brought back {}.", said));
}

void SearchPages::open(DocumentId document) {
  WhyAnswer opened = service_.why(document);
  leave_document();
  if (state_.next.offer && state_.next.offer->document == document) return;
  pending_ = marks_given(opened);
  opened_ = std::move(opened);
}

void SearchPages::ask(Question question) {
  question_ = question;
  typed_.clear();
  show_view(View::asking);
}

void SearchPages::press_in_question(const Key& key) {
  if (key.kind == Key::Kind::enter) return answer_question();
  if (key.kind == Key::Kind::escape) return show_view(View::document);
  if (key.kind == Key::Kind::backspace) return drop_last_character(typed_);
  if (key.kind == Key::Kind::character || key.kind == Key::Kind::pasted) typed_ += key.text;
}

void SearchPages::answer_question() {
  const std::string typed = std::exchange(typed_, {});
  switch (question_) {
    case Question::document: return go_to(typed);
    case Question::sample: return draw(typed);
    case Question::note:
      return typed.empty() ? show_view(View::document) : change_beside({.verb = SearchVerb::note, .note = typed});
    case Question::tags: return take_tags(tags_typed(typed));
    case Question::aim: return change_beside({.verb = SearchVerb::aim, .question = typed});
    case Question::rule: return change_beside({.verb = SearchVerb::aim, .rule = rule_typed(typed)});
  }
}

void SearchPages::take_tags(std::vector<std::string> tags) {
  if (const std::optional<std::string> rule = broken_rule_of_tags(tags)) return fail("Expected " + *rule + ".");
  show_view(View::document);
  show(tags.empty() ? std::string("It has no tags.")
                    : fmt::format("These tags go with the rating of this document: {}.", joined_tags(tags)));
  pending_tags_ = std::move(tags);
}

void SearchPages::go_to(const std::string& typed) {
  if (typed.empty()) return show_view(View::document);
  open(document_typed(pool_, typed));
}

void SearchPages::draw(const std::string& typed) {
  const std::int64_t most = pool_.view().documents();
  const std::optional<std::int64_t> count = typed.empty() ? usual_sample() : parse_integer(typed);
  if (!count || *count < 1 || *count > most)
    return fail(fmt::format("Expected how many documents are to be drawn, from 1 to {}.", digit_groups(most)));
  const std::int64_t sequence = change({.verb = SearchVerb::sample, .count = *count});
  leave_document();
  show_changed(fmt::format("Kept {}. They come next; u takes it back.", described(sequence)));
}

void SearchPages::change_beside(const SearchRequest& request) {
  const std::int64_t sequence = change(request);
  show_view(View::document);
  show_changed(fmt::format("Kept {}.", described(sequence)));
}

}  // namespace inkling
