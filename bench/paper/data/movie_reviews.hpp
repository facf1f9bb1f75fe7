// Film reviews with the phrases that people highlighted as the reason for their judgement: real marks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/paper/data/sparse_logistic.hpp"
#include "bench/worlds/reader_model.hpp"
#include "engine/core/ids.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "io/corpus/from_text/text_recipe.hpp"
#include "io/corpus/pool/open/pool.hpp"

namespace inkling::bench {

/// Reviews as a pool, and what people highlighted. Move-only, as its pool is.
struct HighlightedReviews {
  Pool pool;             ///< with the labels NEG and POS
  CsrMatrix highlights;  ///< as in `MovieReviews`
};

/// Move-only, as its pool is.
struct MovieReviews {
  Pool pool;  ///< with the labels NEG and POS
  /// By document: the features that were highlighted in it, a value of 1 each; a subset of its row's features.
  CsrMatrix highlights;
  /// The support of an L1 logistic regression of the judgement with 30 to 100 features, ascending.
  std::vector<FeatureId> oracle = {};
  std::string oracle_facts = {};
  /// How often people highlight an oracle's word, or another word, that a review holds. A word counts once for each review.
  MarkRates rates = {};

  [[nodiscard]] PoolView view() const { return pool.view(); }
};

/// As `prepare_newsgroups`; `archive` is an archive or unpacked folder in the ERASER format. The pool has the reviews with an
/// annotation, ascending by name.
[[nodiscard]] MovieReviews prepare_reviews(const std::string& archive, const std::string& pool_folder,
                                           const std::function<void()>& check_interruption, SupportSize oracle_size = {30, 100});

/// The same pool with words weighted by `weight`, and without the oracle.
[[nodiscard]] HighlightedReviews prepare_highlighted_reviews(const std::string& archive, const std::string& pool_folder,
                                                             const std::function<void()>& check_interruption, TermWeight weight);

}  // namespace inkling::bench
