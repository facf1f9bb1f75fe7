#include "io/corpus/from_text/weighting_pass.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/task_arena.h>

#include "engine/core/errors.hpp"
#include "engine/core/ordered_pipeline.hpp"

namespace inkling {
namespace {

using Terms = std::vector<TermTable::Term>;

// The `most` terms that occur most often, in their order. Of terms that occur equally often the first ones are taken.
Terms most_frequent(const Terms& terms, std::int64_t most, const std::vector<std::uint64_t>& occurrences) {
  std::vector<std::size_t> ranked(terms.size());
  for (std::size_t n = 0; n < ranked.size(); ++n) ranked[n] = n;
  const auto more_frequent = [&](std::size_t left, std::size_t right) {
    const std::uint64_t left_count = occurrences[terms[left].id];
    const std::uint64_t right_count = occurrences[terms[right].id];
    return left_count != right_count ? left_count > right_count : left < right;
  };
  std::ranges::nth_element(ranked, ranked.begin() + most, more_frequent);
  ranked.resize(static_cast<std::size_t>(most));
  std::ranges::sort(ranked);
  Terms kept;
  kept.reserve(ranked.size());
  for (const std::size_t n : ranked) kept.push_back(terms[n]);
  return kept;
}

// For each term, a placeholder until its feature is chosen.
LargeVector<FeatureId> features_before_choice(const TermTable& terms, const TextRecipe& recipe) {
  LargeVector<FeatureId> features(terms.document_frequency().size(), FeatureSelection::none);
  if (!recipe.counts_other_runs()) return features;
  for (std::size_t term = 0; term < features.size(); ++term)
    if (terms.is_run(static_cast<TermId>(term))) features[term] = FeatureSelection::in_length;
  return features;
}

constexpr std::uint64_t kMostBlockEntries = std::uint64_t{1} << 15U;
constexpr std::uint64_t kLeastBlockEntries = std::uint64_t{1} << 14U;
constexpr std::uint64_t kBytesPerWeighedEntry = 64;  // counts, entries, both sorted forms and the sorter

// Segments that become one block of rows.
struct WeighedBlock {
  std::vector<std::byte> counts;
  std::span<const CountedSegment> segments;
  std::uint64_t entries = 0;
  std::int64_t first_row = 0;
  WeighedRows rows;
};

// What a thread needs for weighing.
struct Weigher {
  DocumentWeights weights;
  RowSorter sorter;
};

// Cuts the segments into blocks and reads their counts.
class BlockReader {
 public:
  BlockReader(CountedBytes& counts, std::span<const CountedSegment> segments, std::uint64_t entries)
      : counts_(counts), left_(segments), most_entries_(entries) {}

  [[nodiscard]] bool read(WeighedBlock& work) {
    if (left_.empty()) return false;
    std::size_t taken = 0;
    std::uint64_t bytes = 0;
    std::uint64_t documents = 0;
    work.entries = 0;
    for (const CountedSegment& segment : left_) {
      const bool fits =
          work.entries + segment.entries <= most_entries_ && documents + segment.documents <= CountedSegment::most_documents;
      if (taken > 0 && !fits) break;
      ++taken;
      bytes += segment.bytes;
      documents += segment.documents;
      work.entries += segment.entries;
    }
    work.first_row = std::exchange(row_, row_ + static_cast<std::int64_t>(documents));
    work.segments = left_.first(taken);
    work.counts.resize(static_cast<std::size_t>(bytes));
    counts_.read(work.counts);
    left_ = left_.subspan(taken);
    return true;
  }

