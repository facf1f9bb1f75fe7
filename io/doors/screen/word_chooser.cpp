#include "io/doors/screen/word_chooser.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "engine/core/nearest_name.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/search/events/event_words.hpp"

namespace inkling {
namespace {

struct TypedWord {
  std::string_view text;
  double mark = 1.0;
};

TypedWord typed_word(std::string_view typed) {
  while (typed.starts_with(' ')) typed.remove_prefix(1);
  while (typed.ends_with(' ')) typed.remove_suffix(1);
  if (!typed.starts_with('-')) return {typed};
  return {
      typed.substr(typed.find_first_not_of("- ", 0) == std::string_view::npos ? typed.size() : typed.find_first_not_of("- ", 0)),
      -1.0};
}

std::vector<TypedWord> typed_words(std::string_view typed) {
  std::vector<TypedWord> words;
  words.reserve(typed.size() / 2 + 1);
  while (!typed.empty()) {
    const std::size_t end = std::min(typed.find_first_of(" ,"), typed.size());
    if (end > 0) words.push_back(typed_word(typed.substr(0, end)));
    typed.remove_prefix(std::min(end + 1, typed.size()));
  }
  return words;
}

}  // namespace

void drop_last_character(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) text.pop_back();
  if (!text.empty()) text.pop_back();
}

std::vector<SaidWord> said_in_document(const WordMarks& marks) {
  std::vector<SaidWord> words;
  words.reserve(marks.size());
  for (const auto& [feature, rate] : marks) {
    words.push_back({.feature = feature, .confidence = std::fabs(rate)});
    if (rate < 0.0) words.back().reward = -1.0;
  }
  return words;
}

std::vector<SaidWord> said_apart(const WordMarks& marks) {
  std::vector<SaidWord> words = said_in_document(marks);
  rate_all(words);
  return words;
}

WordChooser::WordChooser(std::string title, std::vector<DocumentWord> words, WordMarks marks, WordLookUp look_up)
    : title_(std::move(title)), words_(std::move(words)), marks_(std::move(marks)), look_up_(std::move(look_up)) {}

WordChooser::Outcome WordChooser::press(const Key& key) {
  problem_.clear();
  switch (key.kind) {
    case Key::Kind::enter: return enter();
    case Key::Kind::escape:
      if (typed_.empty()) return Outcome::cancelled;
      typed_.clear();
      break;
    case Key::Kind::up: move(-1); break;
    case Key::Kind::down: move(1); break;
    case Key::Kind::page_up: move(-10); break;
    case Key::Kind::page_down: move(10); break;
    case Key::Kind::home: cursor_ = 0; break;
    case Key::Kind::end: move(static_cast<std::ptrdiff_t>(words_.size())); break;
    case Key::Kind::tab: complete(); break;
    case Key::Kind::backspace: drop_last_character(typed_); break;
    case Key::Kind::character: press_character(key.text); break;
    case Key::Kind::pasted: typed_ += visible_text(key.text); break;
    case Key::Kind::remove:
    case Key::Kind::left:
    case Key::Kind::right:
    case Key::Kind::redraw:
    case Key::Kind::end_of_input:
    case Key::Kind::other: break;
  }
  return Outcome::pending;
}

// A space toggles the word under the cursor, unless something is typed already. A single minus is about that word, too.
void WordChooser::press_character(const std::string& character) {
  if (character == " " && typed_.empty()) return toggle();
  typed_ += character;
  if (typed_ != "-") cursor_ = 0;
}

// Typed text leaves the words that begin with it. A typed number leaves all words, so that their numbers stay the same.
std::vector<std::size_t> WordChooser::listed() const {
  const std::string_view typed = typed_word(typed_).text;
  const bool shows_all = parse_integer(typed).has_value();
  const std::string beginning = ascii_lower_case(typed);
  std::vector<std::size_t> places;
  places.reserve(words_.size());
  for (std::size_t n = 0; n < words_.size(); ++n)
    if (shows_all || ascii_lower_case(words_[n].name).starts_with(beginning)) places.push_back(n);
  return places;
}

std::optional<std::size_t> WordChooser::under_cursor() const {
  const std::vector<std::size_t> places = listed();
  if (places.empty()) return std::nullopt;
  return places[std::min(cursor_, places.size() - 1)];
}

void WordChooser::move(std::ptrdiff_t by) {
  const auto count = static_cast<std::ptrdiff_t>(listed().size());
  const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(cursor_) + by;
  cursor_ = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(to, 0, std::max<std::ptrdiff_t>(count - 1, 0)));
}

// No mark, speaks for, speaks against, and no mark again.
void WordChooser::toggle() {
  const std::optional<std::size_t> at = under_cursor();
  if (!at) return;
  const FeatureId feature = words_[*at].feature;
  const auto mark = marks_.find(feature);
  if (mark == marks_.end())
    marks_[feature] = 1.0;
  else if (mark->second > 0.0)
    mark->second = -1.0;
  else
    marks_.erase(mark);
}

