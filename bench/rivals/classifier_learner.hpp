// The best document by a classifier of wanted documents: the methods in use for reviewing documents, and published ones
// that learn from marked words.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "bench/rivals/greedy_learner.hpp"
#include "bench/rivals/linear_classifier.hpp"
#include "engine/model/row_store.hpp"

namespace inkling::bench {

/// How a classifier uses marked words.
enum class MarkUse {
  none,
  /// A marked word counts as a document that holds this word alone, once, and is wanted (Raghavan and
  /// Allan 2007).
  documents,
  /// A document is to score higher than it would without its marked words, by a margin (Zaidan, Eisner and
  /// Piatko 2007).
  contrasts,
};

/// The side of a contrast.
enum class ContrastSide {
  wanted,    ///< a marked word is a reason to want a document, however this one was rated
  as_rated,  ///< marked words are reasons for the rating, as in 2007: without them a useless one scores higher
};

struct MarkOptions {
  MarkUse use = MarkUse::none;
  double cost = 1.0;    ///< of a document or a contrast that comes from marks, in terms of that of a rated document
  double margin = 0.1;  ///< > 0, of a contrast
  ContrastSide side = ContrastSide::wanted;
};

struct ClassifierLearnerOptions {
  ClassifierLoss loss = ClassifierLoss::logistic;
  double cost = 1.0;  ///< C: how much a mistake counts against the size of the weights
  /// Wanted documents together cost this many times as much as the others together, and a document 1 on the
  /// average; 0: each costs the same.
  double balance = 0.0;
  /// This many documents that nobody has rated, drawn anew at each training, are assumed to be not wanted.
  std::int32_t presumed = 0;
  /// Whether it learns from rated documents of one side alone.
  bool learns_from_one_side = true;
  Batches batches = Batches::single;
  MarkOptions marks = {};
};

/// A query is one wanted document of length 1 that holds its words, as AutoTAR makes one of a topic's
/// description; where marked words are documents, each of its words is one.
///
/// With examples of one side alone: while nothing is known to be wanted (no document, no query, no marked word that is
/// a document), documents are drawn at random. If nothing is known to be useless, the presumed documents are the other
/// side. Without presumed documents, a classifier that learns from one side prefers what resembles the wanted ones, and
/// any other draws at random.
class ClassifierLearner final : public GreedyLearner {
 public:
  ClassifierLearner(PoolView pool, const ClassifierLearnerOptions& options);

 private:
  [[nodiscard]] std::span<const double> train(RandomStream& draws) override;
  void add_rated_documents(double wanted, double unwanted);
  void add_query();
  void presume_unwanted(RandomStream& draws);
  void add_word_documents();
  void add_contrasts();
  [[nodiscard]] SparseRow row_of(std::span<const SaidWord> words, const std::function<double(const SaidWord&)>& value_of);
  [[nodiscard]] bool takes_words_one_by_one() const noexcept { return options_.marks.use == MarkUse::documents; }

  ClassifierLearnerOptions options_;
  LinearClassifier classifier_;
  std::vector<ClassifierExample> examples_;
  RowStore rows_of_words_;  // the rows of this training's examples that are made of words
  std::size_t kept_rows_ = 0;
};

}  // namespace inkling::bench
