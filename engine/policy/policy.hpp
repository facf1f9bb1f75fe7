// The one loop of every algorithm: choose, see the reward and the marks, learn.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/policy/policy_options.hpp"
#include "engine/scoring/ranked.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling {

// These are declared by engine/policy/policy_state.hpp.
class Learner;
class RandomStream;
class RemainingDocuments;
struct PolicyState;
struct Preset;

/// What a policy chose.
struct Play {
  DocumentId document = 0;
  bool explored = false;         ///< drawn at random
  std::optional<double> radius;  ///< at the time of the choice, where the learner has one
  /// The probability of a random play in this round: 1 while no feature is in use, 0 for a policy that never explores.
  double exploration = 0.0;
};

/// The rating of a document with statements about words in it, or statements about words alone. Lifetime: lends the words.
struct PastEvent {
  DocumentId document = 0;  ///< kNoDocument where only words were rated: then there is no reward
  double reward = 0.0;
  std::span<const SaidWord> words = {};
};

/// A round is choose() and then observe() of the chosen document. observe() may also be called between rounds, for documents that
/// the policy did not choose: it learns from them as from its own plays, but counts no round.
///
/// What the policy has learned depends only on the calls of observe() and learn(), to the last bit. A choice changes only the
/// state() that later choices depend on: after set_state() with the earlier one, it is as if nothing had been chosen. So a policy
/// can repeat an earlier run: after pass_round() for each of its rounds and observe() for each result, it has learned what that
/// run had learned.
///
/// Until a feature is in use, the policy plays at random. Draws: a coin only where the schedule's probability lies
/// strictly between 0 and 1, a row for each random play.
///
/// Lifetime: the pool must outlive the policy. Thread safety: none.
class Policy {
 public:
  /// The algorithm of this name; the same seed makes the same choices. Throws FormatError on an unknown name, with the nearest
  /// known one, and on given features that do not fit the pool; NumericalError on a ridge that is not positive.
  Policy(PoolView pool, std::string_view preset, const PolicyOptions& options = {}, std::uint64_t seed = 1);
  /// The same with random streams that the caller chooses.
  Policy(PoolView pool, const Preset& preset, const PolicyOptions& options, RandomStream exploration, RandomStream sampling);
  ~Policy();
  Policy(Policy&&) noexcept;
  Policy& operator=(Policy&&) noexcept;
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;

  /// Whether any document remains to be chosen.
  [[nodiscard]] bool exhausted() const noexcept;

  /// Requires: not exhausted().
  [[nodiscard]] Play choose();

  /// The same among the remaining documents for which `on_offer` holds; a random play draws until it gets one of these. If all
  /// are on offer, it is the same as choose(). Requires: there is one.
  [[nodiscard]] Play choose(const Remains& on_offer);

  /// Counts a round that was played before: the clock moves on as in choose(), but nothing is chosen or drawn.
  void pass_round() noexcept;

  /// The `count` best of the remaining documents for which `on_offer` holds, best first, by what was learned; none where
  /// no feature is in use. It counts no round and draws nothing from the policy's own streams.
  [[nodiscard]] std::vector<Ranked> ranking(
      std::size_t count, const Remains& on_offer = [](DocumentId) { return true; });

  /// With true, the default, the score of every document is kept from choice to choice: choices are fast, and take
  /// memory for each document. With false, scores are computed for each choice and dropped. The choices are the same.
  void keep_scores(bool keep);

  /// For a pool that is a part of a larger one. Documents are then numbered in the larger pool, whether observed, drawn
  /// at random or chosen. `best_of_parts` takes the best of the documents held here, or kNoDocument, and returns the
  /// best of all parts. With one policy for each part, of the same preset, options, streams and observations, each
  /// chooses what one policy of the whole pool would choose. Rows of other parts must be known before they are
  /// observed.
  using BestOfParts = std::function<Ranked(const Ranked&)>;
  void choose_with(BestOfParts best_of_parts);

  /// Learns the reward of a document and what was marked in it, with a confidence in (0, 1] for each mark or none for certainty;
  /// only a learner that weighs marks looks at them. A feature that is already in use may be marked again. Without replacement
  /// the document is not chosen after this. Throws FormatError on an invalid document, feature, reward or confidence, and leaves
  /// the policy as it was. Requires: as many confidences as marks, or none.
  void observe(DocumentId document, double reward, std::span<const FeatureId> marks, std::span<const double> confidences = {});

  /// The same with marks and ratings of words. Ratings of words are learned after the document and its marks, and count
  /// no round: each is a row of the word alone, with the value 1 and no base rate, whose reward is the rating and whose
  /// weight is the confidence. A policy that does not learn from them (`OptionsUsed::word_ratings`) takes a rating
  /// above 0 as a mark, in the document if there is one, and ignores any other. A word may be rated again. Without a
  /// document, a word without a reward counts as rated 1.
  void observe(const PastEvent& event);
  void rate_words(std::span<const SaidWord> words) { observe({.document = kNoDocument, .words = words}); }

  /// observe() of each of these in order, up to rounding, and faster. What was learned is then computed afresh
  /// (`Learner::refine`). `between` is called before each event, and may throw to end the work: the policy can
  /// then only be destroyed. Throws as observe() does.
  void learn(
      std::span<const PastEvent> events, const std::function<void()>& between = [] {});

  /// To continue this policy elsewhere, let a new one observe the same events in the same order and the same rounds, and set it
  /// to this state. It then makes the same choices.
  [[nodiscard]] PolicyState state() const noexcept;
  void set_state(const PolicyState& state) noexcept;

  /// nullptr for a policy that learns nothing.
  [[nodiscard]] const Learner* learner() const noexcept;
  [[nodiscard]] const RemainingDocuments& remaining() const noexcept;
  [[nodiscard]] std::int32_t features_in_use() const noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The names of all algorithms, each with a one-line summary.
struct NamedPolicy {
  std::string_view name;
  std::string_view summary;
};
[[nodiscard]] std::vector<NamedPolicy> named_policies();

}  // namespace inkling
