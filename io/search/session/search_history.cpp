#include "io/search/session/search_history.hpp"

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

bool names_document(SearchEventKind kind) noexcept {
  return kind == SearchEventKind::shown || kind == SearchEventKind::rated || kind == SearchEventKind::skipped ||
         kind == SearchEventKind::separated;
}

bool ends_round(SearchEventKind kind) noexcept { return kind == SearchEventKind::rated || kind == SearchEventKind::skipped; }

// Adds words; for a word that is there already, the later statement replaces the earlier one.
void add_words(std::vector<SaidWord>& words, std::span<const SaidWord> more) {
  for (const SaidWord& word : more) {
    const auto there = std::ranges::find(words, word.feature, &SaidWord::feature);
    if (there == words.end())
      words.insert(words.end(), word);
    else
      *there = word;
  }
}

bool is_apart_from_documents(const SearchEvent& event) noexcept {
  return event.kind == SearchEventKind::marked && !event.document;
}

bool names_word(std::span<const SaidWord> words, FeatureId feature) noexcept {
  return std::ranges::find(words, feature, &SaidWord::feature) != words.end();
}

/// The steps as they grow. A rating that another one of the same document replaced stays until `take`.
class GrowingSteps {
 public:
  explicit GrowingSteps(RatingsOfOne ratings) : ratings_(ratings) {}

  void append(SearchStep step) {
    if (step.is_rating()) {
      const auto [last, is_first] = rating_of_.try_emplace(step.document, steps_.size());
      const std::size_t before = std::exchange(last->second, steps_.size());
      if (!is_first && ratings_ == RatingsOfOne::last_counts) replaced_.push_back(before);
    }
    if (step.kind == StepKind::words) replace_words(step.words);
    steps_.push_back(std::move(step));
  }

  void mark(DocumentId document, std::span<const SaidWord> words) {
    const auto last = rating_of_.find(document);
    if (last != rating_of_.end()) add_words(steps_[last->second].words, words);
  }

  void forget(FeatureId feature) {
    for (SearchStep& step : steps_) std::erase_if(step.words, [&](const SaidWord& word) { return word.feature == feature; });
  }

  [[nodiscard]] std::vector<SearchStep> take() && {
    std::ranges::sort(replaced_);
    std::vector<SearchStep> counting;
    counting.reserve(steps_.size() - replaced_.size());
    for (std::size_t n = 0; n < steps_.size(); ++n) {
      const bool says_nothing = steps_[n].kind == StepKind::words && steps_[n].words.empty();
      if (!says_nothing && !std::ranges::binary_search(replaced_, n)) counting.push_back(std::move(steps_[n]));
    }
    return counting;
  }

 private:
  void replace_words(std::span<const SaidWord> words) {
    for (const SaidWord& word : words) {
      const auto [last, is_first] = words_of_.try_emplace(word.feature, steps_.size());
      const std::size_t before = std::exchange(last->second, steps_.size());
      if (is_first || before == steps_.size()) continue;
      std::erase_if(steps_[before].words, [&](const SaidWord& old) { return old.feature == word.feature; });
    }
  }

  RatingsOfOne ratings_;
  std::vector<SearchStep> steps_;
  std::unordered_map<DocumentId, std::size_t> rating_of_;
  std::unordered_map<FeatureId, std::size_t> words_of_;  // the last step that rates it apart from documents
  std::vector<std::size_t> replaced_;
};

}  // namespace

bool is_answer(SearchEventKind kind) noexcept {
  return ends_round(kind) || kind == SearchEventKind::marked || kind == SearchEventKind::forgot ||
         kind == SearchEventKind::sampled || kind == SearchEventKind::separated;
}

