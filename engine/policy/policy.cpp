#include "engine/policy/policy.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "engine/core/check_id.hpp"
#include "engine/core/errors.hpp"
#include "engine/model/observation.hpp"
#include "engine/policy/policy_state.hpp"

namespace inkling {
namespace {

/// With every feature in use, a row is as long as its text, and scoring a document costs the square of that. Then keeping all
/// scores is less work than sublinear scoring. The same holds with a base rate, a feature of every document.
Scoring scoring_for(FeatureScope::Kind scope, double base) {
  return scope == FeatureScope::Kind::all || base > 0.0 ? Scoring::running : Scoring::sublinear;
}

/// Resolves every `automatic` option. `features` are in use from the start.
PolicyOptions resolved(PolicyOptions options, const Preset& preset, PoolView pool, std::size_t features) {
  if (options.scoring == Scoring::automatic) options.scoring = scoring_for(preset.scope, options.base);
  if (!options.form) options.form = model_form(pool, static_cast<std::int32_t>(features), options.expected_rounds);
  return options;
}

ExplorationSchedule::Kind explores(const Preset& preset, const PolicyOptions& options) {
  const bool forced = options.forced_exploration && preset.explores == ExplorationSchedule::Kind::never;
  return forced ? ExplorationSchedule::Kind::inverse_sqrt : preset.explores;
}

}  // namespace

/// The implementation of Policy; its members are those of Policy.
class Policy::Impl {
 public:
  Impl(PoolView pool, const Preset& preset, const PolicyOptions& options, RandomStream exploration, RandomStream sampling);

  [[nodiscard]] Play choose(const Remains& on_offer);
  void pass_round() noexcept;
  [[nodiscard]] std::vector<Ranked> ranking(std::size_t count, const Remains& on_offer);
  void keep_scores(bool keep);
  void choose_with(BestOfParts best_of_parts) { best_of_parts_ = std::move(best_of_parts); }
  void observe(DocumentId document, double reward, std::span<const FeatureId> marks, std::span<const double> confidences);
  void observe(const PastEvent& event);
  void learn(std::span<const PastEvent> events, const std::function<void()>& between);
  [[nodiscard]] PolicyState state() const noexcept { return {clock_, exploration_, sampling_}; }
  void set_state(const PolicyState& state) noexcept {
    clock_ = state.clock;
    exploration_ = state.exploration;
    sampling_ = state.sampling;
  }
  [[nodiscard]] const Learner* learner() const noexcept { return learner_.get(); }
  [[nodiscard]] const RemainingDocuments& remaining() const noexcept { return remaining_; }
  [[nodiscard]] std::int32_t features_in_use() const noexcept;

 private:
  [[nodiscard]] double exploration_now() const noexcept;
  [[nodiscard]] bool plays_at_random(double probability) noexcept;
  [[nodiscard]] DocumentId pick(const Remains& on_offer);
  [[nodiscard]] DocumentId best(const Remains& on_offer);
  [[nodiscard]] DocumentId best_of_all(const Remains& on_offer);
  [[nodiscard]] Ranked best_held(const Remains& on_offer);
  [[nodiscard]] Remains may_be_chosen(const Remains& on_offer) const;
  void clear_words() noexcept;
  void add_words(const PastEvent& event);
  void check(const PastEvent& event) const;
  void check(const SaidWord& word) const;
  void check_room(std::span<const FeatureId> marks) const;
  void retire(DocumentId document);