void WordChooser::complete() {
  const std::optional<std::size_t> at = under_cursor();
  if (!at || typed_.empty()) return;
  typed_ = (typed_word(typed_).mark < 0.0 ? "-" : "") + words_[*at].name;
  cursor_ = 0;
}

// A word of the pool, or else the number of one in the list.
std::optional<FeatureId> WordChooser::meant_by(std::string_view typed) const {
  if (const std::optional<FeatureId> feature = look_up_.find(typed)) return feature;
  const std::optional<std::int64_t> number = parse_integer(typed);
  if (number && *number >= 1 && std::cmp_less_equal(*number, words_.size()))
    return words_[static_cast<std::size_t>(*number) - 1].feature;
  return std::nullopt;
}

// Marks every word of what was typed, or none.
bool WordChooser::take_all(std::string_view typed) {
  WordMarks more;
  for (const TypedWord& word : typed_words(typed)) {
    const std::optional<FeatureId> feature = meant_by(word.text);
    if (!feature) return false;
    more[*feature] = word.mark;
  }
  for (const auto& [feature, mark] : more) marks_[feature] = mark;
  return !more.empty();
}

// The word under the cursor, among those that begin with the typed text, or among all if only a minus is typed.
std::optional<std::size_t> WordChooser::begun_by(std::string_view typed) const {
  return (typed.empty() && typed_ != "-") || parse_integer(typed) ? std::nullopt : under_cursor();
}

WordChooser::Outcome WordChooser::enter() {
  if (typed_.empty()) return Outcome::done;
  const TypedWord whole = typed_word(typed_);
  if (const std::optional<FeatureId> feature = meant_by(whole.text)) {
    marks_[*feature] = whole.mark;
  } else if (!take_all(typed_)) {
    const std::optional<std::size_t> at = begun_by(whole.text);
    if (!at) {
      std::vector<std::string> names;
      names.reserve(words_.size());
      for (const DocumentWord& word : words_) names.push_back(word.name);
      problem_ = fmt::format("{}: expected words of this pool, or numbers from the list{}", quoted_text(typed_),
                             did_you_mean("", std::string(whole.text), names));
      return Outcome::pending;
    }
    marks_[words_[*at].feature] = whole.mark;
  }
  typed_.clear();
  cursor_ = 0;
  return Outcome::pending;
}

StyledLine WordChooser::line_of(std::size_t number, const DocumentWord& word, bool is_chosen) const {
  const auto mark = marks_.find(word.feature);
  const double marked = mark == marks_.end() ? 0.0 : mark->second;
  const char* sign = marked == 0.0 ? " " : marked > 0.0 ? "+" : "-";
  StyledLine line = {{fmt::format("{}{:>4}  {} ", is_chosen ? ">" : " ", number, sign), is_chosen ? Look::chosen : Look::plain}};
  line.push_back({word.name, marked == 0.0 ? word.look : look_of(marked, marked)});
  line.push_back({fmt::format("  {:.3f}", word.value), Look::quiet});
  return line;
}

Page WordChooser::page(PageSize size) const {
  Page page;
  page.top.push_back({{title_, Look::heading}});
  append_lines(page.top, paragraph("Which words make a document good (+), and which speak against it (-)?", text_columns(size),
                                   Look::quiet));
  page.top.emplace_back();
  const std::vector<std::size_t> places = listed();
  page.body.reserve(places.size());
  for (const std::size_t place : places)
    page.body.push_back(line_of(place + 1, words_[place], page.body.size() == std::min(cursor_, places.size() - 1)));
  if (!places.empty()) page.chosen = std::min(cursor_, places.size() - 1);
  if (places.empty()) page.body = paragraph("(no word of this list begins so)", text_columns(size), Look::quiet);
  StyledLine marked = {{"Marked: "}};
  for (const auto& [feature, mark] : marks_)
    marked.push_back({(mark < 0.0 ? "-" : "") + look_up_.name(feature) + " ", look_of(mark, mark)});
  if (marks_.empty()) marked.push_back({"nothing yet", Look::quiet});
  page.bottom.push_back(std::move(marked));
  if (!problem_.empty()) append_lines(page.bottom, paragraph(problem_, text_columns(size), Look::warning));
  page.bottom.push_back({{"Word: " + visible_text(typed_)}, {"_", Look::quiet}});
  append_lines(page.bottom,
               key_hints({"type a word or a number, then Enter", "- before it: speaks against", "- alone: not the one at >",
                          "Tab completes", "arrows and space pick", "Enter done", "Esc cancel"},
                         text_columns(size)));
  return page;
}

}  // namespace inkling
