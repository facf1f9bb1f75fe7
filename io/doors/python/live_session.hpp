// One search as a program drives it: a policy with the log of all that
// happened, which can be taken back and told again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/policy/policy.hpp"
#include "engine/policy/presets.hpp"

namespace inkling::python {

/// A document that was chosen, and how.
struct LiveChoice {
  DocumentId document = 0;
  std::int64_t round = 0;                 ///< 1 in the first
  bool explored = false;                  ///< drawn at random
  std::int64_t among = 0;                 ///< how many documents it was chosen from
  std::optional<double> propensity = {};  ///< the probability with which it was chosen, where that is known
  std::optional<double> radius = {};      ///< what multiplied the width
  std::optional<double> mean = {};        ///< nothing where no feature was in use
  std::optional<double> width = {};
};

enum class LiveEventKind { chosen, observed, forgot, skipped, words };

struct LiveEvent {
  LiveEventKind kind = LiveEventKind::chosen;
  LiveChoice choice = {};            ///< chosen; observed and skipped: of what was on
                                     ///< offer, with round 0 where nothing was
  DocumentId document = 0;           ///< chosen, observed, skipped
  double reward = 0.0;               ///< observed
  std::vector<SaidWord> words = {};  ///< observed; words: all with a reward
  FeatureId feature = 0;             ///< forgot
};

/// Where the random streams of a policy stand, as numbers.
using StreamWords = std::vector<std::uint64_t>;

/// What a session is a function of, together with its events.
struct LiveSettings {
  Preset preset;
  PolicyOptions options = {};
  std::uint64_t seed = 1;
  std::uint64_t trial = 0;  ///< of the random streams
};

/// After a skip, a document is on offer again when so many choices have passed.
inline constexpr std::int64_t kSkippedChoices = 20;

/// A document that was chosen is not chosen again until it is observed or
/// skipped, unless documents may be chosen again anyway. What is learned and
/// chosen is a function of settings and events: `undo` leaves no trace.
///
/// Errors are FormatError and leave the session as it was. Lifetime: the pool
/// outlives it. Thread safety: none.
class LiveSession {
 public:
  LiveSession(PoolView pool, LiveSettings settings);

  /// Of all on offer, or of those at which `among` is true; nothing where there
  /// is none.
  [[nodiscard]] std::optional<LiveChoice> choose(std::span<const bool> among = {});
  void observe(DocumentId document, double reward, std::span<const SaidWord> words);
  /// Learns ratings of words apart from any document; no round passes. Of several of a word the last one counts, at its
  /// place.
  void rate_words(std::span<const SaidWord> words);
  /// The same of each, up to rounding, in the fast order. `between` may throw
  /// to end the work.
  void learn(std::span<const PastEvent> events, const std::function<void()>& between);
  void forget(FeatureId feature);
  void skip(DocumentId document);
  /// Takes back the last `count` answers (observed, forgot, skipped, words) with all
  /// that came after the first of them. Throws FormatError where there are
  /// fewer.
  void undo(std::int64_t count, const std::function<void()>& between);

  /// Tells an event of a log again, in order; then `set_streams` goes on where
  /// that log ended.
  void replay(const LiveEvent& event);
  [[nodiscard]] StreamWords streams() const;
  void set_streams(const StreamWords& words);

  [[nodiscard]] PoolView pool() const noexcept { return pool_; }
  [[nodiscard]] const Policy& policy() const noexcept { return *policy_; }
  [[nodiscard]] Policy& policy() noexcept { return *policy_; }
  [[nodiscard]] const LinearModel* model() const noexcept;
  [[nodiscard]] const std::vector<LiveEvent>& events() const noexcept { return events_; }
  [[nodiscard]] const std::vector<LiveChoice>& outstanding() const noexcept { return outstanding_; }
  [[nodiscard]] std::int64_t rounds() const noexcept { return choices_; }
  /// How many documents can still be chosen, those that were skipped or are
  /// outstanding included.
  [[nodiscard]] std::int32_t remaining() const noexcept { return policy_->remaining().size(); }

 private:
  struct Skip {
    DocumentId document;
    std::int64_t until;  // the choice before which it is not on offer
  };

  void start_over();
  void tell_again(std::size_t count, const std::function<void()>& between);
  void tell_words(std::span<const LiveEvent> events);
  void check(std::span<const SaidWord> words) const;
  void keep(LiveEvent event);
  [[nodiscard]] std::vector<DocumentId> not_on_offer() const;
  [[nodiscard]] std::optional<double> propensity_of(const Play& play, const Remains& on_offer,
                                                    std::int64_t among);
  [[nodiscard]] LiveChoice made_choice(const Play& play, const Remains& on_offer, std::int64_t among);
  [[nodiscard]] LiveChoice take_outstanding(DocumentId document);

  PoolView pool_;
  LiveSettings settings_;
  std::optional<Policy> policy_;
  std::vector<LiveEvent> events_;
  std::vector<PolicyMoment> moments_;  // before each event
  std::vector<LiveChoice> outstanding_;
  std::vector<Skip> skips_;
  std::int64_t choices_ = 0;
};

}  // namespace inkling::python
