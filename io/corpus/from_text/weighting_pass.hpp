// The second pass: which terms become features, counts become weights, and rows go to the pool in order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/base/file/large_memory.hpp"
#include "io/corpus/from_text/text_matrix_writer.hpp"
#include "io/corpus/from_text/text_recipe.hpp"
#include "io/corpus/pool/write/staged_file.hpp"
#include "io/corpus/terms/term_counts.hpp"
#include "io/corpus/terms/term_table.hpp"

namespace inkling {

/// How many terms were left out, each counted under the first rule that it breaks.
struct DroppedTerms {
  std::int64_t too_rare = 0;       ///< in fewer documents than min_documents
  std::int64_t too_rare_runs = 0;  ///< runs of words in fewer documents than min_documents_of_runs
  std::int64_t too_frequent = 0;   ///< in more than max_documents
  std::int64_t beyond_most = 0;    ///< not among the max_features most frequent
  std::int64_t not_given = 0;      ///< not in the given vocabulary

  bool operator==(const DroppedTerms&) const = default;
};

/// Which terms become features. Features are numbered in the order of their terms' code points.
struct FeatureSelection {
  static constexpr FeatureId none = -1;
  /// Marks a run of words that is not a feature but counts in the length of its row.
  static constexpr FeatureId in_length = -2;

  LargeVector<FeatureId> feature_of_term;        // by term; `none` for a term that is left out
  std::vector<std::string_view> terms;           // by feature
  std::vector<std::int32_t> document_frequency;  // by feature
  DroppedTerms dropped;
};

/// How often each term occurs in all documents together, by term. Called only if max_features has an effect.
using OccurrenceCounts = std::function<std::vector<std::uint64_t>()>;

enum class TermFate { becomes_feature, too_rare, too_rare_run, too_frequent };
enum class TermKind { word, run };

[[nodiscard]] inline TermKind kind_of_term(std::string_view term) noexcept {
  return term.find(' ') == std::string_view::npos ? TermKind::word : TermKind::run;
}

/// What becomes of a term that `document_frequency` of the documents hold, before `max_features` is applied.
[[nodiscard]] TermFate fate_of_term(std::int64_t document_frequency, std::int64_t documents, const TextRecipe& recipe,
                                    TermKind kind);
/// Counts a term that is left out; does nothing for a term that becomes a feature.
void count_fate(DroppedTerms& dropped, TermFate fate);

/// Selects among all terms of a corpus. Lifetime: the selected terms are valid until the table sorts again.
[[nodiscard]] FeatureSelection select_features(TermTable& terms, std::int64_t documents, const TextRecipe& recipe,
                                               const OccurrenceCounts& occurrences);

/// A vocabulary that is given instead of chosen. Lifetime: lends both.
struct GivenFeatures {
  std::span<const std::string_view> terms;  ///< ascending, each once
  std::span<const double> idf = {};         ///< by feature; empty if it comes from the documents of the build
};

/// Selects exactly the given terms as features, whether any document holds them or not. Lifetime: lends `given`.
[[nodiscard]] FeatureSelection select_given_features(const TermTable& terms, std::span<const std::string_view> given,
                                                     const TextRecipe& recipe);

/// The feature of a term, where its entries wait to become a column, and its idf. A term with an idf that is not a
/// feature counts only in the length of its row.
struct WeightedTerm {
  FeatureId feature = FeatureSelection::none;
  ColumnPlace column = {};
  double idf = 0.0;
};

/// Weighs one document after the other: count, idf and norm in double, then rounded.
/// Thread safety: one thread at a time. Lifetime: lends the terms.
class DocumentWeights {
 public:
  DocumentWeights(const TextRecipe& recipe, std::span<const WeightedTerm> terms);

  /// Whether all of them are among the terms. Also prefetches what weigh() needs.
  [[nodiscard]] bool knows(std::span<const TermCount> counts) const noexcept;
  /// Weighs the next document. Terms that are not features are left out, but their idf counts in the norm. Requires:
  /// knows(counts).
  void weigh(std::span<const TermCount> counts);

  /// Features, values, counts and columns of the last document, in the order of its counts. Lifetime: until the next
  /// document.
  [[nodiscard]] std::span<const FeatureId> features() const noexcept { return std::span(features_).first(size_); }
  [[nodiscard]] std::span<const float> values() const noexcept { return std::span(rounded_).first(size_); }
  [[nodiscard]] std::span<const std::uint32_t> counts() const noexcept { return std::span(counts_).first(size_); }
  [[nodiscard]] std::span<const ColumnPlace> columns() const noexcept { return std::span(columns_).first(size_); }
  /// The number by which its values were divided.
  [[nodiscard]] double norm() const noexcept { return norm_value_; }

 private:
  [[nodiscard]] double weight_of(std::uint32_t count) const {
    return count < weights_.size() ? weights_[count] : term_weight(weight_, count);
  }
  template <typename Add>
  double weigh_and_add(std::span<const TermCount> counts, const Add& add);

  TermWeight weight_;
  RowNorm norm_;
  std::span<const WeightedTerm> terms_;
  std::array<double, 128> weights_{};  // of low counts; nearly all counts are low
  // Of one document; the size of each vector is its capacity.
  std::vector<FeatureId> features_;
  std::vector<ColumnPlace> columns_;
  std::vector<std::uint32_t> counts_;
  std::vector<double> values_;
  std::vector<float> rounded_;
  double norm_value_ = 1.0;
  std::size_t size_ = 0;
};

/// Reads the counted segments back, weighs them in parallel and appends the rows to `matrix` in order. Refuses bytes that
/// are not counts of documents with these terms. `memory`: bytes that all blocks in flight may use together.
/// `progress(entries)` is called by one thread at a time.
void weigh_corpus(CountedBytes& counts, std::span<const CountedSegment> segments, const TextRecipe& recipe,
                  std::span<const WeightedTerm> terms, std::uint64_t memory, TextMatrixWriter& matrix,
                  const std::function<void(std::int64_t entries)>& progress);

/// Adds to `occurrences` how often each term occurs in counted documents; makes it larger if there are more terms.
/// Requires: counts that a TermCountsWriter of this process wrote.
void add_occurrences(std::span<const std::byte> counts, std::span<const CountedSegment> segments,
                     std::vector<std::uint64_t>& occurrences);

/// How often each term occurs in all documents together.
[[nodiscard]] std::vector<std::uint64_t> count_occurrences(const ScratchFile& file, std::span<const CountedSegment> segments,
                                                           std::size_t terms);

}  // namespace inkling
