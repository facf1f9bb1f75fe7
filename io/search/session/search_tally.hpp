// The progress of a search, updated with each answer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/search/session/search_history.hpp"
#include "io/search/session/searcher.hpp"
#include "io/search/stopping/good_guess.hpp"
#include "io/search/stopping/good_left.hpp"

namespace inkling {

/// The statement about a word that `outweighs` all others, and the word's rating apart from documents.
struct SaidOfWord {
  SaidWord word;
  std::optional<SaidWord> apart = {};
};
/// A member of a rule for stopping: what it asks for, and what is so now.
struct RuleCondition {
  std::string_view name;  ///< of `kRuleMembers`
  std::int64_t limit = 0;
  std::int64_t now = 0;
  bool holds = false;
};
[[nodiscard]] std::vector<RuleCondition> conditions_of(const StopRule& rule, const SearchProgress& progress);

using WordsSaid = std::unordered_map<FeatureId, SaidOfWord>;

/// To count one more answer takes constant time, however many there are. Thread safety: none.
class SearchTally {
 public:
  /// For a pool of `documents` documents. A document is good if its rating is at least `good`.
  explicit SearchTally(std::int64_t documents, double good = kGoodRating) : documents_(documents), good_from_(good) {}

  /// Forgets everything and counts the answers of this history that hold.
  void start_over(const SearchHistory& history);
  /// Counts the last event of the history as well. Requires: all before it was counted, and it only appends
  /// (`SearchHistory::only_appends`).
  void append(const SearchHistory& history);

  /// What was said of each word; words of which nothing was said are absent.
  [[nodiscard]] const WordsSaid& said() const noexcept { return said_; }
  /// Leaves `waiting` and `sample_left` at 0.
  [[nodiscard]] SearchProgress progress(double confidence = 0.95) const;
  /// The price of each of these bounds (`price_of_bound`).
  [[nodiscard]] std::vector<BoundPrice> prices(std::span<const std::int64_t> bounds) const;
  /// The ratings of documents that were chosen by a score, in order.
  [[nodiscard]] std::vector<ScoredRating> scored_ratings() const;

 private:
  /// What is counted of a document with a rating that holds.
  struct Rated {
    bool is_good = false;  ///< by the last rating of it
    bool is_met = false;   ///< whether a rating of it was counted
  };
  struct Rating {
    bool is_good = false;
    std::optional<double> score = {};  ///< when it was chosen, of a policy that ranks by one
  };
  struct Draw {
    DocumentId document = 0;
    RandomDraw draw;  ///< `good` is not set
  };

  void count(const SearchStep& step);
  void count(const SearchEvent& event, bool holds);
  void count_offer(const Offer& offer, bool is_in_force);
  void add_draw(const Offer& offer);
  [[nodiscard]] std::vector<RandomDraw> draws() const;

  std::int64_t documents_;
  double good_from_;
  WordsSaid said_;
  std::vector<Rating> ratings_;  // those that count, in order
  std::int64_t without_good_ = 0;
  std::unordered_map<DocumentId, Rated> rated_;
  std::int64_t met_ = 0;  // how many of them are met, and are good
  std::int64_t good_met_ = 0;
  std::optional<Offer> on_offer_;
  std::vector<Draw> draws_;
  std::unordered_map<std::int64_t, DocumentId> open_draws_;  // by round; counted when they were offered
};

}  // namespace inkling
