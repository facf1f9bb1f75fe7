// What `inkling` learns of grades: a greedy ridge regression on all words, with a base rate and rated words.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/id_map.hpp"
#include "engine/policy/learner.hpp"
#include "engine/policy/policy_options.hpp"
#include "engine/scoring/live/bounded_scores.hpp"
#include "engine/scoring/live/scored_model.hpp"
#include "engine/scoring/survey/pool_survey.hpp"
#include "engine/scoring/words_held.hpp"
#include "engine/sparse/whole_row.hpp"

namespace inkling {

/// From grades to targets from -1 to 1: the middle of the scale becomes 0. The scale reaches from 0 to 1, or further if
/// a larger grade was seen. Once a grade below 0 was seen, it reaches as far below 0 as above, to the largest size of a
/// grade.
class GradeScale {
 public:
  /// Returns whether the scale changed.
  bool widen(double grade) noexcept;
  [[nodiscard]] double middle() const noexcept { return 0.5 * (low_ + high_); }
  [[nodiscard]] double half() const noexcept { return 0.5 * (high_ - low_); }
  [[nodiscard]] double target(double grade) const noexcept { return (grade - middle()) / half(); }

 private:
  double lowest_ = 0.0;
  double highest_ = 0.0;
  double low_ = 0.0;
  double high_ = 1.0;
};

/// How much a grade counts. Searches find far more bad documents than good ones. With equal weights the bad ones would
/// dominate, and the model would learn how useless documents differ from each other. So if a = balance * good / bad is
/// below 1, a bad grade weighs a and a good one 1 / a. Until both kinds were given, each grade weighs 1.
struct GradeBalance {
  double good = 1.0;
  double bad = 1.0;
  double average = 0.0;  ///< of the average document: that of a bad grade times a share of all grades

  [[nodiscard]] static GradeBalance of(std::int64_t good, std::int64_t bad, const InklingOptions& options);

  /// Whether some weight is more than a quarter away from the one here.
  [[nodiscard]] bool is_far_from(const GradeBalance& other) const noexcept;
};

/// - A document is a row of its words and the base feature, and its grade a target from -1 to 1.
/// - The average document is presumed useless: its row, of words that are not rare, is learned with the target -1.
/// - Grades and the average document have the weights of `GradeBalance`. All are updated when one of them is off by more
///   than a quarter.
/// - A mark in a document above the middle is a row of its word alone, with the target 1 and the mark's confidence as
///   its weight. Many new marks in one document together count as four at most, so that a reader who highlights whole
///   sentences does not outweigh the ratings. A word is marked once.
/// - More than four marks in one document are phrases. Of these p = 1 - (4 / marks)^2 is said by all words together: one more row
///   of the weight p and the target 1 has the marked words with their values there, scaled to length 1; the last marks of a
///   document count. Each word alone counts 1 - p + p t, where t = 1 - 5 m / v but not below 0, v is the word's value in the
///   document and m that in the average one: function words of a phrase say nothing.
/// - A word that is rated by hand has its last rating, from -1 to 1, as its target, and weighs as much as three marks: it
///   was named for all documents and not for one.
/// - Of the words, `kMostWordRows` are rows of the model. In the dual form, further ones are beliefs (`DualRidgeModel::believe`),
///   which are the same up to rounding, because the model takes time by the square of its rows.
/// - The document of the highest mean is chosen; widths play no part. As long as nothing good was found and words were rated
///   above 0, it is one of those that hold most of these (`WordsHeld`): bad documents do not yet tell which of the words mislead.
/// - A document is drawn at random before the first grade or rated word. It is also drawn at random while fewer than two good
///   documents were found (not counting the first grade), after the eighth bad one in a row, the tenth, the twelfth and so on.
///
/// Above 256 features the model has the dual form. If documents have vectors, it always has: each number of a vector is a feature
/// of the precision ridge / c, so that a kernel of two documents is that of their words plus c times the product of their vectors.
/// They are in use from the start, cannot be marked, and the average document has none.
class GradedLearner final : public Learner {
 public:
  GradedLearner(PoolView pool, const PolicyOptions& options);