SearchEvent SearchHistory::placed(SearchEvent event) const {
  const auto place = [&](DocumentId document) {
    const auto separated = separated_.find(document);
    const bool is_itself = separated != separated_.end() && separated->second < event.sequence;
    return is_itself ? document : pool_copies_.original_of(document);
  };
  if (event.kind == SearchEventKind::separated) return event;
  if (event.document) event.document = place(*event.document);
  if (event.offer) event.offer->document = place(event.offer->document);
  for (DocumentId& document : event.aim.set) document = place(document);
  std::vector<DocumentId>& withheld = event.aim.withheld;
  for (DocumentId& document : withheld) document = place(document);
  std::ranges::sort(withheld);
  const auto repeated = std::ranges::unique(withheld);
  withheld.erase(repeated.begin(), repeated.end());
  return event;
}

std::vector<SearchEvent> SearchHistory::logged(std::size_t first) const {
  std::vector<SearchEvent> events(events_.begin() + static_cast<std::ptrdiff_t>(first), events_.end());
  for (auto named = named_.lower_bound(static_cast<std::int64_t>(first) + 1); named != named_.end(); ++named) {
    SearchEvent& event = events[static_cast<std::size_t>(named->first) - 1 - first];
    event.document = named->second;
    if (event.offer) event.offer->document = named->second;
  }
  return events;
}

SearchHistory SearchHistory::placed_anew() const {
  SearchHistory anew(ratings_, pool_copies_);
  anew.separated_ = separated_;
  anew.copies_left_ = copies_left_;
  anew.events_.reserve(events_.size());
  for (const SearchEvent& event : logged()) anew.take(event);
  return anew;
}

// A separation concerns later events alone, so only to take it back, or to bring it back, may change what others are about.
void SearchHistory::append(const SearchEvent& event) {
  const bool separates = event.kind == SearchEventKind::separated;
  const bool has_target = event.kind == SearchEventKind::undone || event.kind == SearchEventKind::redone;
  const bool is_of_separation = has_target && is_answer_of(event.target) && at(event.target).kind == SearchEventKind::separated;
  const std::optional<DocumentId> copy = is_of_separation ? at(event.target).document : event.document;
  if ((separates || (is_of_separation && event.kind == SearchEventKind::redone)) && copy && is_separated(*copy))
    throw FormatError(fmt::format("document {}", *copy), "expected one that is not separated from its original already");
  if (is_of_separation) {
    SearchHistory next = *this;
    next.take(event);
    next.follow_separations(event);
    *this = next.placed_anew();
    return;
  }
  take(event);
  if (separates) follow_separations(event);
}

void SearchHistory::follow_separations(const SearchEvent& event) {
  const SearchEvent& separation = event.kind == SearchEventKind::separated ? event : at(event.target);
  const DocumentId copy = *separation.document;
  if (pool_copies_.original_of(copy) == copy) return;
  if (event.kind == SearchEventKind::undone)
    separated_.erase(copy);
  else
    separated_[copy] = separation.sequence;
  copies_left_ = {};
  for (std::size_t n = 0; n < pool_copies_.rows.size() && !separated_.empty(); ++n)
    if (!separated_.contains(pool_copies_.rows[n])) copies_left_.add(pool_copies_.rows[n], pool_copies_.originals[n]);
}

std::vector<std::pair<std::int64_t, DocumentId>> SearchHistory::separations() const {
  std::vector<std::pair<std::int64_t, DocumentId>> found;
  found.reserve(separated_.size());
  for (const auto& [copy, sequence] : separated_) found.emplace_back(sequence, copy);
  std::ranges::sort(found);
  return found;
}

void SearchHistory::take(const SearchEvent& logged) {
  const SearchEvent event = placed(logged);
  check(event);
  if (event.document != logged.document) named_[event.sequence] = *logged.document;
  if (events_.size() == events_.capacity())  // a quarter more, because many searches are open at once
    events_.reserve(events_.size() + events_.size() / 4 + 8);
  events_.push_back(event);
  undone_.push_back(false);
  dropped_.push_back(false);
  if (event.kind == SearchEventKind::undone) may_return_.push_back(event.target);
  if (event.kind == SearchEventKind::redone) std::erase(may_return_, event.target);
  if (event.kind == SearchEventKind::undone || event.kind == SearchEventKind::redone) {
    const bool is_undone = event.kind == SearchEventKind::undone;
    undone_[static_cast<std::size_t>(event.target) - 1] = is_undone;
    count_ratings(at(event.target), is_undone ? -1 : 1);
    if (has_open_) find_open_offers();
  }
  if (event.kind == SearchEventKind::aimed) aim_ = event.aim;
  follow_offers(event);
  follow_people(event);
  count_ratings(event, 1);
  if (is_answer(event.kind))
    std::erase_if(may_return_, [&](std::int64_t answer) { return !is_shared() || at(answer).actor == event.actor; });
}