 private:
  CountedBytes& counts_;
  std::span<const CountedSegment> left_;
  std::uint64_t most_entries_;
  std::int64_t row_ = 0;
};

// Visits the documents of counted segments, one after the other. Calls `refuse` with what is wrong, if anything is.
template <typename Visit, typename Refuse>
void visit_documents(std::span<const std::byte> counts, std::span<const CountedSegment> segments, const Visit& visit,
                     const Refuse& refuse) {
  TermCountsReader reader(counts);
  std::uint64_t entries_left = 0;
  for (const CountedSegment& segment : segments) entries_left += segment.entries;
  for (const CountedSegment& segment : segments) {
    for (std::uint32_t n = 0; n < segment.documents; ++n) {
      const std::optional<std::span<const TermCount>> document = reader.next();
      if (!document || document->size() > entries_left) return refuse("expected whole documents");
      entries_left -= document->size();
      visit(*document);
    }
  }
  if (!reader.at_end() || entries_left > 0) refuse("expected as many documents and entries as were counted");
}

void refuse_own_counts(const std::string& expectation) { throw std::logic_error("own counts: " + expectation); }

// Looks at all of them, which takes less time than stopping at the first pair.
bool has_equal_neighbours(std::span<const FeatureId> features) {
  std::uint32_t equal = 0;
  for (std::size_t n = 1; n < features.size(); ++n) equal |= features[n - 1] == features[n] ? 1U : 0U;
  return equal != 0;
}

void weigh(WeighedBlock& work, std::size_t parts, const CountedBytes& counts, Weigher& weigher) {
  const auto refuse = [&counts](const std::string& expectation) { counts.refuse(expectation); };
  WeighedRows& rows = work.rows;
  rows.row_sizes.clear();
  rows.features.resize(static_cast<std::size_t>(work.entries));
  rows.values.resize(static_cast<std::size_t>(work.entries));
  rows.entries = 0;
  rows.columns.begin(work.first_row, parts);
  const DocumentWeights& weighed = weigher.weights;
  visit_documents(
      work.counts, work.segments,
      [&](std::span<const TermCount> document) {
        if (!weigher.weights.knows(document)) refuse("expected terms that were counted");
        weigher.weights.weigh(document);
        FeatureId* const features = rows.features.data() + rows.entries;
        weigher.sorter.sort(weighed.features(), weighed.values(), features, rows.values.data() + rows.entries);
        const std::size_t size = weighed.features().size();
        if (has_equal_neighbours({features, size})) refuse("expected each term once in a document");
        rows.columns.append(weighed.columns(), weighed.counts(), weighed.norm());
        rows.row_sizes.push_back(static_cast<std::uint32_t>(size));
        rows.entries += size;
      },
      refuse);
}

}  // namespace

TermFate fate_of_term(std::int64_t document_frequency, std::int64_t documents, const TextRecipe& recipe, TermKind kind) {
  const auto count = static_cast<double>(document_frequency);
  if (count > recipe.max_documents.documents(documents)) return TermFate::too_frequent;
  if (count < recipe.min_documents.documents(documents)) return TermFate::too_rare;
  const bool is_rare_run = kind == TermKind::run && document_frequency < recipe.min_documents_of_runs;
  return is_rare_run ? TermFate::too_rare_run : TermFate::becomes_feature;
}

void count_fate(DroppedTerms& dropped, TermFate fate) {
  switch (fate) {
    case TermFate::too_rare: ++dropped.too_rare; break;
    case TermFate::too_rare_run: ++dropped.too_rare_runs; break;
    case TermFate::too_frequent: ++dropped.too_frequent; break;
    case TermFate::becomes_feature: break;
  }
}

FeatureSelection select_features(TermTable& terms, std::int64_t documents, const TextRecipe& recipe,
                                 const OccurrenceCounts& occurrences) {
  const std::span<const std::uint32_t> frequency = terms.document_frequency();
  FeatureSelection selection;
  selection.feature_of_term = features_before_choice(terms, recipe);
  std::vector<bool> becomes_feature(frequency.size());
  for (std::size_t term = 0; term < frequency.size(); ++term) {
    const bool is_run = selection.feature_of_term[term] == FeatureSelection::in_length;
    const TermFate fate = fate_of_term(frequency[term], documents, recipe, is_run ? TermKind::run : TermKind::word);
    becomes_feature[term] = fate == TermFate::becomes_feature;
    count_fate(selection.dropped, fate);
  }
  Terms kept = terms.sorted(becomes_feature);
  if (recipe.max_features && static_cast<std::int64_t>(kept.size()) > *recipe.max_features) {
    selection.dropped.beyond_most = static_cast<std::int64_t>(kept.size()) - *recipe.max_features;
    kept = most_frequent(
        kept, *recipe.max_features,
        recipe.ranks_by_documents() ? std::vector<std::uint64_t>(frequency.begin(), frequency.end()) : occurrences());
  }
  for (const TermTable::Term& term : kept) {
    selection.feature_of_term[term.id] = static_cast<FeatureId>(selection.terms.size());
    selection.terms.push_back(term.text);
    selection.document_frequency.push_back(static_cast<std::int32_t>(frequency[term.id]));
  }
  return selection;
}

FeatureSelection select_given_features(const TermTable& terms, std::span<const std::string_view> given,
                                       const TextRecipe& recipe) {
  FeatureSelection selection;
  selection.feature_of_term = features_before_choice(terms, recipe);
  selection.terms.assign(given.begin(), given.end());
  selection.document_frequency.assign(given.size(), 0);
  selection.dropped.not_given = terms.size();
  for (std::size_t feature = 0; feature < given.size(); ++feature) {
    const std::optional<TermId> term = terms.find(given[feature]);
    if (!term) continue;
    selection.feature_of_term[*term] = static_cast<FeatureId>(feature);
    selection.document_frequency[feature] = static_cast<std::int32_t>(terms.document_frequency()[*term]);
    --selection.dropped.not_given;
  }
  return selection;
}

DocumentWeights::DocumentWeights(const TextRecipe& recipe, std::span<const WeightedTerm> terms)
    : weight_(recipe.weight), norm_(recipe.norm), terms_(terms) {
  for (std::uint32_t count = 1; count < weights_.size(); ++count) weights_[count] = term_weight(weight_, count);
}

bool DocumentWeights::knows(std::span<const TermCount> counts) const noexcept {
  TermId greatest = 0;
  for (const TermCount& count : counts) {
    __builtin_prefetch(terms_.data() + std::min<std::size_t>(count.term, terms_.size()));
    greatest = std::max(greatest, count.term);
  }
  return counts.empty() || greatest < terms_.size();
}

// Computes the values before the norm. Returns the sum of add(value) over them, in order; a term with an idf of 0 adds
// nothing.
template <typename Add>
double DocumentWeights::weigh_and_add(std::span<const TermCount> counts, const Add& add) {
  double sum = 0.0;
  FeatureId* const features = features_.data();
  ColumnPlace* const columns = columns_.data();
  std::uint32_t* const kept_counts = counts_.data();
  double* const values = values_.data();
  std::size_t size = 0;
  for (const TermCount& count : counts) {
    const WeightedTerm& term = terms_[count.term];
    const double value = weight_of(count.count) * term.idf;
    features[size] = term.feature;
    columns[size] = term.column;
    kept_counts[size] = count.count;
    values[size] = value;
    sum += add(value);
    size += term.feature != FeatureSelection::none ? 1 : 0;
  }
  size_ = size;
  return sum;
}

void DocumentWeights::weigh(std::span<const TermCount> counts) {
  if (counts.size() > values_.size()) {
    values_.resize(2 * counts.size());
    features_.resize(values_.size());
    columns_.resize(values_.size());
    counts_.resize(values_.size());
    rounded_.resize(values_.size());
  }
  norm_value_ = 1.0;
  switch (norm_) {
    case RowNorm::l2: norm_value_ = std::sqrt(weigh_and_add(counts, [](double value) { return value * value; })); break;
    case RowNorm::l1: norm_value_ = weigh_and_add(counts, [](double value) { return std::abs(value); }); break;
    case RowNorm::none: static_cast<void>(weigh_and_add(counts, [](double) { return 0.0; }));
  }
  // A separate loop, so that the compiler vectorises the divisions.
  for (std::size_t n = 0; n < size_; ++n) rounded_[n] = static_cast<float>(values_[n] / norm_value_);
}

void weigh_corpus(CountedBytes& counts, std::span<const CountedSegment> segments, const TextRecipe& recipe,
                  std::span<const WeightedTerm> terms, std::uint64_t memory, TextMatrixWriter& matrix,
                  const std::function<void(std::int64_t entries)>& progress) {
  const auto in_flight = static_cast<std::uint64_t>(tbb::this_task_arena::max_concurrency()) + 1;
  BlockReader reader(counts, segments,
                     std::clamp(memory / in_flight / kBytesPerWeighedEntry, kLeastBlockEntries, kMostBlockEntries));
  tbb::enumerable_thread_specific<Weigher> weighers(
      [&] { return Weigher{.weights = DocumentWeights(recipe, terms), .sorter = RowSorter(matrix.ranges())}; });
  std::vector<WeighedBlock> blocks(static_cast<std::size_t>(in_flight));
  ordered_pipeline(
      blocks, [&](WeighedBlock& work) { return reader.read(work); },
      [&](WeighedBlock& work) { weigh(work, matrix.columns().parts(), counts, weighers.local()); },
      [&](const WeighedBlock& work) {
        matrix.append(work.rows);
        progress(static_cast<std::int64_t>(work.entries));
      });
}

void add_occurrences(std::span<const std::byte> counts, std::span<const CountedSegment> segments,
                     std::vector<std::uint64_t>& occurrences) {
  visit_documents(
      counts, segments,
      [&occurrences](std::span<const TermCount> document) {
        for (const TermCount& count : document) {
          if (occurrences.size() <= count.term) occurrences.resize(std::size_t{count.term} * 2 + 1);
          occurrences[count.term] += count.count;
        }
      },
      refuse_own_counts);
}

std::vector<std::uint64_t> count_occurrences(const ScratchFile& file, std::span<const CountedSegment> segments,
                                             std::size_t terms) {
  std::vector<std::uint64_t> occurrences(terms);
  ScratchCounts counts(file, ScratchCounts::Reading::again);
  BlockReader reader(counts, segments, kMostBlockEntries);
  WeighedBlock work;
  while (reader.read(work)) add_occurrences(work.counts, work.segments, occurrences);
  return occurrences;
}

}  // namespace inkling
