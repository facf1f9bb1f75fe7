#include "io/doors/python/live_session.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "engine/core/errors.hpp"
#include "io/search/events/event_words.hpp"

namespace inkling::python {
namespace {

using StreamState = std::array<std::uint64_t, 4>;
static_assert(sizeof(RandomStream) == sizeof(StreamState), "a stream is its four words");

bool is_answer(LiveEventKind kind) { return kind != LiveEventKind::chosen; }

bool names_any_of(std::span<const SaidWord> words, std::span<const SaidWord> others) {
  return std::ranges::any_of(words, [&](const SaidWord& word) {
    return std::ranges::find(others, word.feature, &SaidWord::feature) != others.end();
  });
}

}  // namespace

LiveSession::LiveSession(PoolView pool, LiveSettings settings) : pool_(pool), settings_(std::move(settings)) {
  start_over();
}

void LiveSession::start_over() {
  policy_.emplace(pool_, settings_.preset, settings_.options,
                  RandomStream(settings_.seed, settings_.trial, RandomRole::exploration),
                  RandomStream(settings_.seed, settings_.trial, RandomRole::sampling));
  events_.clear();
  moments_.clear();
  outstanding_.clear();
  skips_.clear();
  choices_ = 0;
}

const LinearModel* LiveSession::model() const noexcept {
  return policy_->learner() == nullptr ? nullptr : policy_->learner()->model();
}

// Without those that are gone anyway.
std::vector<DocumentId> LiveSession::not_on_offer() const {
  std::vector<DocumentId> documents;
  if (!settings_.options.with_replacement) {
    documents.reserve(outstanding_.size() + skips_.size());
    for (const LiveChoice& choice : outstanding_) {
      if (policy_->remaining().contains(choice.document)) documents.push_back(choice.document);
    }
  }
  const std::size_t asked = documents.size();
  for (const Skip& skip : skips_) {
    if (choices_ < skip.until && policy_->remaining().contains(skip.document))
      documents.insert(documents.end(), skip.document);
  }
  std::ranges::sort(documents);
  const auto repeated = std::ranges::unique(documents);
  documents.erase(repeated.begin(), repeated.end());
  const bool nothing_else = std::ssize(documents) == policy_->remaining().size() && asked < documents.size();
  if (!nothing_else) return documents;
  documents.clear();  // only skipped ones are left: they are on offer
  for (const LiveChoice& choice : outstanding_) {
    if (!settings_.options.with_replacement && policy_->remaining().contains(choice.document))
      documents.insert(documents.end(), choice.document);
  }
  std::ranges::sort(documents);
  return documents;
}

std::optional<LiveChoice> LiveSession::choose(std::span<const bool> among) {
  if (policy_->exhausted()) return std::nullopt;
  std::vector<DocumentId> held_back;
  if (!skips_.empty() || (!outstanding_.empty() && !settings_.options.with_replacement))
    held_back = not_on_offer();
  const Remains on_offer = [&](DocumentId document) {
    if (!among.empty() && !among[static_cast<std::size_t>(document)]) return false;
    return held_back.empty() || !std::ranges::binary_search(held_back, document);
  };
  std::int64_t count = policy_->remaining().size() - std::ssize(held_back);
  if (!among.empty()) {
    count = 0;
    for (DocumentId i = 0; i < pool_.documents(); ++i)
      count += static_cast<std::int64_t>(policy_->remaining().contains(i) && on_offer(i));
  }
  if (count == 0) return std::nullopt;
  const PolicyMoment before = policy_->moment();
  const bool all = among.empty() && held_back.empty();
  const Play play = all ? policy_->choose() : policy_->choose(on_offer);
  ++choices_;
  const LiveChoice choice = made_choice(play, on_offer, count);
  moments_.push_back(before);
  events_.push_back({.kind = LiveEventKind::chosen, .choice = choice, .document = choice.document});
  outstanding_.push_back(choice);
  return choice;
}

LiveChoice LiveSession::made_choice(const Play& play, const Remains& on_offer, std::int64_t among) {
  LiveChoice choice = {
      .document = play.document, .round = choices_, .explored = play.explored, .among = among};
  choice.propensity = propensity_of(play, on_offer, among);
  const LinearModel* const learned = model();
  if (policy_->features_in_use() == 0) return choice;
  choice.radius = play.radius;
  if (learned == nullptr) return choice;
  const Prediction prediction = learned->predict(pool_.by_document.row(play.document));
  choice.mean = prediction.mean;
  choice.width = std::sqrt(std::max(prediction.square, 0.0));
  return choice;
}

// Where the best one is drawn from a posterior, nobody knows how likely each
// document was.
std::optional<double> LiveSession::propensity_of(const Play& play, const Remains& on_offer,
                                                 std::int64_t among) {
  const double as_any = play.exploration / static_cast<double>(among);
  if (play.exploration >= 1.0) return as_any;
  if (!play.radius) return std::nullopt;
  if (!play.explored) return 1.0 - play.exploration + as_any;
  const std::vector<Ranked> best = policy_->ranking(1, on_offer);
  const bool is_best = !best.empty() && best.front().document == play.document;
  return is_best ? 1.0 - play.exploration + as_any : as_any;
}

LiveChoice LiveSession::take_outstanding(DocumentId document) {
  const auto found = std::ranges::find(outstanding_, document, &LiveChoice::document);
  if (found == outstanding_.end()) return {.document = document};
  const LiveChoice choice = *found;
  outstanding_.erase(found);
  return choice;
}

void LiveSession::keep(LiveEvent event) {
  event.choice = take_outstanding(event.document);
  events_.push_back(std::move(event));
}

void LiveSession::observe(DocumentId document, double reward, std::span<const SaidWord> words) {
  check(words);
  policy_->observe({.document = document, .reward = reward, .words = words});
  moments_.push_back(policy_->moment());
  keep({.kind = LiveEventKind::observed,
        .document = document,
        .reward = reward,
        .words = {words.begin(), words.end()}});
}

// Before anything of it is learned.
void LiveSession::check(std::span<const SaidWord> words) const {
  for (const SaidWord& word : words) {
    check_id("feature", word.feature, pool_.features());
    if (word.reward && !is_word_reward(*word.reward))
      throw FormatError("the rating of feature " + std::to_string(word.feature),
                        "expected " + std::string(kWordRewardExpected));
    if (!(word.confidence > 0.0 && word.confidence <= 1.0)) {
      throw FormatError("the confidence of feature " + std::to_string(word.feature),
                        "expected a number above 0, up to 1");
    }
  }
}

void LiveSession::rate_words(std::span<const SaidWord> words) {
  check(words);
  const bool is_again = std::ranges::any_of(events_, [&](const LiveEvent& event) {
    return event.kind == LiveEventKind::words && names_any_of(event.words, words);
  });
  if (!is_again) policy_->rate_words(words);
  moments_.push_back(policy_->moment());
  events_.push_back({.kind = LiveEventKind::words, .words = {words.begin(), words.end()}});
  if (!is_again) return;
  const PolicyMoment now = policy_->moment();
  tell_again(events_.size(), [] {});
  policy_->set_moment(now);
}

void LiveSession::learn(std::span<const PastEvent> events, const std::function<void()>& between) {
  try {
    policy_->learn(events, between);
  } catch (...) {
    const PolicyMoment now = policy_->moment();
    tell_again(events_.size(), [] {});
    policy_->set_moment(now);
    throw;
  }
  for (const PastEvent& event : events) {
    moments_.push_back(policy_->moment());
    keep({.kind = LiveEventKind::observed,
          .document = event.document,
          .reward = event.reward,
          .words = {event.words.begin(), event.words.end()}});
  }
}

void LiveSession::forget(FeatureId feature) {
  check_id("feature", feature, pool_.features());
  policy_->forget(feature);
  moments_.push_back(policy_->moment());
  events_.push_back({.kind = LiveEventKind::forgot, .feature = feature});
}

void LiveSession::skip(DocumentId document) {
  check_id("document", document, pool_.documents());
  if (!policy_->remaining().contains(document)) {
    throw FormatError("document " + std::to_string(document),
                      "expected one that is not observed, to skip it");
  }
  moments_.push_back(policy_->moment());
  std::erase_if(skips_,
                [&](const Skip& skip) { return skip.document == document || skip.until <= choices_; });
  skips_.push_back({document, choices_ + kSkippedChoices});
  keep({.kind = LiveEventKind::skipped, .document = document});
}

void LiveSession::undo(std::int64_t count, const std::function<void()>& between) {
  std::size_t end = events_.size();
  std::int64_t left = count;
  while (left > 0 && end > 0) left -= static_cast<std::int64_t>(is_answer(events_[--end].kind));
  if (count < 1 || left > 0) {
    throw FormatError(
        "undo of " + std::to_string(count),
        "expected from 1 to " + std::to_string(count - left) + ", as many answers as there are");
  }
  const PolicyMoment then = moments_[end];
  tell_again(end, between);
  policy_->set_moment(then);
}

// The first `count` events from an empty start, each at the moment at which it
// was. Where `between` throws, the log is told again to its end.
void LiveSession::tell_again(std::size_t count, const std::function<void()>& between) {
  const PolicyMoment now = policy_->moment();
  const std::vector<LiveEvent> events = std::move(events_);
  const std::vector<PolicyMoment> moments = std::move(moments_);
  const auto tell = [&](std::size_t end, const std::function<void()>& check) {
    start_over();
    for (std::size_t n = 0; n < end; ++n) {
      check();
      policy_->set_moment(moments[n]);
      if (events[n].kind == LiveEventKind::words)
        tell_words(std::span(events).subspan(n, end - n));
      else
        replay(events[n]);
    }
  };
  try {
    tell(count, between);
  } catch (...) {
    tell(events.size(), [] {});
    policy_->set_moment(now);
    throw;
  }
}

// Those of the first of these events that no later one rates.
void LiveSession::tell_words(std::span<const LiveEvent> events) {
  std::vector<SaidWord> words = events.front().words;
  for (const LiveEvent& later : events.subspan(1)) {
    if (later.kind == LiveEventKind::words)
      std::erase_if(words, [&](const SaidWord& word) { return names_any_of({&word, 1}, later.words); });
  }
  policy_->rate_words(words);
  moments_.push_back(policy_->moment());
  events_.push_back(events.front());
}

void LiveSession::replay(const LiveEvent& event) {
  switch (event.kind) {
    case LiveEventKind::chosen:
      moments_.push_back(policy_->moment());
      policy_->pass_round();
      ++choices_;
      events_.push_back(event);
      outstanding_.push_back(event.choice);
      break;
    case LiveEventKind::observed:
      observe(event.document, event.reward, event.words);
      break;
    case LiveEventKind::forgot:
      forget(event.feature);
      break;
    case LiveEventKind::skipped:
      skip(event.document);
      break;
    case LiveEventKind::words:
      rate_words(event.words);
      break;
  }
}

StreamWords LiveSession::streams() const {
  const PolicyMoment moment = policy_->moment();
  StreamWords words;
  words.reserve(8);
  for (const RandomStream& stream : {moment.exploration, moment.sampling}) {
    const auto state = std::bit_cast<StreamState>(stream);
    words.insert(words.end(), state.begin(), state.end());
  }
  return words;
}

void LiveSession::set_streams(const StreamWords& words) {
  if (words.size() != 8) throw FormatError("the random streams", "expected 8 numbers");
  const auto stream = [&](std::size_t from) {
    StreamState state{};
    std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(from), 4, state.begin());
    return std::bit_cast<RandomStream>(state);
  };
  policy_->set_moment({policy_->moment().clock, stream(0), stream(4)});
}

}  // namespace inkling::python