void SearchHistory::cut_to(std::size_t count) {
  SearchHistory cut(ratings_, pool_copies_);
  cut.events_.reserve(count);
  std::vector<SearchEvent> kept = logged();
  kept.resize(count);
  for (const SearchEvent& event : kept) cut.append(event);
  *this = std::move(cut);
}

void SearchHistory::check(const SearchEvent& event) const {
  const std::string place = fmt::format("event {}", event.sequence);
  if (event.sequence != next_sequence())
    throw FormatError(place, fmt::format("expected event {} to be the next one", next_sequence()));
  if (names_document(event.kind) || event.document) check_document(event, place);
  if (is_apart_from_documents(event) && event.words.empty()) throw FormatError(place, "expected at least one word that is rated");
  if (event.kind == SearchEventKind::forgot && !event.feature) throw FormatError(place, "expected the word that is un-marked");
  if (event.kind == SearchEventKind::sampled && (event.count < 1 || event.count > kMostSampled))
    throw FormatError(place, fmt::format("expected a sample of 1 to {} documents, got {}", kMostSampled, event.count));
  const bool has_target = event.kind == SearchEventKind::undone || event.kind == SearchEventKind::redone;
  if (is_closed_ && (has_target || is_answer(event.kind)))
    throw FormatError(place, "expected no answer any more: the search is closed, and its answers are compared");
  if (has_target) check_target(event);
  if (event.hand_on && !(is_shared() && event.shown))
    throw FormatError(place, "expected a document on offer in a shared search, to hand it on");
}

// In a shared search, what others take back does not change what a person has on offer.
void SearchHistory::follow_people(const SearchEvent& event) {
  const bool acts = is_answer(event.kind) || event.kind == SearchEventKind::shown;
  has_others_ = has_others_ || (acts && !event.actor.empty());
  is_closed_ = is_closed_ || event.kind == SearchEventKind::closed;
  const bool is_offer = event.kind == SearchEventKind::shown && event.offer->beside && is_shared();
  if (is_offer || ends_round(event.kind))
    std::erase_if(offers_, [&](const auto& offer) { return at(offer.second).document == event.document; });
  if (is_offer) offers_.insert_or_assign(event.actor, event.sequence);
  if (event.hand_on) handed_on_.push_back({event.sequence});
  for (HandedOn& one : handed_on_) {
    const SearchEvent& skip = at(one.sequence);
    one.is_taken = one.is_taken || (is_offer && skip.document == event.document && skip.actor != event.actor);
  }
  if (event.kind != SearchEventKind::aimed) return;
  std::erase_if(offers_, [&](const auto& offer) {
    return !is_shared() || (!offer.first.empty() && std::ranges::find(aim_.shared, offer.first) == aim_.shared.end());
  });
}

std::optional<std::int64_t> SearchHistory::offer_to(std::string_view person) const {
  const auto offer = offers_.find(person);
  const bool is_open = offer != offers_.end() && !is_rated(*at(offer->second).document);
  return is_open ? std::optional(offer->second) : std::nullopt;
}

std::vector<std::int64_t> SearchHistory::offers_to_people() const {
  std::vector<std::int64_t> offers;
  for (const auto& [person, shown] : offers_)
    if (!is_rated(*at(shown).document)) offers.push_back(shown);
  std::ranges::sort(offers);
  return offers;
}

