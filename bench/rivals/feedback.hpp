// The feedback so far, in the form that rivals use: documents wanted or not, words marked in them, and a
// query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bench/rivals/wanted_rule.hpp"
#include "engine/core/compensated_sum.hpp"
#include "engine/core/id_map.hpp"
#include "engine/policy/policy_options.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling::bench {

/// A document that was rated, with all its marks. Lifetime: lends its row and its marks.
struct RatedDocument {
  DocumentId document;
  SparseRow row;
  double plays;    ///< how often it was rated
  bool is_wanted;  ///< by its mean reward and all rewards so far
  std::span<const SaidWord> marks;
};

/// Lifetime: lends the documents. Thread safety: none.
class Feedback {
 public:
  explicit Feedback(CsrView documents) : documents_(documents) {}

  /// Throws FormatError on a bad reward and learns nothing.
  void observe(DocumentId document, double reward);

  /// A word that is marked again keeps the higher confidence. Requires: the document was observed.
  void observe_marks(DocumentId document, std::span<const SaidWord> marks);

  /// Words that were rated apart from any document: those of a reward above 0 are the query, and count among
  /// the marked words; the others are ignored.
  void rate_words(std::span<const SaidWord> ratings);

  [[nodiscard]] std::size_t size() const noexcept { return rated_.size(); }
  /// In order of the first rating. Requires: place < size().
  [[nodiscard]] RatedDocument document(std::size_t place) const;
  [[nodiscard]] bool holds(DocumentId document) const noexcept { return place_of_.find(document) != IdMap<DocumentId>::kNone; }

  /// Each word that was marked in a document or is part of the query, ascending, with its highest confidence.
  [[nodiscard]] std::span<const SaidWord> words() const noexcept { return words_; }
  /// The query, ascending.
  [[nodiscard]] std::span<const SaidWord> query() const noexcept { return query_; }

  /// Ratings, counting each time that a document was rated.
  [[nodiscard]] std::int64_t ratings() const noexcept { return ratings_; }
  /// How many ratings were of wanted documents.
  [[nodiscard]] double wanted() const;
  [[nodiscard]] double unwanted() const { return static_cast<double>(ratings()) - wanted(); }

 private:
  static void keep_higher(std::vector<SaidWord>& marks, const SaidWord& mark);

  struct Rated {
    DocumentId document;
    std::int64_t plays = 0;
    CompensatedSum rewards = {};
    std::vector<SaidWord> marks = {};  // ascending by feature
  };

  [[nodiscard]] Rated& rated(DocumentId document);

  CsrView documents_;
  WantedRule rule_;
  std::vector<Rated> rated_;  // in order of the first rating
  IdMap<DocumentId> place_of_;
  std::int64_t ratings_ = 0;
  std::vector<SaidWord> words_;
  std::vector<SaidWord> query_;
};

}  // namespace inkling::bench
