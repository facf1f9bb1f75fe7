// The rounds of a kept search with both probabilities: that of the log, and that of a policy that learned the same answers.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "io/search/evaluation/policy_value.hpp"
#include "io/search/session/kept_search_form.hpp"
#include "io/search/session/search_fold.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling {

/// A round of a search whose document was drawn with a known probability, and rated.
struct LoggedRound {
  std::int64_t shown = 0;  ///< its event
  DocumentId document = 0;
  WeighedRound weighed;
  ChoiceOdds odds;  ///< of the policy that is evaluated
};

/// Why rounds are left out, and how many.
struct RoundsLeftOut {
  std::int64_t unrated = 0;  ///< offers that were skipped, taken back, or not answered
  std::int64_t unknown = 0;  ///< the probability was not known: scores drawn from a posterior, or a given order
  std::int64_t certain = 0;  ///< no other document could have been chosen, so nothing is known of others
  std::int64_t limited = 0;  ///< offered again later, or chosen among documents that the log does not name
  std::int64_t brought = 0;  ///< ratings of documents that were not on offer: imported, or found otherwise

  bool operator==(const RoundsLeftOut&) const = default;
};

struct LoggedRounds {
  std::vector<LoggedRound> rounds;
  RoundsLeftOut left_out;

  [[nodiscard]] std::vector<WeighedRound> weighed() const;
};

/// How often a policy that draws its scores is asked, and how many documents stand for all in the mean of its predictions. Both
/// are unbiased at any number.
inline constexpr int kOddsDraws = 32;

/// The settings of another policy for the search of these facts. Throws as settings_of_search.
[[nodiscard]] SearchSettings settings_of_target(SessionFacts log, const Pool* pool, const Preset& policy, PolicyOptions options);

/// Replays the events with the policy of `target`, whose seed is not used. Each round is seen as it was when its document was
/// offered; its reward is the rating that holds at the end. Throws FormatError if the events are no valid search of this pool, or
/// the policy cannot be searched with. `between` is called often, and may throw.
[[nodiscard]] LoggedRounds logged_rounds(PoolView pool, const SearchSettings& target, std::span<const SearchEvent> events,
                                         const std::function<void()>& between);

inline constexpr std::int64_t kFewestRounds = 10;

/// Throws FormatError, which says why and what to do, if there is no round, or fewer than kFewestRounds beside others whose
/// documents were chosen for certain or with an unknown probability. `logging` is the policy of the log.
void require_rounds(const LoggedRounds& found, const std::string& search, const std::string& logging);

/// "12 skipped or not rated, 3 imported"; empty if none is left out.
[[nodiscard]] std::string left_out_text(const RoundsLeftOut& left_out);

}  // namespace inkling