std::vector<SearchHistory::HandedOn> SearchHistory::handed_on() const {
  std::vector<HandedOn> some = handed_on_;
  std::erase_if(some, [&](const HandedOn& one) { return !holds(one.sequence) || is_rated(*at(one.sequence).document); });
  return some;
}

const SearchEvent& SearchHistory::rating_of(DocumentId document) const {
  const auto is_it = [&](const SearchEvent& event) {
    return event.kind == SearchEventKind::rated && event.document == document && holds(event.sequence);
  };
  return *std::ranges::find_if(events_ | std::views::reverse, is_it);
}

void SearchHistory::check_target(const SearchEvent& event) const {
  const bool undoes = event.kind == SearchEventKind::undone;
  if (undoes ? holds(event.target) : is_answer_of(event.target) && undone_[static_cast<std::size_t>(event.target) - 1]) return;
  throw FormatError(fmt::format("event {}", event.target), undoes ? "expected an answer that holds, to take it back"
                                                                  : "expected an answer that was taken back, to bring it back");
}

void SearchHistory::check_document(const SearchEvent& event, const std::string& place) const {
  if (!event.document) throw FormatError(place, "expected a document");
  if (event.kind == SearchEventKind::shown && (!event.offer || event.offer->document != *event.document))
    throw FormatError(place, "expected an offer of the document that is shown");
  if (event.kind == SearchEventKind::marked && !is_rated(*event.document))
    throw FormatError(fmt::format("document {}", *event.document), "expected a document with a rating, to mark words in it");
  if (!ends_round(event.kind) || !event.shown) return;
  const bool is_there = *event.shown >= 1 && *event.shown < next_sequence();
  if (is_there && at(*event.shown).kind == SearchEventKind::shown && at(*event.shown).document == event.document) return;
  throw FormatError(place, fmt::format("expected event {} to have shown document {}", *event.shown, *event.document));
}

bool SearchHistory::is_answer_of(std::int64_t sequence) const noexcept {
  return sequence >= 1 && sequence < next_sequence() && is_answer(at(sequence).kind);
}

bool SearchHistory::holds(std::int64_t sequence) const {
  return is_answer_of(sequence) && !undone_[static_cast<std::size_t>(sequence) - 1];
}

void SearchHistory::count_ratings(const SearchEvent& event, std::int32_t more) {
  if (event.kind == SearchEventKind::rated) ratings_of_[*event.document] += more;
}

/// Requires: the event holds, or is no answer.
void SearchHistory::follow_offers(const SearchEvent& event) {
  if (event.kind == SearchEventKind::shown && event.offer->beside) {
    std::erase_if(open_, [&](std::int64_t shown) { return at(shown).document == event.document; });
    open_.push_back(event.sequence);
    has_open_ = true;
  }
  if (!ends_round(event.kind)) return;
  const auto answered = std::ranges::find_if(open_, [&](std::int64_t shown) { return at(shown).document == event.document; });
  if (answered != open_.end()) open_.erase(answered);
}

// An offer is not in force if it was made while an answer held that no longer holds.
void SearchHistory::find_open_offers() {
  open_.clear();
  std::int64_t gone = 0;  // answers that held at this event and do not hold after the last one
  const auto is_gone = [&](std::int64_t answer) { return undone_[static_cast<std::size_t>(answer) - 1]; };
  for (const SearchEvent& event : events_) {
    const auto n = static_cast<std::size_t>(event.sequence) - 1;
    if (is_answer(event.kind) && undone_[n]) {
      ++gone;
      continue;
    }
    if (event.kind == SearchEventKind::undone && is_gone(event.target)) --gone;
    if (event.kind == SearchEventKind::redone && is_gone(event.target)) ++gone;
    if (event.kind == SearchEventKind::shown && event.offer->beside) dropped_[n] = gone > 0;
    if (!dropped_[n]) follow_offers(event);
  }
}

