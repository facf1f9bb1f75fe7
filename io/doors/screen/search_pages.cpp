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

// So many words the list shows at most; tinted are those that are marked, or whose weight is not next to nothing.
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

SearchPages::SearchPages(Searcher& searcher, const Pool& pool, std::string name)
    : searcher_(searcher), pool_(pool), name_(std::move(name)) {
  press(Key{});
}

std::optional<DocumentId> SearchPages::document() const {
  if (opened_) return opened_;
  return offer_ ? std::optional(offer_->document) : std::nullopt;
}

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
    fail(fmt::format("{}. This was not kept, and the search stands where it stood.", error.what()));
  }
}

void SearchPages::dispatch(const Key& key) {
  if (key.kind == Key::Kind::end_of_input) {
    has_ended_ = true;
    return;
  }
  if (is_stale_) refresh();
  switch (view_) {
    case View::document:
      return press_on_document(key);
    case View::choosing:
      return press_in_chooser(key);
    case View::asking:
      return press_in_question(key);
    case View::learned:
    case View::found:
      return press_on_list(key);
    case View::why:
    case View::progress:
    case View::keys:
      return press_beside_documents(key);
  }
}

// What the answers so far come to. Where the offer cannot be kept, the next key tries again.
void SearchPages::refresh() {
  is_stale_ = true;
  ratings_.clear();
  rated_in_order_.clear();
  query_.clear();
  for (const SearchStep& step : searcher_.history().steps()) {
    if (step.kind == StepKind::words)
      for (const SaidWord& word : step.words) query_[word.feature] = leaning(word);
    if (!step.is_rating()) continue;
    ratings_[step.document] = step.reward;
    rated_in_order_.push_back(step.document);
  }
  offer_ = searcher_.next();
  learned_ = searcher_.words(kMostKnownWords);
  known_.clear();
  const double most = learned_.empty() ? 0.0 : std::fabs(learned_.front().weight);
  for (const LearnedWord& word : learned_)
    if (word.said || std::fabs(word.weight) >= kLeastShareTinted * most) known_[word.feature] = word;
  is_stale_ = false;
}

void SearchPages::tell_answered(std::string text) {
  is_stale_ = true;
  tell(std::move(text));
  refresh();
}

void SearchPages::fail(std::string problem) { message_ = {std::move(problem), Look::warning}; }

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
  if (key.is('s')) return skip();
  if (key.is('g') && searcher_.history().is_shared() && !opened_ && offer_)
    return leave_offer(searcher_.hand_on());
  if (key.is('w')) return choose_words();
  if (key.is('k')) return choose_query();
  if (key.is('W')) return choose_words_of_last();
  if (key.is('#') && document()) return ask(Question::tags);
  if (key.is('q')) {
    has_ended_ = true;
    return;
  }
  if (key.kind == Key::Kind::character && press_anywhere(key.text.front())) return;
  if (key.kind == Key::Kind::pasted)
    return fail("What was pasted is no key: w chooses words, ? shows the keys.");
  if (key.kind == Key::Kind::character) fail("No such key: ? shows the keys.");
}

bool SearchPages::press_anywhere(char key) {
  switch (key) {
    case 'u':
      undo();
      return true;
    case 'r':
      redo();
      return true;
    case 'e':
      show_view(View::why);
      return true;
    case 'l':
      show_view(View::learned);
      return true;
    case 'f':
      show_view(View::found);
      return true;
    case 'p':
      show_view(View::progress);
      return true;
    case '?':
      show_view(View::keys);
      return true;
    case 'a':
      ask(Question::sample);
      return true;
    case 'i':
      ask(Question::aim);
      return true;
    case 't':
      ask(Question::rule);
      return true;
    case 'm':
    case 'o':
      ask(Question::note);
      return true;
    case 'g':
    case '/':
      ask(Question::document);
      return true;
    default:
      return false;
  }
}

void SearchPages::press_beside_documents(const Key& key) {
  if (scroll(key)) return;
  if (key.kind == Key::Kind::character && press_anywhere(key.text.front())) return;
  show_view(View::document);
}

