// What the answers of a search come to, counted as they are given.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "io/search/session/search_history.hpp"
#include "io/search/session/searcher.hpp"
#include "io/search/stopping/good_guess.hpp"
#include "io/search/stopping/good_left.hpp"

namespace inkling {

/// What holds of what was said of a word (`outweighs`), and whether apart from documents.
struct SaidOfWord {
  SaidWord word;
  bool apart = false;
};
using WordsSaid = std::unordered_map<FeatureId, SaidOfWord>;

/// Counting one more answer takes as long after a thousand of them as after the first. Thread safety: none.
class SearchTally {
 public:
  /// Of a pool of so many documents, of which those with a rating from `good` on are good.
  explicit SearchTally(std::int64_t documents, double good = kGoodRating)
      : documents_(documents), good_from_(good) {}

  /// Forgets all and counts what holds of this history.
  void start_over(const SearchHistory& history);
  /// Counts the last event of the history as well. Requires: all before it was counted, and it only appends
  /// (`SearchHistory::only_appends`).
  void append(const SearchHistory& history);

  /// By word, of those of which something was said.
  [[nodiscard]] const WordsSaid& said() const noexcept { return said_; }
  /// All but `waiting` and `sample_left`.
  [[nodiscard]] SearchProgress progress(double confidence = 0.95) const;
  /// Of each of these bounds.
  [[nodiscard]] std::vector<BoundPrice> prices(std::span<const std::int64_t> bounds) const;
  /// Of documents that were chosen with a score, in order.
  [[nodiscard]] std::vector<ScoredRating> scored_ratings() const;

 private:
  /// Of a document with a rating that holds.
  struct Rated {
    bool is_good = false;  ///< by the last rating of it
    bool is_met = false;   ///< whether an event with a rating of it was counted
  };
  struct Rating {
    bool is_good = false;
    std::optional<double> score = {};  ///< when it was chosen, of a policy that ranks by one
  };
  struct Draw {
    DocumentId document = 0;
    RandomDraw draw;  ///< without what became of it
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
  std::unordered_map<std::int64_t, DocumentId> standing_draws_;  // by round: counted when they were made
};

}  // namespace inkling