std::vector<std::int64_t> SearchHistory::open_offers() const {
  std::vector<std::int64_t> open = open_;
  if (ratings_ == RatingsOfOne::last_counts)
    std::erase_if(open, [&](std::int64_t shown) { return is_rated(*at(shown).document); });
  return open;
}

bool SearchHistory::is_in_force(std::int64_t sequence) const {
  const SearchEvent& event = at(sequence);
  return event.kind == SearchEventKind::shown && event.offer->beside && !dropped_[static_cast<std::size_t>(sequence) - 1];
}

bool SearchHistory::rates_any_of(std::span<const SaidWord> words) const {
  return std::ranges::any_of(events_, [&](const SearchEvent& event) {
    return is_apart_from_documents(event) && !undone_[static_cast<std::size_t>(event.sequence) - 1] &&
           std::ranges::any_of(event.words, [&](const SaidWord& word) { return names_word(words, word.feature); });
  });
}

bool SearchHistory::only_appends(const SearchEvent& event) const {
  switch (event.kind) {
    case SearchEventKind::rated: return ratings_ == RatingsOfOne::all_count || !is_rated(event.document.value_or(0));
    case SearchEventKind::marked: return is_apart_from_documents(event) && !rates_any_of(event.words);
    case SearchEventKind::shown:
    case SearchEventKind::skipped:
    case SearchEventKind::sampled:
    case SearchEventKind::noted:
    case SearchEventKind::aimed:
    case SearchEventKind::closed: return true;
    case SearchEventKind::forgot:
    case SearchEventKind::separated:
    case SearchEventKind::undone:
    case SearchEventKind::redone: break;
  }
  return false;
}

SearchStep SearchHistory::step_of(const SearchEvent& event) const {
  SearchStep step = {.sequence = event.sequence, .reward = event.reward, .batch = event.batch};
  if (event.document) step.document = *event.document;
  if (event.kind == SearchEventKind::skipped) step.kind = StepKind::skip;
  if (event.kind == SearchEventKind::marked) step.kind = StepKind::words;
  add_words(step.words, event.words);
  step.offer = offer_of(event);
  return step;
}

std::vector<SearchStep> SearchHistory::steps() const {
  GrowingSteps steps(ratings_);
  for (const SearchEvent& event : events_) {
    if (!holds(event.sequence)) continue;
    if (ends_round(event.kind) || is_apart_from_documents(event))
      steps.append(step_of(event));
    else if (event.kind == SearchEventKind::marked)
      steps.mark(*event.document, event.words);
    if (event.kind == SearchEventKind::forgot) steps.forget(*event.feature);
  }
  return std::move(steps).take();
}

// Rating a document again does not count: what was drawn stays on offer.
std::int64_t SearchHistory::sample_left() const {
  std::unordered_set<DocumentId> rated;
  std::int64_t left = 0;
  for (const SearchEvent& event : events_) {
    if (!holds(event.sequence)) continue;
    if (event.kind == SearchEventKind::sampled) left += event.count;
    if (!ends_round(event.kind)) continue;
    const bool is_again = event.kind == SearchEventKind::rated && !rated.insert(*event.document).second;
    if (is_again && ratings_ == RatingsOfOne::last_counts) continue;
    left = std::max<std::int64_t>(left - 1, 0);
  }
  return left;
}

std::vector<std::int64_t> SearchHistory::undoable(std::int64_t count, std::optional<std::string_view> person) const {
  std::vector<std::int64_t> answers;
  for (const SearchEvent& event : events_ | std::views::reverse) {
    if (std::ssize(answers) >= count) break;
    if (holds(event.sequence) && (!person || event.actor == *person)) answers.insert(answers.end(), event.sequence);
  }
  return answers;
}

std::vector<std::int64_t> SearchHistory::redoable(std::int64_t count, std::optional<std::string_view> person) const {
  std::vector<std::int64_t> answers;
  for (const std::int64_t answer : may_return_ | std::views::reverse) {
    if (std::ssize(answers) >= count) break;
    if (!person || at(answer).actor == *person) answers.push_back(answer);
  }
  return answers;
}

}  // namespace inkling