void SearchPages::press_on_list(const Key& key) {
  const bool is_learned = view_ == View::learned;
  if (move_cursor(key, is_learned ? learned_.size() : found().size())) return;
  if (is_learned && (key.is('x') || key.kind == Key::Kind::remove)) return forget_word();
  if (is_learned && (key.is('+') || key.is('-'))) return rate_learned_word(key.is('+') ? 1.0 : -1.0);
  if (!is_learned && key.kind == Key::Kind::enter) return open_found();
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

void SearchPages::rate(double reward) {
  const std::optional<DocumentId> rated = document();
  if (!rated) return fail("Every document is rated: u takes a rating back, g opens a document.");
  SearchRating rating = rating_given(*rated);
  rating.document = opened_;
  rating.reward = reward;
  rating.words = words_of(*rated, pending_);
  if (pending_tags_) rating.tags = *pending_tags_;
  const std::int64_t sequence = searcher_.rate(rating);
  is_stale_ = true;
  leave_document();
  std::string kept = fmt::format("Kept {}. u takes it back.", described(sequence));
  refresh();
  tell(kept + advice_after(reward, rating.words.empty()));
}

// What helps a search that has just begun, or does not get going.
std::string SearchPages::advice_after(double reward, bool has_no_words) const {
  const auto is_good = [this](DocumentId document) { return ratings_.at(document) >= kGoodRating; };
  if (reward >= kGoodRating)
    return has_no_words && std::ranges::count_if(rated_in_order_, is_good) == 1
               ? " W says which of its words made it good."
               : "";
  const auto last_good = std::find_if(rated_in_order_.rbegin(), rated_in_order_.rend(), is_good);
  const bool asks = stands_still(last_good - rated_in_order_.rbegin());
  return asks ? " Several in a row were not it: k takes two more words that you look for." : "";
}

void SearchPages::skip() {
  if (opened_ || !offer_) return leave_document();
  leave_offer(searcher_.skip());
}

void SearchPages::leave_offer(std::int64_t sequence) {
  const bool loses_words = !pending_.empty() || pending_tags_;
  leave_document();
  tell_answered(fmt::format("Kept {}.{}", described(sequence),
                            loses_words ? " What was chosen for it was dropped." : ""));
}

void SearchPages::undo() {
  const std::optional<DocumentId> shown = document();
  if (shown && !pending_.empty() && pending_ != marks_given(*shown)) {
    pending_ = marks_given(*shown);
    return tell("Took back the words chosen for this document.");
  }
  const std::vector<std::int64_t> last = searcher_.history().undoable(1);
  if (last.empty()) return fail("There is nothing to take back.");
  const std::string said = described(last.front());
  (void)searcher_.undo();
  leave_document();
  tell_answered(fmt::format("Took back {}. r brings it back.", said));
}

void SearchPages::redo() {
  const std::vector<std::int64_t> last = searcher_.history().redoable(1);
  if (last.empty()) return fail("There is nothing to bring back.");
  const std::string said = described(last.front());
  (void)searcher_.redo();
  leave_document();
  tell_answered(fmt::format("Brought back {}.", said));
}

void SearchPages::open_found() {
  const std::vector<FoundLine> all = found();
  if (cursor_ >= all.size()) return;
  const DocumentId chosen = all[cursor_].document;
  leave_document();
  opened_ = chosen;
  pending_ = marks_given(chosen);
}

void SearchPages::ask(Question question) {
  question_ = question;
  typed_.clear();
  show_view(View::asking);
}

void SearchPages::press_in_question(const Key& key) {
  switch (key.kind) {
    case Key::Kind::enter:
      return answer_question();
    case Key::Kind::escape:
      return show_view(View::document);
    case Key::Kind::backspace:
      return drop_last_character(typed_);
    case Key::Kind::character:
    case Key::Kind::pasted:
      typed_ += key.text;
      return;
    default:
      return;
  }
}

void SearchPages::answer_question() {
  const std::string typed = std::exchange(typed_, {});
  SearchAim aim = searcher_.history().aim();
  switch (question_) {
    case Question::document:
      return go_to(typed);
    case Question::sample:
      return draw(typed);
    case Question::note:
      return typed.empty() ? show_view(View::document) : keep(searcher_.note(typed));
    case Question::tags:
      return take_tags(tags_typed(typed));
    case Question::aim:
      aim.question = typed;
      return keep(searcher_.aim(aim));
    case Question::rule:
      aim.rule = rule_typed(typed);
      return keep(searcher_.aim(aim));
  }
}

void SearchPages::take_tags(std::vector<std::string> tags) {
  if (const std::optional<std::string> rule = broken_rule_of_tags(tags))
    return fail("Expected " + *rule + ".");
  show_view(View::document);
  tell(tags.empty() ? std::string("It has no tags.")
                    : fmt::format("These tags go with the rating of this document: {}.", joined_tags(tags)));
  pending_tags_ = std::move(tags);
}

void SearchPages::go_to(const std::string& typed) {
  if (typed.empty()) return show_view(View::document);
  const DocumentId chosen = document_typed(pool_, typed);
  leave_document();
  if (offer_ && offer_->document == chosen) return;
  opened_ = chosen;
  pending_ = marks_given(chosen);
}

void SearchPages::draw(const std::string& typed) {
  const std::int64_t most = pool_.view().documents();
  const std::optional<std::int64_t> count = typed.empty() ? usual_sample() : parse_integer(typed);
  if (!count || *count < 1 || *count > most)
    return fail(
        fmt::format("Expected how many documents are to be drawn, from 1 to {}.", digit_groups(most)));
  const std::int64_t sequence = searcher_.sample(*count);
  leave_document();
  tell_answered(fmt::format("Kept {}. They come next; u takes it back.", described(sequence)));
}

// The document that is shown stays.
void SearchPages::keep(std::int64_t sequence) {
  show_view(View::document);
  tell(fmt::format("Kept {}.", described(sequence)));
}

}  // namespace inkling
