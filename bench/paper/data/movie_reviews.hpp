// Film reviews with the phrases that people highlighted as the reason for their judgement: real marks.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/paper/data/sparse_logistic.hpp"
#include "bench/worlds/mark_model.hpp"
#include "engine/core/ids.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "io/pool/open/pool.hpp"

namespace inkling::bench {

/// How often people mark: of the words that decide (an oracle's), and of all others. Words are counted once a
/// review that holds them.
struct MarkingRates {
  double hit = 0.0;                 ///< share of a review's deciding words that were highlighted in it
  double false_mark = 0.0;          ///< share of its other words that were
  std::int64_t deciding_words = 0;  ///< counted over all reviews: what the shares are of
  std::int64_t other_words = 0;
};

class MovieReviews {
 public:
  /// As `Newsgroups::prepare`; `archive` is an archive or unpacked folder of the ERASER form, of which those
  /// reviews are taken that have an annotation, ascending by name.
  [[nodiscard]] static MovieReviews prepare(const std::string& archive, const std::string& pool_folder,
                                            const std::function<void()>& check_interruption,
                                            SupportSize oracle_size = {30, 100});

  [[nodiscard]] PoolView view() const { return pool_.view(); }
  [[nodiscard]] const Pool& pool() const { return pool_; }
  /// By document: whether the review is positive. Its labels in the pool are NEG and POS.
  [[nodiscard]] bool is_positive(DocumentId document) const;

  /// By document: the features that were highlighted in it, a value of 1 each; a subset of its row's
  /// features.
  [[nodiscard]] CsrView highlights() const { return highlights_.view(); }

  /// The support of an L1 logistic regression of the sentiment with 30 to 100 features, ascending.
  [[nodiscard]] const std::vector<FeatureId>& oracle() const { return oracle_; }
  [[nodiscard]] const std::string& oracle_facts() const { return oracle_facts_; }
  [[nodiscard]] MarkingRates rates() const { return rates_; }

 private:
  MovieReviews(Pool pool, CsrMatrix highlights)
      : pool_(std::move(pool)), highlights_(std::move(highlights)) {}

  void find_oracle(std::int32_t positive_label, SupportSize size, const std::string& archive);

  Pool pool_;
  CsrMatrix highlights_;
  std::vector<FeatureId> oracle_;
  std::string oracle_facts_;
  MarkingRates rates_;
};

/// Of the words that a document holds, each deciding one is marked with probability `rates.hit` and each
/// other with `rates.false_mark`: one coin each time that a document is shown. False marks may fall on any
/// word, not on a few tempting ones, as in the reviews: people highlighted 11,582 of their 39,015 words
/// somewhere, and only 87 of those are the oracle's. So this person belongs in a reduced pool: in all
/// features of a large one, more words would soon be in use than a model holds. Requires: `deciding` ascends,
/// each once, within [0, features).
[[nodiscard]] MarkModel simulated_person(std::int32_t features, std::vector<FeatureId> deciding,
                                         const MarkingRates& rates);

}  // namespace inkling::bench