  PoolView pool_;
  bool with_replacement_;
  ExplorationSchedule schedule_;
  FeatureScope scope_;
  std::unique_ptr<Learner> learner_;
  RemainingDocuments remaining_;
  RandomStream exploration_;
  RandomStream sampling_;
  RoundClock clock_{0, 0};
  bool marked_yet_ = false;
  bool learns_ratings_;
  // The words of the event that is being learned.
  std::vector<SaidWord> marks_;
  std::vector<SaidWord> ratings_;
  std::vector<FeatureId> adopted_;
  bool keeps_scores_ = true;
  BestOfParts best_of_parts_;  // empty if this process holds the whole pool
};

Policy::Impl::Impl(PoolView pool, const Preset& preset, const PolicyOptions& options, RandomStream exploration,
                   RandomStream sampling)
    : pool_(pool),
      with_replacement_(options.with_replacement),
      schedule_{explores(preset, options), options.epoch_constant, options.first_rounds},
      scope_{preset.scope, options.first_rounds, options.given},
      remaining_(pool.whole_documents(), options.left_out),
      exploration_(exploration),
      sampling_(sampling),
      learns_ratings_(preset.uses.word_ratings) {
  const std::vector<FeatureId> first = scope_.at_start(pool.features());
  if (preset.learner) learner_ = preset.learner(pool, resolved(options, preset, pool, first.size()));
  for (const DocumentId document : options.left_out)
    if (learner_ != nullptr && pool_.holds(document)) learner_->retire(document - pool_.first_document());
  if (first.empty()) return;
  learner_->start_with(first);
  marked_yet_ = true;  // with features from the start, there is no first mark to wait for
}

std::int32_t Policy::Impl::features_in_use() const noexcept { return learner_ == nullptr ? 0 : learner_->features_in_use(); }

Play Policy::Impl::choose(const Remains& on_offer) {
  assert(!remaining_.empty());
  pass_round();
  const std::optional<double> radius = learner_ == nullptr ? std::nullopt : learner_->radius();
  const double exploration = exploration_now();
  const bool is_random = plays_at_random(exploration);
  return {is_random ? pick(on_offer) : best(on_offer), is_random, radius, exploration};
}

void Policy::Impl::pass_round() noexcept {
  ++clock_.round;
  if (marked_yet_) ++clock_.since_first_mark;
}

DocumentId Policy::Impl::pick(const Remains& on_offer) {
  for (;;) {
    const DocumentId drawn = remaining_.pick(exploration_);
    if (on_offer(drawn)) return drawn;
  }
}

DocumentId Policy::Impl::best(const Remains& on_offer) {
  if (best_of_parts_) return best_of_parts_(best_held(on_offer)).document;
  const DocumentId best = best_of_all(on_offer);
  if (best != kNoDocument) return best;
  // Happens only if the values of the pool were overwritten while it was in use.
  throw NumericalError("expected a document whose score is a number, found none");
}

/// Tries the best of all documents first: if it is on offer, it is also the best of those on offer.
DocumentId Policy::Impl::best_of_all(const Remains& on_offer) {
  const RandomStream before = sampling_;
  if (keeps_scores_) {
    const DocumentId best = learner_->choose(sampling_);
    if (best == kNoDocument || on_offer(best)) return best;
    sampling_ = before;
  }
  const std::vector<Ranked> best = learner_->rank(sampling_, 1, may_be_chosen(on_offer));
  return best.empty() ? kNoDocument : best.front().document;
}

/// The best of the documents that are held here, numbered in the whole pool.
Ranked Policy::Impl::best_held(const Remains& on_offer) {
  const RandomStream before = sampling_;
  if (keeps_scores_) {
    Ranked best = learner_->best_held(sampling_);
    if (best.document == kNoDocument) return best;
    best.document += pool_.first_document();
    if (on_offer(best.document)) return best;
    sampling_ = before;
  }
  const std::vector<Ranked> best = learner_->rank(sampling_, 1, may_be_chosen(on_offer));
  if (best.empty()) return {};
  return {best.front().document + pool_.first_document(), best.front().score};
}

Remains Policy::Impl::may_be_chosen(const Remains& on_offer) const {
  return [this, &on_offer](DocumentId row) {
    const DocumentId document = row + pool_.first_document();
    return remaining_.contains(document) && on_offer(document);
  };
}

std::vector<Ranked> Policy::Impl::ranking(std::size_t count, const Remains& on_offer) {
  if (features_in_use() == 0) return {};
  RandomStream sampling = sampling_;
  std::vector<Ranked> best = learner_->rank(sampling, count, may_be_chosen(on_offer));
  for (Ranked& ranked : best) ranked.document += pool_.first_document();
  return best;
}

void Policy::Impl::keep_scores(bool keep) {
  keeps_scores_ = keep;
  if (learner_ != nullptr) learner_->keep_scores(keep);
}

double Policy::Impl::exploration_now() const noexcept {
  if (features_in_use() == 0 || learner_->explores_anyway()) return 1.0;
  return std::clamp(schedule_.probability(clock_), 0.0, 1.0);
}

bool Policy::Impl::plays_at_random(double probability) noexcept {
  return probability >= 1.0 || (probability > 0.0 && exploration_.coin(probability));
}

void Policy::Impl::observe(DocumentId document, double reward, std::span<const FeatureId> marks,
                           std::span<const double> confidences) {
  assert(confidences.empty() || confidences.size() == marks.size());
  std::vector<SaidWord> words;
  words.reserve(marks.size());
  for (std::size_t n = 0; n < marks.size(); ++n)
    words.push_back({.feature = marks[n], .confidence = confidences.empty() ? 1.0 : confidences[n]});
  check_id("document", document, pool_.whole_documents());
  observe({document, reward, words});
}

void Policy::Impl::observe(const PastEvent& event) {
  const bool has_document = event.document != kNoDocument;
  if (!has_document && event.words.empty()) return;
  check(event);
  if (learner_ != nullptr) {
    clear_words();
    add_words(event);
    check_room(adopted_);
    if (has_document) learner_->observe(event.document, event.reward);
    for (const FeatureId feature : adopted_) {
      if (!learner_->uses(feature)) learner_->adopt(feature);
      marked_yet_ = true;
    }
    if (has_document) learner_->observe_marks(event.document, marks_);
    if (!ratings_.empty()) learner_->rate_words(ratings_);
  }
  if (has_document && !with_replacement_ && remaining_.contains(event.document)) retire(event.document);
}

void Policy::Impl::clear_words() noexcept {
  marks_.clear();
  ratings_.clear();
  adopted_.clear();
}

/// Adds the event to the marks, the ratings and the features to adopt, which are those marked or rated above 0.
void Policy::Impl::add_words(const PastEvent& event) {
  const bool is_apart = event.document == kNoDocument;
  for (const SaidWord& word : event.words) {
    const double reward = word.reward.value_or(1.0);
    if (reward > 0.0 && scope_.accepts_mark(clock_.round)) adopted_.push_back(word.feature);
    if (is_apart || (word.reward && learns_ratings_))
      ratings_.push_back({word.feature, reward, word.confidence});
    else if (reward > 0.0)
      marks_.push_back({.feature = word.feature, .confidence = word.confidence});
  }
}

void Policy::Impl::learn(std::span<const PastEvent> events, const std::function<void()>& between) {
  struct Counts {
    std::size_t marks, ratings, adopted;
  };
  std::vector<Counts> until;
  until.reserve(events.size());
  clear_words();
  for (const PastEvent& event : events) {
    check(event);
    add_words(event);
    until.push_back({marks_.size(), ratings_.size(), adopted_.size()});
  }
  if (learner_ != nullptr) {
    check_room(adopted_);
    marked_yet_ = marked_yet_ || !adopted_.empty();
    std::vector<Lesson> lessons;
    lessons.reserve(events.size());
    Counts from = {0, 0, 0};
    for (std::size_t n = 0; n < events.size(); ++n) {
      const Counts& to = until[n];
      lessons.push_back({events[n].document, events[n].reward,
                         std::span(adopted_).subspan(from.adopted, to.adopted - from.adopted),
                         std::span(marks_).subspan(from.marks, to.marks - from.marks),
                         std::span(ratings_).subspan(from.ratings, to.ratings - from.ratings)});
      from = to;
    }
    learner_->learn(lessons, between);
  }
  for (const PastEvent& event : events) {
    if (event.document == kNoDocument) continue;
    if (!with_replacement_ && remaining_.contains(event.document)) retire(event.document);
  }
}

void Policy::Impl::check(const SaidWord& word) const {
  check_id("feature", word.feature, pool_.features());
  const auto refuse = [&](const std::string& expectation, double found) {
    const char* const what = word.reward ? "the rating of feature " : "the mark of feature ";
    throw FormatError(what + std::to_string(word.feature), expectation + ", got " + number_text(found));
  };
  if (word.reward && !(std::fabs(*word.reward) <= kLargestReward))
    refuse("expected a finite number of at most 1e100 in size", *word.reward);
  if (!(word.confidence > 0.0 && word.confidence <= 1.0)) refuse("expected a confidence above 0 and at most 1", word.confidence);
}

/// An event without a document must have words.
void Policy::Impl::check(const PastEvent& event) const {
  for (const SaidWord& word : event.words) check(word);
  if (event.document == kNoDocument && !event.words.empty()) return;
  check_id("document", event.document, pool_.whole_documents());
  check_reward(event.document, event.reward);
}

void Policy::Impl::check_room(std::span<const FeatureId> marks) const {
  const auto room = static_cast<std::size_t>(kLargestGram - features_in_use());
  if (marks.size() <= room) return;
  std::vector<FeatureId> unused(marks.begin(), marks.end());
  std::ranges::sort(unused);
  const auto repeated = std::ranges::unique(unused);
  unused.erase(repeated.begin(), repeated.end());
  std::erase_if(unused, [&](FeatureId feature) { return learner_->uses(feature); });
  if (unused.size() <= room) return;
  throw FormatError("the marks of a document", "expected at most " + std::to_string(kLargestGram) + " features in use, got " +
                                                   std::to_string(features_in_use()) + " and " + std::to_string(unused.size()) +
                                                   " new ones");
}

void Policy::Impl::retire(DocumentId document) {
  remaining_.remove(document);
  if (learner_ != nullptr && pool_.holds(document)) learner_->retire(document - pool_.first_document());
}

Policy::Policy(PoolView pool, std::string_view preset, const PolicyOptions& options, std::uint64_t seed)
    : Policy(pool, preset_named(preset), options, RandomStream(seed, 0, RandomRole::exploration),
             RandomStream(seed, 0, RandomRole::sampling)) {}
Policy::Policy(PoolView pool, const Preset& preset, const PolicyOptions& options, RandomStream exploration, RandomStream sampling)
    : impl_(std::make_unique<Impl>(pool, preset, options, exploration, sampling)) {}
Policy::~Policy() = default;
Policy::Policy(Policy&&) noexcept = default;
Policy& Policy::operator=(Policy&&) noexcept = default;

bool Policy::exhausted() const noexcept { return impl_->remaining().empty(); }
Play Policy::choose() {
  return impl_->choose([](DocumentId) { return true; });
}
Play Policy::choose(const Remains& on_offer) { return impl_->choose(on_offer); }
void Policy::pass_round() noexcept { impl_->pass_round(); }
std::vector<Ranked> Policy::ranking(std::size_t count, const Remains& on_offer) { return impl_->ranking(count, on_offer); }
void Policy::keep_scores(bool keep) { impl_->keep_scores(keep); }
void Policy::choose_with(BestOfParts best_of_parts) { impl_->choose_with(std::move(best_of_parts)); }
void Policy::observe(DocumentId document, double reward, std::span<const FeatureId> marks, std::span<const double> confidences) {
  impl_->observe(document, reward, marks, confidences);
}
void Policy::observe(const PastEvent& event) { impl_->observe(event); }
void Policy::learn(std::span<const PastEvent> events, const std::function<void()>& between) { impl_->learn(events, between); }
PolicyState Policy::state() const noexcept { return impl_->state(); }
void Policy::set_state(const PolicyState& state) noexcept { impl_->set_state(state); }
const Learner* Policy::learner() const noexcept { return impl_->learner(); }
const RemainingDocuments& Policy::remaining() const noexcept { return impl_->remaining(); }
std::int32_t Policy::features_in_use() const noexcept { return impl_->features_in_use(); }

std::unique_ptr<Learner> learner_of(std::string_view preset, PoolView pool, const PolicyOptions& options) {
  const Preset& known = preset_named(preset);
  if (!known.learner) throw FormatError("policy '" + std::string(preset) + "'", "expected one that learns");
  const FeatureScope scope{known.scope, options.first_rounds, options.given};
  return known.learner(pool, resolved(options, known, pool, scope.at_start(pool.features()).size()));
}

Policy policy_with(const std::function<std::unique_ptr<Learner>(PoolView, const PolicyOptions&)>& learner,
                   std::string_view preset, PoolView pool, const PolicyOptions& options, std::uint64_t seed) {
  Preset own = preset_named(preset);
  own.learner = learner;
  return {pool, own, options, RandomStream(seed, 0, RandomRole::exploration), RandomStream(seed, 0, RandomRole::sampling)};
}

}  // namespace inkling
