// The one loop of every algorithm: choose, see the reward and the marks, learn.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/random_stream.hpp"
#include "engine/policy/exploration_schedule.hpp"
#include "engine/policy/feature_scope.hpp"
#include "engine/policy/learner.hpp"
#include "engine/policy/policy_options.hpp"
#include "engine/policy/presets.hpp"
#include "engine/policy/remaining_documents.hpp"

namespace inkling {

/// What a policy chose.
struct Play {
  DocumentId document = 0;
  bool explored = false;         ///< drawn at random
  std::optional<double> radius;  ///< at the time of the choice, where the learner has one
  /// With this probability the round was to be random: 1 while no feature is in use, 0 for a policy that never explores.
  double exploration = 0.0;
};

/// What somebody said of a document and of words with it, or of words alone. Lifetime: lends the words.
struct PastEvent {
  DocumentId document = 0;  ///< kNoDocument where only words were rated: then there is no reward
  double reward = 0.0;
  std::span<const SaidWord> words = {};
};

/// Where a policy stands beside what it has learned: its clock, and where its random streams are.
struct PolicyMoment {
  RoundClock clock{0, 0};
  RandomStream exploration;
  RandomStream sampling;
};

/// A round is choose() and then observe() of the chosen document. observe() may also be called between
/// rounds, with what came from outside: the policy learns from it as from its own plays, but counts no round.
///
/// What was learned depends on the calls of observe() and learn() alone, to the last bit. A choice changes the
/// moment() and nothing else that a later choice depends on: where the moment from before is set again, it is as if
/// nothing had been chosen. So a policy to which an earlier run is told again, with pass_round() for each of its rounds
/// and observe() for what came of it, stands where that run stood.
///
/// Until a feature is in use there is nothing to be optimistic about, and the policy plays at random.
/// Draws: a coin only where the schedule's probability lies strictly between 0 and 1, a row for each random
/// play.
///
/// Lifetime: the pool must outlive the policy. Thread safety: none.
class Policy {
 public:
  /// Throws FormatError on given features that do not fit the pool, NumericalError on a ridge that is not
  /// positive.
  Policy(PoolView pool, const Preset& preset, const PolicyOptions& options, RandomStream exploration,
         RandomStream sampling);

  /// Whether any document remains to be chosen.
  [[nodiscard]] bool exhausted() const noexcept { return remaining_.empty(); }

  /// Requires: not exhausted().
  [[nodiscard]] Play choose();

  /// The same among those of the remaining documents for which `on_offer` holds: a random play draws until it meets one
  /// of these. Where all are on offer, it is what choose() does. Requires: there is one.
  [[nodiscard]] Play choose(const Remains& on_offer);

  /// The clock moves on as it does in choose(), and nothing is chosen or drawn: a round that was played before.
  void pass_round() noexcept;

  /// The `count` best of the remaining documents for which `on_offer` holds, best first, by what was learned; none where
  /// no feature is in use. It counts no round and draws nothing from the policy's own streams.
  [[nodiscard]] std::vector<Ranked> ranking(
      std::size_t count, const Remains& on_offer = [](DocumentId) { return true; });

  /// Whether the score of every document is kept from choice to choice, which takes memory for each of them and makes a
  /// choice fast, or made for each choice and dropped. The choices are the same. A new policy keeps them.
  void keep_scores(bool keep);

  /// Where the pool is a part of a larger one, its documents are numbered in that one, and so is all that is observed, drawn
  /// at random or chosen. `best_of_parts` takes the best of the documents held here, or kNoDocument, and returns the best
  /// of all parts. So policies of the same preset, options and streams, one for each part, which are told the same, choose
  /// what one policy of the whole pool would. Rows of other parts must be known before they are observed.
  using BestOfParts = std::function<Ranked(const Ranked&)>;
  void choose_with(BestOfParts best_of_parts);

  /// Learns the reward of a document and what was marked in it, with a confidence in (0, 1] for each mark or
  /// none for certainty; only a learner that weighs marks looks at them. A feature that is already in use may
  /// be marked again. Without replacement the document is not chosen after this. Throws FormatError on a
  /// document, feature, reward or confidence that cannot be, and leaves the policy as it was. Requires: as
  /// many confidences as marks, or none.
  void observe(DocumentId document, double reward, std::span<const FeatureId> marks,
               std::span<const double> confidences = {});

  /// The same with words of both kinds. Ratings of words are learned after the document and its marks, outside of the
  /// clock of rounds: a row that holds the word alone, with a value of 1 and no base rate, was worth the reward; a
  /// confidence counts as so many ratings. A policy that does not learn from them (`OptionsUsed::word_ratings`) takes one
  /// above 0 as a mark, in the document where there is one, and any other as nothing. Words may be rated again. Apart from
  /// documents a word without a reward is rated 1.
  void observe(const PastEvent& event);
  void rate_words(std::span<const SaidWord> words) { observe({.document = kNoDocument, .words = words}); }

  /// observe() of each of these in order, up to rounding, and faster. What was learned is then computed afresh
  /// (`Learner::refine`). `between` is called before each event, and may throw to end the work: the policy can
  /// then only be destroyed. Throws as observe() does.
  void learn(
      std::span<const PastEvent> events, const std::function<void()>& between = [] {});

  /// A new policy that observed the same in the same order, each at the moment at which this one did, and is set to this
  /// moment, goes on as this one would, to the last choice.
  [[nodiscard]] PolicyMoment moment() const noexcept { return {clock_, exploration_, sampling_}; }
  void set_moment(const PolicyMoment& moment) noexcept {
    clock_ = moment.clock;
    exploration_ = moment.exploration;
    sampling_ = moment.sampling;
  }

  /// nullptr for a policy that learns nothing.
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
  void forget_heard() noexcept;
  void hear(const PastEvent& event);
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
  // What was heard last.
  std::vector<Mark> marks_;
  std::vector<WordRating> ratings_;
  std::vector<FeatureId> adopted_;
  bool keeps_scores_ = true;
  BestOfParts best_of_parts_;  // empty where the whole pool is here
};

}  // namespace inkling