  [[nodiscard]] const LinearModel* model() const noexcept override { return &scored_.model(); }
  [[nodiscard]] std::int32_t features_in_use() const noexcept override;
  void start_with(std::span<const FeatureId> features) override;
  void adopt(FeatureId feature) override { scored_.adopt(feature); }
  void observe(DocumentId document, double reward) override;
  void observe_marks(DocumentId document, std::span<const SaidWord> marks) override;
  [[nodiscard]] bool counts_mark(FeatureId feature) const noexcept override { return said_.contains(feature); }
  void rate_words(std::span<const SaidWord> ratings) override;
  void put_off(const std::function<void()>& between) override { scored_.put_off(between); }
  void refine() override;
  void retire(DocumentId document) override;
  [[nodiscard]] DocumentId choose(RandomStream& sampling) override;
  [[nodiscard]] Ranked best_held(RandomStream& sampling) override;
  [[nodiscard]] std::vector<Ranked> rank(RandomStream& sampling, std::size_t count, const Remains& remains) override;
  void keep_scores(bool keep) override;
  [[nodiscard]] bool explores_anyway() const noexcept override;
  [[nodiscard]] std::optional<double> radius() const override { return 0.0; }
  [[nodiscard]] std::int64_t documents_scored() const noexcept override { return bounded_ ? bounded_->documents_scored() : 0; }

 private:
  static constexpr std::size_t kMostWordRows = 256;

  struct Grade {
    DocumentId document = 0;
    double grade = 0.0;
  };

  /// The words that were marked in a document.
  struct MarkedPart {
    std::vector<FeatureId> features;
    std::vector<float> values;
  };

  [[nodiscard]] std::int64_t key_of(FeatureId feature) const noexcept { return pool_.whole_documents() + feature; }
  [[nodiscard]] std::int64_t key_of_part(DocumentId document) const noexcept { return key_of(pool_.features()) + 1 + document; }
  [[nodiscard]] std::int32_t dimensions() const noexcept { return pool_.by_document.vectors().dimensions; }
  /// A document of the whole pool, with its vector if it is held here.
  [[nodiscard]] SparseRow whole_row(DocumentId document);
  [[nodiscard]] BoundedScores& bounded();
  /// Whether rated words alone say what is wanted.
  [[nodiscard]] bool counts_words() const noexcept { return good_ == 0 && held_.any_wanted(); }
  [[nodiscard]] std::vector<Ranked> best_of(std::size_t count, const Remains& remains);
  /// Frees what is kept of each document apart from the model.
  void drop_kept();
  void count_grade(double target) noexcept;
  void balance_grades();
  void recount_grades();
  [[nodiscard]] double weight_of(double target) const noexcept { return target > 0.0 ? balance_.good : balance_.bad; }
  void unlearn_word(FeatureId feature);
  void learn_word(FeatureId feature, double target, double weight);
  void learn_beliefs();
  void learn_row(const Observation& observation);
  /// Learns what all the marks of a document say together. Returns p, how much of them that is.
  [[nodiscard]] double learn_phrases(DocumentId document, std::span<const SaidWord> marks);
  /// What each of so many marks in one document counts.
  [[nodiscard]] double share_of(std::size_t marks) const noexcept {
    return std::min(1.0, options_.marks_weight / static_cast<double>(marks));
  }
  [[nodiscard]] double telling(FeatureId feature, SparseRow document) const;

  PoolView pool_;  // without the vectors if these are ignored
  InklingOptions options_;
  std::shared_ptr<const PoolSurvey> survey_;  // the model's row of the average document lies there
  std::deque<FeatureId> words_;               // rated; the model's rows of words lie here
  std::map<DocumentId, MarkedPart> parts_;    // and those of marked words here
  ScoredModel scored_;
  WholeRow whole_;
  std::optional<BoundedScores> bounded_;  // of a dual model; made when they are needed
  bool keeps_scores_ = true;
  GradeScale scale_;
  std::vector<Grade> grades_;  // as they were given
  std::int64_t good_ = 0;      // how many of them are above the middle of the current scale
  GradeBalance balance_;       // by which the grades are weighted now
  bool has_presumed_ = false;  // whether the average document was learned
  std::int64_t finds_ = 0;     // good ones after the first grade
  std::int64_t bad_run_ = 0;   // bad ones since the last good one
  IdMap<FeatureId> said_;      // the words that were marked or rated, and how they are learned
  std::size_t word_rows_ = 0;
  std::vector<Belief> beliefs_;  // to be learned by the end of the call
  WordsHeld held_;
  IdMap<DocumentId> retired_;
};

}  // namespace inkling
